//! Strings of a project that are matched with paths, names or values: each has many wildcards, and meets texts that
//! almost match.

use super::schemas::properties;
use super::{Files, Input, body, file, fill, input, list};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("stars of paths in skills.toml", |size| {
        settings(&fill(size, &format!("[paths.\"it/files/{STARS}{{at}}b\"]\nlong-body = \"allow\"\n")))
    }),
    input("paths in skills.toml", |size| {
        settings(&fill(size, "[paths.\"it/files/a{at}\"]\nlong-body = \"allow\"\n"))
    }),
    input("stars of exclude in skills.toml", |size| {
        settings(&format!("exclude = [{}]\n", list(size, &format!("\"{STARS}{{at}}b\""))))
    }),
    input("stars of .skillignore", |size| {
        let mut files = settings("");
        files.push((".skillignore".to_owned(), fill(size, &format!("{STARS}{{at}}b\n"))));
        files
    }),
    input("stars of .gitignore", |size| {
        let mut files = settings("");
        files.push((".git/HEAD".to_owned(), String::new()));
        files.push((".gitignore".to_owned(), fill(size, &format!("{STARS}{{at}}b\n"))));
        files
    }),
    input("stars of allowed-tools", |size| {
        let tools = fill(size, &format!("Bash({STARS}{{at}}b) "));
        vec![file(
            "SKILL.md",
            format!(
                "---\nname: it\ndescription: It grows. Use to grow.\nallowed-tools: {tools}\n---\n`{}`\n",
                name(40)
            ),
        )]
    }),
    input("stars of triggers", |size| {
        let triggers = list(size, &format!("\"{STARS}{{at}}b\""));
        vec![file(
            "SKILL.md",
            format!("---\nname: it\ndescription: It grows. Use to grow.\ntriggers: [{triggers}]\n---\n"),
        )]
    }),
    input("repeated patterns of schemas", |size| {
        let value = name(60);
        properties(
            size,
            &format!(r#"{{"type": "string", "pattern": "^(a*)*(a|a)*{{at}}b$", "default": "{value}"}}"#),
        )
    }),
];

/// Stars that a matcher which goes back tries in very many ways.
const STARS: &str = "*a*a*a*a*a*a*a*a*a*a*a*a";

/// A name that stars of `a` almost match.
fn name(length: usize) -> String {
    "a".repeat(length)
}

/// A skill with a body that is too long and with files, and a `skills.toml`.
fn settings(text: &str) -> Files {
    let mut files = body("Grow.\n".repeat(600));
    files.extend((0..20).map(|at| file(&format!("files/{}-{at}b", name(60)), String::new())));
    files.push(("skills.toml".to_owned(), text.to_owned()));
    files
}
