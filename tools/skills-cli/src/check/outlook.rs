//! `check --for CLIENT`: prints how clients will treat each skill, as text or as one JSON object per line.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;
use skills_clients::outlook::{Outlook, predict};
use skills_core::clients::{CLIENTS, Client, named};
use skills_core::read::ReadOptions;
use skills_core::report::Report;

use super::Format;
use skills_commands::output::FORMAT_VERSION;
use skills_commands::terminal;

/// Prints the outlook of each client. The exit code is 1 if a client will not load one of the skills, or if
/// there are no skills.
pub(super) fn print(
    path: &Path,
    label: &str,
    options: &ReadOptions,
    clients: &[String],
    format: Format,
) -> Result<ExitCode, String> {
    let is_all = clients.iter().any(|client| client == "all");
    let clients: Vec<Client> = if is_all {
        CLIENTS.to_vec()
    } else {
        clients.iter().map(|client| named(client)).collect::<Result<_, _>>()?
    };
    let mut report = Report::default();
    let outlooks = predict(path, label, options, &clients, &mut report);
    let text = match format {
        Format::Text if is_all => matrix(&outlooks, &clients),
        Format::Text => text(&outlooks),
        Format::Json => outlooks.iter().map(line).collect(),
        _ => return Err("`--for` has the formats `text` and `json`".to_owned()),
    };
    let written = terminal::exact(&text);
    if outlooks.is_empty() {
        terminal::error(format_args!("no skills found in {label}"));
        return Ok(ExitCode::FAILURE);
    }
    let is_refused = outlooks.iter().any(|outlook| !outlook.loads);
    Ok(if is_refused { ExitCode::FAILURE } else { written })
}

/// With more skills than this, the effects are not printed after the table of all clients.
const MAX_SKILLS: usize = 3;

/// Writes a table with a line for each skill and a column for each client. If there are few skills, the effects
/// follow.
fn matrix(outlooks: &[Outlook], clients: &[Client]) -> String {
    let skills: Vec<&str> = outlooks
        .iter()
        .take_while(|outlook| Some(outlook.client) == clients.first().copied())
        .map(|outlook| outlook.skill.as_str())
        .collect();
    let width =
        skills.iter().map(|skill| skills_core::print::visible(skill).chars().count()).max().unwrap_or(0);
    let mut out = format!("{:width$}", "");
    for client in clients {
        out.push_str(&format!("  {}", client.id));
    }
    out.push('\n');
    for (at, skill) in skills.iter().enumerate() {
        out.push_str(&format!("{:width$}", skills_core::print::visible(skill)));
        for (client, of_client) in clients.iter().zip(outlooks.chunks(skills.len().max(1))) {
            let cell = match of_client.get(at) {
                Some(outlook) if !outlook.loads => "no",
                Some(outlook) if outlook.effects.is_empty() => "yes",
                _ => "partly",
            };
            out.push_str(&format!("  {cell:<length$}", length = client.id.len()));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    if skills.len() <= MAX_SKILLS {
        return format!("{out}\n{}", text(outlooks));
    }
    out + "yes: loads as it is; partly: loads, with effects; no: does not load. `--for CLIENT` says why.\n"
}

/// Writes a block for each client. Each fact has a number that refers to its source below the block.
fn text(outlooks: &[Outlook]) -> String {
    let mut out = String::new();
    for block in outlooks.chunk_by(|a, b| a.client == b.client) {
        let Some(first) = block.first() else { continue };
        out.push_str(&format!("{}\n", first.client.name));
        let mut sources: Vec<&str> = Vec::new();
        for outlook in block {
            out.push_str(&format!(
                "  {}: {}\n",
                outlook.skill,
                if outlook.loads { "loads" } else { "does not load" }
            ));
            for effect in &outlook.effects {
                let at = sources.iter().position(|source| *source == effect.source).unwrap_or_else(|| {
                    sources.push(effect.source);
                    sources.len() - 1
                });
                out.push_str(&format!("    {} [{}]\n", effect.text, at + 1));
            }
        }
        for (at, source) in sources.iter().enumerate() {
            out.push_str(&format!("  [{}] {source}\n", at + 1));
        }
    }
    out.lines().map(|line| skills_core::print::visible(line) + "\n").collect()
}

fn line(outlook: &Outlook) -> String {
    let effects: Vec<_> =
        outlook.effects.iter().map(|effect| json!({"text": effect.text, "source": effect.source})).collect();
    let object = json!({
        "format_version": FORMAT_VERSION,
        "client": outlook.client.id,
        "skill": outlook.skill,
        "loads": outlook.loads,
        "effects": effects,
    });
    format!("{object}\n")
}
