//! Sizes as people write them: `10MiB`, `500 KB`, `4096`.

/// Largest first, so that the first unit which divides a number is the shortest way to write it.
/// `K`, `M`, `G`, `T` alone are powers of 1024, as in git's own configuration.
const UNITS: [(&str, &str, u64); 8] = [
    ("TiB", "T", 1 << 40),
    ("TB", "", 1_000_000_000_000),
    ("GiB", "G", 1 << 30),
    ("GB", "", 1_000_000_000),
    ("MiB", "M", 1 << 20),
    ("MB", "", 1_000_000),
    ("KiB", "K", 1 << 10),
    ("KB", "", 1_000),
];

/// Bytes; `None` if the text is no size or does not fit 64 bits.
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    number.parse::<u64>().ok()?.checked_mul(factor(unit.trim_start())?)
}

fn factor(unit: &str) -> Option<u64> {
    if unit.is_empty() || unit.eq_ignore_ascii_case("b") {
        return Some(1);
    }
    let named = |name: &str| !name.is_empty() && name.eq_ignore_ascii_case(unit);
    UNITS.iter().find(|(long, short, _)| named(long) || named(short)).map(|&(.., factor)| factor)
}

/// The shortest exact spelling; [`parse`] reads it back.
pub fn render(bytes: u64) -> String {
    match UNITS.iter().find(|(.., factor)| bytes != 0 && bytes.is_multiple_of(*factor)) {
        Some((unit, _, factor)) => format!("{}{unit}", bytes / factor),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings() {
        for (text, bytes) in [
            ("0", 0),
            ("4096", 4096),
            ("12b", 12),
            ("1MiB", 1 << 20),
            ("500 KB", 500_000),
            (" 2 gib ", 2 << 30),
            ("10m", 10 << 20),
            ("1TiB", 1 << 40),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn no_sizes() {
        for text in
            ["", " ", "MiB", "-1", "+1", "1.5MiB", "1e6", "1 000", "1MiBs", "1 i", "16777216TiB", "१KB"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn shortest_exact_spelling() {
        for (bytes, text) in
            [(0, "0"), (1023, "1023"), (1024, "1KiB"), (500_000, "500KB"), (10 << 20, "10MiB")]
        {
            assert_eq!(render(bytes), text);
        }
    }

    proptest! {
        #[test]
        fn rendering_loses_nothing(number: u32, unit in 0usize..8) {
            let bytes = u64::from(number).saturating_mul(UNITS[unit].2);
            prop_assert_eq!(parse(&render(bytes)), Some(bytes));
        }

        #[test]
        fn any_text_is_survived(text: String) {
            let _ = parse(&text);
        }
    }
}
