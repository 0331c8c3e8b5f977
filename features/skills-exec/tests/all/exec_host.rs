//! When the host is killed its runs end: this binary starts itself as the host.

#![cfg(target_os = "linux")]

use std::process::{Child, Command, Stdio};

use skills_exec::{RunId, run, start};

use crate::support::{Scratch, carriers, eventually};

const ROLE: &str = "SKILLS_TEST_HOST";

/// The host, when this binary is started as one: runs the script in the directory that ROLE names, for ever.
#[test]
#[ignore = "another test runs it in a separate process"]
fn host() {
    let Some(role) = std::env::var_os(ROLE) else { return };
    let scratch = Scratch::new();
    let script =
        "trap '' TERM HUP; sleep 600 & setsid sleep 601 & setsid sh -c 'sleep 602 & exit' & sleep 603";
    let mut request = scratch.script(script);
    // The parent finds the processes by a unique word.
    request.environment.set("SKILLS_TEST_WORD", &role);
    let background = start(request.clone());
    request.run_id = RunId::fresh();
    run(&request);
    background.wait();
}

fn start_host(word: &str, scratch: &Scratch) -> Child {
    let binary = std::env::current_exe().expect("this binary");
    let mut command = Command::new(binary);
    // Files of a killed host are in the test's own directory.
    command
        .args(["--exact", "exec_host::host", "--include-ignored"])
        .env(ROLE, word)
        .env("TMPDIR", scratch.path());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the host starts")
}

// SPEC 7.2, 12.2
#[test]
#[ignore = "needs setsid"]
fn a_host_killed_by_9_leaves_no_process() {
    test_bed::need("setsid");
    let scratch = Scratch::new();
    let id = RunId::fresh();
    let word = format!("SKILLS_TEST_WORD={id}");
    let mut host = start_host(id.as_str(), &scratch);
    assert!(eventually(|| carriers(&word).len() >= 10), "two runs of five processes: {:?}", carriers(&word));
    host.kill().expect("killed");
    host.wait().expect("reaped");
    assert!(eventually(|| carriers(&word).is_empty()), "left: {:?}", carriers(&word));
}

// SPEC 7.2, 12.2
#[test]
#[ignore = "needs setsid"]
fn a_host_killed_while_it_starts_runs_leaves_no_process() {
    test_bed::need("setsid");
    let scratch = Scratch::new();
    for round in 0..15_u32 {
        let id = RunId::fresh();
        let word = format!("SKILLS_TEST_WORD={id}");
        let mut host = start_host(id.as_str(), &scratch);
        // Each round a little later: before, between and after the starts.
        std::thread::sleep(std::time::Duration::from_millis(u64::from(round) * 2));
        host.kill().expect("killed");
        host.wait().expect("reaped");
        assert!(eventually(|| carriers(&word).is_empty()), "round {round}: {:?}", carriers(&word));
    }
}
