//! Tests that a confined program reaches only granted resources.

#![cfg(target_os = "linux")]

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use skills_exec::{Outcome, Request, Sandbox, run};

use crate::support::confined::need_sandbox;
use crate::support::{Scratch, carriers};

/// A skill whose files are beside the files that the tests write.
fn confined(scratch: &Scratch, script: &str, sandbox: Sandbox) -> Outcome {
    need_sandbox();
    let program = scratch.file("skill/run", format!("#!/bin/sh\n{script}\n"), 0o755);
    std::fs::create_dir_all(scratch.path().join("work")).expect("made");
    let mut request = Request::new("n", "", scratch.path().join("skill"), program);
    request.workspace = Some(scratch.path().join("work"));
    request.environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    request.sandbox = Some(sandbox);
    run(&request)
}

// SPEC 12.3, 13.15
#[test]
fn files_are_read_and_written_only_where_allowed() {
    let scratch = Scratch::new();
    scratch.file("secret", "secret", 0o644);
    scratch.file("work/in", "in", 0o644);
    let script = "cat in; cat ../secret; echo x >out; echo x >../skill/new; echo x >/tmp/skills-test-sandbox; \
                  true >../secret; rm ../secret; echo done; cat out; echo >/dev/null";
    let outcome = confined(&scratch, script, Sandbox::default());
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "indone\nx\n"), "{outcome:?}");
    assert_eq!(std::fs::read_to_string(scratch.path().join("secret")).expect("there"), "secret");
    assert!(!scratch.path().join("skill/new").exists());
    // This process is not confined, and may grant more.
    scratch.file("other/file", "given", 0o644);
    let mut sandbox = Sandbox::default();
    sandbox.readable.push(scratch.path().join("secret"));
    sandbox.writable.push(scratch.path().join("other"));
    let script = "cat ../secret; echo more >>../other/file; echo x >../secret || echo no";
    let outcome = confined(&scratch, script, sandbox);
    assert_eq!(outcome.stdout, "secretno\n");
    assert_eq!(std::fs::read_to_string(scratch.path().join("other/file")).expect("there"), "givenmore\n");
}

// SPEC 12.4
#[test]
#[ignore = "needs python3"]
fn no_connection_is_made_unless_allowed() {
    test_bed::need("python3");
    let scratch = Scratch::new();
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    std::fs::create_dir_all(scratch.path().join("work")).expect("made");
    let _unix = UnixListener::bind(scratch.path().join("work/socket")).expect("a socket");
    let script = format!(
        "exec python3 -c \"
import socket
def attempt(kind, connect):
    try:
        connect()
        print(kind, 'yes')
    except OSError:
        print(kind, 'no')
attempt('tcp', lambda: socket.create_connection(('127.0.0.1', {})))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {})))
attempt('unix', lambda: socket.socket(socket.AF_UNIX).connect('socket'))
attempt('pair', socket.socketpair)
\"",
        tcp.local_addr().expect("bound").port(),
        udp.local_addr().expect("bound").port(),
    );
    let mut sandbox = Sandbox::default();
    // The directory of the installed Python.
    sandbox.readable.push("/".into());
    let outcome = confined(&scratch, &script, sandbox.clone());
    assert_eq!(outcome.stdout, "tcp no\nudp no\nunix no\npair yes\n", "{outcome:?}");
    let sandbox = sandbox.network(true);
    let outcome = confined(&scratch, &script, sandbox);
    assert_eq!(outcome.stdout, "tcp yes\nudp yes\nunix no\npair yes\n", "{outcome:?}");
}

// SPEC 7.2
#[test]
#[ignore = "needs setsid"]
fn a_confined_tree_is_ended_like_any_other() {
    test_bed::need("setsid");
    let scratch = Scratch::new();
    let mut request = scratch.script("trap '' TERM; setsid sleep 30 & setsid sleep 31 & sleep 32");
    request.sandbox = Some(Sandbox::default());
    request.timeout = std::time::Duration::from_millis(300);
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 300ms"));
    assert_eq!(carriers(request.run_id.as_str()), [0; 0]);
}

// SPEC 12.3
#[test]
fn unavailable_permissions_are_refused() {
    let scratch = Scratch::new();
    let mut request = scratch.script("echo ran");
    let mut sandbox = Sandbox::default();
    sandbox.readable.push("/no/such".into());
    request.sandbox = Some(sandbox);
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (126, ""));
    assert!(outcome.error.starts_with("cannot confine the program: "), "{}", outcome.error);
}

// SPEC 7.9: a program does not inherit descriptors of the host, confined or not
#[test]
fn programs_inherit_no_descriptors_of_the_host() {
    let scratch = Scratch::new();
    scratch.file("secret", "secret", 0o644);
    let secret = std::fs::File::open(scratch.path().join("secret")).expect("there");
    // A duplicate is inherited, since exec does not close it.
    let copy = rustix::io::dup(&secret).expect("another");
    let number = std::os::fd::AsRawFd::as_raw_fd(&copy);
    // `sh` may know the numbers below 10 alone, and other tests have files open.
    let script = format!("bash -c 'cat <&{number}'; cat /proc/self/fd/{number}; echo done");
    let outcome = confined(&scratch, &script, Sandbox::default());
    assert_eq!(outcome.stdout, "done\n", "{outcome:?}");
    assert_eq!(run(&scratch.script(&script)).stdout, "done\n");
}
