//! Rules about links, and about entries that are not regular files.

use crate::rules::example::PDF;

texts! {
    files:
    LINK_OUTSIDE {
        explain: "A symbolic link leads to a file or directory outside the skills directory. It is never \
            read, because a skill could otherwise ship any file of the machine that builds it. Put a copy \
            of the file in the skill. At run time the link is left out with a warning.",
        bad: &[PDF, ("pdf/hosts -> /etc/hosts", "")],
        good: &[PDF, ("pdf/hosts", "127.0.0.1 localhost\n")],
    }

    LINK_BROKEN {
        explain: "A symbolic link leads to a path that does not exist, or back to itself. The skill would \
            lack a file it expects, so no bundle is built. At run time the link is left out with a warning.",
        bad: &[PDF, ("pdf/forms.md -> form.md", "")],
        good: &[PDF, ("pdf/forms.md -> SKILL.md", "")],
    }

    LINK_REPEATED {
        explain: "A symbolic link leads to a directory that was already read by its real path or through \
            another link, or to a directory that contains the link. Reading it again would duplicate every \
            file or never end, so the link is skipped. The files are in the bundle once, at their real \
            path.",
        bad: &[PDF, ("pdf/again -> .", "")],
    }

    SPECIAL_FILE {
        explain: "There is a FIFO, a socket or a device where a file is expected, or a directory where only \
            a file is allowed. Such an entry has no contents to bundle, and opening one can block forever, \
            so it is not opened.",
        bad: &[PDF, ("pdf/pipe (fifo)", "")],
        good: &[PDF, ("pdf/pipe", "text\n")],
    }

    UNREADABLE {
        explain: "The operating system refuses to open a file or to list a directory, usually because of \
            missing permission. A bundle without it would be incomplete, so none is built. At run time the \
            file is left out with a warning.",
        bad: &[PDF, ("pdf/notes.md (unreadable)", "text\n")],
        good: &[PDF, ("pdf/notes.md", "text\n")],
    }
}
