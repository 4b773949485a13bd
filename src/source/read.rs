//! Reads one file, in git form, without running anything.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

use super::disk::{self, is_absent};
use super::{Now, Oid, Stat};
use crate::chunk::SkipReason;
use crate::error::{Context, Error, Result};

/// What reading a candidate gave.
#[derive(Debug)]
pub enum Read {
    Content {
        /// In git form.
        bytes: Vec<u8>,
        /// The git blob these bytes are.
        oid: Option<Oid>,
        /// The metadata the bytes were read under, where it can be trusted later.
        stat: Option<Stat>,
    },
    /// Not read after all, or unreadable.
    Instead(Now),
}

/// Reads files for one thread.
pub struct FileReader {
    max_file_size: u64,
    worktree: Option<PathBuf>,
    git: Option<GitSide>,
}

struct GitSide {
    repo: gix::Repository,
    /// Clean filters with the index they may ask; `None` when only objects are read.
    filters: Option<Filters>,
}

struct Filters {
    pipeline: gix::filter::plumbing::Pipeline,
    /// Names of the configured drivers, which are never run.
    drivers: Vec<BString>,
    attributes: gix::worktree::Stack,
    index: gix::worktree::Index,
}

/// A file as it is on disk, with its metadata where that can be trusted later.
enum Raw {
    Bytes(Vec<u8>, Option<Stat>),
    Instead(Now),
}

/// How often a file that changes while it is read is tried.
const ATTEMPTS: usize = 3;

impl FileReader {
    pub(super) fn plain(root: PathBuf, max_file_size: u64) -> FileReader {
        FileReader { max_file_size, worktree: Some(root), git: None }
    }

    pub(super) fn objects(repo: gix::Repository, max_file_size: u64) -> FileReader {
        FileReader { max_file_size, worktree: None, git: Some(GitSide { repo, filters: None }) }
    }

    pub(super) fn worktree(repo: gix::Repository, root: PathBuf, max_file_size: u64) -> Result<FileReader> {
        let (mut pipeline, attributes) =
            repo.filter_pipeline(None).context(|| "cannot read git's attributes".into())?.0.into_parts();
        // Never run a program: a file with a driver (git-lfs) is taken from git's objects where that can be.
        let drivers = std::mem::take(&mut pipeline.options_mut().drivers);
        let drivers = drivers.into_iter().map(|driver| driver.name).collect();
        let index = repo.index_or_empty().context(|| "cannot read git's index".into())?;
        let filters = Some(Filters { pipeline, drivers, attributes, index });
        Ok(FileReader { max_file_size, worktree: Some(root), git: Some(GitSide { repo, filters }) })
    }

    pub fn read(&mut self, path: &BStr, now: &Now) -> Result<Read> {
        match now {
            Now::Blob { oid, on_disk: true, .. } => self.read_clean(path, oid),
            Now::Blob { oid, on_disk: false, .. } => self.read_object(oid),
            Now::Disk { .. } => self.read_disk(path),
            now => Ok(Read::Instead(now.clone())),
        }
    }

    /// A clean checkout: cheaper to read than the object, and proven to be it.
    fn read_clean(&mut self, path: &BStr, oid: &Oid) -> Result<Read> {
        match self.read_disk(path)? {
            Read::Content { bytes, oid: Some(found), .. } if found == *oid => {
                Ok(Read::Content { bytes, oid: Some(found), stat: None })
            }
            // Converted by a driver we do not run, or changed this very moment: the object decides.
            _ => self.read_object(oid),
        }
    }

    fn read_object(&mut self, oid: &Oid) -> Result<Read> {
        let Some(git) = &self.git else { return Ok(Read::Instead(Now::Gone)) };
        let header = match git.repo.try_find_header(*oid) {
            Ok(Some(header)) => header,
            // A partial clone: the blob is elsewhere, and fetching is not ours to start.
            Ok(None) => return Ok(unreadable(oid)),
            Err(error) => return Err(error).context(|| format!("cannot read the git object {oid}")),
        };
        if header.size() > self.max_file_size {
            return Ok(Read::Instead(disk::too_large(header.size())));
        }
        match git.repo.try_find_object(*oid) {
            Ok(Some(mut object)) => {
                Ok(Read::Content { bytes: std::mem::take(&mut object.data), oid: Some(*oid), stat: None })
            }
            Ok(None) => Ok(unreadable(oid)),
            Err(error) => Err(error).context(|| format!("cannot read the git object {oid}")),
        }
    }

    fn read_disk(&mut self, path: &BStr) -> Result<Read> {
        let Some(full) = self.full_path(path) else {
            return Ok(Read::Instead(Now::skipped(SkipReason::Unreadable, b"")));
        };
        let (raw, stat) = match self.read_stable(&full)? {
            Raw::Bytes(bytes, stat) => (bytes, stat),
            Raw::Instead(instead) => return Ok(Read::Instead(instead)),
        };
        let Some(git) = &mut self.git else { return Ok(Read::Content { bytes: raw, oid: None, stat }) };
        let bytes = match &mut git.filters {
            Some(filters) => match filters.stored(&git.repo, path, raw.len())? {
                Some(oid) => return Ok(self.read_object(&oid)?.with_stat(stat)),
                None => filters.clean(&git.repo, path, raw)?,
            },
            None => raw,
        };
        let oid = gix::objs::compute_hash(git.repo.object_hash(), gix::object::Kind::Blob, &bytes)
            .context(|| "cannot hash a file".into())?;
        Ok(Read::Content { bytes, oid: Some(oid), stat })
    }

    fn full_path(&self, path: &BStr) -> Option<PathBuf> {
        Some(self.worktree.as_ref()?.join(path.to_path().ok()?))
    }

    /// The bytes as they are on disk, read while the metadata did not change.
    fn read_stable(&self, full: &Path) -> Result<Raw> {
        for _ in 0..ATTEMPTS {
            let before = match disk::look(full, self.max_file_size)? {
                Now::Disk { stat, .. } => stat,
                other => return Ok(Raw::Instead(other)),
            };
            let settled = before.wait_until_settled();
            let (bytes, after) = match read_once(full, before.size, self.max_file_size) {
                Ok(read) => read,
                Err(e) if is_absent(&e) => return Ok(Raw::Instead(Now::Gone)),
                Err(e) if e.kind() == std::io::ErrorKind::OutOfMemory => {
                    return Err(e).context(|| format!("cannot read {}", full.display()));
                }
                Err(_) => return Ok(Raw::Instead(Now::skipped(SkipReason::Unreadable, b""))),
            };
            if before == after && bytes.len() as u64 == after.size {
                return Ok(Raw::Bytes(bytes, settled.then_some(after)));
            }
        }
        Err(Error::failed(format!("{} keeps changing while it is read", full.display()))
            .with_hint("scan again when nothing writes to it, or exclude it in .codeagentignore"))
    }
}

fn read_once(full: &Path, size: u64, max: u64) -> std::io::Result<(Vec<u8>, Stat)> {
    let file: File = disk::open(full)?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(size).unwrap_or(0).saturating_add(1))
        .map_err(std::io::Error::other)?;
    (&file).take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes, Stat::of(&file.metadata()?)))
}

fn unreadable(oid: &Oid) -> Read {
    Read::Instead(Now::skipped(SkipReason::Unreadable, oid.as_bytes()))
}

impl Read {
    fn with_stat(self, stat: Option<Stat>) -> Read {
        match self {
            Read::Content { bytes, oid, .. } => Read::Content { bytes, oid, stat },
            instead => instead,
        }
    }
}

impl Filters {
    /// The staged blob of a file that a driver converts, if the file still has the size git knows it by: it was
    /// touched, not edited. What an edited one would be converted to only the driver could tell.
    fn stored(&mut self, repo: &gix::Repository, path: &BStr, size: usize) -> Result<Option<Oid>> {
        if self.drivers.is_empty() {
            return Ok(None);
        }
        let same_size = |entry: &&gix::index::Entry| usize::try_from(entry.stat.size) == Ok(size);
        match self.index.entry_by_path(path).filter(same_size).map(|entry| entry.id) {
            Some(id) => Ok(self.has_driver(repo, path)?.then_some(id)),
            None => Ok(None),
        }
    }

    fn has_driver(&mut self, repo: &gix::Repository, path: &BStr) -> Result<bool> {
        let what = || format!("cannot read the attributes of {path}");
        let relative = path.to_path().map_err(|_| Error::failed(what()))?;
        let mut found = self.attributes.selected_attribute_matches(["filter"]);
        self.attributes.at_path(relative, None, &repo.objects).context(what)?.matching_attributes(&mut found);
        Ok(found.iter_selected().any(|attribute| match attribute.assignment.state {
            gix::attrs::StateRef::Value(name) => self.drivers.iter().any(|driver| driver == name.as_bstr()),
            _ => false,
        }))
    }

    /// Line endings, encodings and `$Id$` as git would store them.
    fn clean(&mut self, repo: &gix::Repository, path: &BStr, raw: Vec<u8>) -> Result<Vec<u8>> {
        use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
        let what = || format!("cannot convert {path} to git's form");
        let relative = path.to_path().map_err(|_| Error::failed(what()))?;
        let entry = self.attributes.at_path(relative, None, &repo.objects).context(what)?;
        let index = &self.index;
        let outcome = self.pipeline.convert_to_git(
            raw.as_slice(),
            relative,
            &mut |_, attributes| {
                entry.matching_attributes(attributes);
            },
            &mut |buf| {
                let Some(entry) = index.entry_by_path(path) else { return Ok(None) };
                let found = gix::objs::Find::try_find(&repo.objects, &entry.id, buf)?;
                Ok(found.filter(|object| object.kind == gix::object::Kind::Blob).map(drop))
            },
        );
        let converted = match outcome {
            Ok(ToGitOutcome::Buffer(converted)) => Some(converted.to_vec()),
            Ok(ToGitOutcome::Unchanged(_)) => None,
            Ok(ToGitOutcome::Process(mut stream)) => {
                let mut converted = Vec::new();
                stream.read_to_end(&mut converted).context(what)?;
                Some(converted)
            }
            // Undecodable text, a failed round trip: the bytes as they are serve search better than none.
            Err(_) => None,
        };
        Ok(converted.unwrap_or(raw))
    }
}
