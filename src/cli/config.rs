//! `codeagent config show`.

use super::args::{ConfigArgs, ConfigCommand};
use super::json;
use super::style::{DIM, STRONG, paint};
use crate::error::Result;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace, args: &ConfigArgs) -> Result<String> {
    let ConfigCommand::Show { json: as_json } = args.command;
    let settings = &workspace.config.origins;
    if as_json {
        return json(settings);
    }
    let width = settings.iter().map(|s| s.section.len() + s.key.len() + 1).max().unwrap_or(0);
    let values: Vec<String> = settings.iter().map(|s| s.text()).collect();
    let value_width = values.iter().map(|v| v.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (setting, value) in settings.iter().zip(&values) {
        let key = format!("{}.{}", setting.section, setting.key);
        let pad = " ".repeat(value_width - value.chars().count());
        let origin = paint(DIM, &setting.origin.to_string());
        text.push_str(&format!("{key:<width$} = {}{pad}  {origin}\n", paint(STRONG, value)));
    }
    Ok(text)
}
