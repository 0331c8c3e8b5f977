//! Describes a fix in one imperative line, for the menus of editors. The line states the edit itself, so it is
//! always one action, and it can never differ from the change.

use skills_core::edit::{Change, Fix};
use skills_core::span::{SourceMap, Span};
use skills_text::cut;

/// The longest quoted text in a title, in characters.
const LONGEST: usize = 50;

/// Returns the title of a fix, such as "Change `licence` to `license`".
pub fn title(fix: &Fix, sources: &SourceMap) -> String {
    let Some((first, more)) = fix.changes.split_first() else { return "Apply the fix".to_owned() };
    let mut title = describe_change(first, sources);
    match more.len() {
        0 => {}
        1 => title.push_str(", with 1 more change"),
        count => title.push_str(&format!(", with {count} more changes")),
    }
    title
}

fn describe_change(change: &Change, sources: &SourceMap) -> String {
    let written = |span: Span| sources.text(span);
    match change {
        Change::Replace { span, text } => replace(written(*span), text),
        Change::DeleteLines(span) => format!("Delete the line {}", code(written(*span))),
        Change::DeleteMember(span) => format!("Delete {}", code(written(*span))),
        Change::InsertAbove { text, .. } | Change::InsertBelow { text, .. } => {
            format!("Insert the line {}", code(text))
        }
        Change::InsertMember { text, .. } | Change::AddMember { text, .. } => format!("Add {}", code(text)),
        Change::Rename { file, to } => {
            let path = &sources.file_of(*file).path;
            format!("Rename {} to {}", code(path.rsplit('/').next().unwrap_or(path)), code(to))
        }
        Change::RenameDirectory { path, to } => {
            format!("Rename the directory {} to {}", code(path), code(to))
        }
        Change::Executable { path } => format!("Make {} executable", code(path)),
        Change::Write { path, .. } => format!("Write {}", code(path)),
        Change::AddLine { path, line } => format!("Add {} to {}", code(line), code(path)),
    }
}

fn replace(old: &str, new: &str) -> String {
    let inside = |text: &str| {
        let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        text.get(1..)?.strip_suffix(quote).map(str::to_owned)
    };
    match (old.trim().is_empty(), new.trim().is_empty()) {
        (true, true) => "Change the white space".to_owned(),
        (true, false) => format!("Insert {}", code(new)),
        (false, true) => format!("Delete {}", code(old)),
        _ if inside(new).as_deref() == Some(old) => format!("Quote {}", code(old)),
        _ if inside(old).as_deref() == Some(new) => format!("Remove the quotes around {}", code(new)),
        _ => format!("Change {} to {}", code(old), code(new)),
    }
}

/// Returns the first line of a text as code.
fn code(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let more = if text.trim().contains('\n') { " …" } else { "" };
    let line = cut(line, LONGEST);
    match line.contains('`') {
        true => format!("`` {line}{more} ``"),
        false => format!("`{line}{more}`"),
    }
}
