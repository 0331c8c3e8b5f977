//! Serves one connection to the proxy: `CONNECT` to an allowed host, or one plain HTTP request to it.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use super::near::is_near;
use crate::confinement::is_among;

/// The maximum length of the head of a request in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// The time limit for a client to send the head, and for the connection to a host.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Serves a connection until one side closes it. Calls `opened` with the connection to the host. `opened` may
/// refuse it.
pub(super) fn serve(client: &TcpStream, hosts: &[String], opened: &dyn Fn(&Arc<TcpStream>) -> bool) {
    let Err(Refused(status, reason)) = request(client, hosts, opened) else { return };
    let body = format!("{reason}\n");
    // Send the answer in one write, because a client may read only the first segment.
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = (&*client).write_all(answer.as_bytes());
    let _ = client.shutdown(Shutdown::Both);
}

/// An HTTP status and its reason.
struct Refused(&'static str, String);

impl From<io::Error> for Refused {
    fn from(_: io::Error) -> Self {
        Self("400 Bad Request", "this is a proxy for HTTP".to_owned())
    }
}

/// The parsed head of a request.
struct Head<'a> {
    method: &'a str,
    /// The requested host without its port.
    host: String,
    port: u16,
    /// The requested path, or `None` for `CONNECT`.
    path: Option<String>,
    lines: Vec<&'a str>,
}

fn request(
    client: &TcpStream,
    hosts: &[String],
    opened: &dyn Fn(&Arc<TcpStream>) -> bool,
) -> Result<(), Refused> {
    client.set_read_timeout(Some(TIMEOUT))?;
    let (head, rest) = read_head(client)?;
    let head = std::str::from_utf8(&head)
        .ok()
        .and_then(parse)
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
    let place = format!("{}:{}", head.host, head.port);
    if !is_among(hosts, &head.host, head.port) {
        let reason = format!("{place} is not one of the hosts that the skill names");
        return Err(Refused("403 Forbidden", reason));
    }
    let upstream = reach(client, &head, hosts)
        .map(Arc::new)
        .map_err(|error| Refused("502 Bad Gateway", format!("{place}: {error}")))?;
    if !opened(&upstream) {
        return Err(Refused("503 Service Unavailable", "too many connections".to_owned()));
    }
    client.set_read_timeout(None)?;
    match &head.path {
        None => (&*client).write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?,
        Some(path) => (&*upstream).write_all(own_head(&head, path).as_bytes())?,
    }
    (&*upstream).write_all(&rest)?;
    splice(client, &upstream);
    Ok(())
}

/// Reads the head up to the empty line. Returns the head, and the bytes that were read after it.
fn read_head(mut client: &TcpStream) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut read = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let from = read.len().saturating_sub(3);
        let count = client.read(&mut piece)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        read.extend_from_slice(piece.get(..count).unwrap_or_default());
        if let Some(at) = read.get(from..).and_then(|new| new.windows(4).position(|four| four == b"\r\n\r\n"))
        {
            let rest = read.split_off(from + at + 4);
            return Ok((read, rest));
        }
        if read.len() > LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

fn parse(head: &str) -> Option<Head<'_>> {
    let mut lines = head.trim_end_matches("\r\n").split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") || head.contains('\0') {
        return None;
    }
    let (authority, path, default) = if method == "CONNECT" {
        (target, None, None)
    } else {
        // Only an absolute URL names the host of the request. The proxy itself does not speak TLS.
        let prefix = target.get(..7).filter(|prefix| prefix.eq_ignore_ascii_case("http://"))?;
        let rest = target.get(prefix.len()..)?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        (authority, Some(path), Some(80))
    };
    // User information before the host is meant for the host and is not passed on.
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
        _ => (authority, default?),
    };
    if host.is_empty() || !host.chars().all(is_in_host) {
        return None;
    }
    Some(Head { method, host: host.to_ascii_lowercase(), port, path, lines: lines.collect() })
}

/// Returns `true` if names and addresses of hosts may have a character.
fn is_in_host(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '[' | ']' | ':')
}

/// Returns the head for the host: with a relative path, for a single request, and without the headers for the
/// proxy.
fn own_head(head: &Head<'_>, path: &str) -> String {
    let mut text = format!("{} {path} HTTP/1.1\r\n", head.method);
    let host = if head.port == 80 { head.host.clone() } else { format!("{}:{}", head.host, head.port) };
    text.push_str(&format!("Host: {host}\r\nConnection: close\r\n"));
    for line in &head.lines {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if !matches!(
            name.as_str(),
            "host" | "connection" | "keep-alive" | "proxy-connection" | "proxy-authorization"
        ) {
            text.push_str(line);
            text.push_str("\r\n");
        }
    }
    text.push_str("\r\n");
    text
}

/// Connects to a host. Refuses a name that resolves to this machine or its local link, unless the skill lists
/// exactly that host.
fn reach(client: &TcpStream, head: &Head<'_>, hosts: &[String]) -> io::Result<TcpStream> {
    let bare = head.host.trim_start_matches('[').trim_end_matches(']');
    let names_it = names(&head.host, head.port, hosts);
    let mut last = io::Error::new(io::ErrorKind::NotFound, "it has no address that may be reached");
    for address in (bare, head.port).to_socket_addrs()? {
        if !names_it && is_near(address.ip()) {
            continue;
        }
        match connect(client, address) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
        if has_ended(client) {
            break;
        }
    }
    Err(last)
}

/// Connects to an address. Gives up when the run ends, which closes the connection of the client.
fn connect(client: &TcpStream, address: SocketAddr) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = TcpStream::from(socket_with(family, SocketType::STREAM, flags, None)?);
    match rustix::net::connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => {}
        Err(error) => return Err(error.into()),
    }
    // The end of a connection is reported without being asked for.
    let mut polled = [PollFd::new(&socket, PollFlags::OUT), PollFd::new(client, PollFlags::empty())];
    let limit = Timespec::try_from(TIMEOUT).ok();
    let ready = retry_on_intr(|| poll(&mut polled, limit.as_ref()))?;
    if ready == 0 || !polled[1].revents().is_empty() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    if let Some(error) = socket.take_error()? {
        return Err(error);
    }
    socket.set_nonblocking(false)?;
    Ok(socket)
}

/// Returns `true` if both directions of a connection are closed.
fn has_ended(stream: &TcpStream) -> bool {
    let mut polled = [PollFd::new(stream, PollFlags::empty())];
    poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ended| ended > 0)
}

/// Returns `true` if `hosts` lists exactly this host. A match by a `*` does not count.
fn names(host: &str, port: u16, hosts: &[String]) -> bool {
    let is_address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    let mut plain = hosts.iter().filter(|pattern| !pattern.starts_with('*'));
    host == "localhost"
        || (is_address && plain.any(|named| is_among(std::slice::from_ref(named), host, port)))
}

/// Copies data in both directions until both have ended.
fn splice(client: &TcpStream, upstream: &TcpStream) {
    std::thread::scope(|scope| {
        scope.spawn(|| copy(client, upstream));
        copy(upstream, client);
    });
}

fn copy(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
    // The sender gets an error for further writes.
    let _ = from.shutdown(Shutdown::Read);
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    // SPEC 13.8: a host that does not answer holds no connection after the end of the run
    #[test]
    fn the_end_of_a_run_ends_its_pending_connections() {
        let socket =
            socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
        rustix::net::bind(&socket, &SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        rustix::net::listen(&socket, 0).unwrap();
        let address = TcpListener::from(socket.try_clone().unwrap()).local_addr().unwrap();
        // It fills the queue, so the kernel does not answer the next one.
        let _first = TcpStream::connect(address).unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(server.local_addr().unwrap()).unwrap();
        let begin = std::time::Instant::now();
        std::thread::scope(|scope| {
            let pending = scope.spawn(|| connect(&client, address));
            std::thread::sleep(Duration::from_millis(200));
            assert!(!pending.is_finished());
            client.shutdown(Shutdown::Both).unwrap();
            assert!(pending.join().unwrap().is_err());
        });
        assert!(begin.elapsed() < TIMEOUT / 2);
    }

    // SPEC 13.8
    #[test]
    fn local_addresses_must_be_named() {
        let hosts = ["127.0.0.1:8080", "*.0.0.2", "127.0.0.255", "[::1]:443"].map(str::to_owned);
        for (host, port, is) in [
            ("127.0.0.1", 8080, true),
            ("127.0.0.1", 80, false),
            ("127.0.0.2", 80, false),
            ("127.0.0.25", 80, false),
            ("[::1]", 443, true),
            ("localhost", 1, true),
            ("a.example", 80, false),
        ] {
            assert_eq!(names(host, port, &hosts), is, "{host}:{port}");
        }
    }

    // SPEC 13.8
    #[test]
    fn the_target_of_a_request_is_parsed() {
        let target = |head: &str| parse(head).map(|head| (head.host, head.port, head.path));
        let some =
            |host: &str, port, path: Option<&str>| Some((host.to_owned(), port, path.map(str::to_owned)));
        assert_eq!(target("CONNECT A.Example:443 HTTP/1.1\r\n\r\n"), some("a.example", 443, None));
        assert_eq!(target("CONNECT [::1]:443 HTTP/1.1\r\n\r\n"), some("[::1]", 443, None));
        assert_eq!(target("GET http://a.example/x?y HTTP/1.1\r\n\r\n"), some("a.example", 80, Some("/x?y")));
        assert_eq!(target("GET HTTP://a.example:81?y HTTP/1.0\r\n\r\n"), some("a.example", 81, Some("/?y")));
        assert_eq!(
            target("GET http://a.example@evil.example/ HTTP/1.1\r\n\r\n"),
            some("evil.example", 80, Some("/"))
        );
        for head in [
            "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
            "CONNECT a.example HTTP/1.1\r\n\r\n",
            "CONNECT a.example:https HTTP/1.1\r\n\r\n",
            "GET https://a.example/ HTTP/1.1\r\n\r\n",
            "GET http:// HTTP/1.1\r\n\r\n",
            "GET http://a.example/ x HTTP/1.1\r\n\r\n",
            "\u{16}\u{3}\u{1}",
        ] {
            assert_eq!(target(head), None, "{head:?}");
        }
        let head =
            parse("GET http://a.example:81/ HTTP/1.1\r\nHost: other\r\nProxy-Connection: x\r\nX: y\r\n\r\n")
                .unwrap();
        let own = own_head(&head, "/");
        assert_eq!(own, "GET / HTTP/1.1\r\nHost: a.example:81\r\nConnection: close\r\nX: y\r\n\r\n");
    }
}
