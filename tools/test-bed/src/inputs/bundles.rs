//! Directories with many skills or files.

use super::{Files, Input, TYPED, body, file, fill, input, numbered};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("skills", |size| skills(size, "name: a{at}\ndescription: Digs {at}. Use to dig.\n")),
    input("skills of one name", |size| skills(size, "name: a\ndescription: Digs. Use to dig.\n")),
    input("skills that all call each other", |size| {
        // As many calls as fit into the size.
        let count = (size / 7).isqrt().max(2);
        let calls = (0..count).map(|at| format!(r#""a{at}""#)).collect::<Vec<_>>().join(",");
        let skill = |at: usize| {
            let text = TYPED.replace(r#""it""#, &format!(r#""a{at}""#));
            let text =
                format!(r#"{{{text}, "mode": "code", "calls": [{calls}], "input": {{"type": "object"}}}}"#);
            (format!("a{at}/skill.json"), text)
        };
        (0..count).map(skill).collect()
    }),
    input("skills that need others", |size| {
        skills(size, "name: a{at}\ndescription: Digs. Use to dig.\nrequires: [b{at}]\n")
    }),
    input("skills with links", |size| {
        skills(
            size,
            "name: a{at}\ndescription: Digs. Use to dig.\n---\nSee [a](b.md), references/c{at}.md.\n",
        )
    }),
    input("lines of .skillignore", |size| {
        let mut files = body(String::new());
        files.push(file(".skillignore", fill(size, "name{at}\n")));
        files.extend((0..300).map(|at| file(&format!("files/{at}.txt"), String::new())));
        files
    }),
    input("files and links", |size| {
        let count = size / 30;
        let mut files = body(fill(size, "[a](references/n{at}.md) "));
        files.extend((0..count.min(4000)).map(|at| file(&format!("references/m{at}.md"), String::new())));
        files
    }),
];

fn skills(size: usize, fields: &str) -> Files {
    let count = (size / 80).clamp(1, 5_000);
    (0..count)
        .map(|at| (format!("a{at}/SKILL.md"), format!("---\n{}---\nDig.\n", numbered(fields, at))))
        .collect()
}
