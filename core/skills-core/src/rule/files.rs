//! Rules about files and directories, which `read` reports.

use super::example::PDF;

/// Lists the given files of an example, and further files of 10 MiB each.
macro_rules! large {
    ($($file:expr),+; $($path:literal),+) => { &[$($file,)+ $((concat!($path, " (10485760 bytes)"), "\0")),+] };
}

rules! {
    "Directories":

    ROOT_MISSING = error("root-missing", "1.2", [Error, Allow, Error]) {
        explain: "The path given as the skills directory does not exist. A build without its directory \
            would produce a program that silently ships no skills, so the build stops. At run time a \
            missing directory is an empty list.",
        bad: &[(". (missing)", "")],
    }

    ROOT_UNREADABLE = error("root-unreadable", "1.2", [Error, Error, Error]) {
        explain: "The skills directory exists, but it is a file, or the user who runs the program may not \
            list it. It is never treated as empty, because skills would then disappear silently. Name a \
            directory, or grant permission to read it.",
        bad: &[(". (file)", "not a directory\n")],
    }

    ROOT_EMPTY = error("root-empty", "1.2", [Error, Allow, Error]).hides() {
        explain: "No directory below the skills directory has a file named exactly `SKILL.md` or \
            `skill.json`. A program that bundles it would ship no skills; usually the path is wrong or a \
            file name is misspelled. At run time an empty directory is an empty list.",
        bad: &[("pdf/README.md", "# PDF\n")],
    }

    "Names of files":

    FILE_NAME_CASE = lint("file-name-case", "1.1", [Warning, Warning, Error]).hides() {
        explain: "A file is named `skill.md`, `Skill.md` or similar. `SKILL.md`, `skill.json` and \
            `prompt.md` are matched exactly, so that a skill means the same on every file system. A file \
            whose name differs in letter case is not recognized, and its directory may not count as a \
            skill.",
        bad: &[PDF, ("csv/Skill.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
        good: &[PDF, ("csv/SKILL.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
    }

    SKILL_NESTED = lint("skill-nested", "1.1", [Warning, Allow, Allow]) {
        explain: "A directory with a `SKILL.md` lies in the directory of another skill. Both are skills of \
            the bundle, and each file belongs to the nearest one, so the outer skill is installed without \
            the files of the inner one. Many clients search for skills only one level deep and would not \
            find the inner skill. Move it beside the other, or into a directory such as `references` if it \
            is only material of the outer skill.",
        bad: &[PDF, ("pdf/forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
        good: &[PDF, ("forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
    }

    PATH_NOT_UTF8 = error("path-not-utf8", "1.4", [Error, Warning, Allow]) {
        explain: "The name of a file or directory is not UTF-8. Paths inside a bundle are text, and the \
            name could not be written the same way on another system, so the entry is left out. Rename it.",
        bad: &[PDF, ("pdf/café.md (latin-1 name)", "text\n")],
        good: &[PDF, ("pdf/café.md", "text\n")],
    }

    PATH_CASE = error("path-case", "1.4", [Error, Allow, Allow]) {
        explain: "Two files or directories have names that differ only in letter case. macOS and Windows \
            can store only one of them, so a checkout or an installed skill would silently lose a file.",
        bad: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/Notes.md", "two\n")],
        good: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/more.md", "two\n")],
    }

    PATH_RESERVED = error("path-reserved", "1.4", [Error, Allow, Allow]) {
        explain: "A name is reserved on Windows (`CON`, `aux.txt`, `com1`), ends in a dot or a space, or \
            contains one of the characters `<>:\"|?*\\`. The skill could be neither checked out nor \
            installed there.",
        bad: &[PDF, ("pdf/aux.md", "text\n")],
        good: &[PDF, ("pdf/extra.md", "text\n")],
    }

    PATH_LONG = lint("path-long", "1.4", [Error, Allow, Allow]) {
        explain: "The path of a file, from the directory of its skill on, is longer than 240 bytes. Windows \
            allows 260 characters for a whole path, and the directory in which the skill is installed needs \
            some of them.",
        bad: &[
            PDF,
            (
                "pdf/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn.md",
                "text\n",
            ),
        ],
        good: &[PDF, ("pdf/notes.md", "text\n")],
    }

    "Texts of files":

    SECRET_FILE = lint("secret-file", "1.3, 2.11, 12.4", [Warning, Warning, Allow]) {
        explain: "A `.env` file or a private key is in the directory of a skill. Everyone who has the \
            program could read it, so it is left out and reported. A line in `.skillignore` accepts the \
            file: its path excludes it without a warning, and `!` with its path ships a key (but never a \
            hidden file).",
        bad: &[PDF, ("pdf/.env", "TOKEN=secret\n")],
        good: &[PDF, ("pdf/.env.example", "TOKEN=\n")],
    }

    GIT_IGNORED = lint("git-ignored", "12.12", [Warning, Allow, Allow]) {
        explain: "A `.gitignore` of the repository or its `info/exclude` makes git ignore a file of a \
            skill: no commit contains it, usually because it is secret or generated, but the binary would. \
            Exclude it in `.skillignore`, or accept it there with `!` and its path. This rule does not know \
            whether the file was committed anyway, nor what the global settings of a user ignore.",
        bad: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.txt", "mine\n")],
        good: &[PDF, (".git/HEAD", ""), (".gitignore", "notes.txt\n"), ("pdf/notes.md", "ours\n")],
    }

    HARD_LINK = lint("hard-link", "12.12", [Warning, Allow, Allow]) {
        explain: "A file of a skill is a hard link: one file with several names. Another name may be \
            outside the skills directory, for example that of a private key, and the link looks exactly \
            like an ordinary file of the skill. Replace it with a copy.",
        bad: &[PDF, ("pdf/notes.txt (linked)", "whose?\n")],
        good: &[PDF, ("pdf/notes.txt", "ours\n")],
    }

    CARGO_TOML = lint("cargo-toml", "2.11", [Error, Allow, Allow]) {
        explain: "A directory with a `Cargo.toml` is another package to cargo: `cargo package` and `cargo \
            publish` leave it out silently, and the published crate lacks the skill. Rename the file \
            (`Cargo.toml.txt`) and explain in the skill how to use it.",
        bad: &[PDF, ("pdf/template/Cargo.toml", "[package]\nname = \"template\"\n")],
        good: &[PDF, ("pdf/template/Cargo.toml.txt", "[package]\nname = \"template\"\n")],
    }

    SKILLIGNORE_LINE = error("skillignore-line", "1.3", [Error, Warning, Allow]) {
        explain: "A line of a `.skillignore` file is a pattern that cannot match any path: a set without \
            its `]`, a backslash at the end, a lone `!` or `/`. git skips such lines silently; here a file \
            that should be excluded would be shipped. The syntax is that of `.gitignore`.",
        bad: &[PDF, ("pdf/.skillignore", "notes/\n[draft\n")],
        good: &[PDF, ("pdf/.skillignore", "notes/\n\\[draft\n")],
    }

    NOT_UTF8 = error("not-utf8", "2.1, 3.3", [Error, Error, Error]).hides() {
        explain: "A `SKILL.md`, `skill.json`, `prompt.md` or `.skillignore` holds bytes that are not UTF-8, \
            usually because an editor saved it as Latin-1 or UTF-16. The encoding is not guessed, because a \
            model would then get wrong characters. Save the file as UTF-8.",
        bad: &[("pdf/SKILL.md (latin-1)", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads résumés.\n---\n# PDF\n")],
    }

    "Sizes":

    FILE_TOO_LARGE = error("file-too-large", "1.3", [Error, Warning, Warning]) {
        explain: "A file is larger than the option `file_cap`, by default 10 MiB. Every byte of a bundle is \
            in the binary and in its memory, so a large file is usually there by accident. Exclude it in \
            `.skillignore`, or raise the option. At run time the file is left out with a warning.",
        bad: &[PDF, ("pdf/model.bin (10485761 bytes)", "\0")],
        good: &[PDF, ("pdf/model.bin (10485760 bytes)", "\0")],
    }

    MORE_PROBLEMS = error("more-problems", "12.10", [Error, Warning, Warning]) {
        explain: "For each file only the first 100 problems are reported, errors before warnings. One more \
            diagnostic counts the others; it is an error if one of them is. They usually have one cause: \
            fix the reported problems, then check again.",
        bad: &[PDF, ("pdf/.skillignore (400 bytes)", "[a\n")],
        good: &[PDF, ("pdf/.skillignore (400 bytes)", "[a]\n")],
    }

    HOST_LIMITS = lint("host-limits", "11.18", [Warning, Warning, Allow]) {
        explain: "The Skills extension of MCP (SEP-2640) requires clients to load skills of up to 512 files \
            and 16 MiB, and no larger ones; a server should not serve a larger skill. `skills mcp` \
            therefore leaves it out of the lists it gives to clients, but its files can still be read. \
            Exclude files in `.skillignore`, or split the skill.",
        bad: &[PDF, ("pdf/a.bin (8388608 bytes)", "\0"), ("pdf/b.bin (8388608 bytes)", "\0")],
        good: &[PDF, ("pdf/a.bin (8388608 bytes)", "\0")],
    }

    SKILL_TOO_LARGE = error("skill-too-large", "1.3", [Error, Error, Allow]) {
        explain: "The files of a skill together are larger than the option `skill_cap`, by default 50 MiB. \
            The message names the file at which the sum, counted in the order of the paths in each \
            directory, exceeds the limit; the skill is left out. Exclude files in `.skillignore`, or raise \
            the option.",
        bad: large!(PDF; "pdf/a.bin", "pdf/b.bin", "pdf/c.bin", "pdf/d.bin", "pdf/e.bin"),
        good: &[PDF, ("pdf/a.bin (10485760 bytes)", "\0")],
    }

    BUNDLE_TOO_LARGE = error("bundle-too-large", "1.3", [Error, Error, Allow]) {
        explain: "The files of all skills together are larger than the option `bundle_cap`, by default 200 \
            MiB. The message names the first skill, in the order of the paths, that exceeds the limit, and \
            the file at which it does; that skill is left out. Exclude files in `.skillignore`, or raise \
            the option.",
        bad: large!(
            PDF,
            ("csv/SKILL.md", "---\nname: csv\ndescription: Reads csv files.\n---\n# CSV\n"),
            ("doc/SKILL.md", "---\nname: doc\ndescription: Reads doc files.\n---\n"),
            ("svg/SKILL.md", "---\nname: svg\ndescription: Reads svg files.\n---\n"),
            ("xls/SKILL.md", "---\nname: xls\ndescription: Reads xls files.\n---\n");
            "pdf/a.bin", "pdf/b.bin", "pdf/c.bin", "pdf/d.bin",
            "csv/a.bin", "csv/b.bin", "csv/c.bin", "csv/d.bin",
            "doc/a.bin", "doc/b.bin", "doc/c.bin", "doc/d.bin",
            "svg/a.bin", "svg/b.bin", "svg/c.bin", "svg/d.bin",
            "xls/a.bin", "xls/b.bin", "xls/c.bin", "xls/d.bin"
        ),
        good: &[PDF, ("pdf/a.bin (10485760 bytes)", "\0")],
    }

    "Symbolic links":

    LINK_OUTSIDE = error("link-outside", "1.4", [Error, Warning, Warning]) {
        explain: "A symbolic link leads to a file or directory outside the skills directory. It is never \
            read, because a skill could otherwise ship any file of the machine that builds it. Put a copy \
            of the file in the skill. At run time the link is left out with a warning.",
        bad: &[PDF, ("pdf/hosts -> /etc/hosts", "")],
        good: &[PDF, ("pdf/hosts", "127.0.0.1 localhost\n")],
    }

    LINK_BROKEN = error("link-broken", "1.4", [Error, Warning, Warning]) {
        explain: "A symbolic link leads to a path that does not exist, or back to itself. The skill would \
            lack a file it expects, so no bundle is built. At run time the link is left out with a warning. An absolute \
            path exists on one computer only, so write links relative to their directory.",
        bad: &[PDF, ("pdf/forms.md -> form.md", "")],
        good: &[PDF, ("pdf/forms.md -> SKILL.md", "")],
    }

    LINK_REPEATED = lint("link-repeated", "1.4", [Warning, Warning, Allow]) {
        explain: "A symbolic link leads to a directory that was already read by its real path or through \
            another link, or to a directory that contains the link. Reading it again would duplicate every \
            file or never end, so the link is skipped. The files are in the bundle once, at their real \
            path.",
        bad: &[PDF, ("pdf/again -> .", "")],
    }

    SPECIAL_FILE = error("special-file", "1.4", [Error, Warning, Warning]) {
        explain: "There is a FIFO, a socket or a device where a file is expected, or a directory where only \
            a file is allowed. Such an entry has no contents to bundle, and opening one can block forever, \
            so it is not opened.",
        bad: &[PDF, ("pdf/pipe (fifo)", "")],
        good: &[PDF, ("pdf/pipe", "text\n")],
    }

    UNREADABLE = error("unreadable", "1.4", [Error, Warning, Error]) {
        explain: "The operating system refuses to open a file or to list a directory, usually because of \
            missing permission. A bundle without it would be incomplete, so none is built. At run time the \
            file is left out with a warning.",
        bad: &[PDF, ("pdf/notes.md (unreadable)", "text\n")],
        good: &[PDF, ("pdf/notes.md", "text\n")],
    }
}
