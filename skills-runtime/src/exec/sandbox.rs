//! What a confined program may reach; `command` confines the thread that starts it (SPEC 7.1, 12.3, 12.4).

use std::path::PathBuf;

/// A confinement of one run, kept by the kernel: Linux 6.2 or later, feature `sandbox`.
///
/// The program and all that it starts can read [`Sandbox::readable`], [`Sandbox::writable`] and the skill's own
/// directory, write below [`Sandbox::writable`] and the workspace, and make no socket unless [`Sandbox::network`].
/// They gain no privileges (setuid programs run without). Where the kernel can, they also signal nobody outside.
///
/// Asked for where it cannot be had, the run is refused: exit code 126. Never does it begin unconfined.
///
/// ```
/// use skills_runtime::exec::Sandbox;
/// let sandbox = Sandbox::default().readable("/srv/models").network(true);
/// assert!(sandbox.network);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sandbox {
    /// Directories and files that may be read and executed. Default: the system's, such as `/usr` and `/etc`, where
    /// they exist.
    pub readable: Vec<PathBuf>,
    /// Directories and files that may be written too, besides the workspace. Default: `/dev/null`.
    pub writable: Vec<PathBuf>,
    /// Whether sockets may be made. Default: false.
    pub network: bool,
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

    /// Sets whether sockets may be made.
    #[must_use]
    pub fn network(self, network: bool) -> Self {
        Self { network, ..self }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        let existing =
            |paths: &[&str]| paths.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
        Self {
            readable: existing(&[
                "/bin",
                "/sbin",
                "/lib",
                "/lib32",
                "/lib64",
                "/usr",
                "/etc",
                "/opt",
                "/nix/store",
                "/proc",
                "/run/current-system",
                "/dev/zero",
                "/dev/random",
                "/dev/urandom",
            ]),
            writable: existing(&["/dev/null"]),
            network: false,
        }
    }
}
