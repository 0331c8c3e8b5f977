//! Rules about sizes.

use crate::rules::example::PDF;

/// Lists the given files of an example, and further files of 10 MiB each.
macro_rules! large {
    ($($file:expr),+; $($path:literal),+) => { &[$($file,)+ $((concat!($path, " (10485760 bytes)"), "\0")),+] };
}

texts! {
    files:
    FILE_TOO_LARGE {
        explain: "A file is larger than the option `file_cap`, by default 10 MiB. Every byte of a bundle is \
            in the binary and in its memory, so a large file is usually there by accident. Exclude it in \
            `.skillignore`, or raise the option. At run time the file is left out with a warning.",
        bad: &[PDF, ("pdf/model.bin (10485761 bytes)", "\0")],
        good: &[PDF, ("pdf/model.bin (10485760 bytes)", "\0")],
    }

    MORE_PROBLEMS {
        explain: "For each file only the first 100 problems are reported, errors before warnings. One more \
            diagnostic counts the others; it is an error if one of them is. They usually have one cause: \
            fix the reported problems, then check again.",
        bad: &[PDF, ("pdf/.skillignore (400 bytes)", "[a\n")],
        good: &[PDF, ("pdf/.skillignore (400 bytes)", "[a]\n")],
    }

    HOST_LIMITS {
        explain: "The Skills extension of MCP (SEP-2640) requires clients to load skills of up to 512 files \
            and 16 MiB, and no larger ones; a server should not serve a larger skill. `skills mcp` \
            therefore leaves it out of the lists it gives to clients, but its files can still be read. \
            Exclude files in `.skillignore`, or split the skill.",
        bad: &[PDF, ("pdf/a.bin (8388608 bytes)", "\0"), ("pdf/b.bin (8388608 bytes)", "\0")],
        good: &[PDF, ("pdf/a.bin (8388608 bytes)", "\0")],
    }

    SKILL_TOO_LARGE {
        explain: "The files of a skill together are larger than the option `skill_cap`, by default 50 MiB. \
            The message names the file at which the sum, counted in the order of the paths in each \
            directory, exceeds the limit; the skill is left out. Exclude files in `.skillignore`, or raise \
            the option.",
        bad: large!(PDF; "pdf/a.bin", "pdf/b.bin", "pdf/c.bin", "pdf/d.bin", "pdf/e.bin"),
        good: &[PDF, ("pdf/a.bin (10485760 bytes)", "\0")],
    }

    BUNDLE_TOO_LARGE {
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
}
