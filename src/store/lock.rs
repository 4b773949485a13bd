//! One writer at a time, by an OS lock that the kernel releases when its holder dies, and a note for the
//! writer when somebody could not wait.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::Location;
use crate::error::{Context, Error, Result};

/// Held while the index is written. Dropping it (or dying) releases the lock.
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock if it is free.
    pub fn try_acquire(location: &Location) -> Result<Option<WriterLock>> {
        let file = open(location)?;
        match file.try_lock() {
            Ok(()) if !is_current(&file, location) => Self::try_acquire(location),
            Ok(()) => Ok(Some(WriterLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e).map_err(|e| lock_failed(location, e)),
        }
    }

    /// Takes the lock, waiting for the present holder.
    pub fn acquire(location: &Location) -> Result<WriterLock> {
        let file = open(location)?;
        file.lock().map_err(|e| lock_failed(location, e))?;
        if is_current(&file, location) { Ok(WriterLock { _file: file }) } else { Self::acquire(location) }
    }
}

fn open(location: &Location) -> Result<File> {
    let path = location.dir.join("write.lock");
    let mut attempts = 3;
    loop {
        location.create()?;
        attempts -= 1;
        match File::options().create(true).truncate(false).write(true).open(&path) {
            // `clean` took the directory away in between.
            Err(e) if e.kind() == io::ErrorKind::NotFound && attempts > 0 => {}
            opened => return opened.map_err(|e| lock_failed(location, e)),
        }
    }
}

/// Whether the locked file is still the one others will lock: `clean` removes it while we wait.
fn is_current(file: &File, location: &Location) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let inode = |meta: io::Result<fs::Metadata>| meta.ok().map(|m| (m.dev(), m.ino()));
        inode(file.metadata()) == inode(fs::metadata(location.dir.join("write.lock")))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, location);
        true
    }
}

fn lock_failed(location: &Location, error: io::Error) -> Error {
    Error::failed(format!("cannot lock the index in {}", location.dir.display()))
        .with_source(error)
        .with_hint("make the directory writable, or set CODEAGENT_STORE_DIR to one that is")
}

/// Asks the present writer to scan `worktree` once more before it ends.
///
/// The marker is written before the caller tries the lock, and the writer looks for markers again after it
/// released the lock: whoever comes second sees the other.
pub fn request_rerun(location: &Location, worktree: &Path) -> Result<()> {
    location.create()?;
    let dir = location.dir.join("rerun");
    fs::create_dir_all(&dir)
        .and_then(|()| fs::write(note_of(location, worktree), worktree.as_os_str().as_encoded_bytes()))
        .context(|| format!("cannot leave a note for the running scan in {}", dir.display()))
}

/// The next worktree that asked for another scan; its note is removed. A note that cannot be read is dropped.
pub fn next_rerun(location: &Location) -> Option<PathBuf> {
    let notes = fs::read_dir(location.dir.join("rerun")).ok()?;
    let mut notes: Vec<PathBuf> = notes.flatten().map(|note| note.path()).collect();
    notes.sort();
    notes.into_iter().find_map(|note| {
        let worktree = fs::read(&note).ok();
        fs::remove_file(&note).ok()?;
        path_from_bytes(worktree?)
    })
}

/// Takes back what [`request_rerun`] asked for; says whether there was anything to take back.
pub fn withdraw_rerun(location: &Location, worktree: &Path) -> bool {
    fs::remove_file(note_of(location, worktree)).is_ok()
}

fn note_of(location: &Location, worktree: &Path) -> PathBuf {
    let name = blake3::hash(worktree.as_os_str().as_encoded_bytes()).to_hex();
    location.dir.join("rerun").join(&name[..16])
}

/// Whether somebody asked for another scan.
pub fn has_reruns(location: &Location) -> bool {
    fs::read_dir(location.dir.join("rerun")).is_ok_and(|mut notes| notes.next().is_some())
}

fn path_from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use bstr::ByteVec;
    bytes.into_path_buf().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_writer_at_a_time_and_notes_are_taken_once() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::new(dir.path().join(".codeagent"));
        let held = WriterLock::try_acquire(&location).unwrap();
        assert!(held.is_some());
        assert!(WriterLock::try_acquire(&location).unwrap().is_none());
        drop(held);
        assert!(WriterLock::try_acquire(&location).unwrap().is_some());

        request_rerun(&location, Path::new("/some/worktree")).unwrap();
        request_rerun(&location, Path::new("/some/worktree")).unwrap();
        assert_eq!(next_rerun(&location), Some(PathBuf::from("/some/worktree")));
        assert_eq!(next_rerun(&location), None);
        request_rerun(&location, Path::new("/some/worktree")).unwrap();
        assert!(withdraw_rerun(&location, Path::new("/some/worktree")));
        assert!(!has_reruns(&location));
    }
}
