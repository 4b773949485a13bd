//! The chunks of one file speak for each other, and make room for other files.
//!
//! Several good chunks say that the file is about what was asked, which raises the best of them. The others are then
//! worth less than their score: whoever opens the file sees them anyway. Measured on 38 public repositories with 755
//! questions: without both NDCG@10 falls from 0.82 to 0.79, with either alone it is 0.81 to 0.82.

use rustc_hash::FxHashMap;

/// What the n-th further chunk of a file lends to its best one: `LENT`ⁿ of its score. 0.3 measures
/// the same; a large value lets long files win by their length.
const LENT: f32 = 0.2;

/// What the n-th further chunk of a file keeps: `KEPT`ⁿ of its score. From 0.5 to 0.85 it measures the same
/// where files are the answer; the mild end is for questions whose answer is several places of one file.
const KEPT: f32 = 0.8;

/// No score grows by more than this factor.
pub const MOST: f32 = 1.0 / (1.0 - LENT);

/// `hits` come best first, each with its file and score; their new scores are returned in the same order.
pub fn by_file(hits: &[(&[u8], f32)]) -> Vec<f32> {
    let mut scores = Vec::with_capacity(hits.len());
    // Of each file: where its best chunk stands, and how many followed.
    let mut files: FxHashMap<&[u8], (usize, i32)> = FxHashMap::default();
    for (at, &(file, score)) in hits.iter().enumerate() {
        let (best, seen) = *files.entry(file).and_modify(|(_, seen)| *seen += 1).or_insert((at, 0));
        scores.push(score * KEPT.powi(seen));
        if seen > 0 {
            scores[best] += score * LENT.powi(seen);
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_file_that_says_more_overtakes_one_lucky_chunk() {
        let scores = by_file(&[(b"lucky", 1.0), (b"about", 0.95), (b"about", 0.9), (b"about", 0.8)]);
        assert!(scores[1] > scores[0]);
    }

    #[test]
    fn further_chunks_make_room_for_other_files() {
        let scores = by_file(&[(b"a", 1.0), (b"a", 0.9), (b"b", 0.8)]);
        assert!(scores[2] > scores[1]);
        assert_eq!(by_file(&[(b"a", 1.0), (b"b", 0.9)]), [1.0, 0.9], "lone chunks keep their score");
    }

    proptest! {
        #[test]
        fn scores_stay_bounded_and_the_best_of_a_file_stays_its_best(
            mut hits in prop::collection::vec((0u8..4, 0.0f32..1.0), 0..50),
        ) {
            hits.sort_by(|a, b| b.1.total_cmp(&a.1));
            let names: Vec<[u8; 1]> = hits.iter().map(|(file, _)| [*file]).collect();
            let input: Vec<(&[u8], f32)> =
                names.iter().zip(&hits).map(|(name, (_, score))| (name.as_slice(), *score)).collect();
            let scores = by_file(&input);
            prop_assert_eq!(scores.len(), hits.len());
            for (at, (file, before)) in input.iter().enumerate() {
                prop_assert!(scores[at] <= before * MOST + 1e-5);
                let best = input.iter().position(|(other, _)| other == file).unwrap();
                prop_assert!(scores[best] >= scores[at]);
            }
        }
    }
}
