//! The text of a stub: an installed `SKILL.md` that names the command of the program that prints the skill.

use skills_registry::Skill;
use skills_registry::document::with_body;

use super::lock::Installed;
use super::request::Request;

/// How installed skills are read from the program: the command that prints a skill, and the version of the program.
///
/// ```
/// use skills_install::{InstallOptions, Stub};
/// let options = InstallOptions::new("mytool").stub(Stub::new("mytool skill").version(env!("CARGO_PKG_VERSION")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Stub {
    pub(super) command: String,
    pub(super) version: String,
}

impl Stub {
    /// Names the command that prints a skill: `COMMAND NAME` prints the text of a skill, and `COMMAND NAME FILE` prints
    /// one of its files. The commands of the crate `skills-commands` do so.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), version: String::new() }
    }

    /// Sets the version of the program, which the stub names. By default it names none.
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { version: version.into(), ..self }
    }

    /// Returns the stub to compare an installed skill with, or `None` if it is compared with a copy. A status compares
    /// each skill in the form in which it was installed.
    pub(super) fn for_skill(
        request: &Request<'_>,
        skill: Skill<'_>,
        installed: Option<&Installed>,
    ) -> Option<Self> {
        let given = request.options.stub.clone();
        let stub = match installed.filter(|_| request.is_status) {
            None => given?,
            Some(installed) => {
                let command = installed.stub.as_ref()?;
                given.unwrap_or_else(|| Self::new(command).version(&*installed.version))
            }
        };
        Some(stub.settled(skill, installed))
    }

    /// Returns the stub that was installed, if the one of this program differs from it only in the version of the
    /// program: such a stub is up to date.
    pub(super) fn settled(&self, skill: Skill<'_>, installed: Option<&Installed>) -> Self {
        let Some(installed) = installed.filter(|installed| installed.stub.as_ref() == Some(&self.command))
        else {
            return self.clone();
        };
        let old = Self::new(&*self.command).version(&*installed.version);
        let digest = hmac_sha256::Hash::hash(old.document(skill).as_bytes());
        let entry = installed.files.iter().find(|(path, _)| path == DOCUMENT);
        if entry.is_some_and(|(_, entry)| entry.digest == Some(digest)) { old } else { self.clone() }
    }

    /// Returns the text of the stub of a skill.
    pub(super) fn document(&self, skill: Skill<'_>) -> String {
        let Self { command, version } = self;
        let program = command.split(' ').next().unwrap_or(command);
        let command = match COMMANDS.contains(&skill.name()) {
            true => format!("{command} -- {}", skill.name()),
            false => format!("{command} {}", skill.name()),
        };
        // The text does not depend on the files of the skill, so that a new file leaves the stub as it is.
        let written_by = format!("{program} {version}");
        let body = format!(
            "This file is a stub. Before you use this skill, run this command and follow the text that it prints:\n\n\
             ```sh\n{command}\n```\n\n\
             If the text names a file, `{command} FILE` prints it, or for a script the path of the script.\n\n\
             <!-- Written by {}. -->\n",
            written_by.trim_end()
        );
        with_body(skill, &body)
    }
}

/// The only file of a stub.
pub(super) const DOCUMENT: &str = "SKILL.md";

/// The names of subcommands of the crate `skills-commands`. A skill with such a name needs `--` before its name.
pub const COMMANDS: [&str; 16] = [
    "call",
    "exec",
    "graph",
    "help",
    "install",
    "list",
    "mcp",
    "plugin",
    "prompt",
    "search",
    "serve",
    "show",
    "status",
    "tools",
    "uninstall",
    "version",
];
