//! Printing.

use std::collections::BTreeMap;

use codeagent::chunk::{Chunked, estimate_tokens};
use codeagent::lang::{Language, ParseStatus};

use crate::ctags::Found;
use crate::measure::{Cost, File};

pub fn languages(files: &[File], measured: &[Chunked]) {
    println!(
        "{:<12} {:>6} {:>8} {:>7} {:>7} {:>6} {:>6}  chunks by kind",
        "language", "files", "MB", "clean", "chunks", "median", "p95"
    );
    for language in Language::all() {
        let own: Vec<(&File, &Chunked)> =
            files.iter().zip(measured).filter(|(file, _)| file.language == language).collect();
        if own.is_empty() {
            continue;
        }
        let bytes: usize = own.iter().map(|(file, _)| file.text.len()).sum();
        let clean =
            own.iter().filter(|(_, c)| matches!(c.status, ParseStatus::Parsed | ParseStatus::Text)).count();
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let mut sizes = Vec::new();
        for (file, chunked) in &own {
            for chunk in &chunked.chunks {
                *kinds.entry(chunk.kind.as_str()).or_default() += 1;
                sizes.push(estimate_tokens(&file.text[chunk.bytes()]));
            }
        }
        sizes.sort_unstable();
        let at = |share: usize| sizes.get(sizes.len().saturating_sub(1) * share / 100).copied().unwrap_or(0);
        let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        println!(
            "{:<12} {:>6} {:>8.2} {:>6.1}% {:>7} {:>6} {:>6}  {}",
            language.name(),
            own.len(),
            bytes as f64 / 1e6,
            100.0 * clean as f64 / own.len() as f64,
            sizes.len(),
            at(50),
            at(95),
            kinds.join(", ")
        );
    }
}

pub fn definitions(found: &BTreeMap<&'static str, Found>, misses: usize) {
    println!("\nDefinitions that universal-ctags finds and we find too:");
    for (language, found) in found {
        let kinds = found.by_kind.iter().map(|(kind, (all, ours))| format!("{kind} {ours}/{all}"));
        let kinds: Vec<String> = kinds.collect();
        let share = 100.0 * found.found as f64 / found.tags.max(1) as f64;
        println!("{language:<12} {share:>6.2}% of {:>6}  {}", found.tags, kinds.join(", "));
        // Spread over all of them, so that one file does not fill the list.
        let step = found.misses.len().div_ceil(misses.max(1)).max(1);
        for miss in found.misses.iter().step_by(step).take(misses) {
            println!("    {miss}");
        }
    }
}

pub fn costs(costs: &[Cost]) {
    println!("\nChunks and facts beside a bare parse, on all cores:");
    let (mut parse, mut chunk) = (0.0, 0.0);
    for cost in costs {
        let (bare, all) = (cost.parse.as_secs_f64(), cost.chunk.as_secs_f64());
        parse += bare;
        chunk += all;
        let rate = cost.bytes as f64 / 1e6 / all;
        println!(
            "{:<12} {:>8.2} MB {:>6.2} {:>7.1} MB/s",
            cost.language.name(),
            cost.bytes as f64 / 1e6,
            all / bare,
            rate
        );
    }
    println!("{:<12} {:>18.2}", "all", chunk / parse);
}
