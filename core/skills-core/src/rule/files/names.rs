//! Rules about the names of files and directories.

use crate::level::Level::{Allow, Error, Warning};
use crate::rule::example::PDF;

rules! {
    /// A file name differs only in letter case from a file name that skills use.
    FILE_NAME_CASE = lint("file-name-case", "1.1", [Warning, Warning, Error]) {
        hides: true,
        explain: "A file is named `skill.md`, `Skill.md` or similar. `SKILL.md`, `skill.json` and \
            `prompt.md` are matched exactly, so that a skill means the same on every file system. A file \
            whose name differs in letter case is not recognized, and its directory may not count as a \
            skill.",
        bad: &[PDF, ("csv/Skill.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
        good: &[PDF, ("csv/SKILL.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
    }

    /// A skill lies in the directory of another skill.
    SKILL_NESTED = lint("skill-nested", "1.1", [Warning, Allow, Allow]) {
        explain: "A directory with a `SKILL.md` lies in the directory of another skill. Both are skills of \
            the bundle, and each file belongs to the nearest one, so the outer skill is installed without \
            the files of the inner one. Many clients search for skills only one level deep and would not \
            find the inner skill. Move it beside the other, or into a directory such as `references` if it \
            is only material of the outer skill.",
        bad: &[PDF, ("pdf/forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
        good: &[PDF, ("forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
    }

    /// A name is not UTF-8.
    PATH_NOT_UTF8 = error("path-not-utf8", "1.4", [Error, Warning, Allow]) {
        explain: "The name of a file or directory is not UTF-8. Paths inside a bundle are text, and the \
            name could not be written the same way on another system, so the entry is left out. Rename it.",
        bad: &[PDF, ("pdf/café.md (latin-1 name)", "text\n")],
        good: &[PDF, ("pdf/café.md", "text\n")],
    }

    /// Two paths differ only in letter case.
    PATH_CASE = error("path-case", "1.4", [Error, Allow, Allow]) {
        explain: "Two files or directories have names that differ only in letter case. macOS and Windows \
            can store only one of them, so a checkout or an installed skill would silently lose a file.",
        bad: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/Notes.md", "two\n")],
        good: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/more.md", "two\n")],
    }

    /// A name is not valid on Windows.
    PATH_RESERVED = error("path-reserved", "1.4", [Error, Allow, Allow]) {
        explain: "A name is reserved on Windows (`CON`, `aux.txt`, `com1`), ends in a dot or a space, or \
            contains one of the characters `<>:\"|?*\\`. The skill could be neither checked out nor \
            installed there.",
        bad: &[PDF, ("pdf/aux.md", "text\n")],
        good: &[PDF, ("pdf/extra.md", "text\n")],
    }

    /// A path is longer than 240 bytes.
    PATH_LONG = error("path-long", "1.4", [Error, Allow, Allow]) {
        explain: "The path of a file, relative to the skills directory, is longer than 240 bytes. Windows \
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
}
