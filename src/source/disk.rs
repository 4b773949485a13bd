//! Looking at one path on disk without following or running anything.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use bstr::{BString, ByteSlice, ByteVec};

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

/// The directories below `root` that may not be read, root-relative. Links are not followed.
pub(super) fn unreadable_dirs(root: &Path) -> Vec<BString> {
    let mut found = Vec::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(dir) = todo.pop() {
        match fs::read_dir(&dir) {
            Ok(entries) => {
                let dirs =
                    entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
                todo.extend(dirs.filter(|dir| dir.file_name() != ".git").map(|dir| dir.path()));
            }
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => found.extend(relative(root, &dir)),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

/// Root-relative, `/`-separated, in bytes.
pub(super) fn relative(root: &Path, path: &Path) -> Option<BString> {
    let bytes = Vec::from_path_buf(path.strip_prefix(root).ok()?.to_path_buf()).ok()?;
    #[cfg(windows)]
    let bytes = bytes.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect::<Vec<_>>();
    Some(bytes.into())
}

/// Files that hold rules are this large at most.
pub(super) const SMALL: u64 = 1 << 20;

/// A small regular file of the repository, if it is there; a link or a pipe of its name is not.
pub(crate) fn read_small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Err(e) if is_absent(&e) => return Ok(None),
        Err(e) => return Err(e),
        Ok(meta) if !meta.is_file() => return Err(io::Error::other("not a regular file")),
        Ok(meta) if meta.len() > SMALL => return Err(io::Error::other("larger than 1 MiB")),
        Ok(_) => {}
    }
    let mut text = Vec::new();
    open(path)?.take(SMALL).read_to_end(&mut text)?;
    Ok(Some(text))
}

/// A regular file below `root`, reached without leaving it.
pub(crate) fn read_within(root: &Path, path: &BString, max_size: u64) -> io::Result<Vec<u8>> {
    let full = root.join(path.to_path().map_err(io::Error::other)?);
    let parent = full.parent().unwrap_or(root).canonicalize()?;
    if !parent.starts_with(root.canonicalize()?) {
        return Err(io::Error::other("a link on its way leads outside"));
    }
    let meta = fs::symlink_metadata(&full)?;
    match () {
        () if meta.is_dir() => return Err(io::Error::other("it is a directory")),
        () if !meta.is_file() => return Err(io::Error::other("it is not a regular file")),
        () if meta.len() > max_size => return Err(io::Error::other("it is larger than index.max_file_size")),
        () => {}
    }
    let mut bytes = Vec::new();
    open(&full)?.take(max_size).read_to_end(&mut bytes)?;
    Ok(bytes)
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
