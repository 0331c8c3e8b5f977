//! Generates directories of skills of any size. There is one input for each case that once took quadratic
//! time or might take it. Tests count the steps of a check, and attacks measure the time.

mod body;
mod bundles;
mod frontmatter;
mod manifest;
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

fn fill(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part(at));
    }
    text
}

fn list(size: usize, item: impl Fn(usize) -> String) -> String {
    let items = fill(size, |at| format!(",{}", item(at)));
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

const TYPED: &str = "\"name\": \"it\", \"description\": \"It grows. Use to grow.\", \"category\": \"c\", \"output\": {\"type\": \"object\"}";

fn typed(members: &str) -> Files {
    json(format!("{{{TYPED}, \"mode\": \"code\", {members}}}"))
}
