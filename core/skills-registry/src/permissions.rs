//! The permissions that a skill requests: their type and its column.

use crate::rows::{Cell, TableWriter, Texts, TooLarge};
use crate::tables::Tables;
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
        let net = match &self.net {
            Net::None => string("none"),
            Net::All => string("all"),
            Net::Hosts(hosts) => strings(hosts),
        };
        object([
            ("read", strings(&self.read)),
            ("write", strings(&self.write)),
            ("net", net),
            ("env", strings(&self.env)),
        ])
    }
}

fn strings(items: &[String]) -> Node {
    array(items.iter().map(string))
}

/// The first word is 0 without permissions, 1 with the hosts that follow, and 2 with all hosts. Then the lists follow.
impl Cell for Option<Permissions> {
    const WIDTH: u32 = 1 + 4 * <Vec<String>>::WIDTH;
    type Value<'t> = Self;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        let Some(asked) = self else {
            Self::write_absent(row);
            return Ok(());
        };
        let hosts = if let Net::Hosts(hosts) = &asked.net { hosts.as_slice() } else { &[] };
        row.push(if asked.net == Net::All { 2 } else { 1 });
        for items in [&asked.read, &asked.write, hosts, &asked.env] {
            row.extend(writer.list(items)?.0);
        }
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Self {
        if tables.word(at) == 0 {
            return None;
        }
        let [read, write, hosts, env] = [1, 3, 5, 7].map(|offset| {
            let texts: Texts<'_> = <Vec<String>>::read(tables, at.saturating_add(offset));
            texts.map(str::to_owned).collect::<Vec<_>>()
        });
        let net = match tables.word(at) {
            1 if hosts.is_empty() => Net::None,
            1 => Net::Hosts(hosts),
            _ => Net::All,
        };
        Some(Permissions { read, write, net, env })
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
