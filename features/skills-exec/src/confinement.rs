//! The policy of a host for programs, and how it combines with the permissions of a skill into a sandbox for
//! a run.

use std::ffi::OsString;
use std::path::PathBuf;

use skills_registry::{AskedPath, Net, Permissions, host_covers};
use skills_text::is_secret_name;

use super::{DEFAULT_NAMES, Environment, Granted, Limits, Sandbox};
use skills_runtime::__setters as setters;

/// Decides when a program is confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confine {
    /// Never.
    #[default]
    Off,
    /// Confines a program if its skill declares permissions or its files are not trusted. If this system
    /// cannot confine programs, trusted programs run unconfined.
    Auto,
    /// Always. If this system cannot confine programs, none is run.
    Require,
}

skills_text::__named!(Confine, "word for when to confine", { Auto = "auto", Require = "require", Off = "off" });

/// The access that programs may have to the workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkspaceAccess {
    /// No access.
    None,
    /// Read access.
    Read,
    /// Read and write access.
    #[default]
    Write,
}

/// The policy of a host for programs. A program gets a permission if its skill asks for it and the policy
/// allows it.
///
/// ```
/// use skills_registry::Net;
/// use skills_exec::{Confinement, WorkspaceAccess};
/// let policy = Confinement::require().workspace(WorkspaceAccess::Read).net(Net::Hosts(vec!["*.example.com".into()]));
/// assert_eq!(policy.net, Net::Hosts(vec!["*.example.com".into()]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Confinement {
    /// When programs are confined. Default: never.
    pub confine: Confine,
    /// The access of every confined program, independent of its skill. Default: the system's directories.
    pub base: Sandbox,
    /// The maximum access of a skill to the workspace. Default: everything it asks for.
    pub workspace: WorkspaceAccess,
    /// The directories below which a skill may get paths that start with `~` or `/`. `None`, the default,
    /// allows all paths that it asks for.
    pub within: Option<Vec<PathBuf>>,
    /// The maximum network access of a skill. Default: all hosts it asks for.
    pub net: Net,
    /// The variables that a confined program gets if its skill asks for them by name, in addition to the
    /// variables of its environment. Default: none.
    pub offered: Environment,
    /// The variables that every program gets in addition to its environment, confined or not, even if its skill
    /// does not ask for them. Default: none.
    pub passed: Environment,
    /// The resource limits of each process, confined or not. Default: no limits.
    pub limits: Limits,
}

impl Confinement {
    /// Returns a policy that confines no program.
    pub fn off() -> Self {
        Self {
            confine: Confine::Off,
            base: Sandbox::default(),
            workspace: WorkspaceAccess::default(),
            within: None,
            net: Net::All,
            offered: Environment::empty(),
            passed: Environment::empty(),
            limits: Limits::default(),
        }
    }

    /// Returns a policy that confines the programs of skills that declare permissions, and of untrusted
    /// skills.
    pub fn auto() -> Self {
        Self::off().confine(Confine::Auto)
    }

    /// Returns a policy that confines every program, and runs none if this system cannot confine programs.
    pub fn require() -> Self {
        Self::off().confine(Confine::Require)
    }

    setters! {
        /// Sets when programs are confined.
        confine(confine: Confine) => confine = confine;
        /// Sets the access of every confined program, independent of its skill.
        base(base: Sandbox) => base = base;
        /// Sets the maximum access of a skill to the workspace.
        workspace(workspace: WorkspaceAccess) => workspace = workspace;
        /// Allows skills paths that start with `~` or `/` only below these directories.
        within(directories: impl IntoIterator<Item = impl Into<PathBuf>>) =>
            within = Some(directories.into_iter().map(Into::into).collect());
        /// Sets the maximum network access of a skill.
        net(net: Net) => net = net;
        /// Sets the resource limits of each process.
        limits(limits: Limits) => limits = limits;
    }

    /// Offers the variables of `host` (usually [`std::env::vars_os`]) to skills that ask for them by name. A
    /// variable whose name looks like a secret is offered only if it is in `named`.
    pub fn offer<'a>(
        mut self,
        host: impl IntoIterator<Item = (OsString, OsString)>,
        named: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let named: Vec<&str> = named.into_iter().collect();
        for (name, value) in host {
            if name.to_str().is_some_and(|name| !is_secret_name(name) || named.contains(&name)) {
                self.offered.set(name, value);
            }
        }
        self
    }

    /// Passes a variable to every program, confined or not.
    pub fn pass(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.passed.set(name, value);
        self
    }

    /// Returns the reason why this system cannot confine programs, or `None` if it can.
    pub fn unavailable() -> Option<String> {
        super::confinement_unavailable()
    }

    /// Returns the sandbox of a run and the environment of its program, or `None` if the program is not
    /// confined.
    pub(super) fn sandbox(
        &self,
        asked: Option<Permissions>,
        trusted: bool,
        environment: &Environment,
    ) -> Option<(Sandbox, Environment)> {
        match self.confine {
            Confine::Off => return None,
            Confine::Auto if trusted && (asked.is_none() || Self::unavailable().is_some()) => return None,
            Confine::Auto | Confine::Require => {}
        }
        let asked = asked.unwrap_or_default();
        let environment = self.environment(&asked, environment);
        let granted = self.grant(&asked);
        let sandbox =
            Sandbox { net: narrow(&asked.net, &self.net), granted: Some(granted), ..self.base.clone() };
        Some((sandbox, environment))
    }

    /// Returns the requested paths that the policy allows.
    fn grant(&self, asked: &Permissions) -> Granted {
        let mut granted =
            Granted { read: asked.read.clone(), write: asked.write.clone(), within: self.within.clone() };
        if self.workspace < WorkspaceAccess::Write {
            let written: Vec<String> = granted.write.extract_if(.., |path| is_workspace(path)).collect();
            granted.read.extend(written);
        }
        if self.workspace < WorkspaceAccess::Read {
            granted.read.retain(|path| !is_workspace(path));
        }
        granted
    }

    fn environment(&self, asked: &Permissions, given: &Environment) -> Environment {
        let mut environment = Environment::empty();
        for (name, value) in given.iter() {
            // `SKILL_RUN_PARENTS`, by which runs find their parents, is passed on too: only the engine sets
            // it.
            if DEFAULT_NAMES.iter().any(|known| name == *known) || name == "SKILL_RUN_PARENTS" {
                environment.set(name, value);
            }
        }
        for name in &asked.env {
            if let Some(value) = given.get(name).or_else(|| self.offered.get(name)) {
                environment.set(name, value);
            }
        }
        environment
    }
}

impl Default for Confinement {
    fn default() -> Self {
        Self::off()
    }
}

/// Returns `true` if a requested path lies in the workspace.
fn is_workspace(path: &str) -> bool {
    matches!(AskedPath::parse(path), Ok(AskedPath::Workspace(_)))
}

/// Returns the hosts that both `asked` and `allowed` permit.
fn narrow(asked: &Net, allowed: &Net) -> Net {
    match (asked, allowed) {
        (Net::None, _) | (_, Net::None) => Net::None,
        (asked, Net::All) => asked.clone(),
        (Net::All, allowed) => allowed.clone(),
        (Net::Hosts(asked), Net::Hosts(allowed)) => {
            let narrower =
                asked.iter().filter(|host| allowed.iter().any(|pattern| host_covers(pattern, host)));
            // The policy may allow only a single name that matches a requested `*.example.com`.
            let inner = allowed.iter().filter(|host| {
                !asked.contains(host) && asked.iter().any(|pattern| host_covers(pattern, host))
            });
            let both: Vec<String> = narrower.chain(inner).cloned().collect();
            if both.is_empty() { Net::None } else { Net::Hosts(both) }
        }
    }
}

/// Returns `true` if one of the host patterns matches the name and the port.
#[cfg(any(test, target_os = "linux"))]
pub(super) fn is_among(hosts: &[String], name: &str, port: u16) -> bool {
    hosts.iter().any(|pattern| host_covers(pattern, &format!("{name}:{port}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(hosts: &[&str]) -> Net {
        Net::Hosts(hosts.iter().map(|host| (*host).to_owned()).collect())
    }

    // SPEC 13.3, 13.6
    #[test]
    fn granted_hosts_are_the_intersection() {
        let two = hosts(&["a.example", "*.b.example:8443"]);
        assert_eq!(narrow(&two, &Net::All), two);
        assert_eq!(narrow(&Net::All, &two), two);
        assert_eq!(narrow(&two, &Net::None), Net::None);
        assert_eq!(narrow(&two, &hosts(&["a.example:443"])), hosts(&["a.example:443"]));
        assert_eq!(narrow(&two, &hosts(&["x.b.example:8443"])), hosts(&["x.b.example:8443"]));
        assert_eq!(narrow(&two, &hosts(&["c.example"])), Net::None);
        let Net::Hosts(list) = two else { panic!() };
        for (name, port, is) in [
            ("a.example", 443, true),
            ("A.EXAMPLE", 80, true),
            ("a.example", 22, false),
            ("x.a.example", 443, false),
            ("x.b.example", 8443, true),
            ("b.example", 8443, false),
            ("xb.example", 8443, false),
            ("x.b.example", 443, false),
        ] {
            assert_eq!(is_among(&list, name, port), is, "{name}:{port}");
        }
        assert!(is_among(&["[::1]:80".to_owned()], "[::1]", 80));
    }

    // SPEC 13.5, 13.6, 13.9
    #[test]
    fn granted_permissions_are_the_intersection() {
        let asked = Permissions {
            read: vec!["$WORKSPACE".into(), "data".into()],
            write: vec!["$WORKSPACE/out".into(), "$TMPDIR".into()],
            net: Net::All,
            env: ["LANG", "GIVEN", "OFFERED", "A_TOKEN", "ABSENT"].map(str::to_owned).to_vec(),
        };
        let mut given = Environment::empty();
        for name in ["PATH", "GIVEN", "UNASKED"] {
            given.set(name, "x");
        }
        let host = ["OFFERED", "A_TOKEN", "B_TOKEN"].map(|name| (name.into(), "y".into()));
        let policy = Confinement::require().offer(host.clone(), []);
        let (sandbox, environment) = policy.sandbox(Some(asked.clone()), true, &given).unwrap();
        let granted = sandbox.granted.unwrap();
        assert_eq!((granted.read, granted.write), (asked.read.clone(), asked.write.clone()));
        let names: Vec<_> = environment.iter().map(|(name, _)| name.to_str().unwrap().to_owned()).collect();
        assert_eq!(names, ["PATH", "GIVEN", "OFFERED"]);
        let named = Confinement::require().offer(host, ["A_TOKEN"]);
        assert!(named.sandbox(Some(asked.clone()), true, &given).unwrap().1.get("A_TOKEN").is_some());

        for (access, read, write) in [
            (WorkspaceAccess::Read, vec!["$WORKSPACE", "data", "$WORKSPACE/out"], vec!["$TMPDIR"]),
            (WorkspaceAccess::None, vec!["data"], vec!["$TMPDIR"]),
        ] {
            let granted = policy.clone().workspace(access).grant(&asked);
            assert_eq!(
                (granted.read, granted.write),
                (
                    read.iter().map(|p| (*p).to_owned()).collect(),
                    write.iter().map(|p| (*p).to_owned()).collect()
                )
            );
        }

        let none = Environment::empty();
        assert!(Confinement::off().sandbox(Some(asked.clone()), false, &none).is_none());
        assert!(Confinement::auto().sandbox(None, true, &none).is_none());
        assert!(Confinement::auto().sandbox(None, false, &none).is_some());
        assert!(Confinement::require().sandbox(None, true, &none).is_some());
        // SPEC 13.14: only Linux has a sandbox
        let is_confined = Confinement::auto().sandbox(Some(asked), true, &none).is_some();
        assert_eq!(is_confined, Confinement::unavailable().is_none());
        assert!(cfg!(target_os = "linux") || !is_confined);
    }
}
