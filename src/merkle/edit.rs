//! Applies changed paths to a manifest, rewriting only the directories above them.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Child, Leaf, Node, ReadNodes};
use crate::error::Result;
use crate::hash::NodeHash;

/// What a path is from now on: a leaf, or nothing.
pub type Edit = (BString, Option<Leaf>);

/// A directory that an edit produced, children before parents.
#[derive(Debug, Clone)]
pub struct NewNode {
    pub hash: NodeHash,
    pub node: Node,
}

/// Applies `edits` (sorted by path, unique) to the tree at `root` and returns the new root.
///
/// Cost is proportional to the directories on the edited paths. Nodes that come out unchanged are not
/// reported, so an edit without effect yields the old root and no new nodes.
pub fn apply(
    nodes: &dyn ReadNodes,
    root: Option<&NodeHash>,
    edits: &[Edit],
) -> Result<(NodeHash, Vec<NewNode>)> {
    debug_assert!(edits.is_sorted_by(|a, b| a.0 < b.0));
    let mut made = Vec::new();
    let edits: Vec<_> = edits.iter().map(|(path, leaf)| (path.as_bstr(), *leaf)).collect();
    let root = match edit_dir(nodes, root, &edits, &mut made)? {
        Some(hash) => hash,
        None => {
            let node = Node::default();
            let hash = node.hash();
            made.push(NewNode { hash, node });
            hash
        }
    };
    Ok((root, made))
}

/// Returns the directory's new hash, or `None` when nothing is left in it.
fn edit_dir(
    nodes: &dyn ReadNodes,
    old: Option<&NodeHash>,
    edits: &[(&BStr, Option<Leaf>)],
    made: &mut Vec<NewNode>,
) -> Result<Option<NodeHash>> {
    let mut entries: BTreeMap<BString, Child> = match old {
        Some(hash) => nodes.node(hash)?.into_entries().into_iter().collect(),
        None => BTreeMap::new(),
    };
    for (name, group) in group_by_name(edits) {
        let existing = entries.remove(name);
        if let Some(child) = edit_child(nodes, existing, &group, made)? {
            entries.insert(name.to_owned(), child);
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let node = Node::from_sorted(entries.into_iter().collect());
    let hash = node.hash();
    if old != Some(&hash) {
        made.push(NewNode { hash, node });
    }
    Ok(Some(hash))
}

/// A file may turn into a directory and back; whatever exists below a name wins over a leaf of that name.
fn edit_child(
    nodes: &dyn ReadNodes,
    existing: Option<Child>,
    group: &Group<'_>,
    made: &mut Vec<NewNode>,
) -> Result<Option<Child>> {
    let old_dir = match &existing {
        Some(Child::Dir(hash)) => Some(hash),
        _ => None,
    };
    let dir =
        if group.below.is_empty() { old_dir.copied() } else { edit_dir(nodes, old_dir, &group.below, made)? };
    if let Some(hash) = dir {
        return Ok(Some(Child::Dir(hash)));
    }
    Ok(match (group.leaf, existing) {
        (Some(leaf), _) => leaf.map(Child::Leaf),
        (None, Some(Child::Leaf(leaf))) => Some(Child::Leaf(leaf)),
        (None, _) => None,
    })
}

/// The edits that touch one name of a directory: the name itself, and paths below it.
#[derive(Default)]
struct Group<'a> {
    leaf: Option<Option<Leaf>>,
    below: Vec<(&'a BStr, Option<Leaf>)>,
}

/// Groups edits by their first path component. (Not by cutting the sorted slice: `a`, `a-b`, `a/c` is path
/// order, in which the two edits under the name `a` are not neighbours.)
fn group_by_name<'a>(edits: &[(&'a BStr, Option<Leaf>)]) -> BTreeMap<&'a BStr, Group<'a>> {
    let mut groups: BTreeMap<&BStr, Group<'_>> = BTreeMap::new();
    for &(path, leaf) in edits {
        match path.find_byte(b'/') {
            Some(at) => {
                groups.entry(path[..at].as_bstr()).or_default().below.push((path[at + 1..].as_bstr(), leaf))
            }
            None => groups.entry(path).or_default().leaf = Some(leaf),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::testing::Memory;
    use super::*;
    use crate::hash::ContentHash;
    use crate::merkle::{LeafKind, for_each_leaf};

    fn leaf(text: &str) -> Leaf {
        Leaf {
            kind: LeafKind::Indexed,
            executable: false,
            hash: ContentHash::of(text.as_bytes()),
            origin: Default::default(),
        }
    }

    fn run(memory: &mut Memory, root: Option<NodeHash>, edits: &[(&str, Option<&str>)]) -> NodeHash {
        let sorted: BTreeMap<BString, Option<Leaf>> =
            edits.iter().map(|(p, t)| (BString::from(*p), t.map(leaf))).collect();
        let sorted: Vec<Edit> = sorted.into_iter().collect();
        let (root, made) = apply(memory, root.as_ref(), &sorted).unwrap();
        memory.0.extend(made.into_iter().map(|n| (n.hash, n.node)));
        root
    }

    fn listing(memory: &Memory, root: NodeHash) -> Vec<String> {
        let mut paths = Vec::new();
        for_each_leaf(memory, &root, &mut |path, _| {
            paths.push(path.to_string());
            Ok(())
        })
        .unwrap();
        paths
    }

    #[test]
    fn order_of_edits_does_not_change_the_root() {
        let mut memory = Memory::default();
        let once = run(&mut memory, None, &[("a/b", Some("1")), ("a-c", Some("2")), ("d", Some("3"))]);
        let first = run(&mut memory, None, &[("d", Some("3"))]);
        let second = run(&mut memory, Some(first), &[("a/b", Some("1"))]);
        assert_eq!(run(&mut memory, Some(second), &[("a-c", Some("2"))]), once);
    }

    #[test]
    fn an_edit_without_effect_makes_no_node() {
        let mut memory = Memory::default();
        let root = run(&mut memory, None, &[("a/b", Some("1"))]);
        let (same, made) = apply(&memory, Some(&root), &[("a/b".into(), Some(leaf("1")))]).unwrap();
        assert_eq!((same, made.len()), (root, 0));
    }

    #[test]
    fn files_and_directories_replace_each_other() {
        let mut memory = Memory::default();
        let file = run(&mut memory, None, &[("a", Some("1"))]);
        let dir = run(&mut memory, Some(file), &[("a", None), ("a/b", Some("2"))]);
        assert_eq!(listing(&memory, dir), ["a/b"]);
        assert_eq!(run(&mut memory, Some(dir), &[("a", Some("1")), ("a/b", None)]), file);
    }

    #[test]
    fn emptied_directories_vanish() {
        let mut memory = Memory::default();
        let empty = run(&mut memory, None, &[]);
        let full = run(&mut memory, Some(empty), &[("a/b/c", Some("1"))]);
        assert_eq!(run(&mut memory, Some(full), &[("a/b/c", None)]), empty);
    }

    proptest! {
        /// Whatever the history, the root depends on the final listing alone.
        #[test]
        fn incremental_equals_rebuild(steps in prop::collection::vec(
            ("[ab./-]{1,6}", prop::option::of(0u8..4)), 0..40)) {
            let mut memory = Memory::default();
            let mut root = run(&mut memory, None, &[]);
            let mut model: BTreeMap<String, u8> = BTreeMap::new();
            for (path, value) in steps {
                let valid = path.split('/').all(|part| !part.is_empty());
                let clashes = model.keys().any(|k| k.starts_with(&format!("{path}/")) || path.starts_with(&format!("{k}/")));
                if !valid || clashes { continue; }
                let text = value.map(|v| v.to_string());
                root = run(&mut memory, Some(root), &[(&path, text.as_deref())]);
                match value { Some(v) => { model.insert(path, v); } None => { model.remove(&path); } }
            }
            let texts: Vec<(String, String)> = model.iter().map(|(p, v)| (p.clone(), v.to_string())).collect();
            let edits: Vec<(&str, Option<&str>)> = texts.iter().map(|(p, t)| (p.as_str(), Some(t.as_str()))).collect();
            prop_assert_eq!(run(&mut memory, None, &edits), root);
            let mut listed = listing(&memory, root);
            listed.sort();
            prop_assert_eq!(listed, model.keys().cloned().collect::<Vec<_>>());
        }
    }
}
