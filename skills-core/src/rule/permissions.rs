//! Rules about what a skill asks to be allowed.

use super::example::ADD;
use crate::level::Level::{Allow, Error, Warning};

rules! {
    /// `permissions` or a part of it has the wrong form.
    PERMISSION_VALUE = error("permission-value", "13.1", [Error, Warning, Allow]) {
        explain: "What a program asks for is an object: `read` and `write` are arrays of paths, `env` is one of \
            names, `net` is \"none\", \"all\" or an array of hosts. In `SKILL.md` the object is JSON text in \
            `metadata.permissions`. At run time the part that cannot be read is not asked for, so the program gets \
            less, never more.",
        bad: &[add!(r#""permissions": { "read": "$WORKSPACE" }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    /// `permissions` has a key that does not exist.
    PERMISSION_UNKNOWN = error("permission-unknown", "13.1", [Error, Warning, Allow]) {
        explain: "The keys are `read`, `write`, `net` and `env`. Another one grants nothing, so that the program \
            would fail where its author believes it may act.",
        bad: &[add!(r#""permissions": { "reads": ["$WORKSPACE"] }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    /// A path that is asked for is none.
    PERMISSION_PATH = error("permission-path", "13.2", [Error, Warning, Allow]) {
        explain: "A path lies below the skill, or begins with `$WORKSPACE`, `$TMPDIR`, `~` or `/`, and means all \
            that is below it. It has no `..`, no pattern and no other variable, so that a reader sees what is asked \
            for without running anything. At run time such a path is not asked for.",
        bad: &[add!(r#""permissions": { "write": ["../out"] }"#)],
        good: &[add!(r#""permissions": { "write": ["$WORKSPACE/out"] }"#)],
    }

    /// A host that is asked for is none.
    PERMISSION_HOST = error("permission-host", "13.3", [Error, Warning, Allow]) {
        explain: "A host is a name, `*.` and a name (all below it, not itself), or an address; IPv6 in brackets. \
            `:PORT` may follow, else 80 and 443 are meant. A scheme or a path has no place here: who may be reached \
            is asked for, not what is said. At run time such a host is not asked for.",
        bad: &[add!(r#""permissions": { "net": ["https://api.example.com/v1"] }"#)],
        good: &[add!(r#""permissions": { "net": ["api.example.com"] }"#)],
    }

    /// A variable that is asked for has no name of one.
    PERMISSION_ENV = error("permission-env", "13.3", [Error, Warning, Allow]) {
        explain: "Variables are asked for by their names: letters, digits and `_`, no digit first. There are no \
            patterns, so that nothing is passed that was not named. At run time such a name is not asked for.",
        bad: &[add!(r#""permissions": { "env": ["$LANG"] }"#)],
        good: &[add!(r#""permissions": { "env": ["LANG"] }"#)],
    }

    /// A skill asks for much.
    PERMISSION_WIDE = lint("permission-wide", "13.2", [Warning, Warning, Allow]) {
        explain: "The home directory, an absolute path or every host is more than a skill usually needs, and a user \
            who is asked may well refuse. The title says how wide it is. Name what is needed; a skill that truly \
            needs it allows this rule.",
        bad: &[add!(r#""permissions": { "read": ["~"] }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    /// A skill asks for a variable that looks like a secret.
    PERMISSION_SECRET = lint("permission-secret", "13.3", [Warning, Warning, Allow]) {
        explain: "A variable named like a token, key or password is one that its owner would not hand to a stranger. \
            The host passes it only when it allows the name as well. A skill that needs it says what for, names in \
            `net` where it goes, and allows this rule.",
        bad: &[add!(r#""permissions": { "env": ["GITHUB_TOKEN"] }"#)],
        good: &[ADD],
    }
}
