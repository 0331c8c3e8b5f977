//! Selects the environment variables of the host that a skill may see.

use std::ffi::{OsStr, OsString};

/// The variables that every skill gets by default.
pub const DEFAULT_NAMES: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// The environment variables of a program, without the variables that describe the skill and its run.
///
/// Only listed variables are passed on, so a secret reaches a program only if it is named.
///
/// ```
/// use skills_exec::Environment;
/// let host = [("PATH", "/bin"), ("API_KEY", "s3cret"), ("PROXY", "none")];
/// let host = host.map(|(name, value)| (name.into(), value.into()));
/// let environment = Environment::from_variables(host, ["PROXY"]);
/// assert_eq!(environment.get("PATH"), Some("/bin".as_ref()));
/// assert_eq!(environment.get("PROXY"), Some("none".as_ref()));
/// assert_eq!(environment.get("API_KEY"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    /// Creates an environment without variables.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Takes the variables in [`DEFAULT_NAMES`] and `allowed` from `host` (usually [`std::env::vars_os`]).
    ///
    /// A host that is itself part of a run passes on the id of that run as `SKILL_RUN_PARENTS`: when the
    /// outer run ends, the inner runs end too.
    pub fn from_variables<'a>(
        host: impl IntoIterator<Item = (OsString, OsString)>,
        allowed: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let allowed: Vec<&str> = allowed.into_iter().chain(DEFAULT_NAMES).collect();
        let mut environment = Self::empty();
        let mut parents: Vec<OsString> = Vec::new();
        for (name, value) in host {
            if name == "SKILL_RUN_ID" || name == "SKILL_RUN_PARENTS" {
                parents.push(value);
            } else if allowed.iter().any(|allowed| name == *allowed) {
                environment.set(name, value);
            }
        }
        if !parents.is_empty() {
            environment.set("SKILL_RUN_PARENTS", parents.join(OsStr::new(":")));
        }
        environment
    }

    /// Sets a variable and overrides the value of the host.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        let name = name.into();
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value.into()));
    }

    /// Returns the value of a variable.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        let name = name.as_ref();
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Walks the variables.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}
