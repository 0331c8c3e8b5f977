//! Tests that no process outlives its run: at the limit, at the end, and if the handle is dropped.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use crate::support::{Scratch, carriers, eventually};
use skills_exec::{Request, RunId, run, start};

/// Runs `script` with a limit of 300 ms, and returns its outcome after checking that no process is left.
fn limited(script: &str) -> skills_exec::Outcome {
    let scratch = Scratch::new();
    // A word in the command lines also finds processes that cleared their environment.
    let word = RunId::fresh().to_string();
    let mut request = scratch.script(&script.replace("WORD", &word));
    request.timeout = Duration::from_millis(300);
    let start = Instant::now();
    let outcome = run(&request);
    assert!(start.elapsed() < Duration::from_secs(90), "{:?}", start.elapsed());
    assert_eq!(carriers(request.run_id.as_str()), [0; 0], "{script}: {outcome:?}");
    assert_eq!(carriers(&word), [0; 0], "{script}: {outcome:?}");
    outcome
}

// SPEC 7.2
#[test]
fn the_whole_tree_ends_at_the_limit() {
    for script in [
        "sleep 100",
        "sleep 100 & sleep 110 & wait",
        "(sleep 100; sleep 110) | cat",
        // Ignores SIGTERM, and so do its children.
        "trap '' TERM; while :; do sleep 1; done",
        "kill -STOP $$",
        // Cleared its environment; the group has it.
        "env -i /bin/sh -c 'sleep 300; : WORD' & sleep 310",
        // A child that does nothing but start children.
        "while :; do sleep 5 & done",
    ] {
        let outcome = limited(script);
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 300ms"), "{script}");
    }
}

// SPEC 7.2
#[test]
#[ignore = "needs setsid"]
fn processes_that_left_the_group_by_setsid_are_found() {
    test_bed::need("setsid");
    for script in [
        // Holds stdout.
        "setsid sleep 300 & sleep 310",
        "setsid sh -c 'trap \"\" TERM; sleep 300; sleep 310' & sleep 310",
        // Its parent has exited.
        "setsid sh -c 'setsid sleep 300 & exit' & sleep 310",
        // A run inside the run, whose host has exited.
        "SKILL_RUN_PARENTS=$SKILL_RUN_ID SKILL_RUN_ID=x setsid sh -c 'setsid sleep 300 & exit' & sleep 310",
        // Stopped.
        "setsid sh -c 'kill -STOP $$; sleep 300' & sleep 310",
        // A tree of processes, each in its own session.
        "grow() { if [ $1 -gt 0 ]; then setsid sh -c 'sleep 300 & sleep 310' & grow $(($1 - 1)); fi; }; grow 30; sleep 320",
        // Cleared its environment; its parent is there.
        "env -i /bin/sh -c 'setsid sh -c \"sleep 300; : WORD\"; :' & sleep 310",
    ] {
        assert_eq!(limited(script).exit_code, 124, "{script}");
    }
}

// SPEC 7.2
#[test]
#[ignore = "needs setsid"]
fn a_process_that_keeps_forking_is_caught() {
    test_bed::need("setsid");
    let scratch = Scratch::new();
    let hop = "#!/bin/sh\n[ -e \"$0\" ] || exit\nsetsid \"$0\" </dev/null >/dev/null 2>&1 &\n";
    scratch.file("hop", hop, 0o755);
    for script in ["./hop & sleep 30", "./hop & ./hop & ./hop & ./hop & sleep 30"] {
        let mut request = scratch.script(script);
        request.workspace = Some(scratch.path().to_path_buf());
        request.timeout = Duration::from_millis(300);
        let outcome = run(&request);
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 300ms"));
        // A single scan may miss it.
        for _ in 0..20 {
            assert_eq!(carriers(request.run_id.as_str()), [0; 0], "{script}: {outcome:?}");
        }
    }
}

// SPEC 7.2
#[test]
#[ignore = "needs setsid and python3"]
#[cfg(target_arch = "x86_64")]
fn a_process_whose_first_thread_has_ended_is_ended() {
    test_bed::need("setsid");
    test_bed::need("python3");
    let scratch = Scratch::new();
    // The system call `exit` ends one thread.
    let python = "import ctypes, os, threading, time\n\
                  threading.Thread(target=time.sleep, args=(30,)).start()\n\
                  open('number', 'w').write(str(os.getpid()))\n\
                  ctypes.CDLL(None).syscall(60, 0)";
    scratch.file("thread.py", python, 0o644);
    let mut request = scratch.script("setsid python3 thread.py & sleep 30");
    request.workspace = Some(scratch.path().to_path_buf());
    request.timeout = Duration::from_secs(2);
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 2s"));
    let number = std::fs::read_to_string(scratch.path().join("number")).expect("it has started");
    let tasks = std::fs::read_dir(format!("/proc/{number}/task")).into_iter().flatten().flatten();
    let stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
    let alive: Vec<String> = stats.filter(|stat| !stat.contains(") Z ") && !stat.contains(") X ")).collect();
    assert_eq!(alive, [""; 0]);
}

// SPEC 7.2
#[test]
fn processes_that_outlive_their_program_are_ended() {
    for script in ["echo done; sleep 30 & exit 7", "sleep 30 >/dev/null 2>&1 & echo done; exit 7"] {
        assert_ended(script);
    }
}

// SPEC 7.2
#[test]
#[ignore = "needs setsid"]
fn sessions_that_outlive_their_program_are_ended() {
    test_bed::need("setsid");
    for script in [
        "echo done; setsid sleep 30 & echo; exit 7",
        "setsid sleep 30 >/dev/null 2>&1 </dev/null & echo done; exit 7",
    ] {
        assert_ended(script);
    }
}

/// Checks that a script exits with 7, and that the processes it leaves are ended.
fn assert_ended(script: &str) {
    let scratch = Scratch::new();
    let request = scratch.script(script);
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (7, ""), "{script}");
    assert_eq!(outcome.stdout.trim(), "done");
    assert!(outcome.duration < Duration::from_secs(10), "{:?}", outcome.duration);
    assert_eq!(carriers(request.run_id.as_str()), [0; 0], "{script}");
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

// SPEC 7.2
#[test]
fn the_handle_is_a_future_on_any_executor() {
    let scratch = Scratch::new();
    let mut request = scratch.script("cat; sleep 0.1; exit 4");
    request.input = "in".to_owned();
    let outcome = block_on(start(request.clone()));
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (4, "in"));
    request.program = "/no/such".into();
    assert_eq!(block_on(start(request)).exit_code, 127);
}

/// Drops a run of `request` once three of its processes are seen.
fn drop_midway(request: Request, polled: bool) {
    let id = request.run_id.clone();
    let mut running = start(request);
    assert!(eventually(|| carriers(id.as_str()).len() >= 3), "the processes start");
    if polled {
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(&mut running).poll(&mut context).is_pending());
    }
    drop(running);
    assert!(eventually(|| carriers(id.as_str()).is_empty()), "left: {:?}", carriers(id.as_str()));
}

// SPEC 6.4, 7.2
#[test]
fn a_dropped_future_ends_everything_it_started() {
    let scratch = Scratch::new();
    let request = scratch.script("trap '' TERM; sleep 30 & sleep 31; sleep 32");
    drop_midway(request.clone(), true);
    drop_midway(Request { run_id: RunId::fresh(), ..request }, false);
}

// SPEC 6.4, 7.2
#[test]
#[ignore = "needs setsid"]
fn a_dropped_future_ends_sessions_that_it_started() {
    test_bed::need("setsid");
    let scratch = Scratch::new();
    let request = scratch.script("trap '' TERM; setsid sleep 30 & sleep 31; sleep 32");
    drop_midway(request.clone(), true);
    drop_midway(Request { run_id: RunId::fresh(), ..request }, false);
    // The program has exited, and a background process still writes.
    let request = scratch.script("sleep 30 & setsid sleep 31 & setsid sleep 32 &");
    drop(start(request.clone()));
    assert!(eventually(|| carriers(request.run_id.as_str()).is_empty()));
}
