//! Progress bars on standard error, for whatever takes longer than half a second.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::config::When;
use crate::index::{Phase, Progress};

const PATIENCE: Duration = Duration::from_millis(500);

pub struct Bars {
    start: Instant,
    when: When,
    chunks: AtomicU64,
    bar: Mutex<ProgressBar>,
}

impl Bars {
    pub fn new(when: When) -> Bars {
        Bars {
            start: Instant::now(),
            when,
            chunks: AtomicU64::new(0),
            bar: Mutex::new(ProgressBar::hidden()),
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar().finish_and_clear();
    }

    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn target(&self) -> ProgressDrawTarget {
        match self.when {
            When::Never => ProgressDrawTarget::hidden(),
            // indicatif itself stays silent where standard error is no terminal.
            When::Auto | When::Always => ProgressDrawTarget::stderr(),
        }
    }
}

impl Progress for Bars {
    fn begin(&self, phase: Phase, total: u64) {
        let mut bar = self.bar();
        bar.finish_and_clear();
        self.chunks.store(0, Ordering::Relaxed);
        let target =
            if self.start.elapsed() < PATIENCE { ProgressDrawTarget::hidden() } else { self.target() };
        *bar = ProgressBar::with_draw_target((total > 0).then_some(total), target)
            .with_style(style(phase, total));
        bar.set_prefix(label(phase));
    }

    fn advance(&self, items: u64, chunks: u64) {
        let chunks = self.chunks.fetch_add(chunks, Ordering::Relaxed) + chunks;
        let bar = self.bar();
        if bar.is_hidden() && self.start.elapsed() >= PATIENCE {
            bar.set_draw_target(self.target());
        }
        bar.set_message(format!("{chunks} chunks"));
        bar.inc(items);
    }
}

fn label(phase: Phase) -> &'static str {
    match phase {
        Phase::List => "Looking for changes",
        Phase::Chunk => "Reading and chunking",
        Phase::Write => "Writing",
        Phase::Embed => "Embedding",
    }
}

fn style(phase: Phase, total: u64) -> ProgressStyle {
    let template = match (phase, total) {
        (_, 0) => "{prefix} {spinner}",
        (Phase::Embed, _) => "{prefix} {wide_bar} {pos}/{len} chunks, {rate}, {eta} left",
        _ => "{prefix} {wide_bar} {pos}/{len} files, {msg}, {rate}, {eta} left",
    };
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{:.0}/s", state.per_sec());
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", rate).progress_chars("=> ")
}
