//! Every language against damaged code: the samples, cut up, mixed and grown by a seeded generator.
//!
//! The test in CI tries a few thousand inputs. For a long run:
//! `FUZZ_INPUTS=1000000 cargo test --release --lib chunk::fuzz::long -- --ignored --nocapture`

use std::time::{Duration, Instant};

use super::tests::check;
use super::*;
use crate::facts::tests::samples;
use crate::facts::views::{Source, View};

/// A small generator whose sequence is the same everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// A range of `text` on character boundaries, mostly short.
    fn range(&mut self, text: &str) -> Range<usize> {
        let start = text.floor_char_boundary(self.below(text.len() + 1));
        let longest = if self.below(4) == 0 { text.len() } else { 80 };
        let end = (start + self.below(longest)).min(text.len());
        start..text.ceil_char_boundary(end)
    }
}

/// What breaks parsers: openers without closers, closers without openers, odd spaces, marks of other languages.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "<!--",
    "#if X\n",
    "#endif\n",
    "\\",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u{feff}",
    "\u{0}",
    "\u{2028}",
    "é",
    "😀",
    "@",
    "$",
    "${",
    "<<EOF\n",
    "EOF\n",
    "=>",
    "::",
    ";",
    ":",
    "def ",
    "class ",
    "function ",
    "fn ",
    "impl ",
    "end\n",
    "do\n",
    "namespace ",
    "template<",
    "R\"(",
    "%{",
    "{{",
    "}}",
    "---\n",
    "```\n",
    "===\n",
    "| ",
    "- ",
    "import ",
    "\u{1}",
];

fn mutate(random: &mut Random, mut text: String, corpus: &[(String, Language, String)]) -> String {
    for _ in 0..1 + random.below(8) {
        let range = random.range(&text);
        match random.below(9) {
            0 => text.replace_range(range, ""),
            1 => text.replace_range(range.start..range.start, random.of(TOKENS)),
            2 => text.replace_range(range, random.of(TOKENS)),
            3 => {
                let copy = text[range.clone()].to_owned();
                text.insert_str(range.start, &copy);
            }
            4 => {
                let other = random.of(corpus).2;
                let from = random.range(&other);
                text.replace_range(range, &other[from]);
            }
            5 => text.truncate(range.start),
            6 => {
                let times = 1 + random.below(200);
                let deep = random.of(TOKENS).repeat(times);
                text.insert_str(range.start, &deep);
            }
            7 => text = text.replace('\n', random.of(&["\r\n", " ", "\n\n", "\r"])),
            _ => {
                let tail = text.split_off(range.start);
                text.insert_str(0, &tail);
            }
        }
        // Growth is part of the game, but each input is one of many.
        text.truncate(text.floor_char_boundary(60_000));
    }
    text
}

/// Tries some inputs; returns how long the slowest took.
fn run(inputs: usize, seed: u64, slowest: Duration) -> Duration {
    let corpus = samples();
    let languages: Vec<Language> = Language::all().collect();
    let mut random = Random(seed);
    let mut worst = Duration::ZERO;
    for _ in 0..inputs {
        let (name, own, text) = random.of(&corpus);
        let text = mutate(&mut random, text, &corpus);
        let language = if random.below(4) == 0 { random.of(&languages) } else { own };
        let min_tokens = random.of(&[1, 20, 100]);
        let max_tokens = random.of(&[4, 50, 200, 1000]);
        let limits = Limits { min_tokens, max_tokens, fixed_interval_above: random.of(&[500, 1 << 20]) };
        let started = Instant::now();
        let chunked = check(&text, language, &limits);
        let source = Source { path: &name, language, text: &text, facts: &chunked.facts };
        for view in [View::Symbols, View::Definitions, View::Data] {
            std::hint::black_box(view.render(&source));
        }
        worst = worst.max(started.elapsed());
        assert!(started.elapsed() < slowest, "{name} as {language} took {:?}:\n{text}", started.elapsed());
    }
    worst
}

#[test]
fn damaged_code_of_every_language() {
    run(3000, 1, Duration::from_secs(60));
}

#[test]
#[ignore = "a long run: FUZZ_INPUTS=… FUZZ_SEED=…"]
fn long() {
    let number =
        |name: &str, otherwise| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (inputs, seed) = (number("FUZZ_INPUTS", 100_000), number("FUZZ_SEED", 2));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || {
                let seed = (seed as u64) << 8 | (thread as u64 + 1);
                let worst = run(inputs / threads, seed, Duration::from_secs(20));
                println!("thread {thread}: {} inputs, slowest {worst:?}", inputs / threads);
            });
        }
    });
    println!("{inputs} inputs in {:?}", started.elapsed());
}
