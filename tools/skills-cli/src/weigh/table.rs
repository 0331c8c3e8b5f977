//! Prints weights as a table for people and as JSON for programs.

use serde_json::{Map, Value, json};
use skills_commands::output::FORMAT_VERSION;
use skills_commands::terminal::table::{Align, Cell, Table, cell};
use skills_commands::terminal::{Ink, Tone, counted};

use super::scale::{FORMATS, PERCENTILES, Scale, SkillWeight, TOKENIZER, Weight, spread};

/// Returns the weights as text: a line for each skill, then the sums. If `columns` is too small for all tool
/// formats, only the largest definition is shown.
pub(super) fn text(scale: &Scale, most: usize, columns: Option<usize>, ink: Ink) -> String {
    let has_tools = scale.skills.iter().any(|skill| skill.tools.iter().any(Option::is_some));
    let mut table = skills(scale, most, if has_tools { Tools::Each } else { Tools::None });
    if has_tools && columns.is_some_and(|columns| table.width() > columns) {
        table = skills(scale, most, Tools::Largest);
    }
    let mut out = format!("tokens by {TOKENIZER}; the estimate is a quarter of the bytes\n\n");
    out.push_str(&table.text(columns, ink));
    if scale.skills.len() > most {
        out.push_str(&format!(
            "{} more skills are not shown, but are included in the sums\n",
            scale.skills.len() - most
        ));
    }
    let mut table = headed(["start of a conversation", "tokens", "estimate", "error"]);
    let mut starts: Vec<(String, Weight)> = Vec::new();
    starts.extend(scale.catalogs.iter().map(|(style, weight)| (format!("catalog, style {style}"), *weight)));
    for (name, weights) in &scale.loaders {
        for (format, weight) in FORMATS.iter().zip(weights) {
            starts.extend(weight.map(|weight| (format!("tool {name}, {format}"), weight)));
        }
    }
    if has_tools {
        for (format, weight) in FORMATS.iter().zip(scale.tools()) {
            starts.push((format!("skills as tools, {format}"), weight));
        }
    }
    for (what, weight) in starts {
        let numbers = [weight.tokens.to_string(), weight.estimate.to_string(), percent(weight.error())];
        table.row(std::iter::once(what).chain(numbers).map(|text| plain(&text)));
    }
    out.push_str(&format!("\n{}\n", table.text(columns, ink)));
    let heads = PERCENTILES.iter().map(|percent| format!("p{percent}"));
    let mut table = headed(std::iter::once("error by percentile".to_owned()).chain(heads));
    for (kind, weights) in scale.texts() {
        let Some((count, errors)) = spread(&weights) else { continue };
        let errors = errors.map(|error| percent(Some(error)));
        table.row(std::iter::once(format!("{kind} ({count})")).chain(errors).map(|text| plain(&text)));
    }
    out + &table.text(columns, ink)
}

/// The columns for the definitions of skills as tools.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tools {
    None,
    Largest,
    Each,
}

fn skills(scale: &Scale, most: usize, tools: Tools) -> Table {
    let heads = ["skill", "total", "estimate", "error", "entry", "body", "files"].map(str::to_owned);
    let tool_heads = match tools {
        Tools::None => Vec::new(),
        Tools::Largest => vec!["tool".to_owned()],
        Tools::Each => FORMATS.iter().map(|format| format!("tool:{format}")).collect(),
    };
    let mut table = headed(heads.into_iter().chain(tool_heads));
    for skill in scale.skills.iter().take(most) {
        let parts = [skill.entry, skill.body, skill.files_total()];
        let weights = match tools {
            Tools::None => Vec::new(),
            Tools::Largest => vec![Some(skill.largest_tool()).filter(|tool| tool.tokens > 0)],
            Tools::Each => skill.tools.to_vec(),
        };
        let mark = if skill.is_untrusted { " [untrusted]" } else { "" };
        row(&mut table, cell(Tone::Name, format!("{}{mark}", skill.name)), skill.total(), parts, &weights);
    }
    let all = scale.skills.iter();
    let parts = [
        all.clone().map(|skill| skill.entry).sum(),
        all.clone().map(|skill| skill.body).sum(),
        all.clone().map(SkillWeight::files_total).sum(),
    ];
    let weights = match tools {
        Tools::None => Vec::new(),
        Tools::Largest => vec![scale.tools().into_iter().max_by_key(|weight| weight.tokens)],
        Tools::Each => scale.tools().map(Some).to_vec(),
    };
    let name = counted(scale.skills.len(), "skill");
    row(&mut table, cell(Tone::Faint, name), all.map(SkillWeight::total).sum(), parts, &weights);
    table
}

/// Creates a table with headings; all columns but the first are numbers.
fn headed(heads: impl IntoIterator<Item = impl AsRef<str>>) -> Table {
    let mut table = Table::new(&[Align::Left, Align::Right]);
    table.row(heads.into_iter().map(|head| cell(Tone::Heading, head)));
    table
}

fn row(table: &mut Table, name: Cell, total: Weight, parts: [Weight; 3], tools: &[Option<Weight>]) {
    let head = [total.tokens.to_string(), total.estimate.to_string(), percent(total.error())];
    let parts = parts.map(|weight| weight.tokens.to_string());
    let tools = tools.iter().map(|tool| tool.map_or_else(|| "-".to_owned(), |tool| tool.tokens.to_string()));
    let numbers = head.into_iter().chain(parts).chain(tools).map(|text| plain(&text));
    table.row(std::iter::once(name).chain(numbers));
}

fn plain(text: &str) -> Cell {
    cell(Tone::Plain, text)
}

fn percent(error: Option<f64>) -> String {
    error.map_or_else(|| "-".to_owned(), |error| format!("{:+.0} %", error * 100.0))
}

/// Returns the weights as JSON, with every text listed separately.
pub(super) fn json(scale: &Scale, most: usize) -> Value {
    let skills = scale.skills.iter().take(most).map(|skill| {
        let files = skill.files.iter().map(|(path, weight)| {
            let mut weight = value(*weight);
            if let Some(members) = weight.as_object_mut() {
                members.insert("path".to_owned(), json!(path));
            }
            weight
        });
        let mut record = json!({
            "name": skill.name, "total": value(skill.total()), "entry": value(skill.entry),
            "body": value(skill.body), "files": files.collect::<Vec<_>>(), "tools": tools(&skill.tools),
        });
        if let Some(members) = record.as_object_mut().filter(|_| skill.is_untrusted) {
            members.insert("trusted".to_owned(), json!(false));
        }
        record
    });
    let catalogs: Map<String, Value> =
        scale.catalogs.iter().map(|(style, weight)| ((*style).to_owned(), value(*weight))).collect();
    let loaders: Map<String, Value> =
        scale.loaders.iter().map(|(name, weights)| ((*name).to_owned(), tools(weights))).collect();
    let errors: Map<String, Value> = scale
        .texts()
        .into_iter()
        .filter_map(|(kind, weights)| {
            let (count, errors) = spread(&weights)?;
            let mut at: Map<String, Value> = PERCENTILES
                .iter()
                .zip(errors)
                .map(|(percent, error)| (format!("p{percent}"), json!(error)))
                .collect();
            at.insert("texts".to_owned(), json!(count));
            Some((kind.to_owned(), Value::Object(at)))
        })
        .collect();
    json!({
        "format_version": FORMAT_VERSION, "tokenizer": TOKENIZER, "estimate": "bytes / 4",
        "skills": skills.collect::<Vec<_>>(),
        "total": value(scale.skills.iter().map(SkillWeight::total).sum()),
        "catalogs": catalogs, "loaders": loaders, "tools": tools(&scale.tools().map(Some)),
        "error": errors,
    })
}

fn tools(weights: &[Option<Weight>; FORMATS.len()]) -> Value {
    let named = FORMATS
        .iter()
        .zip(weights)
        .filter_map(|(format, weight)| Some((format.to_string(), value((*weight)?))));
    Value::Object(named.collect())
}

fn value(weight: Weight) -> Value {
    let Weight { bytes, tokens, estimate } = weight;
    json!({"bytes": bytes, "tokens": tokens, "estimate": estimate, "error": weight.error()})
}
