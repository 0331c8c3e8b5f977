//! Allows the system calls that programs need, and refuses all others.
//!
//! `calls` lists what is allowed, like the default profile of Docker, without the calls that reach other
//! processes or that Landlock does not check. A call that Linux has added since then fails as unknown (ENOSYS),
//! so that programs use an older one. All other unlisted calls fail with EPERM.

mod calls;

use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::OnceLock;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use skills_registry::Net;

use super::granted::Fault;

/// Applies the filters to this thread. If the sandbox names hosts, `connect` calls are reported. Returns the
/// descriptor that reports them.
pub(super) fn apply(net: &Net) -> Result<Option<OwnedFd>, Fault> {
    // The filters are the same in all runs with the same kind of network.
    static MADE: [OnceLock<Vec<BpfProgram>>; 3] = [const { OnceLock::new() }; 3];
    let kind = match net {
        Net::None => 0,
        Net::Hosts(_) => 1,
        Net::All => 2,
    };
    let programs = match MADE[kind].get() {
        Some(programs) => programs,
        None => {
            let made = programs(net)?;
            MADE[kind].get_or_init(|| made)
        }
    };
    for program in programs {
        apply_filter(program)?;
    }
    last(matches!(net, Net::Hosts(_)))
}

/// Compiles the filters. If several filters refuse a call, the error of the last one counts.
fn programs(net: &Net) -> Result<Vec<BpfProgram>, Fault> {
    let mut rules = Rules::default();
    refuse_arguments(&mut rules);
    match net {
        Net::None => {
            rules.refuse(libc::SYS_socket);
            // A program could bind a socket of a pair to an abstract name, and all programs of the machine
            // share these names.
            rules.refuse(libc::SYS_bind);
        }
        Net::Hosts(_) => allow_tcp(&mut rules),
        Net::All => allow_internet(&mut rules),
    }
    Ok(vec![allowed()?, rules.compiled(libc::EACCES)?, attributes().compiled(libc::ENOTSUP)?])
}

/// Compiles the filter that allows only the listed calls.
fn allowed() -> Result<BpfProgram, Fault> {
    let filter = SeccompFilter::new(
        calls::ALLOWED.iter().map(|call| (*call, Vec::new())).collect(),
        SeccompAction::Errno(u32::try_from(libc::EPERM)?),
        SeccompAction::Allow,
        TargetArch::try_from(std::env::consts::ARCH)?,
    )?;
    Ok(filter.try_into()?)
}

#[derive(Default)]
struct Rules(std::collections::BTreeMap<libc::c_long, Vec<SeccompRule>>);

impl Rules {
    /// Compiles a filter that makes the calls fail with an error number.
    fn compiled(self, error: libc::c_int) -> Result<BpfProgram, Fault> {
        let filter = SeccompFilter::new(
            self.0.into_iter().collect(),
            SeccompAction::Allow,
            SeccompAction::Errno(u32::try_from(error)?),
            TargetArch::try_from(std::env::consts::ARCH)?,
        )?;
        Ok(filter.try_into()?)
    }

    fn refuse(&mut self, call: libc::c_long) {
        self.0.insert(call, Vec::new());
    }

    /// Refuses a call if all conditions hold. Each condition is an argument, a comparison and a 32-bit value.
    fn refuse_when(&mut self, call: libc::c_long, conditions: &[(u8, SeccompCmpOp, u64)]) {
        let made = conditions.iter().map(|(argument, operation, value)| {
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operation.clone(), *value)
        });
        let rule = made.collect::<Result<Vec<_>, _>>().and_then(SeccompRule::new);
        match rule {
            Ok(rule) => self.0.entry(call).or_default().push(rule),
            // The condition cannot be expressed, so the call is always refused.
            Err(_) => self.refuse(call),
        }
    }
}

/// Refuses arguments of allowed calls, independent of the network.
fn refuse_arguments(rules: &mut Rules) {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    // A process may set only its own limits, priorities and processors.
    for call in [
        libc::SYS_prlimit64,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ] {
        rules.refuse_when(call, &[(0, Ne, 0)]);
    }
    for call in [libc::SYS_setpriority, libc::SYS_ioprio_set] {
        rules.refuse_when(call, &[(1, Ne, 0)]);
    }
    // It must not set the priority of all processes of the user.
    rules.refuse_when(libc::SYS_setpriority, &[(0, Eq, 2)]);
    rules.refuse_when(libc::SYS_ioprio_set, &[(0, Eq, 3)]);
    // Except for types that only allow sending to the peer, a socket of a pair could send to any other local
    // socket.
    const LOCAL: u64 = 1;
    rules.refuse_when(libc::SYS_socketpair, &[(0, Ne, LOCAL)]);
    for kind in (0..=TYPE).filter(|kind| ![STREAM, SEQPACKET].contains(kind)) {
        rules.refuse_when(libc::SYS_socketpair, &[(1, MaskedEq(TYPE), kind)]);
    }
    // Namespaces: of time, mounts, control groups, names, messages, users, processes and the network.
    for flag in
        [0x80, 0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]
    {
        // The lowest byte of the flags of `clone` is the exit signal.
        if flag > 0xff {
            rules.refuse_when(libc::SYS_clone, &[(0, MaskedEq(flag), flag)]);
        }
    }
    refuse_lent_rights(rules);
}

/// Refuses changes of extended attributes, which Landlock does not check. Tools that copy files ignore the
/// error of a file system without attributes.
fn attributes() -> Rules {
    let mut rules = Rules::default();
    for call in [
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
    ] {
        rules.refuse(call);
    }
    rules
}

/// Refuses to create setuid and setgid files, or to set these bits. For a call that opens a file, the mode
/// matters only if the flags create the file. `mkdir` never sets these bits.
fn refuse_lent_rights(rules: &mut Rules) {
    use SeccompCmpOp::MaskedEq;
    const CREATE: u64 = 0o100;
    /// The part of `O_TMPFILE` that is not `O_DIRECTORY`.
    const UNNAMED: u64 = 0o20_000_000;
    #[cfg(target_arch = "x86_64")]
    const OPENS: [(libc::c_long, u8); 2] = [(libc::SYS_open, 1), (libc::SYS_openat, 2)];
    #[cfg(not(target_arch = "x86_64"))]
    const OPENS: [(libc::c_long, u8); 1] = [(libc::SYS_openat, 2)];
    for bit in [0o4000, 0o2000] {
        for (call, mode) in [
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_chmod, 1),
            (libc::SYS_fchmod, 1),
            (libc::SYS_fchmodat, 2),
            (calls::FCHMODAT2, 2),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_creat, 1),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_mknod, 1),
            (libc::SYS_mknodat, 2),
        ] {
            rules.refuse_when(call, &[(mode, MaskedEq(bit), bit)]);
        }
        for (call, flags) in OPENS {
            for made in [CREATE, UNNAMED] {
                rules.refuse_when(call, &[(flags, MaskedEq(made), made), (flags + 1, MaskedEq(bit), bit)]);
            }
        }
    }
}

const INET: u64 = 2;
const INET6: u64 = 10;
const NETLINK: u64 = 16;
/// The bits of a socket's type without its flags.
const TYPE: u64 = 0xf;
const STREAM: u64 = 1;
const SEQPACKET: u64 = 5;

/// Allows the network, but no local sockets in files, which could give access to programs without a sandbox,
/// and no raw packets.
fn allow_internet(rules: &mut Rules) {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    rules.refuse_when(libc::SYS_socket, &[(0, Ne, INET), (0, Ne, INET6), (0, Ne, NETLINK)]);
    // Resolvers list the interfaces through netlink. All other netlink families are refused.
    rules.refuse_when(libc::SYS_socket, &[(0, Eq, NETLINK), (2, Ne, 0)]);
    for family in [INET, INET6] {
        for raw in [3, 10] {
            rules.refuse_when(libc::SYS_socket, &[(0, Eq, family), (1, MaskedEq(TYPE), raw)]);
        }
    }
}

/// Allows only TCP, where every connection is checked. Sending cannot open a connection, and listening is
/// refused.
fn allow_tcp(rules: &mut Rules) {
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    const TCP: u64 = 6;
    const FASTOPEN: u64 = 0x2000_0000;
    const IP: u64 = 0;
    const IP_OPTIONS: u64 = 4;
    rules.refuse_when(libc::SYS_socket, &[(0, Ne, INET), (0, Ne, INET6)]);
    for other in (0..=TYPE).filter(|kind| *kind != STREAM) {
        rules.refuse_when(libc::SYS_socket, &[(1, MaskedEq(TYPE), other)]);
    }
    rules.refuse_when(libc::SYS_socket, &[(2, Ne, 0), (2, Ne, TCP)]);
    rules.refuse_when(libc::SYS_sendto, &[(3, MaskedEq(FASTOPEN), FASTOPEN)]);
    rules.refuse_when(libc::SYS_sendmsg, &[(2, MaskedEq(FASTOPEN), FASTOPEN)]);
    rules.refuse_when(libc::SYS_sendmmsg, &[(3, MaskedEq(FASTOPEN), FASTOPEN)]);
    // The options of IP packets can name other hosts through which a connection to the proxy leads. Older kernels need no
    // privilege for them.
    rules.refuse_when(libc::SYS_setsockopt, &[(1, Eq, IP), (2, Eq, IP_OPTIONS)]);
    rules.refuse(libc::SYS_bind);
    rules.refuse(libc::SYS_listen);
}

/// Applies a filter for the rules that the others cannot express. System calls of another ABI of the processor
/// and calls that are newer than the list fail as unknown. So do `clone3` and `openat2`, whose flags and modes a
/// filter cannot read; programs then use `clone` and `openat`. Unlisted requests of `ioctl` and the like fail
/// with the error for a request that a file does not support. If `reports`, `connect` waits for an answer.
fn last(reports: bool) -> Result<Option<OwnedFd>, Fault> {
    let instruction = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let least = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    let answer = libc::BPF_RET | libc::BPF_K;
    let missing = error(libc::ENOSYS)?;
    // The number of the call is the first word. The other filters check the architecture.
    let mut program = vec![instruction(load, 0, 0, 0)];
    // The numbers of x32 calls are above all others.
    let mut tests = vec![(least, u32::try_from(calls::NEWEST + 1)?, missing)];
    for call in [libc::SYS_clone3, libc::SYS_openat2] {
        tests.push((equal, u32::try_from(call)?, missing));
    }
    if reports {
        tests.push((equal, u32::try_from(libc::SYS_connect)?, libc::SECCOMP_RET_USER_NOTIF));
    }
    for (test, number, action) in tests {
        program.extend([instruction(test, 0, 1, number), instruction(answer, 0, 0, action)]);
    }
    for listed in &calls::LISTED {
        let count = u8::try_from(listed.values.len())?;
        // For another call, jump over the argument, the values and both answers.
        program.push(instruction(equal, 0, count + 3, u32::try_from(listed.call)?));
        // The arguments of 64 bits follow 16 bytes. The kernel reads the lower half of these arguments.
        program.push(instruction(load, 0, 0, 16 + 8 * u32::from(listed.argument)));
        for (at, value) in (0..count).zip(listed.values) {
            program.push(instruction(equal, count - at, 0, *value));
        }
        program.push(instruction(answer, 0, 0, error(listed.error)?));
        program.push(instruction(answer, 0, 0, libc::SECCOMP_RET_ALLOW));
    }
    program.push(instruction(answer, 0, 0, libc::SECCOMP_RET_ALLOW));
    let length = u16::try_from(program.len())?;
    let described = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    let flags = if reports { libc::SECCOMP_FILTER_FLAG_NEW_LISTENER } else { 0 };
    // SAFETY: the kernel reads `length` instructions, which outlive the call. It writes nothing.
    #[expect(unsafe_code, reason = "no dependency of this crate can apply a filter with user notification")]
    let outcome = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const described)
    };
    if outcome < 0 {
        return Err(format!("the filter of system calls: {}", std::io::Error::last_os_error()).into());
    }
    if !reports {
        return Ok(None);
    }
    let number = i32::try_from(outcome)?;
    // SAFETY: the call has just created this descriptor, and no other code owns it.
    #[expect(unsafe_code, reason = "the call returns a descriptor as a plain number")]
    Ok(Some(unsafe { OwnedFd::from_raw_fd(number) }))
}

/// Returns the action that makes a call fail with an error number.
fn error(number: libc::c_int) -> Result<u32, Fault> {
    Ok(libc::SECCOMP_RET_ERRNO | u32::try_from(number)?)
}
