//! Looking at one path on disk without following or running anything.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Now, Stat};
use crate::chunk::SkipReason;
use crate::error::{Context, Result};

/// What stands at `path` now. A symlink is reported, never followed.
pub(super) fn look(path: &Path, max_file_size: u64) -> Result<Now> {
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(e) if is_absent(&e) => return Ok(Now::Gone),
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
            return Ok(Now::skipped(SkipReason::Unreadable, b""));
        }
        Err(e) => return Err(e).context(|| format!("cannot inspect {}", path.display())),
    };
    let kind = meta.file_type();
    Ok(if kind.is_symlink() {
        match fs::read_link(path) {
            Ok(target) => Now::skipped(SkipReason::Symlink, target.as_os_str().as_encoded_bytes()),
            Err(_) => Now::Gone,
        }
    } else if kind.is_dir() {
        Now::Gone
    } else if !kind.is_file() {
        Now::skipped(SkipReason::Special, b"")
    } else if meta.len() > max_file_size {
        too_large(meta.len())
    } else {
        Now::Disk { stat: Stat::of(&meta), executable: is_executable(&meta) }
    })
}

/// A file that is never read is known by its size alone, in every checkout.
pub(super) fn too_large(size: u64) -> Now {
    Now::skipped(SkipReason::TooLarge, &size.to_be_bytes())
}

/// A path may vanish, or one of its parents turn into a file, at any time.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Opens a regular file for reading: refuses a symlink put in its place meanwhile, never blocks on a pipe.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    options.open(path)
}

/// A small regular file of the repository, if it is there; a link or a pipe of its name is not.
pub(crate) fn read_small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    const MOST: u64 = 1 << 20;
    match fs::symlink_metadata(path) {
        Err(e) if is_absent(&e) => return Ok(None),
        Err(e) => return Err(e),
        Ok(meta) if !meta.is_file() => return Err(io::Error::other("not a regular file")),
        Ok(meta) if meta.len() > MOST => return Err(io::Error::other("larger than 1 MiB")),
        Ok(_) => {}
    }
    let mut text = Vec::new();
    open(path)?.take(MOST).read_to_end(&mut text)?;
    Ok(Some(text))
}

#[cfg(unix)]
pub(super) fn is_executable(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(super) fn is_executable(_meta: &fs::Metadata) -> bool {
    false
}
