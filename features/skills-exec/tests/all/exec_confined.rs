//! Tests that a confined program gets the granted permissions that real scripts need, and that its temporary files
//! are removed.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::Scratch;
use crate::support::confined::{asked, need_sandbox, run_in};
use skills_exec::{Confinement, Environment, Limits, Outcome, RunOptions, WorkspaceAccess};
use skills_registry::Net;

fn options(scratch: &Scratch, confinement: Confinement) -> RunOptions {
    std::fs::create_dir_all(scratch.path().join("work")).expect("made");
    let mut environment = Environment::empty();
    environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    environment.set("HOME", scratch.path().join("home"));
    RunOptions::of_process()
        .environment(environment)
        .workspace(scratch.path().join("work"))
        .confinement(confinement)
}

fn limits(texts: &[&str]) -> Limits {
    let mut limits = Limits::default();
    texts.iter().for_each(|text| limits.set(text).expect("a limit"));
    limits
}

// SPEC 13.6, 13.7: the workspace is readable and writable as requested, as far as the host allows
#[test]
fn the_workspace_is_granted_as_requested() {
    need_sandbox();
    let scratch = Scratch::new();
    scratch.file("work/note", "note", 0o644);
    scratch.file("skill/data/own", "own", 0o644);
    scratch.file(
        "skill/run",
        "#!/bin/sh\ncat note; cat \"$SKILL_PATH/data/own\"; echo x >out && echo wrote; :\n",
        0o755,
    );
    let ran = |read: &[&str], write: &[&str], access| {
        let _ = std::fs::remove_file(scratch.path().join("work/out"));
        let policy = Confinement::auto().workspace(access);
        run_in(scratch.path(), Some(&asked(read, write, Net::None, &[])), &options(&scratch, policy)).stdout
    };
    assert_eq!(ran(&[], &[], WorkspaceAccess::Write), "own");
    assert_eq!(ran(&["$WORKSPACE"], &[], WorkspaceAccess::Write), "noteown");
    assert_eq!(ran(&["$WORKSPACE/note"], &[], WorkspaceAccess::Write), "noteown");
    assert_eq!(ran(&[], &["$WORKSPACE"], WorkspaceAccess::Write), "noteownwrote\n");
    assert_eq!(ran(&[], &["$WORKSPACE"], WorkspaceAccess::Read), "noteown");
    assert_eq!(ran(&[], &["$WORKSPACE"], WorkspaceAccess::None), "own");
    // A link in the workspace does not extend the permissions.
    std::os::unix::fs::symlink("/", scratch.path().join("work/all")).expect("made");
    let policy = Confinement::auto();
    let outcome = run_in(
        scratch.path(),
        Some(&asked(&["$WORKSPACE/all"], &[], Net::None, &[])),
        &options(&scratch, policy),
    );
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (126, ""));
    assert!(outcome.error.contains("`$WORKSPACE/all` leads out"), "{}", outcome.error);
}

// SPEC 13.5, 13.7: paths from `~` and `/` are granted only if they are requested and the host allows them
#[test]
fn paths_in_the_home_are_granted_if_requested() {
    need_sandbox();
    let scratch = Scratch::new();
    scratch.file("data/a", "a", 0o644);
    scratch.file("skill/run", format!("#!/bin/sh\ncat {}/data/a; :\n", scratch.path().display()), 0o755);
    let data = scratch.path().join("data").display().to_string();
    let ran = |read: &[&str], policy| {
        run_in(scratch.path(), Some(&asked(read, &[], Net::None, &[])), &options(&scratch, policy)).stdout
    };
    assert_eq!(ran(&[], Confinement::auto()), "");
    assert_eq!(ran(&[&data], Confinement::auto()), "a");
    assert_eq!(ran(&["/"], Confinement::auto()), "a");
    assert_eq!(ran(&["/"], Confinement::auto().within(["/usr"])), "");
    assert_eq!(ran(&["/"], Confinement::auto().within([&data])), "a");
}

// SPEC 13.9, 13.10
#[test]
fn variables_home_and_temporary_files_are_private() {
    need_sandbox();
    let scratch = Scratch::new();
    let script = "#!/bin/sh\necho \"$TMPDIR|$HOME|$ASKED|$UNASKED|$A_TOKEN\"; echo x >\"$TMPDIR/x\"; mkdir \"$TMPDIR/d\"; chmod 0 \"$TMPDIR/d\"; stat -c %a \"$TMPDIR\"\n";
    scratch.file("skill/run", script, 0o755);
    let host = ["ASKED", "UNASKED", "A_TOKEN"].map(|name| (name.into(), "given".into()));
    let permissions = asked(&[], &[], Net::None, &["ASKED", "A_TOKEN"]);
    let policy = Confinement::auto().offer(host, []);
    let outcome = run_in(scratch.path(), Some(&permissions), &options(&scratch, policy.clone()));
    let (printed, mode) = outcome.stdout.split_once('\n').expect("two lines");
    let parts: Vec<&str> = printed.split('|').collect();
    assert_eq!(parts[0], parts[1], "{outcome:?}");
    assert_eq!((&parts[2..], mode), (&["given", "", ""][..], "700\n"), "{outcome:?}");
    assert!(!parts[0].is_empty() && !Path::new(parts[0]).exists(), "it is removed: {}", parts[0]);
    let again = run_in(scratch.path(), Some(&permissions), &options(&scratch, policy));
    assert!(!again.stdout.starts_with(parts[0]), "each run has its own");
    // A program with a granted path in the home gets the real `HOME`.
    let outcome = run_in(
        scratch.path(),
        Some(&asked(&["~/.config"], &[], Net::None, &[])),
        &options(&scratch, Confinement::auto()),
    );
    assert!(outcome.stdout.contains(&format!("|{}/home|", scratch.path().display())), "{outcome:?}");
}

// SPEC 13.5: a trusted skill without permissions is not confined by `auto`, and is by `require`
#[test]
fn who_is_confined() {
    need_sandbox();
    let scratch = Scratch::new();
    scratch.file("work/note", "note", 0o644);
    scratch.file("skill/run", "#!/bin/sh\ncat note; :\n", 0o755);
    let ran = |options: &RunOptions| run_in(scratch.path(), None, options).stdout;
    assert_eq!(ran(&options(&scratch, Confinement::off()).trusted(false)), "note");
    assert_eq!(ran(&options(&scratch, Confinement::auto())), "note");
    assert_eq!(ran(&options(&scratch, Confinement::auto()).trusted(false)), "");
    assert_eq!(ran(&options(&scratch, Confinement::require())), "");
}

// SPEC 13.13: between this process and a program there are as many processes with a sandbox as without
#[test]
fn a_sandbox_adds_no_process() {
    need_sandbox();
    let depth = |confinement: Confinement| {
        let scratch = Scratch::new();
        scratch.file("skill/run", "#!/bin/sh\nuntil [ -e go ]; do :; done\n", 0o755);
        let permissions = asked(&["$WORKSPACE"], &[], Net::None, &[]);
        let options = options(&scratch, confinement);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| run_in(scratch.path(), Some(&permissions), &options));
            let program = loop {
                if let Some(found) = process_with(scratch.path()) {
                    break found;
                }
                assert!(!run.is_finished(), "the program waits for the file");
                std::thread::yield_now();
            };
            let above = std::iter::successors(Some(program), |process| parent(*process));
            let depth = above.take_while(|process| *process != std::process::id()).count();
            scratch.file("work/go", "", 0o644);
            assert_eq!(run.join().expect("it ends").exit_code, 0);
            depth
        })
    };
    assert_eq!(depth(Confinement::require()), depth(Confinement::off()));
}

/// Finds a process of a shell that was started with a file below this directory.
fn process_with(directory: &Path) -> Option<u32> {
    let numbers = std::fs::read_dir("/proc").expect("it is mounted").flatten();
    let mut numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.find(|number| {
        let words = std::fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
        words.contains(directory.to_str().expect("UTF-8")) && words.contains("sh\0")
    })
}

fn parent(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// A server that answers each connection with `text`, after a request has come.
fn serve(listener: TcpListener, text: &'static str) {
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4096];
            let _ = stream.read(&mut head);
            let length = text.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
            );
        }
    });
}

// SPEC 13.8: named hosts are reached through the proxy, and nothing else is reachable
#[test]
#[ignore = "needs python3"]
fn only_named_hosts_are_reached() {
    need_sandbox();
    test_bed::need("python3");
    let scratch = Scratch::new();
    let (named, other) = (
        TcpListener::bind("127.0.0.1:0").expect("a port"),
        TcpListener::bind("127.0.0.1:0").expect("a port"),
    );
    let (port, closed) =
        (named.local_addr().expect("bound").port(), other.local_addr().expect("bound").port());
    serve(named, "the named one");
    serve(other, "the other one");
    let script = format!(
        r#"#!/usr/bin/env python3
import http.client, os, socket, threading, urllib.request, urllib.parse
def attempt(name, what):
    try:
        print(name, what())
    except Exception as error:
        print(name, "no", getattr(error, "code", None) or getattr(error, "errno", None) or "")
def get(url):
    return urllib.request.urlopen(url, timeout=10).read().decode()
proxy = urllib.parse.urlparse(os.environ["HTTP_PROXY"])
def tunnel(port):
    c = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=10)
    c.set_tunnel("localhost", port)
    c.request("GET", "/")
    return c.getresponse().read().decode()
def direct(host, port):
    s = socket.create_connection((host, port), timeout=5)
    s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return s.recv(4096).decode()
def nonblocking():
    s = socket.socket(); s.setblocking(False)
    s.connect_ex((proxy.hostname, proxy.port))
    import select
    select.select([], [s], [], 5)
    return s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
def threaded():
    out = []
    t = threading.Thread(target=lambda: out.append(get("http://localhost:{port}/"))); t.start(); t.join()
    return out[0]
attempt("plain", lambda: get("http://localhost:{port}/"))
attempt("tunnel", lambda: tunnel({port}))
attempt("threaded", threaded)
attempt("nonblocking", nonblocking)
attempt("other", lambda: get("http://localhost:{closed}/"))
attempt("other-tunnel", lambda: tunnel({closed}))
attempt("direct", lambda: direct("127.0.0.1", {port}))
attempt("same-port-elsewhere", lambda: direct("127.0.0.2", proxy.port))
attempt("ipv6", lambda: direct("::1", proxy.port))
attempt("mapped", lambda: direct("::ffff:127.0.0.1", proxy.port))
attempt("not-a-proxy-request", lambda: direct(proxy.hostname, proxy.port).split()[1])
attempt("source-route", lambda: socket.socket().setsockopt(0, 4, bytes([131, 7, 4, 10, 0, 0, 1, 0])))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
print(os.environ["https_proxy"] == os.environ["http_proxy"] == os.environ["HTTPS_PROXY"], os.environ.get("NO_PROXY"))
"#
    );
    scratch.file("skill/run", script, 0o755);
    // Error 13 comes from the sandbox, not from a server.
    let permissions = asked(&[], &[], Net::Hosts(vec![format!("localhost:{port}")]), &[]);
    let outcome = run_in(scratch.path(), Some(&permissions), &options(&scratch, Confinement::auto()));
    let wanted = "plain the named one\ntunnel the named one\nthreaded the named one\nnonblocking 0\nother no 403\nother-tunnel no \n\
                  direct no 13\nsame-port-elsewhere no 13\nipv6 no 13\nmapped no 13\nnot-a-proxy-request 400\nsource-route no 13\nudp no 13\nlisten no 13\nTrue None\n";
    assert_eq!(outcome.stdout, wanted, "{outcome:?}");
}

// SPEC 13.11
#[test]
fn limits_hold() {
    let outcome = run_limited("head -c 100000 /dev/zero >out; stat -c %s out", &["file-size=4K"]);
    assert_eq!(outcome.stdout, "4096\n", "{outcome:?}");
    let outcome = run_limited("while :; do :; done", &["cpu=1"]);
    assert!(outcome.duration < Duration::from_secs(20) && outcome.exit_code > 128, "{outcome:?}");
    let outcome =
        run_limited("ulimit -v; ulimit -t; ulimit -f", &["memory=256M", "cpu=1500ms", "file-size=1M"]);
    assert_eq!(outcome.stdout, "262144\n2\n2048\n", "{outcome:?}");
    let outcome = run_limited("sleep 1 & sleep 1 & sleep 1 & wait; echo all", &["processes=1"]);
    assert!(!outcome.stdout.contains("all"), "{outcome:?}");
}

// SPEC 13.11
#[test]
#[ignore = "needs python3"]
fn the_limit_of_memory_holds() {
    test_bed::need("python3");
    let outcome = run_limited("exec python3 -c 'bytearray(1 << 30)'", &["memory=256M"]);
    assert!(outcome.exit_code == 1 && outcome.stderr.contains("MemoryError"), "{outcome:?}");
}

/// Runs a script with limits, without a sandbox.
fn run_limited(script: &str, texts: &[&str]) -> Outcome {
    let scratch = Scratch::new();
    scratch.file("skill/run", format!("#!/bin/sh\n{script}\n"), 0o755);
    run_in(scratch.path(), None, &options(&scratch, Confinement::off().limits(limits(texts))))
}

// SPEC 13.16: the kernel does not limit the number of root's processes, so a run with too many is ended
#[test]
#[ignore = "needs root, python3 and setsid"]
fn root_has_a_limit_of_processes_too() {
    assert!(rustix::process::getuid().is_root(), "the kernel counts the processes of other users");
    ["python3", "setsid"].into_iter().for_each(test_bed::need);
    let begin = Instant::now();
    let plain = "i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); done; wait; echo all";
    let gone = "i=0; while [ $i -lt 60 ]; do setsid env -i sleep 30 & i=$((i+1)); done; wait; echo all";
    let threads = "exec python3 -c 'import threading, time\nfor _ in range(60): threading.Thread(target=time.sleep, args=(30,)).start()'";
    for script in [plain, gone, threads] {
        let outcome = run_limited(script, &["processes=12"]);
        assert_eq!(outcome.exit_code, 137, "{script}: {outcome:?}");
        assert!(outcome.error.contains("more than 12 processes at once"), "{outcome:?}");
        assert!(!outcome.stdout.contains("all"), "{outcome:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(25), "nobody waited for them");
    let outcome = run_limited("sleep 0.2 & sleep 0.2 & sleep 0.2 & wait; echo all", &["processes=12"]);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "all\n"), "{outcome:?}");
}

fn git(scratch: &Scratch, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.com"]).args(arguments);
    assert!(git.current_dir(scratch.path().join("work")).output().expect("git").status.success());
}

/// Runs a script that a sandbox confines to the paths that it asks for.
fn run_script(scratch: &Scratch, script: &str, write: &[&str]) -> Outcome {
    need_sandbox();
    std::fs::create_dir_all(scratch.path().join("work")).expect("made");
    scratch.file("skill/run", script, 0o755);
    let permissions = asked(&[], write, Net::None, &[]);
    run_in(scratch.path(), Some(&permissions), &options(scratch, Confinement::auto()))
}

// SPEC 13.7
#[test]
#[ignore = "needs python3"]
fn a_script_of_python_runs() {
    test_bed::need("python3");
    let scratch = Scratch::new();
    let script = "#!/usr/bin/env python3\nimport argparse, asyncio, csv, datetime, decimal, glob, hashlib, json, locale, os, pathlib, platform, random, re, shutil, sqlite3, ssl, subprocess, tempfile, threading, time, unittest, urllib.request, uuid, zipfile, zlib, zoneinfo\n\
        with tempfile.TemporaryDirectory() as d:\n  p = pathlib.Path(d, 'x.db')\n  c = sqlite3.connect(p); c.execute('create table t(a)'); c.commit(); c.close()\n  shutil.copytree(d, d + '-copy')\n  zipfile.ZipFile(p.with_suffix('.zip'), 'w').write(p)\n\
        async def work():\n  p = await asyncio.create_subprocess_exec('sh', '-c', 'cat <<E\\nhere\\nE\\n', stdout=subprocess.PIPE)\n  return (await p.communicate())[0]\n\
        print(asyncio.run(work()), hashlib.sha256(b'').hexdigest()[:4], ssl.create_default_context() is not None, datetime.date(2000, 1, 1))\n";
    let outcome = run_script(&scratch, script, &[]);
    assert_eq!(
        (outcome.exit_code, outcome.stdout.as_str()),
        (0, "b'here\\n' e3b0 True 2000-01-01\n"),
        "{outcome:?}"
    );
}

// SPEC 13.7
#[test]
#[ignore = "needs node"]
fn a_script_of_node_runs() {
    test_bed::need("node");
    let scratch = Scratch::new();
    let script = "#!/usr/bin/env node\nconst fs = require('fs'), os = require('os'), path = require('path');\n\
        const out = require('child_process').execSync('echo from a shell').toString().trim();\n\
        fs.mkdtempSync(path.join(os.tmpdir(), 'x'));\nfs.writeFileSync('made', 'x');\n\
        const {Worker} = require('worker_threads');\nnew Worker('require(\"worker_threads\").parentPort.postMessage(41 + 1)', {eval: true}).on('message', n => console.log(out, n, fs.readFileSync('made', 'utf8')));\n";
    let outcome = run_script(&scratch, script, &["$WORKSPACE"]);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "from a shell 42 x\n"), "{outcome:?}");
}

// SPEC 13.7
#[test]
#[ignore = "needs git"]
fn a_script_of_git_runs() {
    test_bed::need("git");
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.path().join("work")).expect("made");
    git(&scratch, &["init", "-q"]);
    scratch.file("work/a.txt", "a\n", 0o644);
    git(&scratch, &["add", "."]);
    git(&scratch, &["commit", "-qm", "first"]);
    let script = "#!/bin/sh\nset -e\necho b >b.txt\ngit status --porcelain\ngit add b.txt\ngit -c user.name=n -c user.email=n@example.com commit -qm second\n\
                  git log --format=%s\ngit diff HEAD~1 --stat | tail -1\n";
    let outcome = run_script(&scratch, script, &["$WORKSPACE"]);
    assert!(outcome.exit_code == 0 && outcome.stdout.contains("second\nfirst\n"), "{outcome:?}");
    assert!(outcome.stdout.contains("?? b.txt"), "{outcome:?}");
}

// SPEC 13.7, 13.12: compilers, the shell, and tools that copy, compress and time out
#[test]
#[ignore = "needs bash and cc"]
fn a_script_that_compiles_runs() {
    test_bed::need("bash");
    test_bed::need("cc");
    let scratch = Scratch::new();
    let script = "#!/usr/bin/env bash\nset -euo pipefail\n\
        printf '#include <stdio.h>\\n#include <pthread.h>\\nstatic void *f(void *p) { puts(\"compiled\"); return p; }\\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }\\n' >a.c\n\
        cc -pthread -o \"$TMPDIR/a\" a.c\n\"$TMPDIR/a\"\n\
        cp -a --reflink=auto a.c b.c; mv b.c c.c; ln -s a.c d.c; chmod 600 c.c; touch -d 2000-01-01 c.c; truncate -s 3 c.c\n\
        tar -czf a.tgz a.c c.c d.c && mkdir out && tar -xzf a.tgz -C out && ls out | tr '\\n' ' '\n\
        sort <(printf 'b\\na\\n') | tr '\\n' ' '; timeout 5 true; ulimit -n >/dev/null; test -t 0 || echo no terminal\n";
    let outcome = run_script(&scratch, script, &["$WORKSPACE"]);
    assert_eq!(
        (outcome.exit_code, outcome.stdout.as_str()),
        (0, "compiled\na.c c.c d.c a b no terminal\n"),
        "{outcome:?}"
    );
}
