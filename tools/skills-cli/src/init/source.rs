//! Adds one line each to the sources of a package: to `build.rs` and to the root of the program or library.

use super::changes::SetupChanges;
use skills_commands::failure::CommandError;

const BUNDLE: &str = "skills_build::bundle(\"skills\");";
const MACRO: &str = "skills::skills!(\"skills/\");";

/// Adds the missing lines.
pub(super) fn change(changes: &mut SetupChanges) -> Result<(), CommandError> {
    let script = format!("fn main() {{\n    {BUNDLE}\n}}\n");
    changes.edit(
        "build.rs",
        "skills_build::",
        script,
        first_in_main,
        &format!("add `{BUNDLE}` to its `main`"),
    )?;
    let root = ["src/main.rs", "src/lib.rs"].into_iter().find(|path| changes.is_there(path));
    let main = format!("{MACRO}\n\nfn main() {{\n    print!(\"{{}}\", SKILLS.prompt());\n}}\n");
    let root = root.unwrap_or("src/main.rs");
    changes.edit(root, "skills!(", main, before_items, &format!("add `{MACRO}` to it"))
}

/// Adds the line as the first statement of `main`. The result must be valid Rust with one more statement.
fn first_in_main(text: &str) -> Option<String> {
    let start = text.match_indices("fn main(").find(|(at, _)| {
        let line = text.get(..*at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        !line.contains("//")
    })?;
    let open = start.0 + text.get(start.0..)?.find('{')? + 1;
    let (before, after) = text.split_at_checked(open)?;
    let gap = if after.starts_with(['\n', '\r']) { "" } else { "\n   " };
    let edited = format!("{before}{}    {BUNDLE}{gap}{after}", ending(text));
    (statements_of_main(&edited)? == statements_of_main(text)? + 1).then_some(edited)
}

/// Counts the statements of `main`.
fn statements_of_main(text: &str) -> Option<usize> {
    syn::parse_file(text).ok()?.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == "main" => Some(function.block.stmts.len()),
        _ => None,
    })
}

/// Adds the line after the comments, attributes and imports at the start of a file. The result must be valid
/// Rust with one more item.
fn before_items(text: &str) -> Option<String> {
    let ending = ending(text);
    let (mut at, mut seen) = (0, 0);
    // The token that ends an import or attribute of several lines.
    let mut until: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        seen += line.len();
        let code = line.trim();
        if let Some(end) = until {
            if code.ends_with(end) {
                (until, at) = (None, seen);
            }
            continue;
        }
        let opens = [
            ("use ", ";"),
            ("pub use ", ";"),
            ("extern crate ", ";"),
            ("mod ", ";"),
            ("pub mod ", ";"),
            ("#![", "]"),
            ("/*", "*/"),
        ];
        if let Some((_, end)) = opens.iter().find(|(start, _)| code.starts_with(start)) {
            if code.starts_with("mod ") && code.ends_with(['{', '}']) {
                break;
            }
            if code.ends_with(end) { at = seen } else { until = Some(end) }
        } else if code.starts_with("//!") || code.starts_with("#!/") {
            at = seen;
        } else if code.starts_with("///") || !(code.is_empty() || code.starts_with("//")) {
            break;
        }
    }
    let (before, after) = text.split_at_checked(at)?;
    let above = if before.is_empty() { "" } else { ending };
    let below = if after.is_empty() || after.starts_with(['\n', '\r']) { "" } else { ending };
    let edited = format!("{before}{above}{MACRO}{ending}{below}{after}");
    let (before, after) = (syn::parse_file(text).ok()?, syn::parse_file(&edited).ok()?);
    (after.items.len() == before.items.len() + 1).then_some(edited)
}

fn ending(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 18.4: the line is inserted where a person would put it, and the rest stays
    #[test]
    fn lines_are_added_to_sources() {
        let main = |text: &str| before_items(text);
        let cases = [
            ("fn main() {}\n", Some("skills::skills!(\"skills/\");\n\nfn main() {}\n")),
            (
                "//! About.\n#![allow(\n    dead_code\n)]\n\nuse std::{\n    fs,\n};\nmod a;\n\n/// Runs.\nfn main() {}\n",
                Some(
                    "//! About.\n#![allow(\n    dead_code\n)]\n\nuse std::{\n    fs,\n};\nmod a;\n\nskills::skills!(\"skills/\");\n\n/// Runs.\nfn main() {}\n",
                ),
            ),
            (
                "use a::b;\r\nfn main() {}",
                Some("use a::b;\r\n\r\nskills::skills!(\"skills/\");\r\n\r\nfn main() {}"),
            ),
            ("", Some("skills::skills!(\"skills/\");\n")),
            ("no rust", None),
        ];
        for (text, wanted) in cases {
            assert_eq!(main(text).as_deref(), wanted, "{text}");
        }
        let script = "// fn main() {\nfn main() -> Result<(), E> {\n    rest()\n}\n";
        let wanted = "// fn main() {\nfn main() -> Result<(), E> {\n    skills_build::bundle(\"skills\");\n    rest()\n}\n";
        assert_eq!(first_in_main(script).as_deref(), Some(wanted));
        assert_eq!(
            first_in_main("fn main() { rest() }").as_deref(),
            Some("fn main() {\n    skills_build::bundle(\"skills\");\n    rest() }")
        );
        assert_eq!(first_in_main("fn other() {}"), None);
    }
}
