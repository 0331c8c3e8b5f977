//! The access of a confined program. `process/confine` makes the kernel enforce it.

use std::path::PathBuf;
use std::sync::LazyLock;

use skills_registry::Net;

/// The confinement of a run, enforced by the kernel on Linux 6.2 or later. Other systems have no sandbox.
///
/// The program and its child processes can read [`Sandbox::readable`], [`Sandbox::writable`] and the
/// directory of the skill, write below [`Sandbox::writable`], and reach [`Sandbox::net`]. They also have
/// access to the workspace, or to [`Sandbox::granted`] instead. They gain no privileges, and root keeps only
/// its rights on files. If the kernel supports it, they cannot signal processes outside the sandbox.
///
/// If this system cannot enforce the sandbox, the run fails with exit code 126. It never starts unconfined.
///
/// ```
/// use skills_exec::Sandbox;
/// let sandbox = Sandbox::default().readable("/srv/models").network(true);
/// assert_eq!(sandbox.net, skills_registry::Net::All);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sandbox {
    /// Directories and files that may be read and executed. Default: the system's, such as `/usr` and parts
    /// of `/etc`, if they existed when this process first needed them.
    pub readable: Vec<PathBuf>,
    /// Directories and files that may be read and written. Default: `/dev/null`.
    pub writable: Vec<PathBuf>,
    /// The hosts that the program may connect to. Default: none.
    pub net: Net,
    /// The paths that the skill asked for and the host allows. The program then has its own directory for
    /// temporary files as `TMPDIR`. `None` grants read and write access to the workspace.
    pub granted: Option<Granted>,
}

/// The paths that a skill asked for and its host allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Granted {
    /// Paths that may be read and executed, each an [`AskedPath`](skills_registry::AskedPath).
    pub read: Vec<String>,
    /// Paths that may be read and written.
    pub write: Vec<String>,
    /// The directories below which paths that start with `~` or `/` are allowed. `None` allows all of these
    /// paths.
    pub within: Option<Vec<PathBuf>>,
}

impl Sandbox {
    /// Adds a directory or file that may be read and executed.
    #[must_use]
    pub fn readable(mut self, path: impl Into<PathBuf>) -> Self {
        self.readable.push(path.into());
        self
    }

    /// Adds a directory or file that may be read and written.
    #[must_use]
    pub fn writable(mut self, path: impl Into<PathBuf>) -> Self {
        self.writable.push(path.into());
        self
    }

    /// Allows or denies all network access.
    #[must_use]
    pub fn network(self, network: bool) -> Self {
        Self { net: if network { Net::All } else { Net::None }, ..self }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        // The paths are looked up only once, because each costs a system call, and every runner and context
        // has a sandbox.
        static EXISTING: LazyLock<[Vec<PathBuf>; 2]> = LazyLock::new(|| {
            [SYSTEM, &["/dev/null"]]
                .map(|paths| paths.iter().map(PathBuf::from).filter(|path| path.exists()).collect())
        });
        let [readable, writable] = EXISTING.clone();
        Self { readable, writable, net: Net::None, granted: None }
    }
}

/// The paths that interpreters and their libraries need. `/etc` and `/proc` are limited to files without
/// secrets, because root could read all of them. Nothing about other processes is included.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr",
    "/opt",
    "/nix/store",
    "/run/current-system/sw",
    "/System",
    "/Library/Frameworks",
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/java-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/ca-trust/extracted/pem",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/openssl.cnf",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];
