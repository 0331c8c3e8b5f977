//! `show`: all that is known of one skill: its record, frontmatter, files and body.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Resource, Skill, visible};
use skills_schema::json::{self, Kind, Node};

use crate::json::{array, boolean, null, number, object, string};
use crate::shelf::{Item, Shelf};
use crate::{failure, input, record, terminal};

/// The arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The skill
    #[arg(value_name = "NAME")]
    name: String,
    /// Print JSON: the record of `list`, and frontmatter, body, resources, input and output
    #[arg(long)]
    json: bool,
}

impl Show {
    /// Shows the skill.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        match shelf.find(&self.name) {
            Err(missing) => failure::not_found(&missing),
            Ok(item) if self.json => terminal::data(&format!("{}\n", as_json(&item).indented(0))),
            Ok(item) => terminal::data(&as_text(&item)),
        }
    }
}

fn as_json(item: &Item<'_>) -> Node {
    let skill = item.skill;
    let resource = |file: Resource<'_>| {
        object([
            ("path", string(file.path())),
            ("bytes", number(file.bytes().len())),
            ("executable", boolean(file.is_executable())),
            ("sha256", string(file.sha256_hex())),
        ])
    };
    let schema = |text: Option<&str>| text.and_then(|text| json::parse(text).ok()).unwrap_or_else(null);
    let mut members = record::members(item);
    members.extend([
        ("frontmatter", frontmatter(skill)),
        ("body", string(skill.body())),
        ("resources", array(skill.resources().map(resource))),
        ("input", schema(input::schema(skill).map(|(_, text)| text))),
        ("output", schema(skill.output_schema())),
    ]);
    object(members)
}

fn frontmatter(skill: Skill<'_>) -> Node {
    json::parse(skill.frontmatter()).unwrap_or_else(|_| object([]))
}

fn as_text(item: &Item<'_>) -> String {
    let skill = item.skill;
    let mut out = String::new();
    let own: Vec<(&str, Node)> =
        record::members(item).into_iter().filter(|(_, value)| !is_empty(value)).collect();
    section(&mut out, own.iter().map(|(key, value)| (*key, value)));
    let frontmatter = frontmatter(skill);
    // What the record says already is not said twice.
    let is_new = |key: &str| !own.iter().any(|(known, _)| *known == key);
    let rest = frontmatter.members().iter().filter(|member| is_new(&member.key) && !is_empty(&member.value));
    let rest: Vec<(&str, &Node)> = rest.map(|member| (member.key.as_str(), &member.value)).collect();
    if !rest.is_empty() {
        out.push_str("\nfrontmatter\n");
        section(&mut out, rest.iter().copied());
    }
    if skill.resources().next().is_some() {
        out.push_str("\nresources\n");
    }
    for file in skill.resources() {
        let executable = if file.is_executable() { ", executable" } else { "" };
        out.push_str(&format!("  {}  {} bytes{executable}\n", visible(file.path()), file.bytes().len()));
    }
    if !skill.body().is_empty() {
        out.push('\n');
    }
    for line in skill.body().lines() {
        // A skill on disk must not reach the terminal with control characters (SPEC 2.11).
        out.push_str(&visible(line));
        out.push('\n');
    }
    out
}

/// Writes keys and values in two columns.
fn section<'n>(out: &mut String, members: impl Iterator<Item = (&'n str, &'n Node)> + Clone) {
    let width = members.clone().map(|(key, _)| visible(key).chars().count()).max().unwrap_or(0);
    for (key, value) in members {
        let value = value.as_str().map_or_else(|| value.to_string(), |text| text.trim_end().to_owned());
        out.push_str(&format!("  {:width$}  {}\n", visible(key), visible(&value)));
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
