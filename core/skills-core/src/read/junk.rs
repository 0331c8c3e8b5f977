//! Decides from names which entries to leave out, and which may be secrets. Used by `walk` and `files`.

use std::path::Path;

use super::listing::EntryType;
use super::problem::UnplacedProblem;
use crate::rule::files;

/// Returns `true` if an entry is hidden.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Returns `true` if a directory belongs to a version control system.
pub(super) fn is_history(name: &str) -> bool {
    matches!(name, ".git" | ".svn" | ".hg" | ".jj" | ".bzr" | "CVS")
}

/// Returns the tool to which a directory belongs, with installed packages or build output.
pub(super) fn tool(name: &str) -> Option<&'static str> {
    ["node_modules", "target", "site-packages", "__pycache__"].into_iter().find(|tool| *tool == name)
}

/// Returns the kind of a directory whose files nobody changes, by its name: backups, such as `backups` or
/// `backup-20251108`, and skills that are out of use, such as `_legacy`.
pub(super) fn set_aside(name: &str) -> Option<&'static str> {
    let dated = ["backup-", "backups-"].iter().find_map(|begin| name.strip_prefix(begin));
    if matches!(name, "backup" | "backups")
        || name.ends_with("-backups")
        || dated.is_some_and(|date| date.starts_with(|c: char| c.is_ascii_digit()))
    {
        return Some("a backup");
    }
    let is_old = matches!(name.strip_prefix('_').unwrap_or(name), "archived" | "deprecated" | "legacy");
    (is_old || name == "_archive" || name.ends_with("-legacy")).then_some("a directory of old skills")
}

/// Returns the name of a directory with copies of other projects.
pub(super) fn vendored(name: &str) -> Option<&'static str> {
    ["third-party", "third_party", "vendor"].into_iter().find(|known| *known == name)
}

/// Returns the kind of a directory with test data, which may have intentional errors.
pub(super) fn fixtures(name: &str) -> Option<&'static str> {
    const NAMES: [&str; 7] =
        ["fixtures", "__fixtures__", "testdata", "test-data", "test_data", "test-fixtures", "test_fixtures"];
    NAMES.into_iter().find(|known| *known == name)
}

/// Returns `true` if a directory has the name of one with a template for skills, in any letter case.
pub(super) fn is_template(name: &str) -> bool {
    let plain = name.strip_prefix(['_', '.']).unwrap_or(name);
    ["skill-skeleton", "template", "templates"].iter().any(|known| plain.eq_ignore_ascii_case(known))
}

/// Returns `true` if a directory belongs to the kernel, such as `/proc`. It contains no files of users, but
/// an unlimited number of other files.
pub(super) fn is_kernel(real: &Path) -> bool {
    cfg!(unix) && matches!(real.to_str(), Some("/proc" | "/sys" | "/dev"))
}

/// Returns `true` if a directory is never searched for skills: hidden, or of a tool.
pub(crate) fn is_closed(name: &str) -> bool {
    is_hidden(name) || matches!(name, "node_modules" | "target")
}

/// Folders in a skill with its material: a `SKILL.md` in one of them is a template, an example or a test.
const MATERIAL: [&str; 8] =
    ["assets", "evals", "examples", "fixtures", "references", "templates", "testdata", "tests"];

/// Returns the material folder that contains a file, by its path below the skill.
pub(super) fn material(path: &str) -> Option<&'static str> {
    path.split('/').find_map(|part| MATERIAL.into_iter().find(|name| *name == part))
}

/// Returns `true` if an entry of a skill is left out, whatever its contents. A link counts by its name. `keeps_hidden`
/// says whether the skill has the hidden files of the directory.
pub(super) fn is_junk(name: &str, kind: EntryType, keeps_hidden: bool) -> bool {
    if is_hidden(name) && !keeps_hidden {
        return true;
    }
    match kind {
        EntryType::Directory => is_tool_directory(name),
        EntryType::Link => is_tool_directory(name) || is_leftover(name),
        EntryType::File | EntryType::Special(_) => is_leftover(name),
    }
}

fn is_tool_directory(name: &str) -> bool {
    matches!(name, "node_modules" | "target" | "__pycache__" | "CVS")
}

fn is_leftover(name: &str) -> bool {
    [b"~".as_slice(), b".swp", b".pyc"].iter().any(|end| name.as_bytes().ends_with(end))
}

/// The parts of a file name that mark a template, which contains the names of secrets but not their values.
const TEMPLATES: [&str; 15] = [
    "example", "examples", "sample", "template", "dist", "schema", "default", "defaults", "tmpl", "tpl",
    "j2", "jinja", "erb", "hbs", "mustache",
];

/// Common names of files with passwords. The whole name must be equal.
const NAMES: [&str; 4] = ["credentials", "secrets", "secret", "credential"];

/// Describes the contents of a file whose name alone shows that it is secret.
pub(super) fn secret_by_name(name: &str) -> Option<&'static str> {
    const KEYS: [&str; 6] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"];
    const STORES: [&str; 5] = [".p12", ".pfx", ".ppk", ".jks", ".keystore"];
    let lower = name.to_ascii_lowercase();
    let is_template = lower.split(['.', '-', '_']).any(|part| TEMPLATES.contains(&part));
    if name == ".env" || (name.starts_with(".env.") && !is_template) {
        return Some("passwords and tokens");
    }
    const ENDS: [&str; 5] = ["json", "toml", "ini", "txt", "env"];
    let (stem, end) = lower.rsplit_once('.').unwrap_or((&lower, ""));
    let is_store = NAMES.contains(&stem) && (end.is_empty() || ENDS.contains(&end));
    if (is_store || end == "env" && !stem.is_empty()) && !is_template {
        return Some("passwords and tokens");
    }
    let is_key = KEYS.contains(&name.trim_start_matches('.')) || STORES.iter().any(|end| name.ends_with(end));
    // Most hidden files are never opened, so the name decides.
    let is_hidden_key = is_hidden(name) && (name.ends_with(".pem") || name.ends_with(".key"));
    (is_key || is_hidden_key).then_some("a private key")
}

/// Describes the contents of a hidden file that the skill would have, and whose name shows that it is secret.
pub(super) fn secret_by_hidden_name(name: &str) -> Option<&'static str> {
    const NAMES: [&str; 9] = [
        ".dockercfg",
        ".git-credentials",
        ".htpasswd",
        ".my.cnf",
        ".netrc",
        ".pgpass",
        ".pypirc",
        ".s3cfg",
        ".vault-token",
    ];
    NAMES.contains(&name).then_some("passwords and tokens")
}

/// Returns `true` if the whole text of a file must be searched for a key.
pub(super) fn may_hold_key(name: &str) -> bool {
    name.ends_with(".pem")
}

/// Describes the contents of a file whose first bytes (or all of them, if [`may_hold_key`]) show a private
/// key.
pub(super) fn secret_by_content(name: &str, bytes: &[u8]) -> Option<&'static str> {
    const MARK: &[u8] = b"PRIVATE KEY";
    // A manifest of Kubernetes with such a name describes a secret; its values are placeholders or encrypted.
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
    let is_store = stem.is_some_and(|stem| NAMES.contains(&stem.to_ascii_lowercase().as_str()));
    if is_store && !holds(bytes, b"apiVersion:") && has_value(bytes, b':') {
        return Some("passwords and tokens");
    }
    // The other lines of the file, such as the address of a registry, have values that everybody may know.
    let mut lines = bytes.split(|byte| *byte == b'\n');
    if name == ".npmrc" && lines.any(|line| names_token(line) && has_value(line, b'=')) {
        return Some("passwords and tokens");
    }
    let head = behind_blanks(bytes);
    let head = &head[..head.len().min(64)];
    let found = if may_hold_key(name) {
        let text = &bytes[..bytes.len().min(LONGEST_CHAIN)];
        // Anything other than a certificate or a public key may be a private key.
        holds(text, MARK)
            || !(holds(text, b"-----BEGIN CERTIFICATE")
                || holds(text, b"-----BEGIN PUBLIC KEY")
                || holds(text, b"-----BEGIN X509 CRL")
                || holds(text, b"-----BEGIN TRUSTED CERTIFICATE"))
    } else if head.starts_with(b"-----BEGIN ") {
        holds(head, MARK)
    } else {
        // Keynote presentations also end in `.key`, and are archives.
        name.ends_with(".key") && !head.starts_with(b"PK\x03\x04")
    };
    found.then_some("a private key")
}

/// Returns `true` if a line of a `.npmrc` sets a token or a password.
fn names_token(line: &[u8]) -> bool {
    [b"_authToken".as_slice(), b"_password", b"_auth="].iter().any(|mark| holds(line, mark))
}

/// Returns `true` if a line has a value behind a sign that is not a placeholder such as `${TOKEN}` or `<token>`.
fn has_value(bytes: &[u8], sign: u8) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        // A line without the sign is an item of a list or a part of a longer text.
        let value = line.iter().position(|byte| *byte == sign).map_or(line, |at| &line[at + 1..]);
        let value = value.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let is_placeholder = [b"${".as_slice(), b"{{", b"<"].iter().any(|begin| value.starts_with(begin));
        !line.starts_with(b"#")
            && !line.starts_with(b";")
            && !value.is_empty()
            && line != b"---"
            && !is_placeholder
    })
}

/// Skips a byte order mark, empty lines and comments before a key.
fn behind_blanks(mut bytes: &[u8]) -> &[u8] {
    bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    loop {
        bytes = bytes.trim_ascii_start();
        if !bytes.starts_with(b"#") {
            return bytes;
        }
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        bytes = &bytes[end..];
    }
}

/// How many bytes of a `.pem` file are searched for a key. Any chain of certificates before the key is
/// shorter.
const LONGEST_CHAIN: usize = 64 * 1024;

fn holds(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

/// Reports a file that should not be published.
pub(super) fn secret(path: &str, what: &str) -> UnplacedProblem {
    let help = if is_hidden(path.rsplit('/').next().unwrap_or(path)) {
        format!("add the line `/{path}` to the `.skillignore` of the skill, if the file must stay there")
    } else {
        format!(
            "add the line `/{path}` to the `.skillignore` of the skill, if the file must stay there; the line \
             `!/{path}` ships it"
        )
    };
    UnplacedProblem::new(&files::SECRET_FILE, format!("`{path}` may contain {what}"), help)
        .label("it is not bundled")
        .ignore(format!("/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.3
    #[test]
    fn junk_is_recognized_by_name_and_kind() {
        for name in [".DS_Store", "a.md~", "a.swp", ".a.swp", "x.pyc", ".hidden", ".git"] {
            assert!(is_junk(name, EntryType::File, false), "{name}");
        }
        for name in ["__pycache__", "target", "node_modules", "CVS", ".git", ".svn", ".hg"] {
            assert!(is_junk(name, EntryType::Directory, false), "{name}");
        }
        assert!(!is_junk("target", EntryType::File, false), "a file of that name is not a build output");
        assert!(!is_junk("a.swp.md", EntryType::File, false));
        assert!(!is_junk("backup~", EntryType::Directory, false));
    }

    // SPEC 1.9
    #[test]
    fn backups_old_skills_and_templates_are_recognized_by_name() {
        for name in ["backup", "backups", "plugin-backups", "backup-20251108", "backups-2"] {
            assert_eq!(set_aside(name), Some("a backup"), "{name}");
        }
        for name in ["legacy", "_legacy", "skills-legacy", "archived", "_archive", "deprecated"] {
            assert_eq!(set_aside(name), Some("a directory of old skills"), "{name}");
        }
        for name in ["backup-strategy", "streaming-backup", "backup~", "legacy-code", "archive", "Legacy"] {
            assert_eq!(set_aside(name), None, "{name}");
        }
        for name in ["template", "_templates", "TEMPLATE", ".template", "skill-skeleton"] {
            assert!(is_template(name), "{name}");
        }
        assert!(!is_template("template-engine") && !is_template("email-templates"));
    }

    // SPEC 1.3
    #[test]
    fn secrets_are_recognized_by_name_or_content() {
        let files = ".env .env.local id_rsa id_ed25519 cert.p12 .server.key .id_rsa credentials Credentials.json \
                     secrets.json config.env";
        for name in files.split(' ') {
            assert!(secret_by_name(name).is_some(), "{name}");
        }
        let others = ".env.schema .env.local-example secrets.schema.json secrets.md secrets.example.json \
                      credentials.py config.example.env env .env.example .environment id_rsa.pub key.md \
                      .gitignore cert.pem";
        for name in others.split(' ') {
            assert!(secret_by_name(name).is_none(), "{name}");
        }
        let key = b"-----BEGIN RSA PRIVATE KEY-----\n";
        let both = [b"-----BEGIN CERTIFICATE-----\n".repeat(9), key.to_vec()].concat();
        for (name, bytes) in [
            ("secrets.yaml", &b"password: x\n"[..]),
            ("deploy", b"\n\r\n# for the server\n\n-----BEGIN OPENSSH PRIVATE KEY-----\n"),
            ("deploy", key),
            ("strange.pem", b"\x30\x82"),
            ("server.key", b"whatever"),
            ("both.pem", &both),
            (".npmrc", b"@a:registry=https://a.b\n//a.b/:_authToken=x1\n"),
        ] {
            assert!(secret_by_content(name, bytes).is_some(), "{name}");
        }
        for (name, bytes) in [
            ("secret.yaml", &b"apiVersion: v1\nkind: Secret\n"[..]),
            ("slides.key", b"PK\x03\x04"),
            ("public.key", b"-----BEGIN PUBLIC KEY-----"),
            ("cert.pem", b"-----BEGIN CERTIFICATE-----"),
            ("keys.md", b"# A PRIVATE KEY"),
            (".npmrc", b"@a:registry=https://a.b\n; _auth=x\n//a.b/:_authToken=${TOKEN}\n"),
        ] {
            assert!(secret_by_content(name, bytes).is_none(), "{name}");
        }
    }

    // SPEC 11.16
    #[test]
    fn the_file_systems_of_the_kernel_are_skipped() {
        for (path, is_kernel_s) in [("/proc", true), ("/sys", true), ("/dev", true), ("/proc/1", false)] {
            assert_eq!(is_kernel(Path::new(path)), is_kernel_s && cfg!(unix), "{path}");
        }
        assert!(!is_kernel(Path::new("/home/me/skills/dev")) && !is_kernel(Path::new("/devices")));
    }
}
