//! React components: a capitalised function that returns markup, or a class that renders some.

use super::{Definition, Facts, Flag};
use crate::lang::ChunkKind;

/// Markup was met inside of this definition.
pub fn mark(definitions: &mut [Definition], at: u32) {
    let Some(inside) = definitions.get(at as usize) else { return };
    let component = match (inside.kind, inside.parent) {
        (ChunkKind::Method, Some(class)) if inside.name == "render" => class as usize,
        (kind, _) if kind.is_callable() => at as usize,
        _ => return,
    };
    if let Some(definition) = definitions.get_mut(component)
        && definition.name.starts_with(char::is_uppercase)
    {
        definition.flags.insert(Flag::Component);
    }
}

/// Gives each component the type of its properties, where the signature shows one.
pub fn add_props(facts: &mut Facts) {
    for definition in facts.definitions.iter_mut().filter(|d| d.flags.contains(Flag::Component)) {
        let head = definition.signature.as_str();
        definition.props = generic_props(head).or_else(|| parameter_props(head)).map(str::to_owned);
    }
}

/// `React.FC<Props>`, `extends Component<Props, State>`, `forwardRef<Ref, Props>`.
fn generic_props(head: &str) -> Option<&str> {
    for (marker, position) in [
        ("FC<", 0),
        ("FunctionComponent<", 0),
        ("PureComponent<", 0),
        ("Component<", 0),
        ("forwardRef<", 1),
        ("memo<", 0),
    ] {
        if let Some(at) = head.find(marker) {
            let arguments = balanced(&head[at + marker.len()..], '>')?;
            return top_level(arguments, ',').nth(position).map(str::trim).filter(|props| !props.is_empty());
        }
    }
    None
}

/// `({ a, b }: Props)`, `(props: Props)`.
fn parameter_props(head: &str) -> Option<&str> {
    // Calls around the function open brackets too: `memo(function A(props: Props)`.
    const CALLS: usize = 4;
    head.match_indices('(').take(CALLS).find_map(|(open, _)| {
        // The signature ends before such a call does.
        let rest = &head[open + 1..];
        let parameters = balanced(rest, ')')?;
        let first = top_level(parameters, ',').next()?;
        let mut parts = top_level(first, ':');
        let _pattern = parts.next()?;
        let written = top_level(parts.next()?, '=').next()?.trim();
        (!written.is_empty()).then_some(written)
    })
}

/// The text up to the bracket that closes what was opened before it.
fn balanced(text: &str, close: char) -> Option<&str> {
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            c if c == close && depth == 0 => return Some(&text[..at]),
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '=' => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    None
}

/// Parts between separators that stand in no bracket.
fn top_level(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut depth, mut before) = (0usize, ' ');
    text.split(move |c| {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '=' => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        depth == 0 && c == separator
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn props_of_every_way_to_write_a_component() {
        let props = |head| generic_props(head).or_else(|| parameter_props(head));
        assert_eq!(props("const A: React.FC<Props> = ({ a }) => {"), Some("Props"));
        assert_eq!(props("function A({ a, b = {} }: { a: string, b: X }) {"), Some("{ a: string, b: X }"));
        assert_eq!(props("export default function A(props: AProps, ref) {"), Some("AProps"));
        assert_eq!(props("class A extends React.Component<AProps, State> {"), Some("AProps"));
        assert_eq!(props("const A = forwardRef<HTMLDivElement, AProps>((p, ref) => {"), Some("AProps"));
        let memo = "const A = memo(function A({ a, b = 1 }: { a: () => void; b?: number } = {})";
        assert_eq!(props(memo), Some("{ a: () => void; b?: number }"));
        assert_eq!(props("function A({ a }) {"), None);
        assert_eq!(props("function A() {"), None);
    }
}
