//! Paths whose staged entry differs from the commit.
//!
//! Git keeps the ids of unchanged directories inside its index (the cache tree). A directory whose cached id
//! equals the commit's subtree is skipped without a look at its entries, so this costs what is staged, not
//! what is tracked.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Stage;
use gix::index::extension::Tree as CacheTree;
use gix::objs::tree::EntryMode;

use super::Oid;
use super::tree::changes;
use crate::error::{Context, Result};

pub(super) fn staged_paths(
    repo: &gix::Repository,
    head_tree: Option<Oid>,
    index: &gix::index::State,
) -> Result<Vec<BString>> {
    let mut walk = Walk { repo, index, found: Vec::new() };
    walk.directory(BStr::new(""), head_tree, index.tree(), index.entries())?;
    Ok(walk.found)
}

struct Walk<'a> {
    repo: &'a gix::Repository,
    index: &'a gix::index::State,
    found: Vec<BString>,
}

impl Walk<'_> {
    /// Compares one directory: `tree` is the commit's, `entries` the index's below `prefix` (ends in `/`).
    fn directory(
        &mut self,
        prefix: &BStr,
        tree: Option<Oid>,
        cached: Option<&CacheTree>,
        mut entries: &[gix::index::Entry],
    ) -> Result<()> {
        if let Some(cached) = cached
            && cached.num_entries.is_some()
            && Some(cached.id) == tree
        {
            return Ok(());
        }
        let mut committed = self.committed_entries(tree)?;
        while let Some(entry) = entries.first() {
            let path = entry.path(self.index);
            let rest = &path[prefix.len()..];
            match rest.find_byte(b'/') {
                None => {
                    let before = committed.remove(rest.as_bstr());
                    let same = before.is_some_and(|(mode, id)| {
                        entry.stage() == Stage::Unconflicted
                            && id == entry.id
                            && Some(mode) == entry.mode.to_tree_entry_mode()
                    });
                    if !same {
                        self.found.push(path.to_owned());
                        self.add_all(path, before)?;
                    }
                    entries = &entries[1..];
                }
                Some(slash) => {
                    let dir = path[..prefix.len() + slash + 1].as_bstr();
                    let below = entries.partition_point(|e| e.path(self.index).starts_with(dir));
                    let name = rest[..slash].as_bstr();
                    let before = committed.remove(name);
                    let subtree = before.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
                    if subtree.is_none() && before.is_some() {
                        self.found.push(path[..prefix.len() + slash].into());
                    }
                    let cached = cached.and_then(|c| {
                        c.children.iter().find(|child| child.name.as_slice() == name.as_bytes())
                    });
                    self.directory(dir, subtree, cached, &entries[..below])?;
                    entries = &entries[below..];
                }
            }
        }
        for (name, (mode, id)) in committed {
            let path = [prefix.as_bytes(), name.as_bytes()].concat();
            self.found.push(path.clone().into());
            self.add_all(path.as_bstr(), Some((mode, id)))?;
        }
        Ok(())
    }

    /// Everything below a committed directory that the index no longer has.
    fn add_all(&mut self, path: &BStr, committed: Option<(EntryMode, Oid)>) -> Result<()> {
        if let Some((mode, id)) = committed
            && mode.is_tree()
        {
            for (below, _) in changes(self.repo, None, Some(id))? {
                self.found.push([path.as_bytes(), b"/", below.as_bytes()].concat().into());
            }
        }
        Ok(())
    }

    fn committed_entries(&self, tree: Option<Oid>) -> Result<BTreeMap<BString, (EntryMode, Oid)>> {
        let Some(id) = tree else { return Ok(BTreeMap::new()) };
        let tree = self.repo.find_tree(id).context(|| format!("cannot read the git tree {id}"))?;
        let decoded = tree.decode().context(|| format!("cannot read the git tree {id}"))?;
        Ok(decoded.entries.iter().map(|e| (e.filename.to_owned(), (e.mode, e.oid.to_owned()))).collect())
    }
}
