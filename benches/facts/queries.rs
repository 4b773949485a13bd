//! What the published tags queries cost: the alternative to our tables.

use std::time::{Duration, Instant};

use codeagent::facts;
use codeagent::lang::Language;
use tree_sitter::{Parser, Query, QueryCursor, StreamingIterator};

use crate::measure::File;

const QUERIES: [(&str, &str); 4] = [
    ("python", tree_sitter_python::TAGS_QUERY),
    ("rust", tree_sitter_rust::TAGS_QUERY),
    ("go", tree_sitter_go::TAGS_QUERY),
    ("java", tree_sitter_java::TAGS_QUERY),
];

/// Parse, query and walk on one core, each as a share of the parse.
pub fn print(files: &[File]) {
    println!("\nBeside a bare parse, on one core:     query    our walk");
    for (name, source) in QUERIES {
        let Some(language) = Language::from_name(name) else { continue };
        let Some(grammar) = language.parser_language() else { continue };
        let Ok(query) = Query::new(&grammar, source) else { continue };
        let mut parser = Parser::new();
        if parser.set_language(&grammar).is_err() {
            continue;
        }
        let (mut parse, mut queried, mut walked) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for file in files.iter().filter(|file| file.language == language) {
            let started = Instant::now();
            let Some(tree) = parser.parse(&file.text, None) else { continue };
            parse += started.elapsed();
            let started = Instant::now();
            let mut cursor = QueryCursor::new();
            let mut found = cursor.matches(&query, tree.root_node(), file.text.as_bytes());
            while let Some(one) = found.next() {
                std::hint::black_box(one);
            }
            queried += started.elapsed();
            let started = Instant::now();
            std::hint::black_box(facts::of_tree(&tree, language, &file.text));
            walked += started.elapsed();
        }
        let share = |time: Duration| time.as_secs_f64() / parse.as_secs_f64().max(1e-9);
        println!("{name:<37} {:>6.2} {:>8.2}", share(queried), share(walked));
    }
}
