//! The system calls that a confined program may make.

use libc::c_long;

/// The newest call that is known here: `mseal` of Linux 6.10. Newer calls fail as unknown.
pub(super) const NEWEST: c_long = 462;

/// Calls whose numbers the crate libc does not list for every processor. All processors share numbers from 424 on.
pub(super) const FCHMODAT2: c_long = 452;
const MAP_SHADOW_STACK: c_long = 453;
const FUTEX_WAKE: c_long = 454;
const FUTEX_WAIT: c_long = 455;
const FUTEX_REQUEUE: c_long = 456;

/// The calls that are allowed. The filter refuses some arguments of them.
pub(super) const ALLOWED: &[c_long] = &[
    // Files that are open.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_fcntl,
    libc::SYS_ioctl,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_sync_file_range,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_copy_file_range,
    libc::SYS_getdents64,
    libc::SYS_pipe2,
    libc::SYS_memfd_create,
    // Files by name, which Landlock checks.
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    libc::SYS_symlinkat,
    libc::SYS_linkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_truncate,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_getcwd,
    libc::SYS_umask,
    libc::SYS_execve,
    libc::SYS_execveat,
    // Modes, owners and times, which Landlock does not check (see docs/SANDBOX.md).
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    FCHMODAT2,
    // Memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mlockall,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_membarrier,
    libc::SYS_remap_file_pages,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_get_mempolicy,
    libc::SYS_set_mempolicy,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy_home_node,
    MAP_SHADOW_STACK,
    NEWEST,
    // Processes and threads of the run.
    libc::SYS_clone,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_set_tid_address,
    libc::SYS_get_robust_list,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_setpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_prctl,
    libc::SYS_personality,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_restart_syscall,
    FUTEX_WAKE,
    FUTEX_WAIT,
    FUTEX_REQUEUE,
    // Signals.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    // Users, rights and limits of the process itself.
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capget,
    libc::SYS_capset,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_prlimit64,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_getpriority,
    libc::SYS_setpriority,
    libc::SYS_ioprio_get,
    libc::SYS_ioprio_set,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_getattr,
    libc::SYS_sched_setattr,
    libc::SYS_sched_getparam,
    libc::SYS_sched_setparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_sched_yield,
    libc::SYS_seccomp,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    // Clocks and timers.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_gettime,
    libc::SYS_timerfd_settime,
    // Waiting for files.
    libc::SYS_pselect6,
    libc::SYS_ppoll,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_rm_watch,
    libc::SYS_io_setup,
    libc::SYS_io_submit,
    libc::SYS_io_getevents,
    libc::SYS_io_cancel,
    libc::SYS_io_destroy,
    // Sockets, which the filter for the network restricts.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_shutdown,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    // The system.
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getcpu,
    libc::SYS_getrandom,
    // Older forms of these calls, which other processors do not have.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getdents,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pipe,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_dup2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getpgrp,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_alarm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pause,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_select,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_epoll_create,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_epoll_wait,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_eventfd,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_signalfd,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// A call that is allowed only with one of the listed values of an argument.
pub(super) struct Listed {
    pub(super) call: c_long,
    /// The position of the argument.
    pub(super) argument: u8,
    pub(super) values: &'static [u32],
    /// The error for other values.
    pub(super) error: libc::c_int,
}

/// Requests have the same numbers on all supported processors.
pub(super) const LISTED: [Listed; 3] = [
    Listed { call: libc::SYS_ioctl, argument: 1, values: REQUESTS, error: libc::ENOTTY },
    Listed { call: libc::SYS_fcntl, argument: 1, values: COMMANDS, error: libc::EINVAL },
    // The standard personality of Linux with the page at address 0 or 32-bit names, and the question for the
    // present one.
    Listed {
        call: libc::SYS_personality,
        argument: 0,
        values: &[0, 8, 0x2_0000, 0x2_0008, u32::MAX],
        error: libc::EPERM,
    },
];

/// The requests of `ioctl`. Requests that change flags of a file (`FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR`) are
/// missing, because a descriptor for reading suffices for them; so are requests that push input into a terminal
/// (`TIOCSTI`, `TIOCLINUX`).
const REQUESTS: &[u32] = &[
    // Terminals: settings, size, process groups, and pairs of them.
    0x5401,
    0x5402,
    0x5403,
    0x5404,
    0x5405,
    0x5406,
    0x5407,
    0x5408,
    0x5409,
    0x540a,
    0x540b,
    0x540c,
    0x540d,
    0x540e,
    0x540f,
    0x5410,
    0x5411,
    0x5413,
    0x5414,
    0x5415,
    0x5422,
    0x5425,
    0x5429,
    0x5441,
    0x802c_542a,
    0x402c_542b,
    0x402c_542c,
    0x402c_542d,
    0x8004_5430,
    0x4004_5431,
    0x8004_5432,
    0x8004_5439,
    0x8004_5440,
    // Every descriptor: bytes to read (FIONREAD), blocking, signals, closing on exec, and size.
    0x541b,
    0x5421,
    0x5450,
    0x5451,
    0x5452,
    0x5460,
    // Files: block size, flags, extents, and copies that share blocks (FICLONE).
    0x2,
    0x8008_6601,
    0x8008_7601,
    0x801c_581f,
    0xc020_660b,
    0x4004_9409,
    0x4020_940d,
    // Sockets: urgent data, time of the last packet, and the properties of interfaces.
    0x8905,
    0x8906,
    0x8907,
    0x8910,
    0x8912,
    0x8913,
    0x8915,
    0x8917,
    0x8919,
    0x891b,
    0x891d,
    0x8921,
    0x8927,
    0x8933,
    0x8942,
    0x8970,
];

/// The commands of `fcntl`. Commands that take a lease or watch a directory (`F_SETLEASE`, `F_NOTIFY`) are
/// missing, because they can block other programs.
const COMMANDS: &[u32] = &[
    // Descriptors, status flags, locks and owners.
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 36, 37, 38,
    // Duplicates that are closed on exec, sizes of pipes, seals of memory, hints that are read, and the lease of a
    // file.
    1025, 1027, 1030, 1031, 1032, 1033, 1034, 1035, 1037,
];

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.12
    #[test]
    fn no_call_that_reaches_outside_is_allowed() {
        for call in [
            libc::SYS_io_uring_setup,
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_pidfd_getfd,
            libc::SYS_keyctl,
            libc::SYS_shmget,
            libc::SYS_inotify_add_watch,
            libc::SYS_unshare,
            libc::SYS_mount,
            libc::SYS_open_by_handle_at,
            libc::SYS_bpf,
            libc::SYS_setxattr,
            libc::SYS_clone3,
            libc::SYS_openat2,
        ] {
            assert!(!ALLOWED.contains(&call), "{call}");
        }
        assert_eq!(ALLOWED.iter().max(), Some(&NEWEST));
        let flags = [0x4008_6602, 0x401c_5820];
        let typed = [0x5412, 0x541c];
        assert!(flags.iter().chain(&typed).all(|request| !REQUESTS.contains(request)));
        // The filter jumps over a list by one number of 8 bits.
        assert!(LISTED.iter().all(|listed| listed.values.len() < 250));
    }
}
