//! The permissions that a skill requests: their type, their columns and the method of the handle.

use crate::layout::{flag, skill};
use crate::list::Texts;
use crate::skill::Skill;
use skills_text::json::Node;
use skills_text::json::make::{array, object, string};

/// The permissions that a skill requests for its program. The program gets only the permissions that the host
/// allows as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Paths to read: each an [`AskedPath`](crate::AskedPath), including everything below it.
    pub read: Vec<String>,
    /// Paths to read and write: each an [`AskedPath`](crate::AskedPath), including everything below it.
    pub write: Vec<String>,
    /// The hosts it may connect to. Empty by default.
    pub net: Net,
    /// The names of the host's environment variables that are passed on.
    pub env: Vec<String>,
}

/// The hosts that a program may connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Net {
    /// No host.
    #[default]
    None,
    /// These hosts: a name, `*.` followed by a name, or an address. Without `:PORT`, ports 80 and 443 are
    /// allowed.
    Hosts(Vec<String>),
    /// Any host.
    All,
}

impl Permissions {
    /// Returns the columns, each with its position in the row.
    pub(crate) fn columns(&self) -> [(u32, &[String]); 4] {
        let hosts = if let Net::Hosts(hosts) = &self.net { hosts.as_slice() } else { &[] };
        [
            (skill::READ, &self.read),
            (skill::WRITE, &self.write),
            (skill::HOSTS, hosts),
            (skill::ENV, &self.env),
        ]
    }

    /// Returns the bits for the flags of a skill.
    pub(crate) fn flags(&self) -> u32 {
        flag::PERMISSIONS | if self.net == Net::All { flag::NET_ALL } else { 0 }
    }

    /// Formats the permissions as in `skill.json`: a JSON object with all four keys on one line.
    ///
    /// ```
    /// use skills_registry::{Net, Permissions};
    /// let asked = Permissions { read: vec!["$WORKSPACE".into()], net: Net::All, ..Permissions::default() };
    /// assert_eq!(asked.to_json(), r#"{"read":["$WORKSPACE"],"write":[],"net":"all","env":[]}"#);
    /// ```
    pub fn to_json(&self) -> String {
        self.to_node().one_line()
    }

    /// Returns the JSON object of [`to_json`](Self::to_json).
    pub fn to_node(&self) -> Node {
        let list = |items: &[String]| array(items.iter().map(string));
        let net = match &self.net {
            Net::None => string("none"),
            Net::All => string("all"),
            Net::Hosts(hosts) => list(hosts),
        };
        object([
            ("read", list(&self.read)),
            ("write", list(&self.write)),
            ("net", net),
            ("env", list(&self.env)),
        ])
    }
}

/// Returns `true` if a host of [`Net::Hosts`] matches every name and port that another one matches.
///
/// ```
/// use skills_registry::host_covers;
/// assert!(host_covers("*.example.com", "api.example.com:443"));
/// assert!(!host_covers("example.com", "example.com:8443"));
/// ```
pub fn host_covers(pattern: &str, host: &str) -> bool {
    let ((name, port), (host, of)) = (split_port(pattern), split_port(host));
    let name_fits = name.eq_ignore_ascii_case(host)
        || name.strip_prefix('*').is_some_and(|end| {
            host.len() > end.len()
                && host.get(host.len() - end.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        });
    // A pattern without a port means ports 80 and 443.
    name_fits && (port == of || (port.is_none() && matches!(of, Some(80 | 443))))
}

fn split_port(text: &str) -> (&str, Option<u16>) {
    match text.rsplit_once(':') {
        Some((host, port)) if !text.ends_with(']') => (host, port.parse().ok()),
        _ => (text, None),
    }
}

impl Skill<'_> {
    /// Returns the permissions that the skill requests, or `None` if it does not declare any.
    pub fn permissions(self) -> Option<Permissions> {
        let flags = self.flags();
        let list = |at| self.texts(at).map(str::to_owned).collect::<Vec<_>>();
        let hosts: Texts<'_> = self.texts(skill::HOSTS);
        (flags & flag::PERMISSIONS != 0).then(|| Permissions {
            read: list(skill::READ),
            write: list(skill::WRITE),
            net: match (flags & flag::NET_ALL != 0, hosts.len()) {
                (true, _) => Net::All,
                (_, 0) => Net::None,
                _ => Net::Hosts(list(skill::HOSTS)),
            },
            env: list(skill::ENV),
        })
    }
}
