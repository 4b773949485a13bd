//! Parsing within a budget. One parser a thread is kept, since making one costs more than a small file.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use super::grammar::Grammar;

/// The parser reports every hundred operations. Real code takes 120 bytes a report, and in the worst files seen
/// 54; a grammar that has gone quadratic takes hundreds of reports for each byte. Counting reports instead of
/// time makes the outcome a function of the text alone. The budget is half a second for a small file and six
/// for one of a megabyte.
const REPORTS_FREE: usize = 20_000;
const BYTES_PER_REPORT: usize = 4;

/// For what reports do not show: a scanner that looks through the rest of the text at every token, say for the end
/// of thousands of comments that never end. The one way in which time can decide; real files take a hundredth.
const LAST_RESORT: Duration = Duration::from_secs(20);

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// The syntax tree, or nothing if the budget ran out or the text must not be parsed.
pub fn parse(text: &str, grammar: &'static Grammar) -> Option<Tree> {
    let safe = |text| match grammar.rules.hazard {
        Some(hazard) => hazard(text),
        None => Some(text.into()),
    };
    let text = &*safe(text)?;
    let reports = REPORTS_FREE + text.len() / BYTES_PER_REPORT;
    let tree = parse_within(text, grammar, reports)?;
    let mask = grammar.rules.mask.filter(|_| tree.root_node().has_error());
    match mask.and_then(|mask| mask(text)) {
        Some(masked) => {
            let text = safe(&masked);
            text.and_then(|text| parse_within(&text, grammar, reports)).or(Some(tree))
        }
        None => Some(tree),
    }
}

fn parse_within(text: &str, grammar: &'static Grammar, mut reports: usize) -> Option<Tree> {
    let started = Instant::now();
    let mut progress = |_: &tree_sitter::ParseState| {
        reports = reports.saturating_sub(1);
        if reports == 0 || started.elapsed() > LAST_RESORT {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.compiled().language).ok()?;
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            // Otherwise the next text would be taken for the rest of this one.
            parser.reset();
        }
        tree
    })
}

#[cfg(test)]
mod tests {
    use super::super::python::PYTHON;
    use super::*;

    #[test]
    fn running_out_of_budget_leaves_the_parser_usable() {
        let text = "x = 1\n".repeat(5000);
        assert!(parse_within(&text, &PYTHON, 3).is_none());
        let tree = parse("def f(): pass\n", &PYTHON).unwrap();
        assert_eq!(tree.root_node().child(0).unwrap().kind(), "function_definition");
    }
}
