//! Rules about what files hold.

use crate::level::Level::{Allow, Error, Warning};
use crate::rule::example::PDF;

rules! {
    /// A file may hold a secret.
    SECRET_FILE = lint("secret-file", "1.3, 2.11, 12.4", [Warning, Warning, Allow]) {
        explain: "A `.env` file or a private key is in the directory of a skill. Whoever gets the program could read \
            it, so it is left out, and reported because it should not be there. A line in `.skillignore` says that \
            this is known: the path to leave the file out without a word, `!` and the path to ship a key (never a \
            hidden file) all the same.",
        bad: &[PDF, ("pdf/.env", "TOKEN=secret\n")],
        good: &[PDF, ("pdf/.env.example", "TOKEN=\n")],
    }

    /// A file is bundled that git ignores.
    GIT_IGNORED = lint("git-ignored", "12.12", [Warning, Allow, Allow]) {
        explain: "A file of a skill is ignored by git, by a `.gitignore` of the repository or its `info/exclude`: it \
            is in no commit, mostly because it is secret or made by a program, and would be in the binary. Leave it \
            out by `.skillignore`, or say there by `!` and its path that this is known. Whether a file was committed \
            all the same, and what the user ignores everywhere, is not known here.",
        bad: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.txt", "mine\n")],
        good: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.md", "ours\n")],
    }

    /// A file has another name.
    HARD_LINK = lint("hard-link", "12.12", [Warning, Allow, Allow]) {
        explain: "A file of a skill is a hard link: one file under several names, of which the others may lie \
            outside of the skills directory, such as a key that somebody gave a second name. Nothing tells it from a \
            file of the skill's own. Put a copy in its place.",
        bad: &[PDF, ("pdf/notes.txt (linked)", "whose?\n")],
        good: &[PDF, ("pdf/notes.txt", "ours\n")],
    }

    /// A `Cargo.toml` stands in a skill or above one.
    CARGO_TOML = lint("cargo-toml", "2.11", [Error, Allow, Allow]) {
        explain: "A directory with a `Cargo.toml` is another package to cargo: `cargo package` and `cargo publish` \
            leave it out without a word, and the published crate lacks the skill. Rename the file (`Cargo.toml.txt`) \
            and let the skill say what to do with it.",
        bad: &[PDF, ("pdf/template/Cargo.toml", "[package]\nname = \"template\"\n")],
        good: &[PDF, ("pdf/template/Cargo.toml.txt", "[package]\nname = \"template\"\n")],
    }

    /// A line of a `.skillignore` matches nothing.
    SKILLIGNORE_LINE = error("skillignore-line", "1.3", [Error, Warning, Allow]) {
        explain: "A line of a `.skillignore` file is no pattern that could match a path: a set without its `]`, a \
            backslash at the end, a lone `!` or `/`. git skips such lines without a word; here a file that was meant \
            to stay out would be shipped. The syntax is that of `.gitignore`.",
        bad: &[PDF, ("pdf/.skillignore", "notes/\n[draft\n")],
        good: &[PDF, ("pdf/.skillignore", "notes/\n\\[draft\n")],
    }

    /// A text is not UTF-8.
    NOT_UTF8 = error("not-utf8", "2.1, 3.3", [Error, Error, Error]) {
        explain: "A `SKILL.md`, `skill.json`, `prompt.md` or `.skillignore` holds bytes that are not UTF-8, mostly \
            because an editor saved it as Latin-1 or UTF-16. Nothing is guessed: the text would reach a model with \
            wrong characters. Save the file as UTF-8.",
        bad: &[("pdf/SKILL.md (latin-1)", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
    }
}
