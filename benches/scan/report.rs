//! What was measured, as a table for people and as JSON for machines. A missed target is shown, never hidden,
//! and does not fail the run: times belong to the machine.

use serde_json::{Value, json};

use crate::samples::Samples;

#[derive(Default)]
pub struct Report {
    about: Vec<(String, Value)>,
    ratios: Vec<Ratio>,
    facts: Vec<Fact>,
    databases: Vec<(String, f64)>,
}

/// The cost of one thing against another measured in the same run.
struct Ratio {
    name: &'static str,
    base: &'static str,
    /// Median and minimum milliseconds: wall, then CPU.
    measured: [(f64, f64); 2],
    against: [(f64, f64); 2],
    target: Option<f64>,
}

struct Fact {
    name: String,
    value: f64,
    unit: &'static str,
    target: Target,
}

#[derive(Clone, Copy)]
pub enum Target {
    None,
    AtMost(f64),
    Exactly(f64),
}

impl Report {
    pub fn about(&mut self, name: &str, value: impl Into<Value>) {
        self.about.push((name.to_owned(), value.into()));
    }

    pub fn ratio(
        &mut self,
        name: &'static str,
        measured: &Samples,
        base: &'static str,
        against: &Samples,
        target: Option<f64>,
    ) {
        let times = |samples: &Samples| {
            let (wall, cpu) = (samples.wall(), samples.cpu());
            [(wall.median, wall.min), (cpu.median, cpu.min)]
        };
        self.ratios.push(Ratio { name, base, measured: times(measured), against: times(against), target });
    }

    pub fn fact(&mut self, name: impl Into<String>, value: f64, unit: &'static str, target: Target) {
        self.facts.push(Fact { name: name.into(), value, unit, target });
    }

    pub fn database(&mut self, name: &str, bytes: f64) {
        self.databases.push((name.to_owned(), bytes));
    }

    pub fn table(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.about {
            text +=
                &format!("{name:<14} {}\n", value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        text += &format!(
            "\n{:<34} {:>17} {:>17} {:>7} {:>7} {:>7} {:>7}  {}\n",
            "time (median, min ms)", "measured", "base", "median", "min", "cpu", "target", "wall, cpu"
        );
        for row in &self.ratios {
            text += &row.line();
        }
        text += &format!("\n{:<60} {:>14} {:>14}\n", "count or size", "value", "target");
        for fact in &self.facts {
            text += &fact.line();
        }
        text += "\nindex by database\n";
        let total: f64 = self.databases.iter().map(|(_, bytes)| bytes).sum();
        for (name, bytes) in &self.databases {
            text += &format!("  {name:<20} {:>9.1} MB {:>5.1} %\n", bytes / 1e6, bytes / total * 100.0);
        }
        text
    }

    pub fn json(&self) -> Value {
        let about: serde_json::Map<String, Value> = self.about.iter().cloned().collect();
        let databases: serde_json::Map<String, Value> =
            self.databases.iter().map(|(name, bytes)| (name.clone(), json!(bytes))).collect();
        json!({
            "about": about,
            "ratios": self.ratios.iter().map(Ratio::json).collect::<Vec<_>>(),
            "facts": self.facts.iter().map(Fact::json).collect::<Vec<_>>(),
            "databases": databases,
        })
    }
}

impl Ratio {
    fn wall(&self) -> f64 {
        self.measured[0].0 / self.against[0].0
    }

    fn wall_min(&self) -> f64 {
        self.measured[0].1 / self.against[0].1
    }

    fn cpu(&self) -> f64 {
        self.measured[1].0 / self.against[1].0
    }

    fn line(&self) -> String {
        let [(median, min), _] = self.measured;
        let [(base_median, base_min), _] = self.against;
        format!(
            "{:<34} {:>17} {:>17} {:>7.2} {:>7.2} {:>7.2} {:>7}  {}\n",
            format!("{} ÷ {}", self.name, self.base),
            format!("{median:.1}, {min:.1}"),
            format!("{base_median:.1}, {base_min:.1}"),
            self.wall(),
            self.wall_min(),
            self.cpu(),
            self.target.map_or("–".to_owned(), |most| format!("≤ {most}")),
            self.target.map_or("–".to_owned(), |most| {
                format!("{}, {}", verdict(self.wall() <= most), verdict(self.cpu() <= most))
            }),
        )
    }

    fn json(&self) -> Value {
        let times = |[wall, cpu]: [(f64, f64); 2]| {
            json!({
                "wall_ms": { "median": wall.0, "min": wall.1 },
                "cpu_ms": { "median": cpu.0, "min": cpu.1 },
            })
        };
        json!({
            "name": self.name,
            "base": self.base,
            "measured": times(self.measured),
            "against": times(self.against),
            "ratio": self.wall(),
            "ratio_min": self.wall_min(),
            "ratio_cpu": self.cpu(),
            "target": self.target,
            "pass": self.target.map(|most| self.wall() <= most),
            "pass_cpu": self.target.map(|most| self.cpu() <= most),
        })
    }
}

impl Fact {
    fn pass(&self) -> Option<bool> {
        match self.target {
            Target::None => None,
            Target::AtMost(most) => Some(self.value <= most),
            Target::Exactly(value) => Some(self.value == value),
        }
    }

    fn line(&self) -> String {
        let number = |value: f64| {
            if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
        };
        let target = match self.target {
            Target::None => "–".to_owned(),
            Target::AtMost(most) => format!("≤ {}", number(most)),
            Target::Exactly(value) => format!("= {}", number(value)),
        };
        let value = format!("{} {}", number(self.value), self.unit);
        format!(
            "{:<60} {:>14} {target:>14}  {}\n",
            self.name,
            value.trim_end(),
            self.pass().map_or("–", verdict)
        )
    }

    fn json(&self) -> Value {
        let (at_most, exactly) = match self.target {
            Target::None => (None, None),
            Target::AtMost(most) => (Some(most), None),
            Target::Exactly(value) => (None, Some(value)),
        };
        json!({
            "name": self.name, "value": self.value, "unit": self.unit,
            "at_most": at_most, "exactly": exactly, "pass": self.pass(),
        })
    }
}

fn verdict(pass: bool) -> &'static str {
    if pass { "pass" } else { "MISS" }
}
