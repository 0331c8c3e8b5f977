//! Rules of Landlock: which files a process may use, and that it may not connect or signal processes outside.
//!
//! The structures and numbers are those of the kernel's own header, from `linux-raw-sys`. The kernel's documentation is
//! `Documentation/userspace-api/landlock.rst`.

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};

use linux_raw_sys::landlock::{
    LANDLOCK_ACCESS_FS_EXECUTE, LANDLOCK_ACCESS_FS_IOCTL_DEV, LANDLOCK_ACCESS_FS_READ_DIR,
    LANDLOCK_ACCESS_FS_READ_FILE, LANDLOCK_ACCESS_FS_TRUNCATE, LANDLOCK_ACCESS_FS_WRITE_FILE,
    LANDLOCK_ACCESS_NET_BIND_TCP, LANDLOCK_ACCESS_NET_CONNECT_TCP, LANDLOCK_CREATE_RULESET_VERSION,
    LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, LANDLOCK_SCOPE_SIGNAL, landlock_path_beneath_attr,
    landlock_rule_type, landlock_ruleset_attr,
};

use rustix::io::fcntl_dupfd_cloexec;

use super::raw;

/// The oldest supported version of Landlock. Versions before 3 did not prevent the truncation of files.
const NEEDED: i64 = 3;

/// All rights of version 3: every bit up to the newest one.
const ALL: u32 = 2 * LANDLOCK_ACCESS_FS_TRUNCATE - 1;
const READ: u32 = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// The rights that a file can have. The kernel rejects a rule with another right for a file.
const OF_FILES: u32 = LANDLOCK_ACCESS_FS_EXECUTE
    | LANDLOCK_ACCESS_FS_READ_FILE
    | LANDLOCK_ACCESS_FS_WRITE_FILE
    | LANDLOCK_ACCESS_FS_TRUNCATE;

/// Rules that allow nothing, except what is added.
pub(super) struct Rules(OwnedFd);

impl Rules {
    /// Creates rules for files, and for everything else that this kernel can restrict: control of devices, abstract
    /// sockets, signals and, without `connects`, TCP.
    ///
    /// # Errors
    /// The kernel has no Landlock, or only an older version than [`NEEDED`].
    pub(super) fn create(connects: bool) -> io::Result<Self> {
        let version = version()?;
        if version < NEEDED {
            let reason = format!("it needs Landlock {NEEDED}, and this kernel has Landlock {version}");
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        let since = |first: i64, right: u32| if version >= first { u64::from(right) } else { 0 };
        create(landlock_ruleset_attr {
            handled_access_fs: u64::from(ALL) | since(5, LANDLOCK_ACCESS_FS_IOCTL_DEV),
            handled_access_net: match connects {
                true => 0,
                false => since(4, LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP),
            },
            scoped: since(6, LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL),
        })
        .map(Self)
    }

    /// Allows to read an open file, or all files below an open directory, and to write them if `writes`.
    pub(super) fn allow(&self, opened: &OwnedFd, writes: bool) -> io::Result<()> {
        let is_directory = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(opened)?.st_mode).is_dir();
        let access = if writes { ALL } else { READ };
        let rule = landlock_path_beneath_attr {
            allowed_access: u64::from(if is_directory { access } else { access & OF_FILES }),
            parent_fd: opened.as_raw_fd(),
        };
        let kind = landlock_rule_type::LANDLOCK_RULE_PATH_BENEATH as u32;
        // SAFETY: the kernel only reads the rule, which lives until the call returns.
        #[expect(unsafe_code, reason = "no library has this call without two more parsers of Rust")]
        let outcome = unsafe {
            libc::syscall(libc::SYS_landlock_add_rule, self.0.as_raw_fd(), kind, &raw const rule, 0)
        };
        if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Returns the descriptor of the rules, which differs from those of the standard streams: a program replaces these.
    pub(super) fn into_descriptor(self) -> io::Result<OwnedFd> {
        const FIRST: RawFd = 3;
        if self.0.as_raw_fd() >= FIRST { Ok(self.0) } else { Ok(fcntl_dupfd_cloexec(self.0, FIRST)?) }
    }
}

/// Stops this thread and its child processes from signalling other processes. Returns `true` if the kernel supports it.
pub(super) fn scope_signals() -> bool {
    let rules = landlock_ruleset_attr {
        handled_access_fs: 0,
        handled_access_net: 0,
        scoped: u64::from(LANDLOCK_SCOPE_SIGNAL),
    };
    // The kernel demands that the thread can gain no privileges.
    let is_bound = rustix::thread::set_no_new_privs(true).is_ok();
    is_bound
        && version().is_ok_and(|version| version >= 6)
        && create(rules).is_ok_and(|rules| raw::restrict_self(rules.as_fd()).is_ok())
}

/// Returns the version of Landlock that this kernel has.
fn version() -> io::Result<i64> {
    let none = std::ptr::null::<landlock_ruleset_attr>();
    // SAFETY: with this flag, the kernel reads no memory.
    #[expect(unsafe_code, reason = "no library has this call without two more parsers of Rust")]
    let outcome = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, LANDLOCK_CREATE_RULESET_VERSION)
    };
    if outcome > 0 {
        return Ok(outcome);
    }
    let error = io::Error::last_os_error();
    Err(match error.raw_os_error() {
        Some(libc::ENOSYS) => io::Error::new(io::ErrorKind::Unsupported, "this kernel has no Landlock"),
        Some(libc::EOPNOTSUPP) => {
            io::Error::new(io::ErrorKind::Unsupported, "Landlock is turned off in this kernel")
        }
        _ => error,
    })
}

fn create(rules: landlock_ruleset_attr) -> io::Result<OwnedFd> {
    // SAFETY: the kernel only reads the structure, of which it gets the size. The new descriptor has no other owner.
    #[expect(unsafe_code, reason = "no library has this call without two more parsers of Rust")]
    unsafe {
        let size = size_of::<landlock_ruleset_attr>();
        let outcome = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const rules, size, 0_u32);
        match i32::try_from(outcome) {
            Ok(descriptor) if descriptor >= 0 => Ok(OwnedFd::from_raw_fd(descriptor)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
