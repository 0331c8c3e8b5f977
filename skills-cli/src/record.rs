//! One skill as `skills list --json` shows it (SPEC 11.1).

use skills_core::catalog::Skill;

/// Prints the record of one skill, indented by two blanks.
pub(crate) fn json(skill: &Skill, path: &str) -> String {
    let exec = skill.exec.as_deref().filter(|_| skill.tier >= 2);
    let schema = skill.schema.as_deref().filter(|_| skill.tier >= 3);
    let mut lines = vec![
        format!("\"name\": {}", string(&skill.name)),
        format!("\"version\": {}", string(&skill.version)),
        format!("\"tier\": {}", skill.tier),
        format!("\"description\": {}", string(&skill.description)),
        format!("\"exec\": {}", optional(exec)),
        format!("\"schema\": {}", optional(schema)),
        format!("\"path\": {}", string(path)),
        format!("\"requires\": {}", list(&skill.requires)),
    ];
    if skill.is_gated() {
        lines.push("\"gated\": true".to_owned());
    }
    if let Some(signature) = &skill.signature {
        lines.push(format!("\"mode\": {}", string(signature.mode.as_str())));
        lines.push(format!("\"category\": {}", optional(skill.category.as_deref())));
        lines.push(format!("\"tags\": {}", list(&skill.tags)));
    }
    format!("  {{\n    {}\n  }}", lines.join(",\n    "))
}

fn string(text: &str) -> String {
    skills_core::tree::text::quote(text)
}

fn optional(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), string)
}

fn list(texts: &[String]) -> String {
    if texts.is_empty() {
        return "[]".to_owned();
    }
    let items: Vec<String> = texts.iter().map(|text| format!("\n      {}", string(text))).collect();
    format!("[{}\n    ]", items.join(","))
}
