//! Colours and number formats. Escape codes are always written; the stream drops them where they do not belong.

use anstyle::{AnsiColor, Style};

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const PATH: Style = AnsiColor::Magenta.on_default();
pub const LINE: Style = AnsiColor::Green.on_default();
pub const STRONG: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();

pub fn paint(style: Style, text: &str) -> String {
    format!("{}{text}{}", style.render(), style.render_reset())
}

/// 1234567 → `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `3 files`, `1 file`.
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

pub fn bytes(n: u64) -> String {
    match n {
        0..1024 => format!("{n} B"),
        1024..1_048_576 => format!("{:.1} KiB", n as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", n as f64 / 1_048_576.0),
        _ => format!("{:.2} GiB", n as f64 / 1_073_741_824.0),
    }
}

pub fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{:.1} s", ms as f64 / 1000.0) }
}

/// Seconds since the epoch → `2026-01-10T16:30:00Z`.
pub fn timestamp(seconds: u64) -> String {
    i64::try_from(seconds)
        .ok()
        .and_then(|s| jiff::Timestamp::from_second(s).ok())
        .map_or_else(String::new, |t| t.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "file"), "1 file");
        assert_eq!(plural(2000, "file"), "2,000 files");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(seconds(1234), "1.2 s");
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
    }
}
