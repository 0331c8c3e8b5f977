//! Rules about the names of files and directories.

use crate::rules::example::PDF;

texts! {
    files:
    FILE_NAME_CASE {
        explain: "A file is named `skill.md`, `Skill.md` or similar. `SKILL.md`, `skill.json` and \
            `prompt.md` are matched exactly, so that a skill means the same on every file system. A file \
            whose name differs in letter case is not recognized, and its directory may not count as a \
            skill.",
        bad: &[PDF, ("csv/Skill.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
        good: &[PDF, ("csv/SKILL.md", "---\nname: csv\ndescription: Reads CSV files.\n---\n# CSV\n")],
    }

    SKILL_NESTED {
        explain: "A directory with a `SKILL.md` lies in the directory of another skill. Both are skills of \
            the bundle, and each file belongs to the nearest one, so the outer skill is installed without \
            the files of the inner one. Many clients search for skills only one level deep and would not \
            find the inner skill. Move it beside the other, or into a directory such as `references` if it \
            is only material of the outer skill.",
        bad: &[PDF, ("pdf/forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
        good: &[PDF, ("forms/SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\n# Forms\n")],
    }

    PATH_NOT_UTF8 {
        explain: "The name of a file or directory is not UTF-8. Paths inside a bundle are text, and the \
            name could not be written the same way on another system, so the entry is left out. Rename it.",
        bad: &[PDF, ("pdf/café.md (latin-1 name)", "text\n")],
        good: &[PDF, ("pdf/café.md", "text\n")],
    }

    PATH_CASE {
        explain: "Two files or directories have names that differ only in letter case. macOS and Windows \
            can store only one of them, so a checkout or an installed skill would silently lose a file.",
        bad: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/Notes.md", "two\n")],
        good: &[PDF, ("pdf/notes.md", "one\n"), ("pdf/more.md", "two\n")],
    }

    PATH_RESERVED {
        explain: "A name is reserved on Windows (`CON`, `aux.txt`, `com1`), ends in a dot or a space, or \
            contains one of the characters `<>:\"|?*\\`. The skill could be neither checked out nor \
            installed there.",
        bad: &[PDF, ("pdf/aux.md", "text\n")],
        good: &[PDF, ("pdf/extra.md", "text\n")],
    }

    PATH_LONG {
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
}
