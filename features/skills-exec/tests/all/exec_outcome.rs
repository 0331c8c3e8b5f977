//! Tests the input and the outcome of a run: environment, pipes, exit codes, faults.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use skills_exec::{Caps, Environment, run};

use crate::support::Scratch;

// SPEC 7.1
#[test]
fn the_environment_has_only_variables_of_the_policy_and_the_skill() {
    let scratch = Scratch::new();
    let mut request = scratch.request("/usr/bin/env".into());
    let host =
        [("PATH", "/usr/bin:/bin"), ("HOME", "/h"), ("SECRET", "no"), ("EXTRA", "yes"), ("SKILL_NAME", "x")];
    let host = host.map(|(name, value)| (name.into(), value.into()));
    request.environment = Environment::from_variables(host, ["EXTRA", "SKILL_NAME"]);
    request.workspace = Some(scratch.path().to_path_buf());
    let outcome = run(&request);
    let seen: BTreeMap<&str, &str> = outcome.stdout.lines().filter_map(|line| line.split_once('=')).collect();
    let directory = scratch.path().to_str().expect("a plain path");
    let expected = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/h"),
        ("EXTRA", "yes"),
        ("SKILL_NAME", "n"),
        ("SKILL_VERSION", "1.2.3"),
        ("SKILL_PATH", directory),
        ("SKILL_WORKSPACE", directory),
        ("COGOS_SKILL_NAME", "n"),
        ("COGOS_SKILL_VERSION", "1.2.3"),
        ("COGOS_SKILL_PATH", directory),
        ("COGOS_WORKSPACE", directory),
        ("SKILL_RUN_ID", request.run_id.as_str()),
    ];
    assert_eq!(seen, expected.into_iter().collect());

    request.workspace = None;
    assert!(!run(&request).stdout.contains("WORKSPACE"));
}

// SPEC 7.1
#[test]
fn it_runs_in_the_workspace_or_the_current_directory() {
    let scratch = Scratch::new();
    let mut request = scratch.script("pwd -P");
    let here = std::env::current_dir().and_then(std::fs::canonicalize).expect("a directory");
    assert_eq!(Path::new(run(&request).stdout.trim_end()), here);
    request.workspace = Some(scratch.path().to_path_buf());
    assert_eq!(Path::new(run(&request).stdout.trim_end()), scratch.path());
    request.workspace = Some(scratch.path().join("none"));
    let outcome = run(&request);
    assert_eq!(outcome.exit_code, 126);
    assert!(outcome.error.contains("none is not a directory"), "{}", outcome.error);
}

// SPEC 7.1
#[test]
fn input_is_passed_verbatim_and_empty_input_closes_stdin() {
    let scratch = Scratch::new();
    let mut request = scratch.script("cat");
    for input in ["{\"a\": 1}\n", " not json \r\n", "\0", "\u{feff}é😀"] {
        request.input = input.to_owned();
        assert_eq!(run(&request).stdout, input);
    }
    let outcome = run(&scratch.script("if read line; then echo input; else echo none; fi"));
    assert_eq!(outcome.stdout, "none\n");
}

// SPEC 7.2
#[test]
fn exit_codes_and_signals_of_the_process_are_returned() {
    let scratch = Scratch::new();
    for code in [0, 1, 3, 124, 255] {
        let outcome = run(&scratch.script(&format!("echo out; echo err >&2; exit {code}")));
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (code, ""));
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out\n", "err\n"));
        assert!(!outcome.timed_out);
    }
    for (name, number) in [("KILL", 9), ("SEGV", 11), ("TERM", 15)] {
        let outcome = run(&scratch.script(&format!("kill -{name} $$")));
        assert_eq!(outcome.exit_code, 128 + number);
        assert_eq!(outcome.error, format!("killed by SIG{name}"));
    }
}

// SPEC 7.2
#[test]
fn programs_that_cannot_start_report_the_reason() {
    let scratch = Scratch::new();
    let fault = |name: &str, text: &str, mode: u32| {
        let outcome = run(&scratch.request(scratch.file(name, text, mode)));
        assert_eq!(outcome.name, "n");
        (outcome.exit_code, outcome.error)
    };
    assert_eq!(
        fault("scripts/x.py", "#!/usr/bin/env nopython3\n", 0o755),
        (127, "scripts/x.py needs `nopython3`, which is not on PATH".to_owned())
    );
    assert_eq!(
        fault("a", "#!/no/such/interpreter\n", 0o755),
        (127, "a needs `/no/such/interpreter`, which does not exist".to_owned())
    );
    let (code, error) = fault("crlf", "#!/bin/sh\r\nexit 0\r\n", 0o755);
    assert!(code == 126 && error.contains("crlf has Windows line endings"), "{code} {error}");
    let (code, error) = fault("data", "just text\n", 0o755);
    assert!(code == 126 && error.contains("no `#!` line"), "{code} {error}");
    let (code, error) = fault("binary", "\x7fELF but not", 0o755);
    assert!(code == 126 && error.contains("not a program for this system"), "{code} {error}");
    let (code, error) = fault("plain", "just text\n", 0o644);
    assert!(code == 126 && error.contains("chmod +x"), "{code} {error}");

    let outcome = run(&scratch.request(scratch.path().join("gone")));
    assert!(outcome.exit_code == 127 && outcome.error.starts_with("gone: "), "{outcome:?}");
    let outcome = run(&scratch.request(scratch.path().to_path_buf()));
    assert!(outcome.exit_code == 126 && outcome.error.contains("not a regular file"), "{outcome:?}");
    let outcome = run(&scratch.request("run".into()));
    assert!(outcome.exit_code == 126 && outcome.error.contains("not an absolute path"), "{outcome:?}");
    let mut request = scratch.script("exit");
    request.name = "a\0b".to_owned();
    let outcome = run(&request);
    assert!(outcome.exit_code == 126 && !outcome.error.is_empty(), "{outcome:?}");
}

// SPEC 7.2
#[test]
fn a_script_that_may_not_be_executed_is_given_to_its_interpreter() {
    let scratch = Scratch::new();
    let program = scratch.file("x", "#!/usr/bin/env -S sh -e\necho \"$0 $*\"\nfalse\necho more\n", 0o644);
    let outcome = run(&scratch.request(program.clone()));
    assert_eq!((outcome.exit_code, outcome.stdout), (1, format!("{} \n", program.display())));
}

// SPEC 7.2
#[test]
#[ignore = "needs python3"]
fn a_python_script_runs_by_its_first_line() {
    test_bed::need("python3");
    let scratch = Scratch::new();
    let text = "#!/usr/bin/env python3\nimport sys, json\nprint(json.load(sys.stdin)['a'] + 1)\n";
    let mut request = scratch.request(scratch.file("scripts/x.py", text, 0o755));
    request.input = r#"{"a": 41}"#.to_owned();
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (0, "42\n"), "{outcome:?}");
}

// SPEC 7.2
#[test]
fn invalid_utf8_is_replaced() {
    let scratch = Scratch::new();
    let outcome = run(&scratch.script(r"printf 'a\377b'; printf '\303' >&2"));
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("a\u{fffd}b", "\u{fffd}"));
    assert_eq!((outcome.exit_code, outcome.error.as_str()), (0, ""));
}

// SPEC 7.2
#[test]
fn a_hundred_megabytes_are_read_capped_and_counted() {
    let scratch = Scratch::new();
    let outcome = run(&scratch.script("head -c 104857600 /dev/zero; echo done >&2; exit 5"));
    assert_eq!((outcome.exit_code, outcome.stderr.as_str()), (5, "done\n"));
    assert_eq!((outcome.stdout.len(), outcome.stdout_dropped), (1 << 20, (100 << 20) - (1 << 20)));
    assert_eq!(outcome.error, "stdout was cut at 1048576 bytes, 103809024 more were dropped");

    let mut request = scratch.script("echo hello; echo world >&2");
    request.caps = Caps { stdout: 6, stderr: 0 };
    let outcome = run(&request);
    assert_eq!((outcome.stdout.as_str(), outcome.stdout_dropped), ("hello\n", 0));
    assert_eq!((outcome.stderr.as_str(), outcome.stderr_dropped), ("", 6));
    assert_eq!(outcome.error, "stderr was cut at 0 bytes, 6 more were dropped");
}

// SPEC 7.2
#[test]
fn a_child_that_ignores_its_input_is_not_an_error() {
    let scratch = Scratch::new();
    for script in ["exit 0", "exec 0<&-; sleep 0.2", "head -c 5 >/dev/null", "sleep 0.2"] {
        let mut request = scratch.script(script);
        request.input = "x".repeat(10 << 20);
        let outcome = run(&request);
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (0, ""), "{script}");
    }
}

// SPEC 7.2
#[test]
fn large_input_and_output_do_not_wait_for_each_other() {
    let scratch = Scratch::new();
    let mut request = scratch.script("tee /dev/stderr");
    request.input = "é".repeat(5 << 20);
    request.caps = Caps { stdout: usize::MAX, stderr: usize::MAX };
    let outcome = run(&request);
    assert!(outcome.stdout == request.input && outcome.stderr == request.input, "{}", outcome.error);
}

// SPEC 7.2
#[test]
fn the_limit_is_shown_as_it_is_written() {
    let scratch = Scratch::new();
    for (limit, text) in [(100, "timeout after 100ms"), (2_500, "timeout after 2.5s")] {
        let mut request = scratch.script("echo before; sleep 10");
        request.timeout = Duration::from_millis(limit);
        let outcome = run(&request);
        assert_eq!((outcome.exit_code, outcome.error.as_str()), (124, text));
        assert!(outcome.timed_out && outcome.duration < Duration::from_secs(9), "{:?}", outcome.duration);
        assert!(limit == 100 || outcome.stdout == "before\n");
    }
}

// SPEC 12.3
#[cfg(not(target_os = "linux"))]
#[test]
fn a_sandbox_that_was_not_built_in_is_refused() {
    let scratch = Scratch::new();
    let mut request = scratch.script("echo ran");
    request.sandbox = Some(skills_exec::Sandbox::default());
    let outcome = run(&request);
    assert_eq!((outcome.exit_code, outcome.stdout.as_str()), (126, ""));
    assert_eq!(outcome.error, "cannot confine the program: it needs Linux");
}
