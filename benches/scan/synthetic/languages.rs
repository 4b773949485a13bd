//! Files that parse, with the parts real ones have: a licence, imports, types, members, comments, branches.

use std::fmt::Write;

use super::words::{Words, capital};

const LICENCE: [&str; 2] = [
    "Licensed to the contributors under one or more agreements.",
    "See the file LICENSE in the root of the repository for more information.",
];

// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($format:tt)*) => {{ let _ = writeln!($text, $($format)*); }};
}

fn licence(mark: &str) -> String {
    LICENCE.iter().map(|sentence| format!("{mark} {sentence}\n")).collect()
}

pub fn csharp(words: &mut Words, name: &str) -> String {
    let mut text = licence("//");
    line!(text, "\nusing System.Collections.Generic;\nusing System.Threading.Tasks;");
    for _ in 0..words.number(1, 5) {
        line!(text, "using Example.{};", words.pascal(2));
    }
    line!(text, "\nnamespace Example.{};\n", words.pascal(1));
    line!(text, "/// <summary>\n/// {}\n/// </summary>", words.sentence());
    line!(text, "public sealed class {name} : I{}\n{{", words.pascal(2));
    for _ in 0..words.number(1, 6) {
        line!(text, "    private readonly {} _{};", words.pascal(2), words.camel(2));
    }
    for _ in 0..words.number(1, 4) {
        line!(text, "\n    public {} {} {{ get; set; }}", words.pascal(1), words.pascal(2));
    }
    for _ in 0..words.number(1, 9) {
        line!(text, "\n    /// <summary>{}</summary>", words.sentence());
        let (verb, thing, from) = (capital(words.verb()), words.pascal(2), words.camel(2));
        line!(text, "    public async Task<{thing}> {verb}{thing}Async({} {from}, int limit)\n    {{", thing);
        for _ in 0..words.body() {
            csharp_statement(&mut text, words, &from);
        }
        line!(text, "        return await _{}.{verb}Async({from});\n    }}", words.camel(2));
    }
    line!(text, "}}");
    text
}

fn csharp_statement(text: &mut String, words: &mut Words, from: &str) {
    let (a, b, call) = (words.camel(2), words.pascal(1), capital(words.verb()));
    match words.number(0, 5) {
        0 => line!(text, "        var {a} = {from}.{b}.{call}({});", words.number(0, 500)),
        1 => {
            line!(text, "        if ({from}.{b} is null)\n        {{");
            line!(
                text,
                "            throw new InvalidOperationException(\"{}\");\n        }}",
                words.sentence()
            );
        }
        2 => {
            line!(text, "        foreach (var {a} in {from}.{b}s)\n        {{");
            line!(
                text,
                "            _{}.{call}({a}, limit - {});\n        }}",
                words.camel(1),
                words.number(1, 9)
            );
        }
        3 => line!(
            text,
            "        // {}\n        await {call}{b}Async({from}.{});",
            words.sentence(),
            words.pascal(2)
        ),
        _ => line!(text, "        _logger.LogDebug(\"{{Item}}: {}\", {from}.{b});", words.sentence()),
    }
}

pub fn typescript(words: &mut Words, name: &str) -> String {
    let mut text = licence("//");
    for _ in 0..words.number(2, 7) {
        line!(text, "import {{ {} }} from '../{}/{}';", words.pascal(2), words.noun(), words.camel(2));
    }
    line!(text, "\nexport interface {name}Options {{");
    for _ in 0..words.number(2, 7) {
        line!(text, "  {}?: {};", words.camel(2), words.pick(&["string", "number", "boolean", "string[]"]));
    }
    line!(text, "}}\n\n/** {} */\nexport class {name} {{", words.sentence());
    line!(text, "  constructor(private readonly options: {name}Options) {{}}");
    for _ in 0..words.number(1, 9) {
        let (verb, thing, from) = (words.verb(), words.pascal(2), words.camel(2));
        line!(text, "\n  /** {} */", words.sentence());
        line!(text, "  async {verb}{thing}({from}: {thing}): Promise<{}> {{", words.pascal(1));
        for _ in 0..words.body() {
            typescript_statement(&mut text, words, &from);
        }
        line!(text, "    return this.{}.{verb}({from});\n  }}", words.camel(2));
    }
    line!(text, "}}\n");
    for _ in 0..words.number(0, 4) {
        let from = words.camel(1);
        line!(text, "export const {}{} = ({from}: {}) => {{", words.verb(), words.pascal(2), words.pascal(1));
        typescript_statement(&mut text, words, &from);
        line!(text, "}};\n");
    }
    text
}

fn typescript_statement(text: &mut String, words: &mut Words, from: &str) {
    let (a, b, call) = (words.camel(2), words.camel(1), words.verb());
    match words.number(0, 4) {
        0 => line!(text, "    const {a} = {from}.{b}?.{call}({}) ?? [];", words.number(0, 500)),
        1 => line!(text, "    if (!{from}.{b}) {{\n      throw new Error('{}');\n    }}", words.sentence()),
        2 => line!(text, "    for (const {a} of {from}.{b}s) {{\n      await this.{call}({a});\n    }}"),
        _ => line!(
            text,
            "    // {}\n    console.debug(`{b}: ${{{from}.{}}}`);",
            words.sentence(),
            words.camel(2)
        ),
    }
}

pub fn python(words: &mut Words, name: &str) -> String {
    let mut text = licence("#");
    line!(text, "\"\"\"{}\"\"\"\n\nimport logging", words.sentence());
    for _ in 0..words.number(1, 6) {
        line!(text, "from example.{} import {}", words.snake(2), words.pascal(2));
    }
    line!(text, "\nlogger = logging.getLogger(__name__)\n\n\nclass {name}({}):", words.pascal(2));
    line!(text, "    \"\"\"{}\n\n    {}\n    \"\"\"", words.sentence(), words.sentence());
    for _ in 0..words.number(1, 9) {
        let from = words.snake(1);
        line!(text, "\n    def {}_{}(self, {from}, limit=None):", words.verb(), words.snake(2));
        line!(text, "        \"\"\"{}\"\"\"", words.sentence());
        for _ in 0..words.body() {
            python_statement(&mut text, words, &from);
        }
        line!(text, "        return self.{}.{}({from})", words.snake(2), words.verb());
    }
    for _ in 0..words.number(0, 4) {
        let from = words.snake(1);
        line!(text, "\n\ndef {}_{}({from}):", words.verb(), words.snake(2));
        python_statement(&mut text, words, &from);
    }
    text
}

fn python_statement(text: &mut String, words: &mut Words, from: &str) {
    let (a, b, call) = (words.snake(2), words.snake(1), words.verb());
    match words.number(0, 4) {
        0 => line!(
            text,
            "        {a} = {from}.{b}.{call}({}, key=\"{}\")",
            words.number(0, 500),
            words.snake(2)
        ),
        1 => line!(
            text,
            "        if {from}.{b} is None:\n            raise ValueError(\"{}\")",
            words.sentence()
        ),
        2 => line!(text, "        for {a} in {from}.{b}s:\n            self.{call}_{b}({a})"),
        _ => line!(
            text,
            "        # {}\n        logger.debug(\"{b}: %s\", {from}.{})",
            words.sentence(),
            words.snake(2)
        ),
    }
}

pub fn markdown(words: &mut Words, name: &str) -> String {
    let mut text = format!("# {name}\n");
    for _ in 0..words.number(2, 10) {
        line!(text, "\n## {} the {} {}\n", capital(words.verb()), words.noun(), words.noun());
        text += &paragraph(words);
        if words.number(0, 3) == 0 {
            line!(text, "\n```sh\nexample {} --{} {}\n```", words.verb(), words.noun(), words.number(1, 100));
        }
    }
    text
}

pub fn prose(words: &mut Words) -> String {
    (0..words.number(2, 20)).map(|_| paragraph(words) + "\n").collect()
}

fn paragraph(words: &mut Words) -> String {
    (0..words.number(2, 8)).map(|_| words.sentence() + "\n").collect()
}
