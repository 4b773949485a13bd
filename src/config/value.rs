//! One value of one kind: read from text (environment, flags, defaults) or from YAML, checked, and rendered.

use globset::GlobBuilder;
use serde_json::Value;

use super::keys::Kind;
use super::size;

/// Why a value was refused; reads on after `index.exclude `.
pub type Refusal = String;

impl Kind {
    /// Reads what an environment variable or a flag says. Lists are separated by commas.
    pub fn from_text(&self, text: &str) -> Result<Value, Refusal> {
        let text = text.trim();
        let value = match self {
            Kind::Bool => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Value::Bool(true),
                "false" | "no" | "off" | "0" => Value::Bool(false),
                _ => Value::from(text),
            },
            Kind::Count { .. } => text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from),
            Kind::Globs => split_list(text).into(),
            Kind::Size { .. } | Kind::Choice(_) | Kind::Text => Value::from(text),
        };
        self.check(value)
    }

    /// Checks what a file says, and brings it to the form that [`Config`](super::Config) is read from: sizes
    /// become bytes.
    pub fn check(&self, value: Value) -> Result<Value, Refusal> {
        match (self, &value) {
            (Kind::Bool, Value::Bool(_)) => Ok(value),
            (Kind::Text, Value::String(text)) if !text.is_empty() => Ok(value),
            (Kind::Choice(choices), Value::String(text)) if choices.contains(&text.as_str()) => Ok(value),
            (Kind::Count { min, max }, Value::Number(number)) => {
                let fits = number.as_u64().is_some_and(|n| (*min..=*max).contains(&n));
                fits.then(|| value.clone()).ok_or_else(|| self.refuse(&value))
            }
            (Kind::Size { min, max }, _) => {
                let bytes = value.as_u64().or_else(|| value.as_str().and_then(size::parse));
                let fitting = bytes.filter(|bytes| (*min..=*max).contains(bytes));
                fitting.map(Value::from).ok_or_else(|| self.refuse(&value))
            }
            (Kind::Globs, Value::Array(globs)) => {
                globs.iter().try_for_each(|glob| self.check_glob(glob))?;
                Ok(value)
            }
            _ => Err(self.refuse(&value)),
        }
    }

    fn check_glob(&self, glob: &Value) -> Result<(), Refusal> {
        let Value::String(glob) = glob else {
            return Err(format!("must be {}, but one element is {}", self.expects(), describe(glob)));
        };
        let fault = match glob.as_str() {
            "" => Some("it is empty".to_owned()),
            negated if negated.starts_with('!') => Some("a leading `!` is not supported".to_owned()),
            _ => GlobBuilder::new(glob).build().err().map(|e| e.kind().to_string()),
        };
        fault.map_or(Ok(()), |fault| Err(format!("has an invalid glob `{glob}`: {fault}")))
    }

    pub fn refuse(&self, found: &Value) -> Refusal {
        format!("must be {}, not {}", self.expects(), describe(found))
    }

    /// What a value has to be, for messages and documentation.
    pub fn expects(&self) -> String {
        match self {
            Kind::Bool => "true or false".into(),
            Kind::Count { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Size { min, max } => {
                format!("a size from {} to {}", size::render(*min), size::render(*max))
            }
            Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
            Kind::Text => "a text".into(),
            Kind::Globs => "a list of globs".into(),
        }
    }

    /// A checked value as a person would write it in a file.
    pub fn render(&self, value: &Value) -> String {
        match (self, value) {
            (Kind::Size { .. }, Value::Number(n)) => n.as_u64().map_or_else(|| n.to_string(), size::render),
            (_, Value::String(text)) => text.clone(),
            _ => value.to_string(),
        }
    }
}

/// Splits at commas outside braces: `*.{js,ts},docs/**` is two globs.
fn split_list(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn describe(value: &Value) -> String {
    const LONGEST: usize = 60;
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.is_empty() => "an empty text".into(),
        Value::String(text) if text.chars().count() > LONGEST => {
            format!("`{}…`", text.chars().take(LONGEST).collect::<String>())
        }
        Value::String(text) => format!("`{text}`"),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "a mapping".into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::keys::KEYS;
    use super::*;

    #[test]
    fn lists_in_text() {
        let list = |text| Kind::Globs.from_text(text);
        assert_eq!(list(""), Ok(json!([])));
        assert_eq!(list("docs/**"), Ok(json!(["docs/**"])));
        assert_eq!(
            list(" *.min.js , *.{png,{jpg,gif}},a "),
            Ok(json!(["*.min.js", "*.{png,{jpg,gif}}", "a"]))
        );
    }

    #[test]
    fn booleans_in_text() {
        for (text, value) in [("true", true), ("ON", true), ("1", true), ("no", false), (" False", false)] {
            assert_eq!(Kind::Bool.from_text(text), Ok(json!(value)));
        }
        assert_eq!(Kind::Bool.from_text("maybe").unwrap_err(), "must be true or false, not `maybe`");
    }

    #[test]
    fn refusals() {
        let count = Kind::Count { min: 1, max: 9 };
        let size = Kind::Size { min: 1024, max: 4 << 30 };
        for (kind, value, refusal) in [
            (&Kind::Bool, json!("yes"), "must be true or false, not `yes`"),
            (&Kind::Text, json!(""), "must be a text, not an empty text"),
            (&Kind::Text, json!(5), "must be a text, not 5"),
            (&Kind::Choice(&["a", "b"]), json!("c"), "must be one of a, b, not `c`"),
            (&count, json!(10), "must be a whole number from 1 to 9, not 10"),
            (&count, json!(-1), "must be a whole number from 1 to 9, not -1"),
            (&count, json!(2.5), "must be a whole number from 1 to 9, not 2.5"),
            (&count, json!("2"), "must be a whole number from 1 to 9, not `2`"),
            (&size, json!("1.5MiB"), "must be a size from 1KiB to 4GiB, not `1.5MiB`"),
            (&size, json!("5GiB"), "must be a size from 1KiB to 4GiB, not `5GiB`"),
            (&size, json!([1]), "must be a size from 1KiB to 4GiB, not a list"),
            (&Kind::Globs, json!("*.js"), "must be a list of globs, not `*.js`"),
            (&Kind::Globs, json!({"a": 1}), "must be a list of globs, not a mapping"),
            (&Kind::Globs, json!(["a", 1]), "must be a list of globs, but one element is 1"),
            (&Kind::Globs, json!([""]), "has an invalid glob ``: it is empty"),
            (&Kind::Globs, json!(["!a"]), "has an invalid glob `!a`: a leading `!` is not supported"),
            (
                &Kind::Globs,
                json!(["a{b"]),
                "has an invalid glob `a{b`: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
            ),
        ] {
            assert_eq!(kind.check(value).unwrap_err(), refusal);
        }
        assert_eq!(describe(&json!("x".repeat(99))), format!("`{}…`", "x".repeat(60)));
    }

    proptest! {
        #[test]
        fn what_text_gives_is_accepted_again(row in 0..KEYS.len(), text in "[0-9a-zA-Z{},*/ ]{0,12}") {
            let kind = &KEYS[row].kind;
            if let Ok(value) = kind.from_text(&text) {
                prop_assert_eq!(kind.check(value.clone()), Ok(value));
            }
        }
    }
}
