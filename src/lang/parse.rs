//! Parsing within a budget. One parser a thread is kept, since making one costs more than a small file.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use super::grammar::Grammar;
use super::memory;

/// The parser reports every hundred operations. Real code takes 120 bytes a report, and in the worst files seen
/// 54; a grammar that has gone quadratic takes hundreds of reports for each byte. Counting reports instead of
/// time makes the outcome a function of the text alone. The budget is half a second for a small file and six
/// for one of a megabyte.
const REPORTS_FREE: usize = 20_000;
const BYTES_PER_REPORT: usize = 4;

/// A scanner may look at the rest of the text for every token, say for the end of a comment that never ends, and
/// no step of the parser shows it. So the text is handed out in blocks, and each counts. Real code takes up to
/// 32 for each block of its text, since the parser goes back and forth over their borders; a thousand lines of
/// comment in Python take as many times as there are lines. The budget is half a second of reading.
const BLOCK: usize = 1 << 12;
const BLOCKS_FREE: usize = 1 << 15;
const TIMES_READ: usize = 128;

/// Real code takes up to 170 bytes of memory for each of its own, counting what is given back.
const MEMORY_FREE: usize = 32 << 20;
const MEMORY_PER_BYTE: usize = 512;

/// Only for a machine so slow that a scan would seem to hang: the one way in which time can decide.
const LAST_RESORT: Duration = Duration::from_secs(60);

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
    let blocks = Cell::new(BLOCKS_FREE + text.len() / BLOCK * TIMES_READ);
    let memory = MEMORY_FREE + text.len() * MEMORY_PER_BYTE;
    memory::begin();
    let mut progress = |_: &tree_sitter::ParseState| {
        reports = reports.saturating_sub(1);
        let is_late = || started.elapsed() > LAST_RESORT;
        if reports == 0 || blocks.get() == 0 || memory::asked() > memory || is_late() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.compiled().language).ok()?;
        let tree = parser.parse_with_options(
            &mut |at, _| {
                let left = blocks.get().saturating_sub(1);
                blocks.set(left);
                // The text seems to end with the last block, so that whoever reads it stops.
                let size = if left == 0 { 0 } else { BLOCK };
                // Were a character cut in two, the parser would ask for it again and not expect the end.
                let end = text.floor_char_boundary(at.saturating_add(size));
                text.as_bytes().get(at..end).unwrap_or_default()
            },
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            // Otherwise the next text would be taken for the rest of this one.
            parser.reset();
        }
        tree.filter(|_| blocks.get() > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{c::C, csharp::CSHARP, java::JAVA, python::PYTHON, zig::ZIG};
    use super::*;

    #[test]
    fn what_makes_grammars_quadratic_is_given_up() {
        let text = |unit: &str| unit.repeat(300_000 / unit.len());
        let texts = [
            // The scanner looks ahead over all comments after each of them.
            (format!("x = 1\n{}", text("# abc\n")), &PYTHON),
            (text("/* "), &ZIG),
            (text("/* "), &CSHARP),
            (text("a => "), &C),
            (text("a => "), &JAVA),
            (text("A<"), &JAVA),
        ];
        for (text, grammar) in texts {
            let started = Instant::now();
            assert!(parse(&text, grammar).is_none(), "{:?}", &text[..10]);
            // By its budget, that is, and not by the clock.
            assert!(started.elapsed() < LAST_RESORT, "{:?}", &text[..10]);
        }
    }

    #[test]
    fn characters_on_the_border_of_two_blocks_are_whole() {
        for start in 0..4 {
            let text = format!("{}x = 'é😀'\n", " ".repeat(start)) + &"# é😀\n".repeat(2000);
            let tree = parse(&text, &PYTHON).unwrap();
            assert!(!tree.root_node().has_error());
            assert_eq!(tree.root_node().end_byte(), text.len());
        }
    }

    #[test]
    fn running_out_of_budget_leaves_the_parser_usable() {
        let text = "x = 1\n".repeat(5000);
        assert!(parse_within(&text, &PYTHON, 3).is_none());
        let tree = parse("def f(): pass\n", &PYTHON).unwrap();
        assert_eq!(tree.root_node().child(0).unwrap().kind(), "function_definition");
    }
}
