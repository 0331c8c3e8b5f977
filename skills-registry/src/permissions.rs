//! What a skill asks to be allowed: its type, its columns and what a handle answers (SPEC 13.1).

use crate::layout::{flag, skill};
use crate::list::Texts;
use crate::quote::push_quoted;
use crate::skill::Skill;

/// What the program of a skill asks for. It gets of this what the host allows too, and nothing else (SPEC 13.1, 13.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// What it reads: each an [`AskedPath`](crate::AskedPath), with all below it.
    pub read: Vec<String>,
    /// What it reads and writes: each an [`AskedPath`](crate::AskedPath), with all below it.
    pub write: Vec<String>,
    /// Whom it reaches. Nothing unless it says so.
    pub net: Net,
    /// The variables of the host's environment that it sees.
    pub env: Vec<String>,
}

/// Whom a program reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Net {
    /// Nobody.
    #[default]
    None,
    /// These hosts: a name, `*.` and a name, or an address; `:PORT` may follow, else 80 and 443 are meant.
    Hosts(Vec<String>),
    /// Everybody.
    All,
}

impl Permissions {
    /// Returns the columns, each with its place in the row.
    pub(crate) fn columns(&self) -> [(u32, &[String]); 4] {
        let hosts = if let Net::Hosts(hosts) = &self.net { hosts.as_slice() } else { &[] };
        [
            (skill::READ, &self.read),
            (skill::WRITE, &self.write),
            (skill::HOSTS, hosts),
            (skill::ENV, &self.env),
        ]
    }

    /// Returns the bits of the flags of a skill.
    pub(crate) fn flags(&self) -> u32 {
        flag::PERMISSIONS | if self.net == Net::All { flag::NET_ALL } else { 0 }
    }

    /// Writes it as the JSON object of a `skill.json`, all four keys in one line.
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
    /// Returns what the skill asks to be allowed; nothing when it does not say (SPEC 13.1).
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
