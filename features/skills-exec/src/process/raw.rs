//! System calls without the C library, for processes between the host and a program.
//!
//! A keeper that shares the memory of the host also shares the thread-local memory of the thread that started it. The C
//! library keeps `errno` and the state of the thread there, and the thread may have ended meanwhile.

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use rustix::io::Errno;

/// Whether [`call`] and [`start_process`] are implemented without the C library for this processor.
const IS_KNOWN: bool = cfg!(all(target_arch = "x86_64", target_pointer_width = "64"));

/// The size in bytes of the kernel's set of signals.
const SIGNAL_SET: usize = if cfg!(any(target_arch = "mips", target_arch = "mips64")) { 16 } else { 8 };

/// Makes a system call.
///
/// # Safety
/// The arguments must be valid for the call.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
#[expect(unsafe_code, reason = "the C library would write `errno`")]
unsafe fn call(number: c_long, [a, b, c, d]: [usize; 4]) -> rustix::io::Result<usize> {
    let answer: isize;
    // SAFETY: this is how the kernel is called on x86_64. It changes only `rax`, `rcx` and `r11`, and memory that the
    // arguments name, which the caller guarantees to be valid.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a,
            in("rsi") b,
            in("rdx") c,
            in("r10") d,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    outcome(answer)
}

/// Makes a system call through the C library, because here every keeper has its own memory.
///
/// # Safety
/// The arguments must be valid for the call.
#[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64")))]
#[expect(unsafe_code, reason = "the number of the call is a variable")]
unsafe fn call(number: c_long, [a, b, c, d]: [usize; 4]) -> rustix::io::Result<usize> {
    // SAFETY: the caller guarantees that the arguments are valid.
    let answer = unsafe { libc::syscall(number, a, b, c, d) };
    if answer < 0 {
        let error = std::io::Error::last_os_error();
        return Err(Errno::from_io_error(&error).unwrap_or(Errno::IO));
    }
    Ok(usize::try_from(answer).unwrap_or(0))
}

/// Returns the result of a call: the kernel returns error numbers as negative numbers above -4096.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
fn outcome(answer: isize) -> rustix::io::Result<usize> {
    match usize::try_from(answer) {
        Ok(answer) => Ok(answer),
        Err(_) if answer > -4096 => {
            Err(Errno::from_raw_os_error(i32::try_from(answer.unsigned_abs()).unwrap_or(libc::EIO)))
        }
        Err(_) => Ok(answer.cast_unsigned()),
    }
}

/// Returns `true` if neither this module nor `rustix` uses the C library. `rustix` uses it with its feature `use-libc`,
/// which any crate of a program can enable.
pub(super) fn avoids_the_c_library() -> bool {
    static AVOIDS: OnceLock<bool> = OnceLock::new();
    IS_KNOWN && *AVOIDS.get_or_init(leaves_errno)
}

/// Returns `true` if a call by `rustix` that fails does not change `errno`.
fn leaves_errno() -> bool {
    // SAFETY: the pointer to `errno` of this thread is valid as long as the thread, and nothing else uses it meanwhile.
    #[expect(unsafe_code, reason = "the standard library can read `errno`, but cannot write it")]
    unsafe {
        let errno = libc::__errno_location();
        let before = errno.replace(0);
        let has_failed = rustix::fs::access(c"", rustix::fs::Access::EXISTS).is_err();
        errno.replace(before) == 0 && has_failed
    }
}

/// Starts a child process that shares the memory of this one, and calls `main` on another stack and with thread-local
/// memory of its own, in which the compiler's checks of the stack find the same value at the start and end of a function.
///
/// `clone` of the C library cannot be used: it writes `errno`, and old versions write to the thread of the host.
///
/// # Safety
/// No other process may use the stack that ends at `stack`, a multiple of 16, and the thread-local memory, whose first
/// word must be its address. Both and `argument` must live until the new process has ended. `main` must not return, and
/// must use nothing of the C library. All signals must be blocked.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
#[expect(unsafe_code, reason = "the standard library can only copy the memory of this process")]
pub(super) unsafe fn start_process(
    main: extern "C" fn(*mut c_void) -> c_int,
    stack: usize,
    thread_memory: usize,
    argument: *mut c_void,
) -> rustix::io::Result<usize> {
    const FLAGS: c_int = libc::CLONE_VM | libc::CLONE_SETTLS | libc::SIGCHLD;
    let answer: isize;
    // SAFETY: the new process continues after the call on its own stack, with the registers of this one and 0 in `rax`. It
    // calls `main`, which does not return. In this process the call changes only `rax`, `rcx` and `r11`.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => answer,
            in("rdi") FLAGS as usize,
            in("rsi") stack,
            in("rdx") 0_usize,
            in("r10") 0_usize,
            in("r8") thread_memory,
            in("r12") main,
            in("r13") argument,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    outcome(answer)
}

/// Returns an error: on this processor, processes are forked.
///
/// # Safety
/// It can always be called.
#[cfg(not(all(target_arch = "x86_64", target_pointer_width = "64")))]
#[expect(unsafe_code, reason = "the other implementation is unsafe")]
pub(super) unsafe fn start_process(
    _: extern "C" fn(*mut c_void) -> c_int,
    _: usize,
    _: usize,
    _: *mut c_void,
) -> rustix::io::Result<usize> {
    Err(Errno::NOSYS)
}

/// Ends this process without running exit handlers.
pub(super) fn exit(status: c_int) -> ! {
    loop {
        // SAFETY: the call accesses no memory and does not return.
        #[expect(unsafe_code, reason = "the exit handlers belong to the host")]
        let _ = unsafe { call(libc::SYS_exit_group, [argument(status), 0, 0, 0]) };
    }
}

/// Kills every process that this one may signal, except itself.
pub(super) fn kill_all() {
    // SAFETY: the call accesses no memory.
    #[expect(unsafe_code, reason = "rustix can signal a group at most")]
    let _none_left = unsafe { call(libc::SYS_kill, [argument(-1), argument(libc::SIGKILL), 0, 0]) };
}

/// Returns a descriptor that is readable when a child has exited, if SIGCHLD is blocked.
pub(super) fn exits() -> Option<OwnedFd> {
    let flags = libc::SFD_NONBLOCK | libc::SFD_CLOEXEC;
    // The signals are numbered from 1.
    let exits = BlockedSignals([1 << (libc::SIGCHLD - 1), 0]);
    // SAFETY: the kernel reads the set, which outlives the call. The descriptor is new and has no other owner.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    unsafe {
        let set = exits.0.as_ptr().expose_provenance();
        let made = call(libc::SYS_signalfd4, [argument(-1), set, SIGNAL_SET, argument(flags)]).ok()?;
        Some(OwnedFd::from_raw_fd(RawFd::try_from(made).ok()?))
    }
}

/// The blocked signals of a thread.
#[derive(Clone, Copy)]
pub(super) struct BlockedSignals([u64; 2]);

impl BlockedSignals {
    pub(super) const ALL: Self = Self([u64::MAX; 2]);
    const NONE: Self = Self([0; 2]);

    /// Blocks these signals in this thread, and no others. Returns the signals that were blocked before.
    ///
    /// The function of the C library would not block the signals that it uses itself.
    pub(super) fn set(&self) -> Self {
        let mut before = Self::NONE;
        let (new, old) = (self.0.as_ptr().expose_provenance(), before.0.as_mut_ptr().expose_provenance());
        // SAFETY: the kernel reads one set and writes the other. Both outlive the call, which fails only for invalid
        // arguments.
        #[expect(unsafe_code, reason = "rustix has no stable call for it")]
        let _ =
            unsafe { call(libc::SYS_rt_sigprocmask, [argument(libc::SIG_SETMASK), new, old, SIGNAL_SET]) };
        before
    }
}

/// Removes the signal handlers of this process, and unblocks all signals. Ignored signals stay ignored, except SIGPIPE,
/// which Rust programs ignore.
pub(super) fn reset_signals() {
    const IGNORED: usize = libc::SIG_IGN;
    for signal in 1..=64 {
        if signal == libc::SIGPIPE || action(signal).is_some_and(|action| action > IGNORED) {
            set_default_action(signal);
        }
    }
    BlockedSignals::NONE.set();
}

/// The kernel's description of what a signal does: the handler, and three words that are 0 without one.
type Action = [usize; 4];

/// Returns the handler of a signal.
fn action(signal: c_int) -> Option<usize> {
    let mut action: Action = [0; 4];
    let written = action.as_mut_ptr().expose_provenance();
    // SAFETY: the kernel writes one description, which is ours.
    #[expect(unsafe_code, reason = "rustix has no stable call for it")]
    let answer = unsafe { call(libc::SYS_rt_sigaction, [argument(signal), 0, written, SIGNAL_SET]) };
    answer.is_ok().then_some(action[0])
}

/// Makes a signal do its default action in this process.
pub(super) fn set_default_action(signal: c_int) {
    let action: Action = [libc::SIG_DFL, 0, 0, 0];
    let read = action.as_ptr().expose_provenance();
    // SAFETY: the kernel reads one description, which outlives the call. No handler is set.
    #[expect(unsafe_code, reason = "rustix has no stable call for it")]
    let _fixed = unsafe { call(libc::SYS_rt_sigaction, [argument(signal), read, 0, SIGNAL_SET]) };
}

/// Makes descriptor `to` a copy of `from`. Programs inherit it.
///
/// # Safety
/// No other code of this process may use descriptor `to`.
#[expect(unsafe_code, reason = "it closes a descriptor that other code owns")]
pub(super) unsafe fn copy_descriptor(from: RawFd, to: RawFd) -> rustix::io::Result<()> {
    // SAFETY: the call accesses no memory. The caller guarantees that descriptor `to` is not used.
    unsafe { call(libc::SYS_dup3, [argument(from), argument(to), 0, 0]) }.map(drop)
}

/// Closes a descriptor, or does nothing if it is closed: `rustix` panics then.
///
/// # Safety
/// No code of this process may use the descriptor any more.
#[expect(unsafe_code, reason = "it closes a descriptor that other code owns")]
pub(super) unsafe fn close(fd: RawFd) {
    // SAFETY: the call accesses no memory. The caller guarantees that the descriptor is unused.
    let _was_open = unsafe { call(libc::SYS_close, [argument(fd), 0, 0, 0]) };
}

/// Marks all descriptors from `first` on as close-on-exec (Linux 5.11).
pub(super) fn mark_range(first: c_uint) -> rustix::io::Result<()> {
    const CLOEXEC: usize = 1 << 2;
    // SAFETY: the call accesses no memory and closes nothing now, so every owner of a descriptor keeps it.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    unsafe { call(libc::SYS_close_range, [first as usize, c_uint::MAX as usize, CLOEXEC, 0]) }.map(drop)
}

/// Closes all descriptors from `first` on.
///
/// # Safety
/// No code of this process may use these descriptors any more.
#[expect(unsafe_code, reason = "it closes descriptors that other code owns")]
pub(super) unsafe fn close_range(first: c_uint) -> rustix::io::Result<()> {
    // SAFETY: the call accesses no memory. The caller guarantees that the descriptors are unused.
    unsafe { call(libc::SYS_close_range, [first as usize, c_uint::MAX as usize, 0, 0]) }.map(drop)
}

/// Applies rules of Landlock to this thread, and to the processes that it starts later.
pub(super) fn restrict_self(rules: BorrowedFd<'_>) -> rustix::io::Result<()> {
    // SAFETY: the call takes two numbers. It only removes rights.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    unsafe { call(libc::SYS_landlock_restrict_self, [argument(rules.as_raw_fd()), 0, 0, 0]) }.map(drop)
}

/// Replaces this process by a program. Returns the error if that fails.
///
/// # Safety
/// Both lists must end with a null pointer, and their other elements must point to C strings.
#[expect(unsafe_code, reason = "rustix has no stable call for it")]
pub(super) unsafe fn exec(program: &CStr, argv: &[*const c_char], envp: &[*const c_char]) -> Errno {
    let arguments = [
        program.as_ptr().expose_provenance(),
        argv.as_ptr().expose_provenance(),
        envp.as_ptr().expose_provenance(),
        0,
    ];
    // SAFETY: the caller guarantees that both lists are valid. The kernel only reads.
    match unsafe { call(libc::SYS_execve, arguments) } {
        Ok(_) => Errno::IO,
        Err(error) => error,
    }
}

/// Returns a number, which may be negative, as an argument of a call.
fn argument(number: c_int) -> usize {
    (number as isize).cast_unsigned()
}
