//! What a confined program may reach; `process/confine` has the kernel keep it (SPEC 7.1, 13.6 to 13.8).

use std::path::PathBuf;

use skills_registry::Net;

/// A confinement of one run, kept by the kernel: Linux 6.2 or later; on macOS by `sandbox-exec`.
///
/// The program and all that it starts can read [`Sandbox::readable`], [`Sandbox::writable`] and the skill's own
/// directory, write below [`Sandbox::writable`], and reach [`Sandbox::net`]. Besides, they have the workspace, or what
/// [`Sandbox::granted`] says in its place. They gain no privileges, and root has those of its files alone. Where the kernel
/// can, they also signal nobody outside.
///
/// Asked for where it cannot be had, the run is refused: exit code 126. Never does it begin unconfined.
///
/// ```
/// use skills_exec::Sandbox;
/// let sandbox = Sandbox::default().readable("/srv/models").network(true);
/// assert_eq!(sandbox.net, skills_registry::Net::All);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sandbox {
    /// Directories and files that may be read and executed. Default: the system's, such as `/usr` and parts of `/etc`,
    /// where they exist.
    pub readable: Vec<PathBuf>,
    /// Directories and files that may be written too. Default: `/dev/null`.
    pub writable: Vec<PathBuf>,
    /// Whom it reaches. Default: nobody.
    pub net: Net,
    /// What the skill asked for and the host allows (SPEC 13.6); none: the workspace, read and written. With it the program
    /// has a directory for temporary files of its own as `TMPDIR`.
    pub granted: Option<Granted>,
}

/// The paths that a skill asked for, as far as its host allows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Granted {
    /// What may be read and executed: each an [`AskedPath`](skills_registry::AskedPath).
    pub read: Vec<String>,
    /// What may be written too.
    pub write: Vec<String>,
    /// Below which directories paths from `~` and `/` count; none: all of them do.
    pub within: Option<Vec<PathBuf>>,
}

impl Sandbox {
    /// Lets a directory or a file be read and executed, besides those of before.
    #[must_use]
    pub fn readable(mut self, path: impl Into<PathBuf>) -> Self {
        self.readable.push(path.into());
        self
    }

    /// Lets a directory or a file be read and written, besides those of before.
    #[must_use]
    pub fn writable(mut self, path: impl Into<PathBuf>) -> Self {
        self.writable.push(path.into());
        self
    }

    /// Sets whether everybody may be reached, or nobody.
    #[must_use]
    pub fn network(self, network: bool) -> Self {
        Self { net: if network { Net::All } else { Net::None }, ..self }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        let existing =
            |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
        Self { readable: existing(SYSTEM), writable: existing(&["/dev/null"]), net: Net::None, granted: None }
    }
}

/// What interpreters and their libraries lie in and read. Of `/etc` and `/proc` only what has no secrets, since root would
/// read those too; and nothing of other processes.
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
