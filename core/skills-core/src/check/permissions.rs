//! Reads the object `permissions` into [`Permissions`]; an unreadable part grants nothing.

use skills_registry::{AskedFault, AskedPath, Net, Permissions};
use skills_text::{is_digits, is_secret_name};

use crate::rule::{fields, permissions as rules};
use crate::tree::json::unwrapped;
use crate::tree::text::{is_identifier, quote};
use crate::tree::{MapEntry, Node};
use crate::{Change, Diagnostic, Report, Span, Spanned, known};

const KEYS: [&str; 4] = ["read", "write", "net", "env"];

/// How to write the object in `skill.json`.
pub(super) const MANIFEST_FORM: &str =
    r#"write it as: "permissions": { "read": ["$WORKSPACE"], "net": "none" }"#;

/// How to write it below `metadata` of a frontmatter, where the standard allows only texts as values.
const METADATA_FORM: &str =
    "write it as JSON text:\nmetadata:\n  permissions: '{\"read\": [\"$WORKSPACE\"], \"net\": \"none\"}'";

/// Reads the permissions below `metadata`: JSON text, because values of the standard are texts, or a map.
pub(super) fn in_metadata(
    metadata: &Node,
    is_confined: &mut bool,
    report: &mut Report,
) -> Option<Spanned<Permissions>> {
    // A misspelled key grants nothing, whatever its value is (SPEC 14.17).
    let misspelled = metadata.as_map().unwrap_or_default().iter().find(|entry| {
        entry.key != "permissions" && known::correction(&entry.key, &["permissions"]).is_some()
    });
    if let Some(entry) = misspelled {
        report_misspelling(entry, "permissions", "so the program may do nothing", report);
        *is_confined = true;
        return None;
    }
    let entry = metadata.entry("permissions").filter(|entry| !entry.value.is_absent())?;
    let node = &entry.value;
    if is_foreign(node) {
        *is_confined = true;
        report.push(foreign(entry));
        return None;
    }
    let value = read(&unwrapped(node), METADATA_FORM, report);
    Some(Spanned { value, span: node.span })
}

/// Returns `true` if a value is in the format of another system: a list, a word, or a map without our keys.
pub(super) fn is_foreign(node: &Node) -> bool {
    let node = unwrapped(node);
    match node.as_map() {
        Some([]) => false,
        Some(entries) => !entries.iter().any(|entry| skills_text::nearest(&entry.key, KEYS).is_some()),
        None => node.as_string().is_none_or(|text| !text.trim_start().starts_with('{')),
    }
}

/// Returns `true` if a value is a map with keys of this system only.
pub(super) fn is_ours(node: &Node) -> bool {
    let node = unwrapped(node);
    node.as_map().is_some_and(|entries| entries.iter().all(|entry| KEYS.contains(&entry.key.as_str())))
}

/// Reports permissions in the format of another system.
pub(super) fn foreign(entry: &MapEntry) -> Diagnostic {
    fields::KEY_FOREIGN
        .report_at(entry.key_span, format!("the value of `{}` is in the format of another system", entry.key))
        .label("it grants nothing here, so a program of the skill may do nothing")
        .help(METADATA_FORM)
}

/// Reports a misspelling of a restricting key.
pub(super) fn report_misspelling(entry: &MapEntry, near: &str, effect: &str, report: &mut Report) {
    let title =
        format!("unknown key `{}`, which looks like a typo of the restricting key `{near}`", entry.key);
    let found = fields::RESTRICTION_MISSPELT.report_at(entry.key_span, title);
    report.push(found.label(effect).near(near));
}

/// Reads the object. A value of another type grants nothing.
pub(super) fn read(node: &Node, form: &str, report: &mut Report) -> Permissions {
    let mut asked = Permissions::default();
    let Some(entries) = node.as_map() else {
        rules::PERMISSION_VALUE
            .report_at(node.span, format!("`permissions` must be an object, found {}", node.describe_json()))
            .label("expected `{`")
            .help(form)
            .add_to(report);
        return asked;
    };
    for entry in entries {
        let Some(key) = KEYS.into_iter().find(|known| *known == entry.key) else {
            // A misspelled key grants nothing, but faults in its value are reported too.
            if let Some(near) = unknown(entry, report).filter(|near| node.get(near).is_none()) {
                part(&mut Permissions::default(), near, entry, report);
            }
            continue;
        };
        part(&mut asked, key, entry, report);
    }
    asked
}

fn part(asked: &mut Permissions, key: &str, entry: &MapEntry, report: &mut Report) {
    match key {
        "read" => asked.read = paths(entry, "read", report),
        "write" => asked.write = paths(entry, "write", report),
        "net" => asked.net = net(entry, report),
        _ => asked.env = env(entry, report),
    }
}

fn unknown(entry: &MapEntry, report: &mut Report) -> Option<&'static str> {
    let near = skills_text::nearest(&entry.key, KEYS);
    let key = entry.key.as_str();
    let meant = if matches!(key, "network" | "hosts") { Some("net") } else { near };
    let help = match (key, meant) {
        ("exec" | "run", _) => "delete it: a program may run every file that it may read".to_owned(),
        (_, Some(meant)) => format!("change it to `{meant}`"),
        (_, None) => "use one of the keys `read`, `write`, `net` and `env`".to_owned(),
    };
    rules::PERMISSION_UNKNOWN
        .report_at(entry.key_span, format!("unknown permission `{key}`"))
        .label("no such key")
        .help(help)
        .fix(meant.map(|meant| instead(entry.key_span, key, meant).unsafe_fix()))
        .add_to(report);
    near
}

/// Reports a value that is not a list of texts.
fn wrong_list(node: &Node, key: &str, example: &str) -> Diagnostic {
    let listed = node.as_string().filter(|text| !text.is_empty()).map(|text| format!("[{}]", quote(text)));
    rules::PERMISSION_VALUE
        .report_at(node.span, format!("`{key}` must be {}, found {}", expected(key), node.describe_json()))
        .label(format!("expected {}", expected(key)))
        .help(format!("write it as: \"{key}\": {}", listed.as_deref().unwrap_or(example)))
        .fix(listed.map(|listed| Change::replace(node.span, listed).unsafe_fix()))
}

/// Returns the texts of a list, each with its node.
fn texts<'n>(entry: &'n MapEntry, key: &str, example: &str, report: &mut Report) -> Vec<(&'n str, &'n Node)> {
    let Some(items) = entry.value.as_list() else {
        report.push(wrong_list(&entry.value, key, example));
        return Vec::new();
    };
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        match item.as_string() {
            Some(text) => texts.push((text, item)),
            None => report.push(wrong_list(item, key, example)),
        }
    }
    texts
}

fn expected(key: &str) -> &'static str {
    if key == "net" { "\"none\", \"all\" or an array of hosts" } else { "an array of strings" }
}

fn paths(entry: &MapEntry, key: &str, report: &mut Report) -> Vec<String> {
    let mut paths = Vec::new();
    for (text, node) in texts(entry, key, r#"["$WORKSPACE"]"#, report) {
        match AskedPath::parse(text) {
            Ok(path) => {
                warn_if_wide(path, text, key, node, report);
                paths.push(text.to_owned());
            }
            Err(fault) => refuse_path(fault, text, node, report),
        }
    }
    paths
}

fn refuse_path(fault: AskedFault, text: &str, node: &Node, report: &mut Report) {
    let title = match fault {
        AskedFault::Empty => "an empty path grants nothing".to_owned(),
        AskedFault::Parent => format!("the path `{text}` contains `..`"),
        AskedFault::Character(c @ ('\\' | '*' | '?')) => format!("the path `{text}` contains `{c}`"),
        AskedFault::Character(_) => "the path contains a control character".to_owned(),
        AskedFault::Variable => format!("`{text}` begins with an unknown variable"),
    };
    let label = match fault {
        AskedFault::Empty => "this path is empty",
        AskedFault::Parent => "it leads out of its starting directory",
        AskedFault::Character('\\') => "parts are separated by `/`",
        AskedFault::Character('*' | '?') => "patterns are not supported",
        AskedFault::Character(_) => "in this text",
        AskedFault::Variable => "expected `$WORKSPACE`, `$TMPDIR`, `~/`, `/`, or a path below the skill",
    };
    let help = match fault {
        AskedFault::Empty => "write `.` for the directory of the skill",
        AskedFault::Parent => "write where it leads: `$WORKSPACE/…`, `~/…` or `/…`",
        AskedFault::Character('\\') => "write `/` between the parts",
        AskedFault::Character('*' | '?') => "name the directory: a path includes everything below it",
        AskedFault::Character(_) => "delete the character",
        AskedFault::Variable => "begin the path with `$WORKSPACE` or `$TMPDIR`",
    };
    let fix = fixed_path(text).map(|path| instead(node.span, text, &path).unsafe_fix());
    rules::PERMISSION_PATH.report_at(node.span, title).label(label).help(help).fix(fix).add_to(report);
}

/// Returns a change that replaces one word with another, with quotes if the old one has them.
fn instead(span: Span, old: &str, new: &str) -> Change {
    let is_plain = usize::try_from(span.end - span.start).is_ok_and(|length| length == old.len());
    if is_plain && !new.contains([':', '#', '*']) {
        Change::replace(span, new)
    } else {
        Change::string(span, new)
    }
}

/// Converts a path to the required form if its meaning is obvious.
fn fixed_path(text: &str) -> Option<String> {
    let mut path = text.replace('\\', "/").replace("${", "$").replace('}', "");
    path = match path.strip_prefix("$HOME") {
        Some(rest) => format!("~{rest}"),
        None => path,
    };
    // A path includes everything below a directory anyway.
    let plain = path.trim_end_matches(['*', '/']);
    let path = if path.ends_with('*') && !plain.is_empty() { plain.to_owned() } else { path };
    (path != text && AskedPath::parse(&path).is_ok()).then_some(path)
}

fn warn_if_wide(path: AskedPath<'_>, text: &str, key: &str, node: &Node, report: &mut Report) {
    let verb = if key == "read" { "read" } else { "change" };
    let in_skill = "put files of the skill into the skill and files of the user into `$WORKSPACE`";
    let (files, help) = match path {
        AskedPath::Root("") => {
            ("every file of this machine".to_owned(), "name the directories that the program needs")
        }
        AskedPath::Home("") => {
            let files = "all files of the user: keys, passwords, mail and every project";
            (files.to_owned(), "name the directory it needs, such as `~/.cache/pdf`")
        }
        AskedPath::Root(_) => (format!("`{text}` on every machine on which it runs"), in_skill),
        AskedPath::Home(_) => (format!("`{text}` of every user who runs it"), in_skill),
        AskedPath::Skill(_) | AskedPath::Workspace(_) | AskedPath::Tmpdir(_) => return,
    };
    let title = format!("the program may {verb} {files}");
    rules::PERMISSION_WIDE.report_at(node.span, title).label("this permission").help(help).add_to(report);
}

fn net(entry: &MapEntry, report: &mut Report) -> Net {
    match entry.value.as_string() {
        Some("none") => return Net::None,
        Some("all") => {
            let title = "the program may connect to every host, so it can send any data to anyone";
            rules::PERMISSION_WIDE
                .report_at(entry.value.span, title)
                .label("this permission")
                .help("name the hosts that the program needs: \"net\": [\"api.example.com\"]")
                .add_to(report);
            return Net::All;
        }
        _ => {}
    }
    let mut hosts = Vec::new();
    for (text, node) in texts(entry, "net", r#"["api.example.com"]"#, report) {
        if is_host(text) {
            hosts.push(text.to_owned());
            continue;
        }
        let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
        let bare = bare.split(['/', '?', '#']).next().unwrap_or_default();
        // A fix deletes only the scheme.
        let scheme = text.trim_end_matches('/').strip_suffix(bare);
        let is_fixable = is_host(bare) && scheme.is_some_and(|scheme| scheme.ends_with("://"));
        let help = match is_host(bare) {
            true => format!("write only the host: \"{bare}\""),
            false => {
                "write a name such as `api.example.com`, `*.example.com` or `example.com:8443`".to_owned()
            }
        };
        rules::PERMISSION_HOST
            .report_at(node.span, format!("`{text}` is not a host"))
            .label("expected a host")
            .help(help)
            .fix(is_fixable.then(|| instead(node.span, text, bare).unsafe_fix()))
            .add_to(report);
    }
    if hosts.is_empty() { Net::None } else { Net::Hosts(hosts) }
}

/// Returns `true` if a text is a host: `NAME`, `*.NAME` or `[IPV6]`, and `:PORT`.
fn is_host(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_name = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => host.strip_prefix("*.").unwrap_or(host).split('.').all(is_label),
    };
    let is_port =
        port.is_none_or(|port| is_digits(port) && !port.starts_with('0') && port.parse::<u16>().is_ok());
    is_name && is_port
}

/// Returns `true` if a text is a part of the name of a host.
fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn env(entry: &MapEntry, report: &mut Report) -> Vec<String> {
    let mut names = Vec::new();
    for (text, node) in texts(entry, "env", r#"["LANG"]"#, report) {
        if !is_identifier(text) {
            let bare = text.trim_start_matches('$').split('=').next().unwrap_or_default();
            let is_fixable = is_identifier(bare) && !text.contains('=');
            rules::PERMISSION_ENV
                .report_at(node.span, format!("`{text}` is not the name of a variable"))
                .label("expected letters, digits and `_`")
                .help(match bare {
                    "" => "write only the name: \"LANG\"".to_owned(),
                    bare => format!("write only the name, without `$`, `=` or `*`: \"{bare}\""),
                })
                .fix(is_fixable.then(|| instead(node.span, text, bare).unsafe_fix()))
                .add_to(report);
            continue;
        }
        if is_secret_name(text) {
            rules::PERMISSION_SECRET
                .report_at(node.span, format!("the program requests `{text}`, which looks like a secret"))
                .label("the author of the skill can read its value")
                .help("explain in the description why it is needed, and list in `net` the servers it is sent to")
                .add_to(report);
        }
        names.push(text.to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::is_host;

    // SPEC 13.3
    #[test]
    fn hosts_are_names_and_addresses_with_ports() {
        for host in
            ["example.com", "*.example.com", "localhost:8080", "10.0.0.1", "[::1]", "[::1]:443", "a_b.c"]
        {
            assert!(is_host(host), "{host}");
        }
        let others = "|*|a.*.b|https://a.b|a.b/c|a.b:|a:0|a:65536|a:+80|::1|[x]|a..b|-a|a b";
        for text in others.split('|') {
            assert!(!is_host(text), "{text}");
        }
    }
}
