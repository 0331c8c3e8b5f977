//! Rules about what files hold.

use crate::level::Level::{Allow, Error, Warning};
use crate::rule::Rule;
use crate::rule::example::PDF;

rules! {
    /// A file may hold a secret.
    pub static SECRET_FILE: Rule = Rule {
        code: "secret-file",
        spec: "1.3, 2.11, 12.4",
        explain: "A `.env` file or a private key is in the directory of a skill. Whoever gets the program could read \
            it, so it is left out, and reported because it should not be there. A line in `.skillignore` says \
            that this is known: the path to leave the file out without a word, `!` and the path to ship a key \
            (never a hidden file) all the same.",
        bad: &[PDF, ("pdf/.env", "TOKEN=secret\n")],
        good: &[PDF, ("pdf/.env.example", "TOKEN=\n")],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// A file is bundled that git ignores.
    pub static GIT_IGNORED: Rule = Rule {
        code: "git-ignored",
        spec: "12.12",
        explain: "A file of a skill is ignored by git, by a `.gitignore` of the repository or its `info/exclude`: it is in \
            no commit, mostly because it is secret or made by a program, and would be in the binary. Leave it out by \
            `.skillignore`, or say there by `!` and its path that this is known. Whether a file was committed all the \
            same, and what the user ignores everywhere, is not known here.",
        bad: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.txt", "mine\n")],
        good: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.md", "ours\n")],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A file has another name.
    pub static HARD_LINK: Rule = Rule {
        code: "hard-link",
        spec: "12.12",
        explain: "A file of a skill is a hard link: one file under several names, of which the others may lie outside of \
            the skills directory, such as a key that somebody gave a second name. Nothing tells it from a file of the \
            skill's own. Put a copy in its place.",
        bad: &[PDF, ("pdf/notes.txt (linked)", "whose?\n")],
        good: &[PDF, ("pdf/notes.txt", "ours\n")],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A `Cargo.toml` stands in a skill or above one.
    pub static CARGO_TOML: Rule = Rule {
        code: "cargo-toml",
        spec: "2.11",
        explain: "A directory with a `Cargo.toml` is another package to cargo: `cargo package` and `cargo publish` \
            leave it out without a word, and the published crate lacks the skill. Rename the file \
            (`Cargo.toml.txt`) and let the skill say what to do with it.",
        bad: &[PDF, ("pdf/template/Cargo.toml", "[package]\nname = \"template\"\n")],
        good: &[PDF, ("pdf/template/Cargo.toml.txt", "[package]\nname = \"template\"\n")],
        ..Rule::lint(Error, Allow, Allow)
    };

    /// A line of a `.skillignore` matches nothing.
    pub static SKILLIGNORE_LINE: Rule = Rule {
        code: "skillignore-line",
        spec: "1.3",
        explain: "A line of a `.skillignore` file is no pattern that could match a path: a set without its `]`, a \
            backslash at the end, a lone `!` or `/`. git skips such lines without a word; here a file that was \
            meant to stay out would be shipped. The syntax is that of `.gitignore`.",
        bad: &[PDF, ("pdf/.skillignore", "notes/\n[draft\n")],
        good: &[PDF, ("pdf/.skillignore", "notes/\n\\[draft\n")],
        ..Rule::error(Error, Warning, Allow)
    };

    /// A text is not UTF-8.
    pub static NOT_UTF8: Rule = Rule {
        code: "not-utf8",
        spec: "2.1, 3.3",
        explain: "A `SKILL.md`, `skill.json`, `prompt.md` or `.skillignore` holds bytes that are not UTF-8, mostly \
            because an editor saved it as Latin-1 or UTF-16. Nothing is guessed: the text would reach a model \
            with wrong characters. Save the file as UTF-8.",
        bad: &[("pdf/SKILL.md (latin-1)", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
        ..Rule::error(Error, Error, Error)
    };
}
