//! Tests that no attempt to escape from the sandbox succeeds, as this user and as a user without privileges.
//!
//! The attempts are in `escape/attempts.py`. The test also checks that most of them succeed without a sandbox.

#![allow(clippy::print_stderr, reason = "the test prints its figures")]

use std::fs::{File, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::Scratch;
use crate::support::confined::{asked, need_sandbox, run_in};
use skills_exec::{Caps, Confinement, Environment, Outcome, RunOptions};
use skills_registry::Net;

const ATTEMPTS: &str = include_str!("../escape/attempts.py");
const LEAVE: &str = include_str!("../escape/leave.py");
const MARK: &str = "the secret";

/// The attempts that `"all"` allows: connections to this machine, datagrams to it, listening, and names of
/// sockets (SPEC 13.8).
const NETWORK: [&str; 12] = [
    "connect_by_ipv4",
    "connect_by_ipv6",
    "connect_by_a_fast_open",
    "connect_by_many_paths",
    "connect_from_another_thread",
    "send_by_udp",
    "send_by_udp_and_ipv6",
    "ask_a_name_server",
    "reach_this_machine_by_a_name",
    "reach_this_machine_by_another_spelling",
    "listen_for_others",
    "take_an_abstract_name",
];

/// The resources outside of the sandbox, for one run.
struct World {
    scratch: Scratch,
    victim: Child,
    segment: String,
    shared: String,
    environment: Environment,
    semaphore: String,
    /// Listens on an address of this machine other than loopback. `None` if there is none.
    own: Option<TcpListener>,
    _open: (TcpListener, Option<TcpListener>, UdpSocket, Option<UdpSocket>, UnixListener, UnixListener, File),
    _datagrams: [UnixDatagram; 2],
}

impl World {
    fn new() -> Self {
        let scratch = Scratch::new();
        let place = scratch.path().to_owned();
        let secret = scratch.file("home/.ssh/id_rsa", MARK, 0o600);
        for name in ["movable", "removable", "long"] {
            scratch.file(&format!("outside/{name}"), MARK, 0o644);
        }
        scratch.file("work/note", MARK, 0o644);
        scratch.file("skill/run", format!("#!/usr/bin/env python3\n{ATTEMPTS}"), 0o755);
        std::fs::create_dir_all(place.join("tmp")).expect("made");
        // A waiting shell, whose arguments and environment contain the secret.
        let mut victim = Command::new("/bin/sh");
        victim.args(["-c", "read line", MARK]).env("KEY", MARK).stdin(Stdio::piped());
        let victim = victim.spawn().expect("a shell");
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", victim.id())).expect("its memory");
        let stack =
            maps.lines().find(|line| line.ends_with("[stack]")).and_then(|line| line.split('-').next());
        let stack = u64::from_str_radix(stack.unwrap_or("0"), 16).expect("an address");
        let segment = segment();
        let semaphore = python("print(ctypes.CDLL(None).semget(0, 1, 0o1600))");
        let shared = format!("/dev/shm/skills-escape-{}", place.file_name().expect("a name").display());
        std::fs::write(&shared, MARK).expect("written");
        let name = format!("skills-escape-{}", std::process::id());
        let abstracted = SocketAddr::from_abstract_name(&name).expect("a name");
        let file = File::open(&secret).expect("there");
        rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).expect("set");
        let open = (
            TcpListener::bind("127.0.0.1:0").expect("a port"),
            TcpListener::bind("[::1]:0").ok(),
            UdpSocket::bind("127.0.0.1:0").expect("a port"),
            UdpSocket::bind("[::1]:0").ok(),
            UnixListener::bind_addr(&abstracted).expect("a socket"),
            UnixListener::bind(place.join("outside/socket")).expect("a socket"),
            file,
        );
        let packets = SocketAddr::from_abstract_name(format!("{name}-datagrams")).expect("a name");
        let datagrams = [
            UnixDatagram::bind_addr(&packets).expect("a socket"),
            UnixDatagram::bind(place.join("outside/datagrams")).expect("a socket"),
        ];
        let port6 = open.1.as_ref().map_or(1, |it| it.local_addr().expect("bound").port());
        let udp6 = open.3.as_ref().map_or(1, |it| it.local_addr().expect("bound").port());
        let mut environment = Environment::empty();
        environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.set("TMPDIR", place.join("tmp"));
        environment.set("HOME", place.join("home"));
        for (name, value) in [
            ("SECRET", secret.display().to_string()),
            ("OUTSIDE", place.join("outside").display().to_string()),
            ("VICTIM", victim.id().to_string()),
            ("VICTIM_STACK", stack.to_string()),
            ("PORT4", open.0.local_addr().expect("bound").port().to_string()),
            ("PORT6", port6.to_string()),
            ("UDP4", open.2.local_addr().expect("bound").port().to_string()),
            ("UDP6", udp6.to_string()),
            ("ABSTRACT", name),
            ("SOCKET", place.join("outside/socket").display().to_string()),
            ("DATAGRAMS", place.join("outside/datagrams").display().to_string()),
            ("SEM", semaphore.clone()),
            ("SHM", segment.clone()),
            ("SHARED", shared.clone()),
            ("FD", open.6.as_raw_fd().to_string()),
            ("TERMINAL", "/dev/tty".to_owned()),
        ] {
            environment.set(name, value);
        }
        let own = own_listener();
        if let Some(address) = own.as_ref().and_then(|own| own.local_addr().ok()) {
            environment.set("OWN", address.ip().to_string());
            environment.set("OWN_PORT", address.port().to_string());
        }
        let (_open, _datagrams) = (open, datagrams);
        Self { scratch, victim, segment, shared, environment, semaphore, own, _open, _datagrams }
    }

    /// Hosts that a skill may name, and a name that leads to this machine.
    fn hosts(&self) -> Net {
        let own = self.own.as_ref().map(|own| own.local_addr().expect("bound"));
        let own = own.iter().filter_map(|own| Some(format!("*.{}", own.to_string().split_once('.')?.1)));
        Net::Hosts(["example.com", "127.0.0.1:1"].map(str::to_owned).into_iter().chain(own).collect())
    }

    fn run(&mut self, net: Net, confinement: Confinement) -> Outcome {
        if confinement == Confinement::off() {
            self.environment.set("CONTROL", "1");
        }
        let names: Vec<String> =
            self.environment.iter().filter_map(|(name, _)| name.to_str().map(str::to_owned)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let permissions = asked(&[], &["$TMPDIR"], net, &names);
        let options = RunOptions::of_process()
            .environment(self.environment.clone())
            .workspace(self.scratch.path().join("work"))
            .caps(Caps { stdout: 1 << 20, stderr: 1 << 20 })
            .confinement(confinement);
        run_in(self.scratch.path(), Some(&permissions), &options)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        let _ = std::fs::remove_file(&self.shared);
        let _ = Command::new("ipcrm").args(["-m", &self.segment, "-s", &self.semaphore]).status();
    }
}

/// Listens on an address that other machines reach. Nothing is sent to the address that it looks up.
fn own_listener() -> Option<TcpListener> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("198.51.100.1:9").ok()?;
    TcpListener::bind((socket.local_addr().ok()?.ip(), 0)).ok()
}

/// Creates a segment of shared memory with the secret, and returns its number.
fn segment() -> String {
    let script = format!(
        "libc = ctypes.CDLL(None)\nn = libc.shmget(0, 4096, 0o1600)\nlibc.shmat.restype = ctypes.c_void_p\n\
         ctypes.memmove(libc.shmat(n, None, 0), b'{MARK}', {})\nprint(n)",
        MARK.len()
    );
    python(&script)
}

/// Returns the output of a line of Python.
fn python(script: &str) -> String {
    let script = format!("import ctypes\n{script}");
    let made = Command::new("/usr/bin/env").args(["python3", "-c", &script]).output().expect("python");
    String::from_utf8_lossy(&made.stdout).trim().to_owned()
}

/// Returns the attempts with this result.
fn ended<'o>(outcome: &'o Outcome, how: &str) -> Vec<&'o str> {
    outcome.stdout.lines().filter_map(|line| line.strip_suffix(how)?.strip_suffix(' ')).collect()
}

/// Runs all attempts as the current user.
fn attempt_all() {
    let whole = |outcome: &Outcome| outcome.stdout.lines().any(|line| line.starts_with("attempts "));
    let control = World::new().run(Net::None, Confinement::off());
    assert!(whole(&control), "{control:?}");
    let free = ended(&control, "ESCAPED");
    eprintln!("without a sandbox {} succeed, these do not: {:?}", free.len(), ended(&control, "held"));
    assert!(free.len() >= 30, "the attempts are none: {control:?}");
    for net in [|_: &World| Net::None, World::hosts, |_: &World| Net::All] {
        let mut world = World::new();
        let net = net(&world);
        let outcome = world.run(net.clone(), Confinement::auto());
        assert!(whole(&outcome), "{outcome:?}");
        // A program with access to the whole network also reaches this machine.
        let mut escaped = ended(&outcome, "ESCAPED");
        escaped.retain(|name| net != Net::All || !NETWORK.contains(name));
        assert_eq!(escaped, [""; 0], "{net:?}");
        let held = ended(&outcome, "held").len();
        eprintln!("{net:?}: {held} attempts are held");
        assert!(held >= 40);
    }
}

/// Checks that this process can become another user.
fn need_root() {
    assert!(rustix::process::geteuid().is_root(), "only root can become another user");
}

// SPEC 13.7, 13.8, 13.12: as this user, and as root in a container
#[test]
#[ignore = "needs python3"]
fn no_attempt_succeeds() {
    need_sandbox();
    test_bed::need("python3");
    again(&std::env::current_exe().expect("this test"), &[]);
}

// SPEC 13.7, 13.8, 13.12: as a user without privileges
#[test]
#[ignore = "needs root, python3 and setpriv"]
fn no_attempt_of_an_unprivileged_user_succeeds() {
    need_sandbox();
    test_bed::need("python3");
    test_bed::need("setpriv");
    need_root();
    // A place that the user can read.
    let scratch = Scratch::new();
    let copy = scratch.path().join("test");
    test_bed::copy_program(std::env::current_exe().expect("this test"), &copy);
    std::fs::set_permissions(scratch.path(), Permissions::from_mode(0o755)).expect("set");
    again(&copy, &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]);
}

/// Returns the setuid and setgid files below a directory.
fn lending(place: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place).expect("a directory").map(|entry| entry.expect("an entry").path());
    let (below, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let mode = |path: &PathBuf| std::fs::metadata(path).expect("there").permissions().mode();
    let own = files.into_iter().filter(|path| mode(path) & 0o6000 != 0);
    own.chain(below.iter().flat_map(|below| lending(below))).collect()
}

// SPEC 13.12: a setuid file of root or of another user gives nobody more rights
#[test]
#[ignore = "needs root, python3 and setpriv"]
fn files_that_a_program_leaves_grant_no_rights() {
    need_sandbox();
    test_bed::need("python3");
    test_bed::need("setpriv");
    need_root();
    let scratch = Scratch::new();
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    };
    open(scratch.path(), 0o755);
    let test = scratch.path().join("test");
    test_bed::copy_program(std::env::current_exe().expect("this test"), &test);
    for (user, confined) in [("0", false), ("0", true), ("65534", false), ("65534", true)] {
        let left = scratch.path().join(format!("left-{user}-{confined}"));
        std::fs::create_dir(&left).expect("made");
        open(&left, 0o777);
        let ids = [format!("--reuid={user}"), format!("--regid={user}")];
        let mut command = Command::new("setpriv");
        command.args(ids).arg("--clear-groups").arg(&test);
        command.args(["--exact", "exec_escape::files_are_left", "--nocapture", "--include-ignored"]);
        command.env("LEFT", &left).env("CONFINED", if confined { "1" } else { "" }).current_dir("/");
        let done = command.output().expect("this test");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let lending = lending(&left);
        let other = |path: &PathBuf| {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65533", "--regid=65533", "--clear-groups"]).arg(path);
            let privileges = command.output().expect("setpriv");
            String::from_utf8_lossy(&privileges.stdout).contains(" euid=")
        };
        let lent = lending.iter().filter(|path| other(path)).count();
        eprintln!("user {user}, confined: {confined}: {} files, {lent} lend rights", lending.len());
        if confined {
            assert!(lending.is_empty(), "{lending:?}");
        } else {
            assert!(lending.len() >= 2 && lent >= 1, "{lending:?}: {lent} lend rights");
        }
    }
}

#[test]
#[ignore = "another test runs it in a separate process"]
fn files_are_left() {
    let Some(left) = std::env::var_os("LEFT") else { return };
    let scratch = Scratch::new();
    scratch.file("skill/run", format!("#!/usr/bin/env python3\n{LEAVE}"), 0o755);
    let mut environment = Environment::empty();
    environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    let confined = std::env::var_os("CONFINED").is_some_and(|value| !value.is_empty());
    let options = RunOptions::of_process()
        .environment(environment)
        .workspace(PathBuf::from(left))
        .confinement(if confined { Confinement::require() } else { Confinement::off() });
    let outcome = run_in(scratch.path(), Some(&asked(&[], &["$WORKSPACE"], Net::None, &[])), &options);
    assert!(outcome.exit_code == 0 && outcome.stdout.contains("ways "), "{outcome:?}");
    eprintln!("{}", outcome.stdout);
}

/// Runs the attempts in a separate process, whose environment contains the secret.
fn again(test: &Path, before: &[&str]) {
    let mut command = Command::new(before.first().map_or(test.as_os_str(), |first| first.as_ref()));
    if let Some((_, rest)) = before.split_first() {
        command.args(rest).arg(test);
    }
    command.args(["--exact", "exec_escape::in_a_separate_process", "--nocapture", "--include-ignored"]);
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("KEY", MARK).env("ESCAPE", "1");
    command.env("HOME", "/nonexistent").current_dir("/");
    let done = command.output().expect("this test");
    let stderr = String::from_utf8_lossy(&done.stderr);
    eprintln!("{stderr}");
    let stdout = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && stdout.contains("1 passed"), "{stdout}{stderr}");
}

#[test]
#[ignore = "the other tests run it in a separate process"]
fn in_a_separate_process() {
    if std::env::var_os("ESCAPE").is_some() {
        attempt_all();
    }
}
