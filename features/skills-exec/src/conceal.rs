//! Keeps the memory of this process from other processes of the same user.

/// Keeps the memory and the environment of this process, which may hold keys, from other processes of the same user: the
/// programs of skills run as that user, and would read `/proc/PID/environ` or attach a debugger. Returns whether the system
/// has done so; only Linux can.
///
/// The process leaves no core file then either. Root, with its capability `CAP_SYS_PTRACE`, still reads everything: where
/// skills run as root, only a sandbox keeps them out. What the process starts is not concealed.
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
