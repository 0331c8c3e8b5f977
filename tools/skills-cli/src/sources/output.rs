//! Prints offers and changes, for people and as JSON.

use std::fmt::Write;
use std::process::ExitCode;

use serde_json::{Value, json};
use skills_commands::output::{FORMAT_VERSION, OutputArgs};
use skills_commands::terminal::{self, counted};
use skills_sources::{Change, Locked, Offer, OfferedSkill, SkillChange, warnings};
use skills_text::write_size;

/// Returns the skills of an offer that a change uses, and the names of the others.
pub(super) fn offer(offer: &Offer, change: &Change) -> String {
    let revision = offer.revision.as_ref().map(|revision| format!(" at {revision}")).unwrap_or_default();
    let mut out = format!("{}{revision}\n", offer.source);
    for finding in &offer.findings {
        let _ = writeln!(out, "  {}: {}", if finding.is_error { "error" } else { "warning" }, finding.text);
    }
    let mut others = Vec::new();
    for skill in &offer.skills {
        let Some(step) = change.steps.iter().find(|step| is_of(step, offer, skill)) else {
            if !is_left_out(change, offer, skill) {
                others.push(skill.name.as_str());
            }
            continue;
        };
        let word = match step.old {
            Some(_) if step.is_restored() => "restore",
            Some(_) => "update",
            None => "add",
        };
        let license = skill.license.as_deref().unwrap_or("no license");
        let files = counted(skill.files.len(), "file");
        let size = write_size(skill.bytes());
        let _ = writeln!(out, "  {word} {} as {}: {files}, {size}, {license}", skill.name, step.directory());
        if let Some(permissions) = &skill.permissions {
            let _ = writeln!(out, "    permissions: {permissions}");
        }
        for program in &skill.programs {
            let _ = writeln!(out, "    program: {program}");
        }
        for finding in &skill.findings {
            let _ = writeln!(out, "    warning: {}", finding.text);
        }
    }
    if !others.is_empty() && !change.is_empty() {
        let _ = writeln!(out, "  unchanged or not chosen: {}", others.join(", "));
    }
    out
}

fn is_of(step: &SkillChange, offer: &Offer, skill: &OfferedSkill) -> bool {
    step.new.as_ref().is_some_and(|new| new.locked.source == offer.source && new.locked.path == skill.path)
}

fn is_left_out(change: &Change, offer: &Offer, skill: &OfferedSkill) -> bool {
    change.left_out.iter().any(|left| left.source == offer.source && left.path == skill.path)
}

/// Returns a line for each step of a change.
pub(super) fn summary(change: &Change, written: bool) -> String {
    if change.is_empty() {
        return "nothing to do\n".to_owned();
    }
    let mut out = String::new();
    for step in &change.steps {
        let _ = writeln!(out, "{} {}", word(step, written), step.directory());
    }
    out
}

fn word(step: &SkillChange, written: bool) -> &'static str {
    match (&step.old, &step.new, written) {
        (None, _, true) => "added",
        (None, _, false) => "would add",
        (_, None, true) => "removed",
        (_, None, false) => "would remove",
        (.., true) if step.is_restored() => "restored",
        (.., false) if step.is_restored() => "would restore",
        (.., true) => "updated",
        (.., false) => "would update",
    }
}

/// Prints a change as JSON.
pub(super) fn changes(change: &Change, offers: &[Offer], written: bool, notes: &[String]) -> ExitCode {
    let steps = change.steps.iter().map(|step| {
        let files: Value = step.new.iter().flat_map(|new| &new.files).map(|(path, file)| {
            json!({"path": path, "bytes": file.bytes.len(), "executable": file.executable})
        }).collect();
        json!({
            "name": step.name(),
            "directory": step.directory(),
            "action": word(step, true),
            "from": step.old.as_ref().map(locked),
            "to": step.new.as_ref().map(|new| locked(&new.locked)),
            "files": files,
            "findings": findings(step, offers),
            "warnings": warnings(step),
        })
    });
    let left_out = change.left_out.iter().map(|left| {
        let source = left.source.to_string();
        json!({"name": left.name, "source": source, "path": left.path, "reason": left.reason})
    });
    let value = json!({
        "format_version": FORMAT_VERSION,
        "changes": steps.collect::<Value>(),
        "left_out": left_out.collect::<Value>(),
        "written": written,
        "notes": notes,
    });
    terminal::json(&format!("{value}\n"))
}

/// Returns the findings of the skill that a step writes.
fn findings(step: &SkillChange, offers: &[Offer]) -> Vec<String> {
    let skills = offers.iter().flat_map(|offer| offer.skills.iter().map(move |skill| (offer, skill)));
    let own = skills.filter(|(offer, skill)| is_of(step, offer, skill));
    own.flat_map(|(_, skill)| skill.findings.iter().map(|finding| finding.text.clone())).collect()
}

fn locked(locked: &Locked) -> Value {
    let permissions = locked.permissions.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    json!({
        "source": locked.source.to_string(),
        "revision": locked.revision,
        "path": locked.path,
        "license": locked.license,
        "permissions": permissions,
        "programs": locked.programs,
        "hidden": locked.hidden,
    })
}

/// Prints problems, one on each line, and returns exit code 1 if there are any.
pub(super) fn problems(problems: &[String], output: &OutputArgs) -> ExitCode {
    let written = match output.is_json() {
        true => {
            terminal::json(&format!("{}\n", json!({"format_version": FORMAT_VERSION, "problems": problems})))
        }
        false => terminal::text(&problems.iter().map(|problem| format!("{problem}\n")).collect::<String>()),
    };
    if problems.is_empty() { written } else { ExitCode::FAILURE }
}
