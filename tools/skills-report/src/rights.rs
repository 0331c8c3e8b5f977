//! Compares the permissions of a skill with those of another version.
//!
//! `update`, `trust` and `plugin check` use the same comparison and the same words.

use std::collections::{BTreeMap, BTreeSet};

use skills_registry::{AskedPath, Net, Permissions, host_covers};
use skills_schema::json::{self, Node};

/// One entry of `permissions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    /// The key: `read`, `write`, `net` or `env`.
    pub key: &'static str,
    /// The path, the host, `all`, or the name of a variable.
    pub value: String,
}

impl Right {
    /// Returns `true` if this right includes the other one.
    fn covers(&self, other: &Self) -> bool {
        match (self.key, other.key) {
            ("read" | "write", "read") | ("write", "write") => {
                let paths = (AskedPath::parse(&self.value), AskedPath::parse(&other.value));
                matches!(paths, (Ok(path), Ok(other)) if path.covers(other))
            }
            ("net", "net") if self.value == "all" => true,
            ("net", "net") => other.value != "all" && host_covers(&self.value, &other.value),
            ("env", "env") => self.value == other.value,
            _ => false,
        }
    }

    /// Returns `true` if every program has the right.
    fn is_always(&self) -> bool {
        let path = AskedPath::parse(&self.value);
        match self.key {
            "read" => matches!(path, Ok(AskedPath::Skill(_) | AskedPath::Tmpdir(_))),
            "write" => matches!(path, Ok(AskedPath::Tmpdir(_))),
            _ => false,
        }
    }

    /// Describes the action that the right allows, such as ``reads `data` ``.
    fn action(&self) -> String {
        match (self.key, self.value.as_str()) {
            ("read", path) => format!("reads `{path}`"),
            ("write", path) => format!("writes `{path}`"),
            ("net", "all") => "connects to every host".to_owned(),
            ("net", host) => format!("connects to {host}"),
            (_, name) => format!("receives the variable `{name}`"),
        }
    }
}

/// Returns the entries of permissions, in the order of the keys.
pub fn list(permissions: &Permissions) -> Vec<Right> {
    let all = ["all".to_owned()];
    let hosts = match &permissions.net {
        Net::None => &[][..],
        Net::Hosts(hosts) => hosts,
        Net::All => &all,
    };
    let parts: [(_, &[String]); 4] = [
        ("read", &permissions.read),
        ("write", &permissions.write),
        ("net", hosts),
        ("env", &permissions.env),
    ];
    let rights = parts
        .into_iter()
        .flat_map(|(key, values)| values.iter().map(move |value| Right { key, value: value.clone() }));
    rights.collect()
}

/// Returns the rights of `asked` that `allowed` does not include.
pub fn beyond(allowed: &Permissions, asked: &Permissions) -> Vec<Right> {
    let allowed = list(allowed);
    let is_new = |right: &Right| !right.is_always() && !allowed.iter().any(|other| other.covers(right));
    list(asked).into_iter().filter(is_new).collect()
}

/// Describes how the permissions of a skill changed from one version to another, one change in each text: `now also
/// connects to api.example.com`. `None` stands for a skill that lists no permissions.
pub fn changes(old: Option<&Permissions>, new: Option<&Permissions>) -> Vec<String> {
    let none = Permissions::default();
    let (before, after) = (old.unwrap_or(&none), new.unwrap_or(&none));
    let more = beyond(before, after).into_iter().map(|right| format!("now also {}", right.action()));
    let less = beyond(after, before).into_iter().map(|right| format!("no longer {}", right.action()));
    let mut changes: Vec<String> = more.collect();
    match (old, new) {
        (Some(_), None) => {
            changes.push(
                "no longer lists permissions, so its program is not confined if the skill is trusted"
                    .to_owned(),
            );
        }
        _ => changes.extend(less),
    }
    changes
}

/// Describes how the permissions of several skills changed, each change with the name of its skill. The maps contain
/// the permissions as JSON, by the names of the skills. A skill that lists no permissions is missing from a map.
pub fn changes_of_skills(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let of = |all: &BTreeMap<String, String>, name: &String| all.get(name).and_then(|text| parse(text));
    let lines = names.into_iter().flat_map(|name| {
        let changes = changes(of(old, name).as_ref(), of(new, name).as_ref());
        changes.into_iter().map(move |change| format!("`{name}` {change}"))
    });
    lines.collect()
}

/// Reads permissions as [`Permissions::to_json`] writes them. Invalid parts request nothing.
pub fn parse(text: &str) -> Option<Permissions> {
    let node = json::parse(text).ok()?;
    let texts = |key: &str| -> Vec<String> {
        let items = node.get(key).map(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::as_str).map(str::to_owned).collect()
    };
    let hosts = texts("net");
    let net = match node.get("net").and_then(Node::as_str) {
        Some("all") => Net::All,
        _ if hosts.is_empty() => Net::None,
        _ => Net::Hosts(hosts),
    };
    Some(Permissions { read: texts("read"), write: texts("write"), net, env: texts("env") })
}

#[cfg(test)]
mod tests {
    use super::{changes, parse};

    fn between(old: &str, new: &str) -> Vec<String> {
        let read = |text: &str| (!text.is_empty()).then(|| parse(text).expect("JSON"));
        changes(read(old).as_ref(), read(new).as_ref())
    }

    // SPEC 13.23
    #[test]
    fn changes_are_described_for_a_user() {
        assert_eq!(
            between(r#"{"net":["a.example"]}"#, r#"{"net":["a.example","api.example.com"]}"#),
            ["now also connects to api.example.com"]
        );
        assert_eq!(
            between(r#"{"read":["$WORKSPACE/a"]}"#, r#"{"write":["$WORKSPACE"],"env":["X"],"net":"all"}"#),
            [
                "now also writes `$WORKSPACE`",
                "now also connects to every host",
                "now also receives the variable `X`"
            ]
        );
        assert_eq!(
            between(r#"{"read":["~"],"net":["*.a.example"]}"#, r#"{"read":["~/.x"],"net":["b.a.example"]}"#),
            ["no longer reads `~`", "no longer connects to *.a.example"]
        );
        assert_eq!(between("", r#"{"read":["data","$TMPDIR"]}"#), [""; 0]);
        let unlisted = "no longer lists permissions, so its program is not confined if the skill is trusted";
        assert_eq!(between(r#"{"read":["~"]}"#, ""), [unlisted]);
    }
}
