//! Answers the `connect` calls of a confined program: connects the socket to the proxy, or refuses the call.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::mpsc::Receiver;
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

/// Starts a thread that answers the calls that the received descriptor reports. It stops with the last process of
/// the run.
pub(in crate::process) fn start(asked: Receiver<OwnedFd>, proxy: SocketAddr) {
    // If no thread can be created, the descriptor is closed, and the calls fail.
    let _ = thread::Builder::new().name("skill-calls".to_owned()).spawn(move || {
        if let Ok(asked) = asked.recv() {
            serve(&asked, proxy);
        }
    });
}

/// Answers calls until all processes that could make one have exited.
fn serve(asked: &OwnedFd, proxy: SocketAddr) {
    loop {
        let mut polled = [PollFd::new(asked, PollFlags::IN)];
        match poll(&mut polled, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        if !polled.iter().any(|polled| polled.revents().contains(PollFlags::IN)) {
            return;
        }
        // The calling process may have exited already. Then there is nothing to answer.
        let Ok(question) = receive(asked) else { continue };
        let error = answer(asked, &question, proxy)
            .map_or_else(|error| -error.raw_os_error().unwrap_or(libc::EACCES), |()| 0);
        send(asked, question.id, error);
    }
}

/// Connects the socket of the program to the proxy.
///
/// # Errors
/// Returns an error if the connection is for another address or fails.
fn answer(asked: &OwnedFd, question: &libc::seccomp_notif, proxy: SocketAddr) -> io::Result<()> {
    let refused = || io::Error::from_raw_os_error(libc::EACCES);
    let process = leader(question.pid).ok_or_else(refused)?;
    let handle = pidfd_open(process, PidfdFlags::empty())?;
    let memory = std::fs::File::open(format!("/proc/{}/mem", question.pid)).map_err(|_| refused())?;
    // The pid of an exited process may be reused. So check that the caller still waits after both descriptors
    // are open.
    if !is_waiting(asked, question.id) {
        return Err(refused());
    }
    let [socket, address, length, ..] = question.data.args;
    let mut bytes = [0; 16];
    let length = usize::try_from(length & 0xffff_ffff).unwrap_or(0).min(bytes.len());
    memory.read_exact_at(bytes.get_mut(..length).ok_or_else(refused)?, address)?;
    if !is_proxy(&bytes, proxy) {
        return Err(refused());
    }
    let number = i32::try_from(socket & 0xffff_ffff).map_err(|_| refused())?;
    let socket = pidfd_getfd(&handle, number, PidfdGetfdFlags::empty())?;
    // Connect to the known address of the proxy, because the program may have changed its memory since the
    // check.
    connect(&socket, proxy)
}

/// Returns `true` if the bytes are a `sockaddr_in` with the address of the proxy.
fn is_proxy(bytes: &[u8; 16], proxy: SocketAddr) -> bool {
    let [f0, f1, p0, p1, a, b, c, d, ..] = *bytes;
    u16::from_ne_bytes([f0, f1]) == 2 // AF_INET
        && SocketAddr::from((Ipv4Addr::new(a, b, c, d), u16::from_be_bytes([p0, p1]))) == proxy
}

/// Returns the process of a thread. The process gives access to the descriptors.
fn leader(thread: u32) -> Option<Pid> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let number = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()?;
    Pid::from_raw(number)
}

fn connect(socket: &OwnedFd, proxy: SocketAddr) -> io::Result<()> {
    let SocketAddr::V4(proxy) = proxy else { return Err(io::ErrorKind::Unsupported.into()) };
    let address = libc::sockaddr_in {
        sin_family: 2, // AF_INET
        sin_port: proxy.port().to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(proxy.ip().octets()) },
        sin_zero: [0; 8],
    };
    let length = libc::socklen_t::try_from(size_of_val(&address)).unwrap_or(0);
    // SAFETY: the kernel reads the address, which outlives the call.
    #[expect(unsafe_code, reason = "the standard library has no type for a socket of another process")]
    let outcome = unsafe { libc::connect(socket.as_raw_fd(), (&raw const address).cast(), length) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn receive(asked: &OwnedFd) -> io::Result<libc::seccomp_notif> {
    let data = libc::seccomp_data { nr: 0, arch: 0, instruction_pointer: 0, args: [0; 6] };
    let mut question = libc::seccomp_notif { id: 0, pid: 0, flags: 0, data };
    // SAFETY: the kernel writes one such structure, which is ours.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    let outcome =
        unsafe { libc::ioctl(asked.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut question) };
    if outcome == 0 { Ok(question) } else { Err(io::Error::last_os_error()) }
}

fn is_waiting(asked: &OwnedFd, id: u64) -> bool {
    // SAFETY: the kernel reads one number, which is ours.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    let outcome =
        unsafe { libc::ioctl(asked.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) };
    outcome == 0
}

fn send(asked: &OwnedFd, id: u64, error: i32) {
    let mut answer = libc::seccomp_notif_resp { id, val: 0, error, flags: 0 };
    // SAFETY: the kernel reads one such structure, which is ours.
    #[expect(unsafe_code, reason = "rustix has no such call")]
    let _gone = unsafe { libc::ioctl(asked.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.8
    #[test]
    fn only_the_address_of_the_proxy_is_accepted() {
        let proxy: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        let bytes = |family: u16, port: u16, ip: [u8; 4]| {
            let mut bytes = [0; 16];
            bytes[..2].copy_from_slice(&family.to_ne_bytes());
            bytes[2..4].copy_from_slice(&port.to_be_bytes());
            bytes[4..8].copy_from_slice(&ip);
            bytes
        };
        assert!(is_proxy(&bytes(2, 8080, [127, 0, 0, 1]), proxy));
        for other in [
            bytes(2, 8081, [127, 0, 0, 1]),
            bytes(2, 8080, [127, 0, 0, 2]),
            bytes(10, 8080, [127, 0, 0, 1]),
            [0; 16],
        ] {
            assert!(!is_proxy(&other, proxy));
        }
    }
}
