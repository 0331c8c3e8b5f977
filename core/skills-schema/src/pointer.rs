//! JSON pointers (RFC 6901). The path to the current value is a linked list on the stack and is formatted
//! only for a violation.

use std::fmt::Write as _;

use skills_text::floor;

/// The maximum number of bytes that a pointer shows of one key, since a key can be almost as long as the
/// whole value.
const LONG_KEY: usize = 4 * 1024;

/// The path from the root to a value. Each step is stored in the stack frame that descends into the value.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl Path<'_> {
    pub(crate) fn pointer(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Path::Root => {}
            Path::Key(parent, key) => {
                parent.write(out);
                push(out, key.get(..floor(key, LONG_KEY)).unwrap_or(key));
                if key.len() > LONG_KEY {
                    out.push('…');
                }
            }
            Path::Index(parent, index) => {
                parent.write(out);
                // Writing to a string cannot fail.
                let _ = write!(out, "/{index}");
            }
        }
    }
}

/// Appends one step to a pointer, escaped.
pub fn push(out: &mut String, key: &str) {
    out.push('/');
    for c in key.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
}

/// Returns the unescaped steps of a pointer, or `None` if it is not a valid pointer.
pub fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps = pointer.strip_prefix('/')?.split('/');
    Some(steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}
