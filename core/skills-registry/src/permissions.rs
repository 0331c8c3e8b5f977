//! The permissions that a skill requests: their type, their columns and the method of the handle.

use crate::layout::{flag, skill};
use crate::list::Texts;
use crate::skill::Skill;
use skills_text::push_quoted;

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
        let mut out = String::from("{\"read\":");
        push_list(&mut out, &self.read);
        out.push_str(",\"write\":");
        push_list(&mut out, &self.write);
        out.push_str(",\"net\":");
        match &self.net {
            Net::None => out.push_str("\"none\""),
            Net::All => out.push_str("\"all\""),
            Net::Hosts(hosts) => push_list(&mut out, hosts),
        }
        out.push_str(",\"env\":");
        push_list(&mut out, &self.env);
        out.push('}');
        out
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

fn push_list(out: &mut String, items: &[String]) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push_quoted(out, item);
    }
    out.push(']');
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
