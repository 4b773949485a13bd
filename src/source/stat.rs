//! File metadata as evidence that bytes did not change, and when that evidence may be believed.
//!
//! A file written twice within one tick of the file system's clock can change without its metadata changing.
//! As in git, metadata is therefore only believed when the file was *already old* at the moment its bytes were
//! read. Git compares with the index file's time; we compare with the time of reading, and where a file is
//! still too young we wait out the tick (milliseconds) before reading it, so that the next scan can trust it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stat {
    pub size: u64,
    pub modified: Time,
    pub changed: Time,
    pub inode: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time {
    pub seconds: i64,
    pub nanos: u32,
}

/// Longer than a tick of any kernel we know (10 ms), for file systems that record fractions of a second.
const FINE_TICK: Duration = Duration::from_millis(20);
/// For file systems that do not (FAT stores every second second).
const COARSE_TICK: Duration = Duration::from_secs(2);

impl Stat {
    #[cfg(unix)]
    pub fn of(meta: &Metadata) -> Stat {
        use std::os::unix::fs::MetadataExt;
        Stat {
            size: meta.len(),
            modified: Time { seconds: meta.mtime(), nanos: meta.mtime_nsec() as u32 },
            changed: Time { seconds: meta.ctime(), nanos: meta.ctime_nsec() as u32 },
            inode: meta.ino(),
        }
    }

    #[cfg(not(unix))]
    pub fn of(meta: &Metadata) -> Stat {
        let modified = meta.modified().map(Time::from).unwrap_or_default();
        Stat { size: meta.len(), modified, changed: modified, inode: 0 }
    }

    /// How long to wait from `now` until a read of the file can be trusted later; zero when it is old enough.
    pub fn settles_in(&self, now: SystemTime) -> Duration {
        // Nobody can set the time of the last change, and every write moves it.
        let newest = self.changed;
        let coarse = self.modified.nanos == 0 && self.changed.nanos == 0;
        let tick = if coarse { COARSE_TICK } else { FINE_TICK };
        let Ok(now) = now.duration_since(UNIX_EPOCH) else { return Duration::MAX };
        let newest = Duration::new(u64::try_from(newest.seconds).unwrap_or(0), newest.nanos);
        (newest + tick).saturating_sub(now)
    }

    /// Waits out the tick if that takes no longer than one; says whether the metadata can now be trusted.
    pub fn wait_until_settled(&self) -> bool {
        let wait = self.settles_in(SystemTime::now());
        if wait.is_zero() {
            return true;
        }
        if wait > FINE_TICK {
            return false;
        }
        std::thread::sleep(wait);
        true
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Time {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Time { seconds: since.as_secs() as i64, nanos: since.subsec_nanos() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64, coarse: bool) -> Stat {
        let time = Time::from(UNIX_EPOCH + Duration::from_millis(millis));
        let time = if coarse { Time { nanos: 0, ..time } } else { time };
        Stat { modified: time, changed: time, ..Stat::default() }
    }

    #[test]
    fn young_files_are_not_trusted() {
        let now = UNIX_EPOCH + Duration::from_millis(10_001);
        assert!(at(9_001, false).settles_in(now).is_zero());
        assert_eq!(at(9_991, false).settles_in(now), Duration::from_millis(10));
        assert_eq!(at(9_500, true).settles_in(now), Duration::from_millis(999), "whole seconds need two");
    }

    #[test]
    fn a_time_in_the_future_is_never_trusted() {
        let now = UNIX_EPOCH + Duration::from_millis(10_001);
        assert!(at(99_999_999, false).settles_in(now) > COARSE_TICK);
    }
}
