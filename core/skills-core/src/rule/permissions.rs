//! Rules about the permissions that a skill requests.

use super::example::ADD;

rules! {
    "Permissions":

    PERMISSION_VALUE = error("permission-value", "13.1", [Error, Warning, Allow]) {
        explain: "The permissions of a program are an object: `read` and `write` are arrays of paths, `env` \
            is an array of names, `net` is \"none\", \"all\" or an array of hosts. In `SKILL.md` the object \
            is JSON text in `metadata.permissions`. At run time a part that cannot be read is not granted, \
            so the program gets fewer rights, never more.",
        bad: &[add!(r#""permissions": { "read": "$WORKSPACE" }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    PERMISSION_UNKNOWN = error("permission-unknown", "13.1", [Error, Warning, Allow]) {
        explain: "The keys are `read`, `write`, `net` and `env`. Any other key grants nothing, so the \
            program would fail although its author expects it to work.",
        bad: &[add!(r#""permissions": { "reads": ["$WORKSPACE"] }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    PERMISSION_PATH = error("permission-path", "13.2", [Error, Warning, Allow]) {
        explain: "A path lies below the skill, or begins with `$WORKSPACE`, `$TMPDIR`, `~` or `/`, and \
            includes everything below it. It contains no `..`, no pattern and no other variable, so that a \
            reader sees what it grants without running anything. At run time an invalid path is not \
            granted.",
        bad: &[add!(r#""permissions": { "write": ["../out"] }"#)],
        good: &[add!(r#""permissions": { "write": ["$WORKSPACE/out"] }"#)],
    }

    PERMISSION_HOST = error("permission-host", "13.3", [Error, Warning, Allow]) {
        explain: "A host is a name, `*.` and a name (all its subdomains, but not the name itself), or an \
            address; IPv6 addresses are in brackets. `:PORT` may follow; the default is 80 and 443. A host \
            has no scheme and no path, because this permission grants access to a server, not to single \
            resources. At run time an invalid host is not granted.",
        bad: &[add!(r#""permissions": { "net": ["https://api.example.com/v1"] }"#)],
        good: &[add!(r#""permissions": { "net": ["api.example.com"] }"#)],
    }

    PERMISSION_ENV = error("permission-env", "13.3", [Error, Warning, Allow]) {
        explain: "Environment variables are listed by name: letters, digits and `_`, without a digit first. \
            Patterns are not allowed, so that every variable that is passed is named. At run time an \
            invalid name is not granted.",
        bad: &[add!(r#""permissions": { "env": ["$LANG"] }"#)],
        good: &[add!(r#""permissions": { "env": ["LANG"] }"#)],
    }

    PERMISSION_WIDE = lint("permission-wide", "13.2", [Warning, Warning, Allow]) {
        explain: "The home directory, an absolute path or every host is more than a skill usually needs, \
            and a user may well refuse it. The title says how wide the permission is. Name only what the \
            skill needs; if it needs all of it, allow this rule.",
        bad: &[add!(r#""permissions": { "read": ["~"] }"#)],
        good: &[add!(r#""permissions": { "read": ["$WORKSPACE"] }"#)],
    }

    PERMISSION_SECRET = lint("permission-secret", "13.3", [Warning, Warning, Allow]) {
        explain: "A variable with a name like a token, key or password usually holds a credential of the \
            user. The host passes it only if the host also allows the name. If the skill needs it, say why \
            in its description, list the servers it is sent to in `net`, and allow this rule.",
        bad: &[add!(r#""permissions": { "env": ["GITHUB_TOKEN"] }"#)],
        good: &[ADD],
    }
}
