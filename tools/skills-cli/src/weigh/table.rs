//! Prints weights as a table for people and as JSON for programs.

use serde_json::{Map, Value, json};
use skills_text::visible;
use unicode_width::UnicodeWidthStr;

use super::count::BY;
use super::scale::{FORMATS, Scale, SkillWeight, Weight};
use super::spread::{PERCENTILES, spread};

/// Returns the weights as text: a line for each skill, then the sums.
pub(super) fn text(scale: &Scale, most: usize) -> String {
    let has_tools = scale.skills.iter().any(|skill| skill.tools.iter().any(Option::is_some));
    let formats: Vec<usize> = if has_tools { (0..FORMATS.len()).collect() } else { Vec::new() };
    let mut rows = vec![heads(&formats)];
    rows.extend(scale.skills.iter().take(most).map(|skill| row(skill, &formats)));
    rows.push(sums(scale, &formats));
    let mut out = format!("tokens by {BY}; the estimate is a quarter of the bytes\n\n");
    out.push_str(&aligned(&rows));
    if scale.skills.len() > most {
        out.push_str(&format!("{} more skills not shown, but in the sums\n", scale.skills.len() - most));
    }
    out.push_str("\nwhat a conversation begins with\n");
    let mut rows = Vec::new();
    for (style, weight) in &scale.catalogs {
        rows.push(vec![format!("  catalog, style {style}"), counted(*weight)]);
    }
    for (name, weights) in &scale.loaders {
        for ((_, format), weight) in FORMATS.iter().zip(weights) {
            rows.extend(weight.map(|weight| vec![format!("  tool {name}, {format}"), counted(weight)]));
        }
    }
    if has_tools {
        for ((_, format), weight) in FORMATS.iter().zip(scale.tools()) {
            rows.push(vec![format!("  skills as tools, {format}"), counted(weight)]);
        }
    }
    out.push_str(&aligned(&rows));
    out.push_str("\nhow far the estimate is off, by percentiles of the texts\n");
    let mut rows = vec![
        std::iter::once("  texts".to_owned())
            .chain(PERCENTILES.iter().map(|percent| format!("p{percent}")))
            .collect(),
    ];
    for (kind, weights) in scale.texts() {
        let Some((count, errors)) = spread(&weights) else { continue };
        let errors = errors.iter().map(|error| format!("{:+.0} %", error * 100.0));
        rows.push(std::iter::once(format!("  {kind} ({count})")).chain(errors).collect());
    }
    out.push_str(&aligned(&rows));
    out
}

fn heads(formats: &[usize]) -> Vec<String> {
    let heads = ["skill", "total", "estimate", "error", "entry", "body", "files"].map(str::to_owned);
    let tools = formats.iter().filter_map(|at| FORMATS.get(*at)).map(|(_, name)| format!("tool:{name}"));
    heads.into_iter().chain(tools).collect()
}

fn row(skill: &SkillWeight, formats: &[usize]) -> Vec<String> {
    let parts = [skill.entry, skill.body, skill.files_total()];
    let tools = formats.iter().map(|at| skill.tools.get(*at).copied().flatten());
    let tools = tools.map(|weight| weight.map_or_else(|| "-".to_owned(), |weight| weight.tokens.to_string()));
    let head = line(visible(&skill.name), skill.total());
    head.into_iter().chain(parts.map(|weight| weight.tokens.to_string())).chain(tools).collect()
}

fn sums(scale: &Scale, formats: &[usize]) -> Vec<String> {
    let sum = |of: fn(&SkillWeight) -> Weight| scale.skills.iter().map(of).sum::<Weight>();
    let parts = [sum(|skill| skill.entry), sum(|skill| skill.body), sum(SkillWeight::files_total)];
    let tools = scale.tools();
    let tools = formats.iter().filter_map(|at| tools.get(*at)).map(|weight| weight.tokens.to_string());
    let head = line(format!("{} skills", scale.skills.len()), sum(SkillWeight::total));
    head.into_iter().chain(parts.map(|weight| weight.tokens.to_string())).chain(tools).collect()
}

fn line(name: String, weight: Weight) -> [String; 4] {
    [name, weight.tokens.to_string(), weight.estimate.to_string(), percent(weight)]
}

fn counted(weight: Weight) -> String {
    format!("{} (estimated {}, {})", weight.tokens, weight.estimate, percent(weight))
}

fn percent(weight: Weight) -> String {
    weight.error().map_or_else(|| "-".to_owned(), |error| format!("{:+.0} %", error * 100.0))
}

/// Aligns rows in columns: the first column to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |at| {
        rows.iter().filter_map(|row| row.get(at)).map(|cell: &String| cell.width()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut text = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(cell.width()));
            let gap = if at == 0 { "" } else { "  " };
            text.push_str(&if at == 0 { format!("{cell}{pad}") } else { format!("{gap}{pad}{cell}") });
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
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
        json!({
            "name": skill.name, "total": value(skill.total()), "entry": value(skill.entry),
            "body": value(skill.body), "files": files.collect::<Vec<_>>(), "tools": tools(&skill.tools),
        })
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
        "tokenizer": BY, "estimate": "bytes / 4",
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
        .filter_map(|((_, name), weight)| Some(((*name).to_owned(), value((*weight)?))));
    Value::Object(named.collect())
}

fn value(weight: Weight) -> Value {
    let Weight { bytes, tokens, estimate } = weight;
    json!({"bytes": bytes, "tokens": tokens, "estimate": estimate, "error": weight.error()})
}
