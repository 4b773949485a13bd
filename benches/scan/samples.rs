//! Repeated measurements of one thing.

use std::time::Duration;

use crate::child::Usage;

#[derive(Debug, Default)]
pub struct Samples(Vec<Usage>);

impl Samples {
    pub fn add(&mut self, usage: Usage) {
        self.0.push(usage);
    }

    pub fn wall(&self) -> Stats {
        Stats::of(self.0.iter().map(|usage| ms(usage.wall)).collect())
    }

    pub fn cpu(&self) -> Stats {
        Stats::of(self.0.iter().map(|usage| ms(usage.cpu)).collect())
    }

    /// The highest peak of all runs, in bytes.
    pub fn peak(&self) -> u64 {
        self.0.iter().map(|usage| usage.peak).max().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Stats {
    pub median: f64,
    pub min: f64,
    pub p95: f64,
}

impl Stats {
    pub fn of(mut values: Vec<f64>) -> Stats {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
        Stats { median: at(0.5), min: at(0.0), p95: at(0.95) }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
