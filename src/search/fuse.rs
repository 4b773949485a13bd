//! Reciprocal rank fusion: `score = Σ 1 / (60 + rank)`, scaled so that first place everywhere is 1.
//!
//! Ranks need no calibration between channels; 60 is the constant of the paper that introduced the method.

use rustc_hash::FxHashMap;

use crate::hash::ChunkId;

const K: f32 = 60.0;

/// Best first; ties go to the older chunk, so that equal input gives equal output.
pub(super) fn fuse(channels: &[&[ChunkId]]) -> Vec<(ChunkId, f32)> {
    let mut scores: FxHashMap<ChunkId, f32> = FxHashMap::default();
    for channel in channels {
        for (rank, id) in channel.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (K + 1.0 + rank as f32);
        }
    }
    let answering = channels.iter().filter(|channel| !channel.is_empty()).count().max(1);
    let best = answering as f32 / (K + 1.0);
    let mut fused: Vec<_> = scores.into_iter().map(|(id, score)| (id, score / best)).collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_beats_one_first_place() {
        let fused = fuse(&[&[1, 2, 3], &[4, 2, 5]]);
        assert_eq!(fused[0].0, 2);
        assert_eq!(fuse(&[&[7], &[7]]), [(7, 1.0)]);
        assert_eq!(fuse(&[&[7], &[]]), [(7, 1.0)], "a silent channel does not lower the score");
        assert!(fuse(&[&[], &[]]).is_empty());
    }
}
