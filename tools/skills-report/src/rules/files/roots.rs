//! Rules about the root itself.

texts! {
    files:
    ROOT_MISSING {
        explain: "The path given as the skills directory does not exist. A build without its directory \
            would produce a program that silently ships no skills, so the build stops. At run time a \
            missing directory is an empty list.",
        bad: &[(". (missing)", "")],
    }

    ROOT_UNREADABLE {
        explain: "The skills directory exists, but it is a file, or the user who runs the program may not \
            list it. It is never treated as empty, because skills would then disappear silently. Name a \
            directory, or grant permission to read it.",
        bad: &[(". (file)", "not a directory\n")],
    }

    ROOT_EMPTY {
        explain: "No directory below the skills directory has a file named exactly `SKILL.md` or \
            `skill.json`. A program that bundles it would ship no skills; usually the path is wrong or a \
            file name is misspelled. At run time an empty directory is an empty list.",
        bad: &[("pdf/README.md", "# PDF\n")],
    }
}
