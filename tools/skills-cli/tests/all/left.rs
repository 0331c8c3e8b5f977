//! Tests that a program gets nothing from the command that runs it, and leaves nothing behind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::child::{eventually, kill};
use crate::command::Place;

fn skill(name: &str, script: &str) -> [(String, String); 2] {
    let document = format!("---\nname: {name}\ndescription: Does {name}.\nexec: run\n---\nRun it.\n");
    [(format!("s/{name}/SKILL.md"), document), (format!("s/{name}/run"), format!("#!/bin/sh\n{script}\n"))]
}

fn place(script: &str) -> Place {
    let place = Place::new(&[]);
    skill("it", script).iter().for_each(|(path, text)| place.write(path, text));
    place
}

/// The living processes whose command line has this word.
fn with(word: &str) -> Vec<String> {
    let listing = fs::read_dir("/proc").unwrap().flatten();
    let pids = listing.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| pid.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.windows(word.len()).any(|window| window == word.as_bytes())
        })
        .collect()
}

/// Programs that start a process in a separate session without an environment, identified by a word in its command
/// line.
const HIDDEN: [&str; 4] = [
    // Its parent lives.
    "env -i /bin/sh -c \"setsid sleep WORD.1; :\" & sleep WORD.2",
    // Its parents have exited.
    "(env -i setsid sh -c \"sleep WORD.1; :\" >/dev/null 2>&1 </dev/null &) ; sleep WORD.2",
    "(env -i setsid sh -c \"(setsid sleep WORD.1 &) ; setsid sleep WORD.3\" & ) ; sleep WORD.2",
    // It keeps forking, so that its number changes; its parents have exited.
    "sleep WORD.1 & (env -i setsid perl -e 'if (fork) { exit } $0 = q(WORD.3); while (1) { exit if fork }' >/dev/null 2>&1 </dev/null &) ; sleep WORD.2",
];

fn start(place: &Place, arguments: &[&str]) -> Child {
    place.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

// SPEC 7.10: nothing stays, however the command ends
#[test]
#[ignore = "needs setsid"]
fn no_process_outlives_a_command() {
    test_bed::need("setsid");
    for (at, script) in HIDDEN.iter().enumerate() {
        for signal in ["INT", "TERM", "KILL"] {
            let word = format!("9{}{at}{}", std::process::id() % 1_000_000, signal.len());
            let place = place(&script.replace("WORD", &word));
            let mut process = start(&place, &["exec", "it", "--dir", "s"]);
            eventually("the processes start", || {
                let all = with(&format!("{word}.1")).len() + with(&format!("{word}.2")).len();
                (all >= 2).then_some(())
            });
            kill(signal, &process.id().to_string());
            process.wait().unwrap();
            eventually(&format!("{script} after {signal}: {:?}", with(&word)), || {
                with(&word).is_empty().then_some(())
            });
        }
    }
}

// SPEC 7.10: also if the program ends by itself or at its limit
#[test]
#[ignore = "needs setsid"]
fn no_process_outlives_a_program() {
    test_bed::need("setsid");
    for (limit, end) in [("20s", "sleep 0.3"), ("400ms", "sleep 9")] {
        let word = format!("8{}{}", std::process::id(), limit.len());
        let place =
            place(&format!("(env -i setsid sh -c \"sleep {word}; :\" >/dev/null 2>&1 </dev/null &) ; {end}"));
        place.run(&["exec", "it", "--dir", "s", "--timeout", limit]);
        assert_eq!(with(&word), [""; 0], "after {limit}");
    }
}

// SPEC 7.9: the program does not inherit the descriptors of the command
#[test]
fn descriptors_stay_with_the_command() {
    check_descriptors("sh", 9);
}

// SPEC 7.9: also for descriptors with high numbers, which only some shells can open
#[test]
#[ignore = "needs bash"]
fn high_descriptors_stay_with_the_command() {
    test_bed::need("bash");
    check_descriptors("bash", 399);
}

/// Runs the command in a shell that has opened two descriptors, and checks that its program has neither.
fn check_descriptors(shell: &str, number: u32) {
    let place =
        place(&format!("ls /proc/self/fd | tr '\\n' ' '; cat <&7; cat /proc/self/fd/{number}; echo done"));
    place.write("secret", "s3cret");
    let skills = env!("CARGO_BIN_EXE_skills");
    let script = format!("exec {number}<secret; exec 7<secret; exec {skills} exec it --dir s");
    let output = Command::new(shell).args(["-c", &script]).current_dir(&place.top).output();
    let output = String::from_utf8(output.unwrap().stdout).unwrap();
    // The fourth is that of the listing.
    assert!(output.contains(r#""stdout":"0 1 2 3 done\n""#), "{output}");
    assert!(!output.contains("s3cret"), "{output}");
}

// SPEC 12.6: the command's environment cannot be read by the programs it runs
#[test]
fn the_environment_stays_with_the_command() {
    let place = place("cat /proc/$PPID/environ; cat /proc/$PPID/maps; echo done");
    let mut command = place.command(&["exec", "it", "--dir", "s"]);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        // Root can read everything, so the command runs as nobody.
        let skills = place.path("skills");
        test_bed::copy_program(env!("CARGO_BIN_EXE_skills"), Path::new(&skills));
        command = Command::new(skills);
        std::os::unix::process::CommandExt::uid(&mut command, 65534);
        std::os::unix::process::CommandExt::gid(&mut command, 65534);
        command.args(["exec", "it", "--dir", "s"]).current_dir(&place.top);
    }
    let output = command.env("API_KEY", "s3cret").env("HOME", "/").stdin(Stdio::null()).output().unwrap();
    let (out, err) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(out.contains("done"), "{out}{err}");
    assert!(
        out.contains("Permission denied") && !out.contains("s3cret") && !out.contains("/skills"),
        "{out}"
    );
}

// SPEC 7.10, 7.11, 11.1: the command exits after its run, which leaves no directory for temporary files
#[test]
fn a_signal_ends_the_run_before_the_command() {
    // Removing these files takes a while.
    let script = "cd \"$TMPDIR\" || exit 1; mkdir d; (cd d && seq 1000 | xargs touch); touch ready; sleep 60";
    let typed =
        r#"{"name": "it", "description": "D.", "category": "c", "input": {}, "output": {}, "mode": "code"}"#;
    for (name, command, is_limited) in
        [("exec", ["exec", "it"], false), ("call", ["call", "it"], false), ("limited", ["exec", "it"], true)]
    {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let place = place(script);
            if name == "call" {
                place.write("s/it/skill.json", typed);
            }
            fs::create_dir(place.top.join("tmp")).unwrap();
            let limit: &[&str] = if is_limited { &["--resource-limit", "processes=64"] } else { &[] };
            let mut command =
                place.command(&[&command[..], &["--dir", "s", "--sandbox", "require"], limit].concat());
            let process =
                command.env("TMPDIR", place.top.join("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut process = process.spawn().unwrap();
            let left = || fs::read_dir(place.top.join("tmp")).unwrap().map(|entry| entry.unwrap().path());
            eventually("the program starts", || {
                assert_eq!(process.try_wait().unwrap(), None, "{name}: it has ended");
                left().any(|run| run.join("ready").exists()).then_some(())
            });
            kill(signal, &process.id().to_string());
            let output = process.wait_with_output().unwrap();
            let (out, err) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.code(), Some(code), "{name} {signal}: {out}{err}");
            assert_eq!(left().collect::<Vec<_>>(), [""; 0].map(std::path::PathBuf::from), "{name} {signal}");
            if name == "call" {
                assert!(out.is_empty() && err.contains("was cancelled"), "{name} {signal}: {out}{err}");
                continue;
            }
            let outcome: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(
                (outcome["exit_code"].as_i64(), outcome["error"].as_str()),
                (Some(137), Some("cancelled"))
            );
            assert!(outcome["duration_ms"].as_u64() > Some(0), "{name} {signal}: {out}");
        }
    }
}
