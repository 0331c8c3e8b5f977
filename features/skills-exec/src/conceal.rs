//! Protects the memory of this process from other processes of the same user.

/// Protects the memory and the environment of this process from other processes of the same user. They may
/// hold keys, and the programs of skills run as that user: they could read `/proc/PID/environ` or attach a
/// debugger. Returns `true` if the memory is protected. Only Linux supports this.
///
/// As a side effect, the process does not write core files. Root, with its capability `CAP_SYS_PTRACE`, can
/// still read everything: if skills run as root, only a sandbox stops them. Child processes are not
/// protected.
///
/// ```
/// assert_eq!(skills_exec::conceal(), cfg!(target_os = "linux"));
/// ```
pub fn conceal() -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    false
}
