//! How far a scan is, for whoever watches. The library never prints.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Finding what may have changed.
    List,
    /// Reading, hashing and chunking files.
    Chunk,
    /// Writing manifest and view.
    Write,
    /// Computing vectors.
    Embed,
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::List => "list",
            Phase::Chunk => "chunk",
            Phase::Write => "write",
            Phase::Embed => "embed",
        }
    }
}

pub trait Progress: Sync {
    /// A phase begins; `total` items lie ahead (files or chunks), 0 if unknown.
    fn begin(&self, phase: Phase, total: u64);
    /// Items of the present phase are done; `chunks` of them made or embedded.
    fn advance(&self, items: u64, chunks: u64);
}

/// Nobody watches.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _phase: Phase, _total: u64) {}
    fn advance(&self, _items: u64, _chunks: u64) {}
}
