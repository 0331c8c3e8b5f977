//! A sandbox gives access to the directories that the request names, even if they are exchanged for links while
//! the sandbox opens them.

#![allow(clippy::print_stderr, reason = "the test prints its figures")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::Scratch;
use crate::support::confined::need_sandbox;
use skills_exec::{Granted, Request, Sandbox, run};

const MARK: &str = "the secret";

/// The directories, and the thread that exchanges them.
struct World {
    scratch: Scratch,
}

impl World {
    fn new() -> Self {
        let scratch = Scratch::new();
        let secret = scratch.path().join("outside/secret");
        let program = format!("#!/bin/sh\ncat '{0}'; echo x >>'{0}'; echo ran\n", secret.display());
        for place in ["skills/skill", "outside"] {
            scratch.file(&format!("{place}/run"), &program, 0o755);
        }
        scratch.file("outside/secret", MARK, 0o666);
        fs::create_dir(scratch.path().join("work")).expect("made");
        Self { scratch }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.scratch.path().join(path)
    }

    /// The request of a program that may read its skill, and write to the workspace and its `TMPDIR`.
    fn request(&self) -> Request {
        let directory = self.at("skills/skill");
        let mut request = self.scratch.request(directory.join("run"));
        request.directory = directory;
        request.root = Some(self.at("skills"));
        request.workspace = Some(self.at("work"));
        let mut sandbox = Sandbox::default();
        let mut granted = Granted::default();
        granted.read.push(".".to_owned());
        granted.write.extend(["$WORKSPACE", "$TMPDIR"].map(str::to_owned));
        sandbox.granted = Some(granted);
        request.sandbox = Some(sandbox);
        request
    }

    /// Replaces a directory with a link to the directory outside, and puts it back.
    fn exchange(&self, place: &Path, pause: Duration) {
        let (link, away) = (self.at("link"), self.at("away"));
        if symlink(self.at("outside"), &link).is_ok() && fs::rename(place, &away).is_ok() {
            let _ = fs::rename(&link, place);
            std::thread::sleep(pause);
            let _ = fs::remove_file(place);
            let _ = fs::rename(&away, place);
        }
        let _ = fs::remove_file(&link);
    }

    /// Replaces a directory for temporary files with a link to the directory outside, and counts that.
    fn exchange_scratch(&self, place: &Path, count: &mut usize) {
        let is_directory = fs::symlink_metadata(place).is_ok_and(|found| found.is_dir());
        if is_directory && fs::rename(place, self.at(&format!("away-{count}"))).is_ok() {
            *count += usize::from(symlink(self.at("outside"), place).is_ok());
        }
    }

    fn assert_untouched(&self, which: &str) {
        let outside = self.at("outside");
        assert_eq!(fs::read_to_string(outside.join("secret")).ok().as_deref(), Some(MARK), "{which}");
        let mode = fs::metadata(&outside).expect("there").permissions().mode();
        assert!(outside.join("run").exists() && mode & 0o700 == 0o700, "{which}: {mode:o}");
    }
}

/// Runs the program again and again while `exchange` is repeated. Returns how many runs reached the program.
fn race(world: &World, which: &str, exchange: &(dyn Fn(usize) + Sync)) -> usize {
    let (stop, mut runs, mut ran, mut reached) = (AtomicBool::new(false), 0, 0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| (0..).take_while(|_| !stop.load(Ordering::Relaxed)).for_each(exchange));
        // On a busy machine the directory may be away at each of a few starts.
        while runs < test_bed::rounds(30) || (ran == 0 && runs < 1_000) {
            runs += 1;
            let outcome = run(&world.request());
            ran += usize::from(outcome.stdout.contains("ran"));
            reached += usize::from(outcome.stdout.contains(MARK));
        }
        stop.store(true, Ordering::Relaxed);
    });
    eprintln!("{which}: {reached} of {runs} runs read a file outside, {ran} ran");
    assert_eq!(reached, 0, "{which}");
    world.assert_untouched(which);
    ran
}

// SPEC 13.7, 13.10
#[test]
fn an_exchanged_directory_opens_no_other() {
    need_sandbox();
    // Without a sandbox, the program reads and changes the file outside.
    let world = World::new();
    let mut free = world.request();
    free.sandbox = None;
    assert!(run(&free).stdout.contains(MARK));

    for which in ["skills/skill", "work"] {
        let world = World::new();
        let place = world.at(which);
        let pause = |at: usize| Duration::from_micros(u64::try_from(at * 37 % 900).unwrap_or_default());
        let ran = race(&world, which, &|at| {
            world.exchange(&place, pause(at));
            std::thread::sleep(pause(at + 7));
        });
        assert!(ran > 0, "{which}: no program ran");
    }
}

// SPEC 13.10: the directory for temporary files is below the `TMPDIR` of the host, which is this process
#[test]
fn an_exchanged_directory_for_temporary_files_opens_no_other() {
    need_sandbox();
    let base = Scratch::new();
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args([
        "--exact",
        "exec_swap::temporary_files_in_a_separate_process",
        "--nocapture",
        "--include-ignored",
    ]);
    let done = command.env("TMPDIR", base.path()).env("SWAP", "1").output().expect("this test");
    eprintln!("{}", String::from_utf8_lossy(&done.stderr));
    let stdout = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && stdout.contains("1 passed"), "{stdout}");
}

#[test]
#[ignore = "another test runs it in a separate process"]
fn temporary_files_in_a_separate_process() {
    if std::env::var_os("SWAP").is_none() {
        return;
    }
    let world = World::new();
    let base = std::env::temp_dir();
    let exchanged = std::sync::Mutex::new(0);
    race(&world, "TMPDIR", &|_| {
        let mut count = exchanged.lock().expect("not poisoned");
        for entry in fs::read_dir(&base).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with("skills-run-") {
                world.exchange_scratch(&entry.path(), &mut count);
            }
        }
    });
    assert!(*exchanged.lock().expect("not poisoned") > 0, "no directory was exchanged");
}
