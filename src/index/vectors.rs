//! Embeds what is live and has no vector yet. Nothing is queued: the difference of two bitmaps says what is
//! missing, so an interrupted run resumes with what its last committed batch left.

use std::time::Instant;

use rayon::prelude::*;
use roaring::RoaringBitmap;

use super::sync::COMMIT_EVERY;
use super::{Phase, Progress};
use crate::embed::{Embedder, Mode, quant};
use crate::error::Result;
use crate::hash::ChunkId;
use crate::store::{RoTxn, RwTxn, SpaceId, Store, lmdb};

/// Chunks embedded and written at once: two vector blocks, and little to lose with a slow model.
const SLICE: usize = 512;

/// The live chunks that have no vector in the embedder's space.
pub(super) fn missing(
    store: &Store,
    txn: &RoTxn<'_>,
    embedder: &dyn Embedder,
    live: &RoaringBitmap,
) -> Result<RoaringBitmap> {
    match store.vectors.space(txn, embedder.identity())? {
        Some(space) => Ok(live - store.vectors.present(txn, space)?),
        None => Ok(live.clone()),
    }
}

/// Embeds `missing`, committing as it goes; the last part is in the transaction that is returned open, so that
/// a small scan needs one commit in all.
pub(super) fn embed<'s>(
    store: &'s Store,
    embedder: &dyn Embedder,
    batch_size: usize,
    missing: &RoaringBitmap,
    progress: &dyn Progress,
    mut wtxn: RwTxn<'s>,
) -> Result<RwTxn<'s>> {
    let space = store.vectors.assign_space(&mut wtxn, embedder.identity())?;
    let ids: Vec<ChunkId> = missing.iter().collect();
    progress.begin(Phase::Embed, ids.len() as u64);
    let mut committed = Instant::now();
    for slice in ids.chunks(SLICE) {
        embed_slice(store, embedder, space, batch_size, slice, progress, &mut wtxn)?;
        if committed.elapsed() > COMMIT_EVERY {
            wtxn.commit().map_err(lmdb)?;
            wtxn = store.write_txn()?;
            committed = Instant::now();
        }
    }
    Ok(wtxn)
}

fn embed_slice(
    store: &Store,
    embedder: &dyn Embedder,
    space: SpaceId,
    batch_size: usize,
    ids: &[ChunkId],
    progress: &dyn Progress,
    wtxn: &mut RwTxn<'_>,
) -> Result<()> {
    let dims = embedder.dims();
    let texts = store.chunks.texts(wtxn, ids)?;
    let rows: Vec<Vec<(f32, Vec<i8>)>> = texts
        .par_chunks(batch_size.min(SLICE.div_ceil(rayon::current_num_threads())).max(1))
        .map(|texts| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = embedder.embed(Mode::Passage, &texts)?;
            progress.advance(texts.len() as u64, texts.len() as u64);
            Ok(vectors.chunks_exact(dims).map(quant::quantize).collect())
        })
        .collect::<Result<_>>()?;
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    store.vectors.put(wtxn, space, dims, ids, &rows)
}
