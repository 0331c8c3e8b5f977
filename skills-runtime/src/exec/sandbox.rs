//! What a confined program may reach; `command` confines the thread that starts it (SPEC 7.1, 12.3, 12.4).

use std::path::PathBuf;

/// A confinement of one run, kept by the kernel: Linux 6.2 or later, feature `sandbox`.
///
/// The program and all that it starts can read [`Sandbox::readable`], [`Sandbox::writable`] and the skill's own
/// directory, write below [`Sandbox::writable`] and the workspace, and make no socket unless [`Sandbox::network`].
/// They gain no privileges (setuid programs run without). Where the kernel can, they also signal nobody outside.
///
/// Asked for where it cannot be had, the run is refused: exit code 126. Never does it begin unconfined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// Directories and files that may be read and executed. Default: the system's, such as `/usr` and `/etc`, where
    /// they exist.
    pub readable: Vec<PathBuf>,
    /// Directories and files that may be written too, besides the workspace. Default: `/dev/null`.
    pub writable: Vec<PathBuf>,
    /// Whether sockets may be made. Default: false.
    pub network: bool,
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
