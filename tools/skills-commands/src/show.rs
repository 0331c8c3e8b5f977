//! `show`: prints everything that is known about one skill: its record, frontmatter, files and body.

use std::process::ExitCode;

use clap::Args;
use skills_registry::Resource;
use skills_runtime::listing::Listed;
use skills_runtime::trust::Trust;
use skills_schema::json::make::{object, string};
use skills_schema::json::{self, Kind, Member, Node};
use skills_text::visible;

use crate::client::{Client, own_spelling};
use crate::output::OutputArgs;
use crate::terminal::table::{Align, Table, cell, wrap};
use crate::terminal::{Ink, Tone};
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Show {
    /// The name of the skill
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    output: OutputArgs,
}

impl Show {
    /// Shows the skill.
    pub fn run(&self, client: &Client<'_>) -> ExitCode {
        let layers = client.layers;
        let name = own_spelling(layers, &self.name);
        let found = match client.find(name) {
            Err(missing) => return failure::not_found(&missing),
            Ok(found) => found,
        };
        if let Some(untrusted) = layers.untrusted(name).or_else(|| layers.outranked(name)) {
            let other = match found.directory() {
                _ if !found.trust.may_run() => String::new(),
                Some(directory) => {
                    format!("; this is the other skill with this name, in {}", directory.display())
                }
                None => "; this is the other skill with this name, in this program".to_owned(),
            };
            terminal::note(format_args!("{untrusted}{other}"));
        }
        // The body of a skill of a server is read now, and may be refused.
        if let Some(reason) = found.skill.file("SKILL.md").and_then(Resource::fault) {
            return self.output.fail(reason);
        }
        let listed = client.list_skill(found, None);
        match self.output.is_json() {
            true => terminal::json(&format!("{}\n", listed.detail().indented(0))),
            false => terminal::exact(&as_text(&listed, found.directory().is_some().then_some(found.trust))),
        }
    }
}

/// Prints why a skill is trusted, or that it is not.
fn standing(trust: Trust) -> &'static str {
    match trust {
        Trust::Program => "yes, as a part of this program",
        Trust::User => "yes, as one of your own skills",
        Trust::Named => "yes, because its directory was named",
        Trust::Approved => "yes, by `skills trust`",
        Trust::Followed => "yes, because you write it: edits keep it",
        _ => "no, so it is inactive",
    }
}

fn as_text(item: &Listed<'_>, trust: Option<Trust>) -> String {
    let skill = item.skill;
    let (mut out, ink) = (String::new(), Ink::of_output());
    // The kind says what the tier and the mode of the record say.
    let mut record = object([("kind", string(skill.kind()))]);
    for Member { key, value, .. } in item.record().members() {
        if !["tier", "mode"].contains(&key.as_str()) {
            record.set(key, value.clone());
        }
    }
    if let Some(trust) = trust {
        record.set("trusted", string(standing(trust)));
    }
    if let Some(pinned) = skill.pinned_tool() {
        record.set("MCP server", string(pinned.server));
        record.set("tool", string(pinned.tool));
    }
    let own = filled(&record);
    section(&mut out, &own);
    let frontmatter = json::parse(skill.frontmatter()).ok();
    // The record already has these keys.
    let mut rest = frontmatter.as_ref().map(filled).unwrap_or_default();
    rest.retain(|member| !own.iter().any(|known| known.key == member.key));
    if !rest.is_empty() {
        out.push_str(&heading(ink, "frontmatter"));
        section(&mut out, &rest);
    }
    let inert: Vec<&str> = skill.inert_keys().collect();
    if !inert.is_empty() {
        let inert = visible(&inert.join(", "));
        out.push_str(&heading(ink, "keys for other clients, without effect here"));
        out.push_str(&format!("  {inert}\n"));
    }
    if !item.missing_requires.is_empty() {
        out.push_str(&heading(ink, "required programs that this machine lacks"));
        out.push_str(&format!("  {}\n", visible(&item.missing_requires.join(", "))));
    }
    for (title, schema) in
        [("input", skill.input_document().map(|(_, text)| text)), ("output", skill.output_schema())]
    {
        if let Some(schema) = schema.and_then(|text| json::parse(text).ok()) {
            out.push_str(&heading(ink, title));
            out.push_str(&properties(&schema));
        }
    }
    if skill.resources().next().is_some() {
        out.push_str(&heading(ink, "resources"));
    }
    for file in skill.resources() {
        let executable = if file.is_executable() { ", executable" } else { "" };
        out.push_str(&format!("  {}  {} bytes{executable}\n", visible(file.path()), file.size()));
    }
    let body = skill.shown_body();
    if !body.is_empty() {
        out.push('\n');
    }
    let columns = terminal::columns();
    let mut is_code = false;
    for line in body.lines() {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_code ^= is_fence;
        // Code is not wrapped: people copy it, and the columns of a table would be lost.
        let is_prose = !is_code && !is_fence && !line.trim_start().starts_with('|');
        // A skill on disk must not send control characters to the terminal.
        out.push_str(&wrap(&visible(line), columns.filter(|_| is_prose), hanging_indent(line)));
        out.push('\n');
    }
    out
}

fn heading(ink: Ink, text: &str) -> String {
    format!("\n{}\n", ink.paint(Tone::Heading, text))
}

/// Returns the column at which the text of a line begins, after the mark of a list item or quotation.
fn hanging_indent(line: &str) -> usize {
    let text = line.trim_start();
    let mark = text.split_whitespace().next().unwrap_or_default();
    let is_mark = matches!(mark, "-" | "*" | "+" | ">")
        || mark.strip_suffix('.').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let indent = line.len() - text.len();
    if is_mark { indent + mark.len() + 1 } else { indent }
}

/// Describes a schema: a row for each property, or one row for a schema without properties. Descriptions that do not
/// fit beside their rows follow on lines of their own.
fn properties(schema: &Node) -> String {
    let (mut table, mut narrow) = (Table::new(&[Align::Left]), Table::new(&[Align::Left]));
    let mut below = Vec::new();
    let required = schema.get("required").map(Node::items).unwrap_or_default();
    let members = schema.get("properties").map(Node::members).unwrap_or_default();
    let mut rows: Vec<(&str, &Node, String)> = Vec::new();
    for Member { key, value, .. } in members {
        let is_required = required.iter().any(|name| name.as_str() == Some(key));
        let default = value.get("default").map(|default| format!("default {default}"));
        rows.push((
            key,
            value,
            if is_required { "required".to_owned() } else { default.unwrap_or_default() },
        ));
    }
    if members.is_empty() {
        rows.push(("any", schema, String::new()));
    }
    for (name, schema, note) in rows {
        let about = schema.get("description").and_then(Node::as_str).unwrap_or_default();
        let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
        let cells = [format!("  {name}"), kind(schema), note].map(|text| cell(Tone::Plain, text));
        table.row(cells.iter().cloned().chain([cell(Tone::Plain, &about)]));
        narrow.row(cells);
        below.push(about);
    }
    let columns = terminal::columns().filter(|columns| table.width() > *columns);
    if columns.is_none() {
        return table.text(None, Ink::none());
    }
    let mut out = String::new();
    for (row, about) in narrow.text(columns, Ink::none()).lines().zip(&below) {
        out.push_str(&format!("{row}\n"));
        if !about.is_empty() {
            out.push_str(&format!("{}\n", wrap(&format!("      {}", visible(about)), columns, 6)));
        }
    }
    out
}

/// Describes the type of a value in a few words.
fn kind(schema: &Node) -> String {
    if let Some(values) = schema.get("enum") {
        return values.items().iter().map(word).collect::<Vec<_>>().join(" | ");
    }
    match schema.get("type") {
        Some(name) if name.as_str() == Some("array") => {
            let item = schema.get("items").and_then(|items| items.get("type"));
            item.map_or_else(|| "array".to_owned(), |item| format!("array of {}", word(item)))
        }
        Some(Node { kind: Kind::Array(names), .. }) => names.iter().map(word).collect::<Vec<_>>().join(" | "),
        Some(name) => word(name),
        None => schema.get("$ref").map_or_else(|| "any value".to_owned(), word),
    }
}

fn word(node: &Node) -> String {
    node.as_str().map_or_else(|| node.to_string(), str::to_owned)
}

/// Returns the members of an object that are not empty.
fn filled(object: &Node) -> Vec<&Member> {
    object.members().iter().filter(|member| !is_empty(&member.value)).collect()
}

/// Writes keys and values in two columns.
fn section(out: &mut String, members: &[&Member]) {
    let width = members.iter().map(|member| visible(&member.key).chars().count()).max().unwrap_or(0);
    for Member { key, value, .. } in members {
        let words = value.items().iter().map(Node::as_str).collect::<Option<Vec<_>>>();
        let value = match (value.as_str(), words.filter(|words| !words.is_empty())) {
            (Some(text), _) => text.trim_end().to_owned(),
            (None, Some(words)) => words.join(", "),
            (None, None) => value.to_string(),
        };
        let room = terminal::columns().map(|columns| columns.saturating_sub(width + 4));
        let value = wrap(&visible(&value), room, 0).replace('\n', &format!("\n{:1$}", "", width + 4));
        out.push_str(&format!("  {:width$}  {value}\n", visible(key)));
    }
}

fn is_empty(value: &Node) -> bool {
    match &value.kind {
        Kind::Null => true,
        Kind::String(text) => text.is_empty(),
        Kind::Array(items) => items.is_empty(),
        _ => false,
    }
}
