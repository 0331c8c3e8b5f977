//! Selects the part of the host's environment that a skill may see.

use std::ffi::{OsStr, OsString};

/// The variables that pass to a skill without being asked for (SPEC 7.1).
pub const DEFAULT_NAMES: [&str; 5] = ["PATH", "HOME", "LANG", "TZ", "TMPDIR"];

/// The variables that every program gets, besides those about the skill and its run.
///
/// Everything else stays behind, so a secret is passed on only by name.
///
/// ```
/// use skills_exec::Environment;
/// let host = [("PATH", "/bin"), ("API_KEY", "s3cret"), ("PROXY", "none")];
/// let host = host.map(|(name, value)| (name.into(), value.into()));
/// let environment = Environment::of(host, ["PROXY"]);
/// assert_eq!(environment.get("PATH"), Some("/bin".as_ref()));
/// assert_eq!(environment.get("PROXY"), Some("none".as_ref()));
/// assert_eq!(environment.get("API_KEY"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    /// Makes an environment without variables.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Takes from `host` (a program passes [`std::env::vars_os`]) the [`DEFAULT_NAMES`] and those in `allowed`.
    ///
    /// A host that is itself part of a run passes that run's id on, as `SKILL_RUN_PARENTS`: when the outer run
    /// ends, so do those inside.
    pub fn of<'a>(
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

    /// Sets one variable, whatever the host's own is.
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
