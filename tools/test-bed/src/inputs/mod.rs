//! Generates directories of skills of any size. There is one input for each case that once took quadratic
//! time or might take it. Tests count the steps of a check, and attacks measure the time.

mod body;
mod bundles;
mod frontmatter;
mod manifest;
mod matchers;
mod pipelines;
mod schemas;
mod shapes;

/// The files of an input by path below the root.
pub type Files = Vec<(String, String)>;

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The part that the input repeats.
    pub name: &'static str,
    /// Creates the files. The argument is the approximate size in bytes.
    pub make: fn(usize) -> Files,
}

/// Returns all kinds.
pub fn inputs() -> impl Iterator<Item = Input> + Clone {
    [
        body::KINDS,
        frontmatter::KINDS,
        manifest::KINDS,
        matchers::KINDS,
        schemas::KINDS,
        pipelines::KINDS,
        shapes::KINDS,
        bundles::KINDS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

const fn input(name: &'static str, make: fn(usize) -> Files) -> Input {
    Input { name, make }
}

const HEAD: &str = "name: it\ndescription: It grows. Use to grow.\n";

/// Repeats a part. In it, `{at}` stands for the number of the repetition, `{before}` for the number before and `{next}` for
/// the number after it.
fn fill(size: usize, part: &str) -> String {
    fill_by(size, |at| numbered(part, at))
}

fn fill_by(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part(at));
    }
    text
}

fn numbered(part: &str, at: usize) -> String {
    [("{at}", at), ("{before}", at.saturating_sub(1)), ("{next}", at + 1)]
        .iter()
        .fold(part.to_owned(), |text, (name, number)| text.replace(name, &number.to_string()))
}

/// Repeats an item as [`fill`] does, with commas between.
fn list(size: usize, item: &str) -> String {
    list_by(size, |at| numbered(item, at))
}

fn list_by(size: usize, item: impl Fn(usize) -> String) -> String {
    let items = fill_by(size, |at| format!(",{}", item(at)));
    items.strip_prefix(',').unwrap_or_default().to_owned()
}

fn nested(size: usize, open: &str, close: &str) -> String {
    let deep = size / (open.len() + close.len());
    format!("{}a{}", open.repeat(deep), close.repeat(deep))
}

fn file(name: &str, text: String) -> (String, String) {
    (format!("it/{name}"), text)
}

fn body(text: String) -> Files {
    vec![file("SKILL.md", format!("---\n{HEAD}---\n{text}\n"))]
}

fn json(text: String) -> Files {
    vec![file("skill.json", text)]
}

const TYPED: &str =
    r#""name": "it", "description": "It grows. Use to grow.", "category": "c", "output": {"type": "object"}"#;

fn typed(members: &str) -> Files {
    json(format!(r#"{{{TYPED}, "mode": "code", {members}}}"#))
}

/// Replaces a part of one file.
fn replaced(mut files: Files, path: &str, old: &str, new: &str) -> Files {
    let text = files.iter_mut().find(|(found, _)| found == path);
    text.into_iter().for_each(|(_, text)| *text = text.replacen(old, new, 1));
    files
}
