//! Decodes system calls that name paths or addresses. Paths are read from the memory of the calling process.

use std::fs::File;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use skills_exec::Call;

/// A request to the kernel. Paths are absolute, and may contain links.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Opens a path with these flags.
    Open(PathBuf, i32),
    /// Executes a file.
    Execute(PathBuf),
    /// Changes a file in place.
    Change(PathBuf),
    /// Creates a directory, link or special file.
    Create(PathBuf),
    /// Removes a name.
    Remove(PathBuf),
    /// Gives a file another name, or one more.
    Rename(PathBuf, PathBuf),
    /// Connects a socket to an address of the internet.
    Connect(SocketAddr),
    /// Binds a socket to a local address.
    Bind(SocketAddr),
}

/// The decoded calls and their names. `stat`, `access` and `readlink` need no rights.
macro_rules! calls {
    ($($(#[$only:meta])* $number:ident => $name:literal,)*) => {
        /// The numbers of the calls to observe.
        pub(crate) const CALLS: &[i64] = &[$($(#[$only])* libc::$number),*];

        pub(crate) fn name(number: i64) -> &'static str {
            match number {
                $($(#[$only])* libc::$number => $name,)*
                _ => "call",
            }
        }
    };
}

calls! {
    SYS_openat => "openat",
    SYS_execve => "execve",
    SYS_execveat => "execveat",
    SYS_truncate => "truncate",
    SYS_mkdirat => "mkdirat",
    SYS_mknodat => "mknodat",
    SYS_symlinkat => "symlinkat",
    SYS_unlinkat => "unlinkat",
    SYS_linkat => "linkat",
    SYS_renameat2 => "renameat2",
    SYS_connect => "connect",
    SYS_bind => "bind",
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    SYS_renameat => "renameat",
    #[cfg(target_arch = "x86_64")]
    SYS_open => "open",
    #[cfg(target_arch = "x86_64")]
    SYS_creat => "creat",
    #[cfg(target_arch = "x86_64")]
    SYS_mkdir => "mkdir",
    #[cfg(target_arch = "x86_64")]
    SYS_mknod => "mknod",
    #[cfg(target_arch = "x86_64")]
    SYS_symlink => "symlink",
    #[cfg(target_arch = "x86_64")]
    SYS_unlink => "unlink",
    #[cfg(target_arch = "x86_64")]
    SYS_rmdir => "rmdir",
    #[cfg(target_arch = "x86_64")]
    SYS_link => "link",
    #[cfg(target_arch = "x86_64")]
    SYS_rename => "rename",
}

/// Decodes a call. Returns `None` if it needs no right, or cannot be read.
pub(crate) fn decode(call: &Call<'_>) -> Option<Wanted> {
    let memory = Memory::of(call.thread).ok()?;
    let [a, b, c, d, ..] = call.arguments;
    let here = u64::from(libc::AT_FDCWD.cast_unsigned());
    let at = |directory: u64, pointer: u64| memory.path(directory, pointer);
    // The low half of a register holds a number of 32 bits.
    let flags = |register: u64| (register & 0xffff_ffff) as u32 as i32;
    Some(match call.number {
        libc::SYS_openat => Wanted::Open(at(a, b)?, flags(c)),
        libc::SYS_execve => Wanted::Execute(at(here, a)?),
        libc::SYS_execveat => Wanted::Execute(at(a, b)?),
        libc::SYS_truncate => Wanted::Change(at(here, a)?),
        libc::SYS_mkdirat | libc::SYS_mknodat => Wanted::Create(at(a, b)?),
        libc::SYS_symlinkat => Wanted::Create(at(b, c)?),
        libc::SYS_unlinkat => Wanted::Remove(at(a, b)?),
        libc::SYS_linkat | libc::SYS_renameat2 => Wanted::Rename(at(a, b)?, at(c, d)?),
        libc::SYS_connect => Wanted::Connect(memory.address(b, c)?),
        libc::SYS_bind => Wanted::Bind(memory.address(b, c)?),
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        libc::SYS_renameat => Wanted::Rename(at(a, b)?, at(c, d)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open => Wanted::Open(at(here, a)?, flags(b)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_creat => Wanted::Open(at(here, a)?, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_mkdir | libc::SYS_mknod => Wanted::Create(at(here, a)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink => Wanted::Create(at(here, b)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_unlink | libc::SYS_rmdir => Wanted::Remove(at(here, a)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link | libc::SYS_rename => Wanted::Rename(at(here, a)?, at(here, b)?),
        _ => return None,
    })
}

/// The memory and the descriptors of a waiting thread.
struct Memory {
    thread: u32,
    memory: File,
}

impl Memory {
    fn of(thread: u32) -> io::Result<Self> {
        Ok(Self { thread, memory: File::open(format!("/proc/{thread}/mem"))? })
    }

    /// Reads a path, and makes it absolute by the directory that a descriptor stands for.
    fn path(&self, directory: u64, pointer: u64) -> Option<PathBuf> {
        let path = self.text(pointer)?;
        if path.is_absolute() {
            return Some(path);
        }
        let number = (directory & 0xffff_ffff) as u32 as i32;
        let link = match number {
            libc::AT_FDCWD => format!("/proc/{}/cwd", self.thread),
            number => format!("/proc/{}/fd/{number}", self.thread),
        };
        let directory = std::fs::read_link(link).ok()?;
        // The empty path stands for the descriptor itself.
        Some(if path.as_os_str().is_empty() { directory } else { directory.join(path) })
    }

    /// Reads a text that ends with a zero byte.
    fn text(&self, pointer: u64) -> Option<PathBuf> {
        /// The longest path that the kernel accepts, and the size of a page.
        const MAX_PATH: usize = 4096;
        let mut text = Vec::with_capacity(256);
        while text.len() < MAX_PATH {
            let mut piece = [0; 256];
            let from = pointer.checked_add(u64::try_from(text.len()).ok()?)?;
            // The next page of memory may not exist, so each read ends at the end of a page.
            let rest = MAX_PATH - usize::try_from(from % MAX_PATH as u64).ok()?;
            let piece = piece.get_mut(..rest.min(256))?;
            let count = self.memory.read_at(piece, from).ok().filter(|count| *count > 0)?;
            let read = piece.get(..count)?;
            if let Some(end) = read.iter().position(|byte| *byte == 0) {
                text.extend_from_slice(read.get(..end)?);
                return Some(PathBuf::from(std::ffi::OsString::from_vec(text)));
            }
            text.extend_from_slice(read);
        }
        None
    }

    /// Reads an address of the internet. Returns `None` for any other family.
    fn address(&self, pointer: u64, length: u64) -> Option<SocketAddr> {
        let mut bytes = [0; 28];
        let length = usize::try_from(length & 0xffff_ffff).ok()?.min(bytes.len());
        self.memory.read_exact_at(bytes.get_mut(..length)?, pointer).ok()?;
        address(&bytes)
    }
}

fn address(bytes: &[u8; 28]) -> Option<SocketAddr> {
    let [f0, f1, p0, p1, rest @ ..] = bytes;
    let port = u16::from_be_bytes([*p0, *p1]);
    let ip: IpAddr = match i32::from(u16::from_ne_bytes([*f0, *f1])) {
        libc::AF_INET => Ipv4Addr::from(*rest.first_chunk::<4>()?).into(),
        libc::AF_INET6 => Ipv6Addr::from(*rest.get(4..)?.first_chunk::<16>()?).into(),
        _ => return None,
    };
    Some(SocketAddr::new(ip, port))
}

pub(crate) fn parent(process: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Describes a process by its program, and by its script if the script is in one of `below`. Other arguments may be
/// secrets.
pub(crate) fn describe(thread: u32, directories: &[&Path]) -> String {
    let program = std::fs::read_link(format!("/proc/{thread}/exe")).unwrap_or_default();
    let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let line = std::fs::read(format!("/proc/{thread}/cmdline")).unwrap_or_default();
    let script = line.split(|byte| *byte == 0).skip(1).find_map(|word| {
        let path = Path::new(std::str::from_utf8(word).ok()?).canonicalize().ok()?;
        let below = directories.iter().find_map(|directory| path.strip_prefix(directory).ok())?;
        is_script(&path).then(|| below.display().to_string())
    });
    script.map_or(program.clone(), |script| format!("{program} {script}"))
}

/// Returns `true` for a file that an interpreter runs.
fn is_script(path: &Path) -> bool {
    // Pipes are skipped, because opening one would wait for its other end.
    if !path.is_file() {
        return false;
    }
    let ends = ["py", "sh", "js", "mjs", "ts", "rb", "pl"];
    let mut head = [0; 2];
    let mut read = || File::open(path).and_then(|file| file.read_exact_at(&mut head, 0)).is_ok();
    path.extension().is_some_and(|end| ends.iter().any(|known| end == *known)) || (read() && head == *b"#!")
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.18
    #[test]
    fn addresses_of_the_internet_are_read() {
        let mut bytes = [0; 28];
        bytes[..2].copy_from_slice(&2_u16.to_ne_bytes());
        bytes[2..8].copy_from_slice(&[1, 187, 10, 0, 0, 1]);
        assert_eq!(address(&bytes), Some("10.0.0.1:443".parse().unwrap()));
        bytes[..2].copy_from_slice(&10_u16.to_ne_bytes());
        bytes[8..24].copy_from_slice(&Ipv6Addr::LOCALHOST.octets());
        assert_eq!(address(&bytes), Some("[::1]:443".parse().unwrap()));
        bytes[..2].copy_from_slice(&1_u16.to_ne_bytes());
        assert_eq!(address(&bytes), None);
    }

    // SPEC 13.18
    #[test]
    fn the_memory_of_a_process_is_read_up_to_the_end_of_a_page() {
        let own = Memory::of(std::process::id()).unwrap();
        let long = format!("/{}\0", "x".repeat(4_000));
        let pointer = long.as_ptr() as u64;
        assert_eq!(own.text(pointer).unwrap().as_os_str().len(), 4_001);
        let endless = "y".repeat(5_000);
        assert_eq!(own.text(endless.as_ptr() as u64), None);
        assert_eq!(own.text(1), None);
        let relative = "a/b\0";
        let here = u64::from(libc::AT_FDCWD.cast_unsigned());
        let path = own.path(here, relative.as_ptr() as u64).unwrap();
        assert_eq!(path, std::env::current_dir().unwrap().join("a/b"));
    }
}
