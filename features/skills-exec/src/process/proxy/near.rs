//! Addresses to which a host name must not resolve: this machine, its local link, and cloud metadata
//! services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};

/// Metadata services of clouds, from which a machine gets its keys, at addresses other than the common
/// link-local ones: Alibaba, Oracle, Azure, AWS (machines, pods of EKS), Oracle again, and Google.
const METADATA: [IpAddr; 7] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
];

/// Returns `true` if an address belongs to this machine, its local link or a cloud metadata service, or is
/// unspecified, multicast or broadcast. Also checks the IPv4 address inside an IPv6 address.
pub(super) fn is_near(address: IpAddr) -> bool {
    let inner = match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(ip) => inner(ip).map(IpAddr::V4),
    };
    [Some(address), inner].into_iter().flatten().any(|ip| is_known(ip) || is_own(ip))
}

fn is_known(ip: IpAddr) -> bool {
    METADATA.contains(&ip)
        || ip.is_loopback()
        || ip.is_unspecified()
        || ip.is_multicast()
        || match ip {
            IpAddr::V4(ip) => ip.is_link_local() || ip.is_broadcast(),
            IpAddr::V6(ip) => ip.is_unicast_link_local(),
        }
}

/// Returns the IPv4 address inside an IPv6 address: mapped or compatible (RFC 4291), 6to4 (RFC 3056) or NAT64
/// (RFC 6052, 8215).
fn inner(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, ..] = ip.segments();
    let [.., w, x, y, z] = ip.octets();
    match (a, b, c) {
        (0, 0, 0) => ip.to_ipv4(),
        (0x2002, ..) => Some(Ipv4Addr::from((u32::from(b) << 16) | u32::from(c))),
        (0x64, 0xff9b, 0 | 1) => Some(Ipv4Addr::new(w, x, y, z)),
        _ => None,
    }
}

/// Returns `true` if the kernel would deliver packets for an address to this machine: an address of one of
/// its interfaces, or one that it routes to itself. Also returns `true` if the kernel does not answer.
fn is_own(ip: IpAddr) -> bool {
    /// The type of a route to another machine.
    const UNICAST: u8 = 1;
    match route(ip) {
        Ok(kind) => kind != UNICAST,
        // A connection would fail with the same error.
        Err(Errno::NETUNREACH | Errno::HOSTUNREACH | Errno::AFNOSUPPORT | Errno::ACCESS | Errno::INVAL) => {
            false
        }
        Err(_) => true,
    }
}

/// Asks the kernel for the route to an address, by rtnetlink(7), and returns its type.
fn route(ip: IpAddr) -> rustix::io::Result<u8> {
    const GET: u16 = 26;
    const REQUEST: u16 = 1;
    const ERROR: u16 = 2;
    const DESTINATION: u16 = 1;
    // The address family and the number of bits of its addresses.
    let (family, bits, octets) = match ip {
        IpAddr::V4(ip) => (2, 32, ip.octets().to_vec()),
        IpAddr::V6(ip) => (10, 128, ip.octets().to_vec()),
    };
    let size = u16::from(bits / 8);
    // A header of 16 bytes, a route of 12, and one attribute: the address.
    let mut message = Vec::with_capacity(48);
    message.extend((32 + u32::from(size)).to_ne_bytes());
    message.extend([GET, REQUEST].map(u16::to_ne_bytes).concat());
    message.extend([0; 8]);
    message.extend([family, bits, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    message.extend([4 + size, DESTINATION].map(u16::to_ne_bytes).concat());
    message.extend(octets);
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 1024];
    // The kernel answers before `send` returns, and no other process uses this socket.
    let (length, _) = recv(&socket, &mut answer, RecvFlags::DONTWAIT)?;
    let at = |from: usize| answer.get(from..length).ok_or(Errno::PROTO);
    let kind = at(4)?.first_chunk().map(|kind| u16::from_ne_bytes(*kind)).ok_or(Errno::PROTO)?;
    if kind == ERROR {
        let number = at(16)?.first_chunk().map(|number| i32::from_ne_bytes(*number)).ok_or(Errno::PROTO)?;
        return Err(Errno::from_raw_os_error(-number));
    }
    // The type is the last of the eight bytes before the flags of the route.
    at(23)?.first().copied().ok_or(Errno::PROTO)
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.8
    #[test]
    fn metadata_addresses_and_this_machine_are_local() {
        for near in [
            "169.254.169.254",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd00:c1::a9fe:a9fe",
            "fe80::a9fe:a9fe",
            "0.0.0.0",
            "127.3.2.1",
            "255.255.255.255",
            "224.0.0.1",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:168.63.129.16",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::7f00:1",
        ] {
            assert!(is_near(near.parse().expect("an address")), "{near}");
        }
        for far in
            ["93.184.215.14", "198.51.100.1", "2001:db8::1", "64:ff9b::c633:6401", "::ffff:198.51.100.1"]
        {
            assert!(!is_near(far.parse().expect("an address")), "{far}");
        }
    }

    // SPEC 13.8
    #[test]
    fn each_address_of_this_machine_is_local() {
        // The kernel lists each local address below a separate line.
        let table = std::fs::read_to_string("/proc/net/fib_trie").expect("the kernel's routes");
        let mut last = None;
        let mut count = 0;
        for line in table.lines().map(str::trim) {
            if let Some(address) = line.strip_prefix("|-- ") {
                last = address.parse::<IpAddr>().ok();
            }
            if let Some(address) = last.filter(|_| line == "/32 host LOCAL") {
                assert_eq!(route(address), Ok(2), "{address}");
                assert!(is_near(address), "{address}");
                count += 1;
            }
        }
        assert!(count > 0, "{table}");
    }
}
