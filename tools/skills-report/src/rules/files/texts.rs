//! Rules about the contents of files.

use crate::rules::example::PDF;

texts! {
    files:
    SECRET_FILE {
        explain: "A `.env` file or a private key is in the directory of a skill. Everyone who has the \
            program could read it, so it is left out and reported. A line in `.skillignore` accepts the \
            file: its path excludes it without a warning, and `!` with its path ships a key (but never a \
            hidden file).",
        bad: &[PDF, ("pdf/.env", "TOKEN=secret\n")],
        good: &[PDF, ("pdf/.env.example", "TOKEN=\n")],
    }

    GIT_IGNORED {
        explain: "A `.gitignore` of the repository or its `info/exclude` makes git ignore a file of a \
            skill: no commit contains it, usually because it is secret or generated, but the binary would. \
            Exclude it in `.skillignore`, or accept it there with `!` and its path. This rule does not know \
            whether the file was committed anyway, nor what the global settings of a user ignore.",
        bad: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.txt", "mine\n")],
        good: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.md", "ours\n")],
    }

    HARD_LINK {
        explain: "A file of a skill is a hard link: one file with several names. Another name may be \
            outside the skills directory, for example that of a private key, and the link looks exactly \
            like an ordinary file of the skill. Replace it with a copy.",
        bad: &[PDF, ("pdf/notes.txt (linked)", "whose?\n")],
        good: &[PDF, ("pdf/notes.txt", "ours\n")],
    }

    CARGO_TOML {
        explain: "A directory with a `Cargo.toml` is another package to cargo: `cargo package` and `cargo \
            publish` leave it out silently, and the published crate lacks the skill. Rename the file \
            (`Cargo.toml.txt`) and explain in the skill how to use it.",
        bad: &[PDF, ("pdf/template/Cargo.toml", "[package]\nname = \"template\"\n")],
        good: &[PDF, ("pdf/template/Cargo.toml.txt", "[package]\nname = \"template\"\n")],
    }

    SKILLIGNORE_LINE {
        explain: "A line of a `.skillignore` file is a pattern that cannot match any path: a set without \
            its `]`, a backslash at the end, a lone `!` or `/`. git skips such lines silently; here a file \
            that should be excluded would be shipped. The syntax is that of `.gitignore`.",
        bad: &[PDF, ("pdf/.skillignore", "notes/\n[draft\n")],
        good: &[PDF, ("pdf/.skillignore", "notes/\n\\[draft\n")],
    }

    NOT_UTF8 {
        explain: "A `SKILL.md`, `skill.json`, `prompt.md` or `.skillignore` holds bytes that are not UTF-8, \
            usually because an editor saved it as Latin-1 or UTF-16. The encoding is not guessed, because a \
            model would then get wrong characters. Save the file as UTF-8.",
        bad: &[("pdf/SKILL.md (latin-1)", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
    }
}
