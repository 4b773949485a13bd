//! Compares two manifests, descending only where hashes differ.

use bstr::{BStr, BString, ByteSlice};

use super::{Child, Leaf, Node, ReadNodes};
use crate::error::Result;
use crate::hash::NodeHash;

/// One path that differs: what it was and what it is. At least one side is present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: BString,
    pub old: Option<Leaf>,
    pub new: Option<Leaf>,
}

/// The paths in which two trees differ, in tree order. Cost is proportional to the differing directories.
pub fn diff(nodes: &dyn ReadNodes, old: Option<&NodeHash>, new: Option<&NodeHash>) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut todo = vec![(BString::default(), old.copied(), new.copied())];
    while let Some((prefix, old, new)) = todo.pop() {
        if old == new {
            continue;
        }
        let read = |hash: Option<NodeHash>| hash.map_or(Ok(Node::default()), |h| nodes.node(&h));
        for (name, old, new) in side_by_side(read(old)?, read(new)?) {
            let path = join(&prefix, &name);
            let leaf = |child: &Option<Child>| match child {
                Some(Child::Leaf(leaf)) => Some(*leaf),
                _ => None,
            };
            let dir = |child: &Option<Child>| match child {
                Some(Child::Dir(hash)) => Some(*hash),
                _ => None,
            };
            if leaf(&old) != leaf(&new) {
                changes.push(Change { path: path.clone(), old: leaf(&old), new: leaf(&new) });
            }
            if dir(&old) != dir(&new) {
                todo.push((path, dir(&old), dir(&new)));
            }
        }
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

type Pair = (BString, Option<Child>, Option<Child>);

/// Joins two sorted entry lists by name.
fn side_by_side(old: Node, new: Node) -> Vec<Pair> {
    let (mut old, mut new) =
        (old.into_entries().into_iter().peekable(), new.into_entries().into_iter().peekable());
    let mut pairs = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(o), Some(n)) => o.0.cmp(&n.0),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return pairs,
        };
        let left = if order.is_le() { old.next() } else { None };
        let right = if order.is_ge() { new.next() } else { None };
        let name = left.as_ref().or(right.as_ref()).map(|(name, _)| name.clone()).unwrap_or_default();
        pairs.push((name, left.map(|(_, c)| c), right.map(|(_, c)| c)));
    }
}

/// Visits every leaf below `root` in tree order (a directory's entries by name, depth first).
pub fn for_each_leaf(
    nodes: &dyn ReadNodes,
    root: &NodeHash,
    visit: &mut dyn FnMut(&BStr, &Leaf) -> Result<()>,
) -> Result<()> {
    let mut stack = vec![(BString::default(), Child::Dir(*root))];
    while let Some((path, child)) = stack.pop() {
        match child {
            Child::Leaf(leaf) => visit(path.as_bstr(), &leaf)?,
            Child::Dir(hash) => {
                let entries = nodes.node(&hash)?.into_entries();
                stack.extend(entries.into_iter().rev().map(|(name, child)| (join(&path, &name), child)));
            }
        }
    }
    Ok(())
}

/// What stands at `path`, if anything.
pub fn lookup(nodes: &dyn ReadNodes, root: &NodeHash, path: &BStr) -> Result<Option<Child>> {
    let mut child = Child::Dir(*root);
    for name in path.split(|b| *b == b'/').filter(|name| !name.is_empty()) {
        let Child::Dir(hash) = child else { return Ok(None) };
        match nodes.node(&hash)?.get(name.as_bstr()) {
            Some(found) => child = found.clone(),
            None => return Ok(None),
        }
    }
    Ok(Some(child))
}

pub(super) fn join(prefix: &BString, name: &BString) -> BString {
    if prefix.is_empty() {
        return name.clone();
    }
    let mut path = prefix.clone();
    path.push(b'/');
    path.extend_from_slice(name);
    path
}

#[cfg(test)]
mod tests {
    use super::super::testing::Memory;
    use super::*;
    use crate::hash::ContentHash;
    use crate::merkle::{LeafKind, apply};

    fn tree(memory: &mut Memory, files: &[(&str, &str)]) -> NodeHash {
        let mut edits: Vec<_> = files
            .iter()
            .map(|(path, text)| {
                let hash = ContentHash::of(text.as_bytes());
                (
                    BString::from(*path),
                    Some(Leaf {
                        kind: LeafKind::Indexed,
                        executable: false,
                        hash,
                        origin: Default::default(),
                    }),
                )
            })
            .collect();
        edits.sort_by(|a, b| a.0.cmp(&b.0));
        let (root, made) = apply(memory, None, &edits).unwrap();
        memory.0.extend(made.into_iter().map(|n| (n.hash, n.node)));
        root
    }

    #[test]
    fn reports_added_modified_deleted_and_skips_equal_subtrees() {
        let mut memory = Memory::default();
        let old = tree(&mut memory, &[("same/x", "1"), ("a", "1"), ("gone/y", "1")]);
        let new = tree(&mut memory, &[("same/x", "1"), ("a", "2"), ("new/z", "1")]);
        let same = match memory.0[&new].get("same".into()) {
            Some(Child::Dir(hash)) => *hash,
            other => panic!("expected a directory, got {other:?}"),
        };
        memory.0.remove(&same);
        assert!(matches!(lookup(&memory, &new, "new/z".into()).unwrap(), Some(Child::Leaf(_))));
        assert!(matches!(lookup(&memory, &new, "new".into()).unwrap(), Some(Child::Dir(_))));
        assert_eq!(lookup(&memory, &new, "new/z/below".into()).unwrap(), None);
        assert_eq!(lookup(&memory, &new, "gone/y".into()).unwrap(), None);
        let changes = diff(&memory, Some(&old), Some(&new)).unwrap();
        let shown: Vec<_> =
            changes.iter().map(|c| (c.path.to_string(), c.old.is_some(), c.new.is_some())).collect();
        let expected = [("a", true, true), ("gone/y", true, false), ("new/z", false, true)];
        assert_eq!(shown, expected.map(|(p, o, n)| (p.to_string(), o, n)));
    }
}
