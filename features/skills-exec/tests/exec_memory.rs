//! A keeper shares the memory of the host, and a run is the same where it cannot. Alone in its binary: it changes the
//! limits, signals and working directory of its process.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod support;

use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    apply_filter,
};
use skills_exec::{Outcome, Request, RunId, Sandbox, run, start};
use support::{Scratch, carriers, eventually};

/// Makes the kernel refuse to start processes that share the memory of this thread's process, and calls `test`.
fn without_shared_memory<T: Send>(test: impl FnOnce() -> T + Send) -> T {
    const SHARED: u64 = libc::CLONE_VM as u64;
    const THREAD: u64 = libc::CLONE_THREAD as u64;
    let is_shared = SeccompCmpOp::MaskedEq(SHARED | THREAD);
    let condition =
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, is_shared, SHARED).expect("the first argument");
    let rule = SeccompRule::new(vec![condition]).expect("one condition");
    let filter = SeccompFilter::new(
        [(libc::SYS_clone, vec![rule])].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EINVAL.cast_unsigned()),
        TargetArch::try_from(std::env::consts::ARCH).expect("known"),
    );
    let program: seccompiler::BpfProgram = filter.expect("valid").try_into().expect("small");
    std::thread::scope(|scope| {
        let confined = scope.spawn(|| {
            apply_filter(&program).expect("filtered");
            test()
        });
        confined.join().expect("it ends")
    })
}

/// Returns whether the keeper of a run sees what this process writes while the run lasts.
fn is_shared(mut request: Request) -> bool {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    request.run_id = RunId::fresh();
    let id = request.run_id.clone();
    let running = start(request);
    assert!(eventually(|| !carriers(id.as_str()).is_empty()), "the program starts");
    let program = carriers(id.as_str())[0];
    let stat = fs::read_to_string(format!("/proc/{program}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(") ").expect("a name");
    let keeper: u32 = fields.split(' ').nth(1).expect("the parent").parse().expect("a number");
    assert_ne!(keeper, std::process::id());
    let value = u64::from(keeper);
    assert_ne!(WRITTEN.swap(value, Ordering::SeqCst), value);
    let memory = fs::File::open(format!("/proc/{keeper}/mem")).expect("a child of this process");
    let mut bytes = [0; 8];
    memory.read_exact_at(&mut bytes, WRITTEN.as_ptr().addr() as u64).expect("its memory");
    drop(running);
    assert!(eventually(|| carriers(id.as_str()).is_empty()));
    u64::from_ne_bytes(bytes) == value
}

// SPEC 7.10
#[test]
fn no_memory_of_the_host_is_copied() {
    let scratch = Scratch::new();
    let mut request = scratch.script("sleep 60");
    for sandbox in [None, Some(Sandbox::default())] {
        request.sandbox = sandbox;
        assert!(is_shared(request.clone()), "{:?}", request.sandbox);
        assert!(!without_shared_memory(|| is_shared(request.clone())), "{:?}", request.sandbox);
    }
}

// SPEC 13.12: not even if it is granted all files
#[test]
fn a_confined_program_cannot_open_the_memory_of_its_keeper() {
    let scratch = Scratch::new();
    let mut request = scratch.script(
        "for way in '<' '>' '<>'; do (eval \": $way/proc/$PPID/mem\") && echo \"opened $way\"; done\n\
         (: </proc/$PPID/status) && echo seen",
    );
    request.sandbox = Some(Sandbox::default().writable("/"));
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "seen\n"), "{outcome:?}");
    if rustix::process::geteuid().is_root() {
        request.sandbox = None;
        assert_eq!(run(&request).stdout, "opened <\nopened >\nopened <>\nseen\n");
    }
}

/// Runs a request in three ways: with a keeper that shares memory, with a copy, and the first once more.
fn outcomes(request: &Request) -> [Outcome; 3] {
    let once = || Outcome { duration: Duration::ZERO, ..run(request) };
    [once(), without_shared_memory(once), once()]
}

// SPEC 7.9, 7.10: a program starts with the state that the host has when the run starts
#[test]
fn a_program_cannot_tell_whether_memory_was_copied() {
    let scratch = Scratch::new();
    set_state(&scratch);
    let mut request = scratch.script(
        "cat; pwd; umask; ulimit -a; env | grep -v SKILL_RUN_ID | sort; ls /proc/self/fd\n\
         grep -E '^(Umask|Uid|Gid|Groups|Sig(Blk|Ign|Cgt)|Cap)' /proc/self/status\n\
         [ $(cut -d ' ' -f 5 /proc/self/stat) = $$ ] && echo leads; exit 7",
    );
    for input in ["", "in\n"] {
        request.input = input.to_owned();
        let [shared, copied, again] = outcomes(&request);
        assert_eq!((shared.exit_code, shared.error.as_str()), (7, ""), "{shared:?}");
        assert_eq!(shared.stdout, copied.stdout);
        assert_eq!(shared.stdout, again.stdout);
        let directory = format!("{input}{}\n0027\n", scratch.path().display());
        assert!(shared.stdout.starts_with(&directory), "{}", shared.stdout);
        assert!(shared.stdout.ends_with("leads\n"), "{}", shared.stdout);
        assert!(shared.stdout.contains("\nSigBlk:\t0000000000000000\n"), "{}", shared.stdout);
        let ignored = shared.stdout.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).expect("listed");
        let ignored = u64::from_str_radix(ignored, 16).expect("a set");
        let is_ignored = |signal: i32| ignored & (1 << (signal - 1)) != 0;
        assert!(is_ignored(libc::SIGHUP) && !is_ignored(libc::SIGPIPE) && !is_ignored(libc::SIGCHLD));
    }
    request.limits.set("file-size=4K").expect("a limit");
    request.limits.set("memory=256M").expect("a limit");
    request.sandbox = Some(Sandbox::default().readable("/proc/self"));
    request.workspace = Some(scratch.path().to_path_buf());
    let [shared, copied, _] = outcomes(&request);
    assert_eq!((&shared.stdout, &shared.stderr), (&copied.stdout, &copied.stderr));
    assert_eq!(shared.error, copied.error);
}

// SPEC 7.2
#[test]
fn faults_at_the_start_are_the_same() {
    let scratch = Scratch::new();
    let mut hidden = scratch.script("echo");
    hidden.sandbox = Some(Sandbox::default());
    if let Some(sandbox) = &mut hidden.sandbox {
        sandbox.readable.clear();
    }
    let mut variable = scratch.script("echo");
    variable.environment.set("NUL", "a\0b");
    let nul = scratch.request(scratch.file("nul", "#!/bin/sh a\0b\n", 0o644));
    for request in [hidden, variable, nul] {
        let [shared, copied, again] = outcomes(&request);
        assert_eq!(shared.exit_code, 126, "{shared:?}");
        assert!(!shared.error.is_empty());
        assert_eq!((&shared.error, &shared.error), (&copied.error, &again.error));
    }
}

/// The variable that names the directory of a test that runs in a process of its own.
const DIRECTORY: &str = "SKILLS_TEST_DIRECTORY";

/// Runs one ignored test of this binary in a process of its own. The directory is the one that the test uses.
fn run_alone(test: &str, directory: &std::path::Path) {
    let mut command = std::process::Command::new(std::env::current_exe().expect("this binary"));
    command.args(["--exact", test, "--include-ignored", "--test-threads=1"]);
    let output = command.env(DIRECTORY, directory).output().expect("started");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// Runs in a process of its own: a program with each small limit of processes, as a user who has no other process.
#[test]
#[ignore = "another test runs it in a separate process"]
fn limited() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let mut request = Request::new("n", "", &directory, std::path::Path::new(&directory).join("run"));
    // SAFETY: the call accesses no memory.
    #[expect(unsafe_code, reason = "the kernel limits the processes of root only by its memory")]
    let is_other = unsafe { libc::setuid(54_321) } == 0;
    assert!(is_other);
    let closed = std::path::Path::new(&directory).join("closed");
    let outcome = run(&Request { workspace: Some(closed), ..request.clone() });
    assert!(outcome.error.contains("its workspace may not be entered"), "{outcome:?}");
    let mut codes = Vec::new();
    for sandbox in [None, Some(Sandbox::default())] {
        request.sandbox = sandbox;
        for most in 1..8 {
            let processes = Rlimit { current: Some(most), ..getrlimit(Resource::Nproc) };
            setrlimit(Resource::Nproc, processes).expect("lower than the maximum");
            let outcome = run(&request);
            match outcome.exit_code {
                0 => assert_eq!(outcome.stdout, "hi\n"),
                _ => assert!(outcome.error.contains("temporarily unavailable"), "{most}: {outcome:?}"),
            }
            codes.push(outcome.exit_code);
        }
    }
    assert!(codes.contains(&0) && codes.contains(&126), "{codes:?}");
}

// SPEC 7.2: a keeper that cannot start the program says why, and writes to no memory of the host
#[test]
fn a_limit_of_processes_is_a_fault_at_the_start() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let scratch = Scratch::new();
    scratch.script("echo hi");
    let open = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(), open).expect("changed");
    fs::create_dir(scratch.path().join("closed")).expect("created");
    fs::set_permissions(scratch.path().join("closed"), fs::Permissions::from_mode(0o700)).expect("changed");
    run_alone("limited", scratch.path());
}

// SPEC 7.2: the C library would hand such a file to a shell
#[test]
fn a_file_that_is_no_program_is_refused() {
    let scratch = Scratch::new();
    let broken = scratch.file("broken", [b"\x7fELF".as_slice(), &[7; 60]].concat(), 0o755);
    let outcome = run(&scratch.request(broken));
    assert_eq!(outcome.exit_code, 126, "{outcome:?}");
    assert!(outcome.error.contains("is not a program for this system"), "{outcome:?}");
}

/// A process that this one forked without exec. It has copies of all descriptors. Dropping it kills it.
struct Forked(Pid);

impl Forked {
    fn new() -> Self {
        // SAFETY: the new process makes only system calls.
        #[expect(unsafe_code, reason = "the standard library forks only to start programs")]
        let pid = unsafe {
            let pid = libc::fork();
            if pid == 0 {
                libc::sleep(60);
                libc::_exit(0);
            }
            pid
        };
        Self(Pid::from_raw(pid).expect("forked"))
    }
}

impl Drop for Forked {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::KILL);
        let _ = rustix::process::waitpid(Some(self.0), rustix::process::WaitOptions::empty());
    }
}

/// Runs in a process of its own: a forked host also holds the files that other tests write, so their scripts
/// could not be executed.
#[test]
#[ignore = "another test runs it in a separate process"]
fn forked() {
    if std::env::var_os(DIRECTORY).is_none() {
        return;
    }
    let scratch = Scratch::new();
    for sandbox in [None, Some(Sandbox::default())] {
        let mut request = scratch.script("trap '' TERM; sleep 60 & while :; do sleep 0.1; done");
        (request.sandbox, request.timeout) = (sandbox.clone(), Duration::from_secs(1));
        let running = start(request.clone());
        assert!(eventually(|| !carriers(request.run_id.as_str()).is_empty()), "the program starts");
        let forked = Forked::new();
        let outcome = running.wait();
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, "timeout after 1s"), "{outcome:?}");
        assert_eq!(carriers(request.run_id.as_str()), [] as [i32; 0]);
        drop(forked);

        let mut request = scratch.script("sleep 60");
        request.sandbox = sandbox;
        let running = start(request.clone());
        assert!(eventually(|| !carriers(request.run_id.as_str()).is_empty()), "the program starts");
        let forked = Forked::new();
        drop(running);
        assert!(eventually(|| carriers(request.run_id.as_str()).is_empty()), "dropped");
        drop(forked);
    }
}

// SPEC 7.10: a process that the host forks holds the ends of all pipes, and no run waits for it
#[test]
fn a_forked_host_holds_no_run() {
    run_alone("forked", Scratch::new().path());
}

// SPEC 7.10: a program that stops its keeper harms only itself
#[test]
fn a_stopped_keeper_delays_no_other_run() {
    let scratch = Scratch::new();
    let stopping = scratch.file("stop", "#!/bin/sh\nkill -STOP $PPID; exit 3\n", 0o755);
    let mut stopping = scratch.request(stopping);
    stopping.timeout = Duration::from_millis(500);
    let other = scratch.script("exit 5");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let outcome = run(&stopping);
                    assert!([3, 124].contains(&outcome.exit_code), "{outcome:?}");
                    assert!(!outcome.error.contains("left"), "{outcome:?}");
                }
            });
        }
        for _ in 0..20 {
            assert_eq!(run(&other).exit_code, 5);
        }
    });
}

// SPEC 7.2: the stop of a traced program is not its end
#[test]
#[ignore = "needs python3"]
fn a_traced_program_has_not_ended() {
    test_bed::need("python3");
    let scratch = Scratch::new();
    let mut request = scratch.script(
        "exec python3 -c 'import ctypes, os; print(1, flush=True); ctypes.CDLL(None).ptrace(0, 0, 0, 0); \
         os.kill(os.getpid(), 19); os._exit(7)'",
    );
    (request.timeout, request.workspace) = (Duration::from_secs(3), Some(scratch.path().to_path_buf()));
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (124, "1\n"), "{outcome:?}");
}

/// Changes everything that a program gets from this process and that has no default.
fn set_state(scratch: &Scratch) {
    std::env::set_current_dir(scratch.path()).expect("there");
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o027));
    let files = Rlimit { current: Some(200), ..getrlimit(Resource::Nofile) };
    setrlimit(Resource::Nofile, files).expect("lower");
    // SAFETY: the handler does nothing, and the set is filled before it is read.
    #[expect(unsafe_code, reason = "a signal is ignored, one has a handler, and one is blocked")]
    unsafe {
        extern "C" fn handle(_: i32) {}
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
        libc::signal(libc::SIGUSR1, handle as extern "C" fn(i32) as libc::sighandler_t);
        let mut blocked = std::mem::zeroed();
        libc::sigemptyset(&raw mut blocked);
        libc::sigaddset(&raw mut blocked, libc::SIGUSR2);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const blocked, std::ptr::null_mut());
    }
}

/// Runs in a process of its own, whose mappings only these runs change.
#[test]
#[ignore = "another test runs it in a separate process"]
fn dropped() {
    if std::env::var_os(DIRECTORY).is_none() {
        return;
    }
    let scratch = Scratch::new();
    for sandbox in [None, Some(Sandbox::default())] {
        let mut request = scratch.script("exec sleep 60");
        request.sandbox = sandbox;
        let mut before = 0;
        for number in 0..300 {
            // The first runs reserve what all later ones use.
            if number == 20 {
                before = mappings();
            }
            let pause = Duration::from_micros(100 * (number % 10));
            if number % 2 == 0 {
                request.timeout = pause;
                assert_eq!(run(&request).exit_code, 124);
            } else {
                request.timeout = Duration::from_secs(60);
                let running = start(request.clone());
                std::thread::sleep(pause);
                drop(running);
            }
        }
        assert!(eventually(|| mappings() < before + 20), "{before} mappings, then {}", mappings());
    }
}

fn mappings() -> usize {
    fs::read_to_string("/proc/self/maps").expect("listed").lines().count()
}

// SPEC 7.10: a run that ends before its program has started releases its memory
#[test]
fn an_early_end_leaves_no_memory() {
    run_alone("dropped", Scratch::new().path());
}

/// Runs in a process of its own, whose only children are keepers.
#[test]
#[ignore = "another test runs it in a separate process"]
fn killed() {
    if std::env::var_os(DIRECTORY).is_none() {
        return;
    }
    let scratch = Scratch::new();
    let request = scratch.script("exec sleep 60");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                children().into_iter().for_each(|keeper| {
                    let _ = kill_process(keeper, Signal::KILL);
                });
            }
        });
        let mut before = 0;
        for number in 0..300 {
            if number == 20 {
                before = mappings();
            }
            run(&request);
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(mappings() < before + 20, "{before} mappings, then {}", mappings());
    });
}

/// Lists the children of this process.
fn children() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task").expect("listed").flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let all = lists.collect::<String>();
    all.split_ascii_whitespace().filter_map(|number| Pid::from_raw(number.parse().ok()?)).collect()
}

// SPEC 7.10: a keeper that is killed before its program has started leaves no memory
#[test]
fn a_killed_keeper_leaves_no_memory() {
    run_alone("killed", Scratch::new().path());
}

/// Runs in a process of its own, which has too few descriptors for all runs at once.
#[test]
#[ignore = "another test runs it in a separate process"]
fn starved() {
    if std::env::var_os(DIRECTORY).is_none() {
        return;
    }
    let scratch = Scratch::new();
    let mut request = scratch.script("exit 5");
    let mut sandbox = Sandbox::default();
    sandbox.net = skills_registry::Net::Hosts(vec!["example.com".to_owned()]);
    request.sandbox = Some(sandbox);
    let before = descriptors();
    let few = u64::try_from(before + 30).expect("few");
    setrlimit(Resource::Nofile, Rlimit { current: Some(few), ..getrlimit(Resource::Nofile) }).expect("lower");
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let outcome = run(&request);
                    assert!([5, 126].contains(&outcome.exit_code), "{outcome:?}");
                }
            });
        }
    });
    assert!(eventually(|| descriptors() == before), "{before} descriptors, then {}", descriptors());
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").expect("listed").count()
}

// SPEC 7.2, 13.8: runs that lack descriptors leave none behind
#[test]
fn a_lack_of_descriptors_leaves_none_behind() {
    run_alone("starved", Scratch::new().path());
}

// SPEC 7.2, 7.10: a program without a sandbox can write to the pipes of its keeper, and harms only itself
#[test]
fn forged_reports_and_full_pipes_delay_nobody() {
    let scratch = Scratch::new();
    let stopped = "sleep 0.2; kill -STOP $PPID";
    for forged in [
        "head -c 65536 /dev/zero > /proc/$PPID/fd/0",
        "printf '\\1\\0\\0\\0\\0\\0\\0\\0\\3\\0\\0\\0\\0\\0\\0\\0' > /proc/$PPID/fd/1",
        "(while :; do printf '\\7\\0\\0\\0\\0\\0\\0\\0'; done) > /proc/$PPID/fd/1",
        "(while :; do printf '\\2\\0\\0\\0\\7\\0\\0\\0'; done) > /proc/$PPID/fd/1",
    ] {
        let mut request = scratch.script(&format!("{stopped}; {forged}; exec sleep 60"));
        request.timeout = Duration::from_secs(1);
        let begin = std::time::Instant::now();
        let outcome = run(&request);
        assert!(begin.elapsed() < Duration::from_secs(20), "{forged}: {outcome:?}");
        assert!(outcome.error.len() < 1_000, "{forged}: {}", outcome.error.len());
        assert!(eventually(|| carriers(request.run_id.as_str()).is_empty()), "{forged}: {outcome:?}");
    }
}
