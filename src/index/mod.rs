//! Makes the index say what the files say: *plan* decides what must be read (pure, from hashes and metadata),
//! *work* reads and chunks it on all cores, *sync* writes content first and the view pointer last, *vectors*
//! embeds what no content hash has seen yet. *run* leads one scan through these.

mod before;
mod plan;
mod progress;
mod report;
mod run;
mod scan;
mod summarize;
mod sync;
mod vectors;
mod work;

pub use plan::{Plan, Planned};
pub use progress::{Phase, Progress, Silent};
pub use report::{ChunkReport, FileReport, ScanReport};
pub use scan::{Outcome, ScanOptions, Scanner, chunk_limits};
