//! What it costs to begin a new part at a line: by syntax where there is a tree, by shape otherwise.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::lines::{Lines, is_ink};
use crate::lang::grammar::{Compiled, Role};

/// Above every cost that syntax gives.
const NO_NODE: u32 = 1 << 16;

/// Costs of the lines of `range`: the depth of the outermost node that begins there, plus one where it is the
/// first of its siblings or no blank line is before it. Lines at which no node begins are left to their shape.
/// Nodes up to the weight `small` are not looked into.
pub fn syntax_costs(
    tree: &Tree,
    grammar: &Compiled,
    lines: &Lines<'_>,
    range: Range<u32>,
    small: u32,
) -> Vec<u32> {
    let bytes = lines.bytes(range.clone());
    let costs = range.clone().map(|line| NO_NODE + shape_cost(lines, line)).collect();
    let mut marks = Marks { lines, range, costs, depth: 0, leads: true, after_comment: false };
    let mut cursor = tree.walk();
    let mut more = cursor.goto_first_child_for_byte(bytes.start).is_some();
    // Nodes come in the order in which they begin, so the first one past the range ends the walk.
    while more && cursor.node().start_byte() < bytes.end {
        let node = cursor.node();
        marks.note(node, grammar);
        let rows = node.start_position().row as u32..node.end_position().row as u32 + 1;
        let worth_entering = rows.len() > 1 && lines.weight(rows) > small && node.end_byte() > bytes.start;
        let entered = worth_entering
            && match node.start_byte() < bytes.start {
                true => cursor.goto_first_child_for_byte(bytes.start).is_some(),
                false => cursor.goto_first_child(),
            };
        if entered {
            (marks.depth, marks.leads, marks.after_comment) = (marks.depth + 1, true, false);
            continue;
        }
        while more && !cursor.goto_next_sibling() {
            more = cursor.goto_parent();
            (marks.depth, marks.leads, marks.after_comment) = (marks.depth.saturating_sub(1), false, false);
        }
    }
    marks.costs
}

struct Marks<'a, 't> {
    lines: &'a Lines<'t>,
    range: Range<u32>,
    costs: Vec<u32>,
    depth: u32,
    /// No named sibling was before.
    leads: bool,
    after_comment: bool,
}

impl Marks<'_, '_> {
    fn note(&mut self, node: Node<'_>, grammar: &Compiled) {
        let row = node.start_position().row as u32;
        if !node.is_named() {
            return;
        }
        let leads = std::mem::take(&mut self.leads);
        let begins_line = self.begins_line(node);
        let after_comment = std::mem::replace(&mut self.after_comment, begins_line && node.is_extra());
        // A body is no place to cut: what it is the body of is before it.
        let is_body = matches!(grammar.role(&node, self.lines.text), Role::Body)
            || self.lines.text.as_bytes().get(node.start_byte()) == Some(&b'{');
        if !begins_line || after_comment || is_body || !self.range.contains(&row) {
            return;
        }
        let joined = leads || (row > 0 && !self.lines.is_blank(row - 1));
        let cost = (self.depth * 2 + u32::from(joined)).min(NO_NODE - 1);
        let slot = &mut self.costs[(row - self.range.start) as usize];
        *slot = (*slot).min(cost);
    }

    fn begins_line(&self, node: Node<'_>) -> bool {
        let at = node.start_position();
        let before = self.lines.line(at.row as u32).as_bytes().get(..at.column);
        before.is_some_and(|before| !before.iter().any(|b| is_ink(*b)))
    }
}

/// Cost by looks alone: after a blank line and little indented is best, a closing bracket is worst.
pub fn shape_cost(lines: &Lines<'_>, line: u32) -> u32 {
    let text = lines.line(line);
    let body = text.trim_start();
    let closes = body.starts_with(['{', '}', ')', ']']) || body.starts_with("</") || body.starts_with("end");
    let spaced = line == 0 || lines.is_blank(line - 1);
    let indent = (text.len() - body.len()).min(31) as u32;
    indent + if spaced { 0 } else { 64 } + if closes || body.is_empty() { 128 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::{Language, parse};

    #[test]
    fn statements_are_cheaper_the_further_out_they_are() {
        let text = "def f():\n    if a:\n        b()\n        c(1,\n          2)\n\n    # why\n    d()\n";
        let python = Language::from_name("python").unwrap().grammar().unwrap();
        let tree = parse::parse(text, python).unwrap();
        let lines = Lines::new(text);
        let costs = syntax_costs(&tree, python.compiled(), &lines, 0..lines.count(), 1);
        assert!(costs[7] >= NO_NODE, "a comment stays with what follows it");
        assert!(costs[6] < costs[1], "a blank line is before it");
        assert!(costs[1] < costs[2] && costs[2] < costs[4] && costs[4] < NO_NODE);
    }

    #[test]
    fn closing_brackets_are_the_worst_place() {
        let lines = Lines::new("a {\n  b\n}\n\nc\n");
        let costs: Vec<u32> = (0..5).map(|line| shape_cost(&lines, line)).collect();
        assert!(costs[4] < costs[1] && costs[1] < costs[2]);
    }
}
