//! Tests that no process is left after a run, however it hides, as this user and as a user without privileges.
//!
//! Each process of a run inherits a lock. If the lock can be acquired afterwards, no process is left.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Scratch;
use crate::support::confined::{asked, need_sandbox, run_in};
use skills_exec::{Confinement, Limits, Outcome, RunOptions};
use skills_registry::Net;

/// Starts processes without parents and environments in separate sessions. The program exits when all are running.
const PROGRAM: &str = r#"#!/usr/bin/env python3
import fcntl, os, time
work, tmp = os.environ["SKILL_WORKSPACE"], os.environ.get("TMPDIR", "")
lock = os.open(work + "/lock", os.O_WRONLY | os.O_CREAT, 0o600)
fcntl.flock(lock, fcntl.LOCK_EX)
begun, begins = os.pipe()
for fd in (lock, begins):
    os.set_inheritable(fd, True)
body = """
import os, signal, sys, time
begins, tmp, seen = int(sys.argv[1]), sys.argv[2], sys.argv[3]
def look():
    # The directory for temporary files is there as long as a process is that may use it.
    if tmp and not os.path.exists(tmp):
        os.open(seen, os.O_WRONLY | os.O_CREAT, 0o600)
os.write(begins, b".")
SHAPE
"""
def orphan():
    if os.fork():
        if os.wait()[1]:
            raise BlockingIOError("a child could not start another")
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open("/dev/null", os.O_WRONLY)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.execvpe("python3", ["python3", "-S", "-c", body, str(begins), tmp, work + "/seen"], {})
if tmp:
    for at in range(200):
        os.mkdir(f"{tmp}/{at}")
for _ in range(COUNT):
    orphan()
os.close(begins)
for _ in range(COUNT):
    assert os.read(begun, 1)
print(tmp, flush=True)
END
"#;

/// The scripts, with the number of processes that they start.
const SHAPES: [(&str, usize, &str); 4] = [
    ("sleeps", 4, "time.sleep(60)"),
    ("looks", 2, "while True: look()"),
    ("goes on to another number", 4, "while True:\n    look()\n    if os.fork(): os._exit(0)"),
    (
        "goes on to another session",
        4,
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True:\n    if os.fork(): os._exit(0)\n    os.setsid()",
    ),
];

struct World {
    scratch: Scratch,
    work: PathBuf,
}

impl World {
    fn new(shape: &str, count: usize, end: &str) -> Self {
        let program =
            PROGRAM.replace("SHAPE", shape).replace("COUNT", &count.to_string()).replace("END", end);
        let scratch = Scratch::new();
        scratch.file("skill/run", program, 0o755);
        let work = scratch.path().join("work");
        std::fs::create_dir(&work).expect("made");
        Self { scratch, work }
    }

    fn run(&self, confinement: Confinement) -> Outcome {
        let permissions = asked(&[], &["$WORKSPACE"], Net::None, &[]);
        let options = RunOptions::of_process().workspace(&self.work).confinement(confinement);
        run_in(self.scratch.path(), Some(&permissions), &options)
    }

    /// Whether a process of the run is left.
    fn is_left(&self) -> bool {
        use rustix::fs::{FlockOperation, flock};
        let lock = File::open(self.work.join("lock")).expect("the program has made it");
        flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err()
    }
}

/// Checks the prerequisites of `test`. For root, runs it once more as a user without rights.
fn as_both(test: &str) {
    need_sandbox();
    test_bed::need("python3");
    if rustix::process::geteuid().is_root() {
        test_bed::need("setpriv");
        let test = format!("exec_left::{test}");
        // A place that the user can read.
        let scratch = Scratch::new();
        let copy = scratch.path().join("test");
        test_bed::copy_program(std::env::current_exe().expect("this test"), &copy);
        std::fs::set_permissions(scratch.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("set");
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]);
        command.arg(&copy).args(["--exact", &test, "--nocapture", "--include-ignored"]).current_dir("/");
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", "/nonexistent");
        let done = command.output().expect("this test");
        let (stdout, stderr) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success() && stdout.contains("1 passed"), "as nobody: {stdout}{stderr}");
    }
}

// SPEC 7.10, 13.10: the directory for temporary files is removed when no process is left that could use it
#[test]
#[ignore = "needs python3 and setpriv"]
fn every_process_has_ended_before_anything_is_removed() {
    as_both("every_process_has_ended_before_anything_is_removed");
    for (name, count, shape) in SHAPES {
        for confinement in [Confinement::require(), Confinement::off()] {
            let world = World::new(shape, count, "");
            let is_confined = confinement == Confinement::require();
            let outcome = world.run(confinement);
            assert_eq!((outcome.exit_code, outcome.error.as_str()), (0, ""), "{name}: {outcome:?}");
            assert!(!world.is_left(), "{name}, confined: {is_confined}");
            let scratch = Path::new(outcome.stdout.trim());
            assert!(!is_confined || !scratch.exists(), "{}", scratch.display());
            assert!(!is_confined || !world.work.join("seen").exists(), "{name}: it was removed before");
        }
    }
}

// SPEC 7.2, 7.10: also at the time limit
#[test]
#[ignore = "needs python3 and setpriv"]
fn no_process_is_left_at_the_limit() {
    as_both("no_process_is_left_at_the_limit");
    for confinement in [Confinement::require(), Confinement::off()] {
        let world = World::new(SHAPES[2].2, SHAPES[2].1, "time.sleep(60)");
        let permissions = asked(&[], &["$WORKSPACE"], Net::None, &[]);
        let options = RunOptions::of_process().workspace(&world.work).confinement(confinement).timeout("3s");
        let outcome = run_in(world.scratch.path(), Some(&permissions), &options);
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 3s"), "{outcome:?}");
        assert!(!world.is_left());
    }
}

// SPEC 13.11, 13.16: processes whose parents have exited count
#[test]
#[ignore = "needs python3 and setpriv"]
fn orphans_are_counted() {
    as_both("orphans_are_counted");
    let mut limits = Limits::default();
    limits.set("processes=12").expect("a limit");
    for confinement in [Confinement::require(), Confinement::off()] {
        let outcome = World::new("time.sleep(60)", 60, "time.sleep(60)").run(confinement.limits(limits));
        if rustix::process::getuid().is_root() {
            assert_eq!(outcome.exit_code, 137, "{outcome:?}");
            assert!(outcome.error.contains("more than 12 processes at once"), "{outcome:?}");
        } else {
            // The kernel starts no more of them.
            assert!(outcome.stderr.contains("BlockingIOError"), "{outcome:?}");
        }
    }
}

// SPEC 7.10, 13.12: a confined program cannot signal its keeper; another one can, and that is reported
#[test]
#[ignore = "needs python3 and setpriv"]
fn a_killed_keeper_is_reported() {
    as_both("a_killed_keeper_is_reported");
    let scratch = Scratch::new();
    let ran = |confinement| {
        scratch.file("skill/run", "#!/bin/sh\nkill -9 $PPID && sleep 60\necho \"${TMPDIR:+on}\"\n", 0o755);
        run_in(scratch.path(), None, &RunOptions::of_process().confinement(confinement))
    };
    let outcome = ran(Confinement::off());
    assert!(outcome.exit_code == 126 && outcome.error.contains("was killed or hangs"), "{outcome:?}");
    let outcome = ran(Confinement::require());
    if outcome.stdout == "on\n" {
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (0, ""), "{outcome:?}");
    } else {
        // Before Linux 6.12, processes that may still be in use are kept.
        assert!(outcome.error.contains("was kept, since these processes may use it"), "{outcome:?}");
    }
}
