//! Compares the cost of running a skill with a bare spawn and wait, also in a host of 500 MB with 200 threads, and of
//! installing 1,000 skills with `cp -r`.
//!
//! CPU seconds include this process and the children it waited for, as the kernel reports them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};

use skills_registry::Registry;
use skills_exec::cache::Cache;
use skills_exec::{RunOptions, run_skill};
use skills_install::{InstallOptions, install};

/// Returns the user and system time so far, in seconds. A tick is 10 ms.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11..15].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Returns the smallest time of some rounds.
fn measure(mut run: impl FnMut()) -> f64 {
    let round = |run: &mut dyn FnMut()| {
        let start = cpu();
        run();
        cpu() - start
    };
    (0..5).map(|_| round(&mut run)).fold(f64::MAX, f64::min)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Reads skills like a build does, so that they count as bundled.
fn bundle(root: &Path) -> Registry {
    let loaded = skills_core::load(root, "skills", &skills_core::options::Options::default());
    assert_eq!(loaded.report.errors(), 0);
    Registry::new(skills_core::lower::tables(&loaded.catalog, 8_000).unwrap())
}

fn exec(scratch: &Path, runs: usize) {
    let root = scratch.join("one");
    let program = "#!/bin/sh\nread line\necho \"$line\"\n";
    write(
        &root.join("echo/SKILL.md"),
        "---\nname: echo\ndescription: Says it again. Use for tests.\nexec: run\n---\nSays.\n",
    );
    write(&root.join("echo/run"), program);
    let registry = bundle(&root);
    let skill = registry.get("echo").unwrap();
    let options =
        RunOptions::of_process().cache(Cache::new(Some(scratch.join("cache")), std::env::temp_dir()));
    let start = cpu();
    run_skill(skill, "x", &options).unwrap();
    let first = cpu() - start;

    let bare = scratch.join("run");
    write(&bare, program);
    let spawn = measure(|| {
        for _ in 0..runs {
            let mut command = Command::new("/bin/sh");
            let mut child = command
                .arg(&bare)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"x\n").unwrap();
            assert_eq!(child.wait_with_output().unwrap().stdout, b"x\n");
        }
    });
    let mut run = || {
        for _ in 0..runs {
            assert_eq!(run_skill(skill, "x\n", &options).unwrap().stdout, "x\n");
        }
    };
    let ours = measure(&mut run);
    println!("{runs} bare spawns {spawn:.2} s, as a bundled skill {ours:.2} s, the first run {first:.2} s");
    println!("= run.exec {:.3}", ours / spawn);
    let large = in_a_large_host(|| measure(&mut run));
    println!("as a bundled skill in a host of 500 MB with 200 threads {large:.2} s");
    println!("= run.large {:.3}", large / ours);
}

/// Calls `measure` while this process has 200 more threads and has written 500 MB of memory.
fn in_a_large_host(measure: impl FnOnce() -> f64) -> f64 {
    let memory = vec![1_u8; 500 << 20];
    let end = Arc::new(Barrier::new(201));
    let threads: Vec<_> = (0..200)
        .map(|_| {
            let end = Arc::clone(&end);
            std::thread::spawn(move || end.wait())
        })
        .collect();
    let figure = measure();
    end.wait();
    threads.into_iter().for_each(|thread| drop(thread.join().unwrap()));
    assert_eq!(std::hint::black_box(&memory).last(), Some(&1));
    figure
}

fn installation(scratch: &Path, skills: usize) {
    let root = scratch.join("many");
    let text = "A line of instructions that a model reads.\n".repeat(60);
    for at in 0..skills {
        let name = format!("skill-{at}");
        write(
            &root.join(&name).join("SKILL.md"),
            &format!(
                "---\nname: {name}\ndescription: Does the work number {at}. Use for tests.\n---\n{text}"
            ),
        );
        write(&root.join(&name).join("references/guide.md"), &text);
        write(&root.join(&name).join("scripts/run.sh"), "#!/bin/sh\necho done\n");
    }
    let registry = bundle(&root);
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        scratch.join(format!("target-{count}"))
    };
    let copy = measure(|| {
        let target = fresh();
        assert!(Command::new("cp").arg("-r").arg(&root).arg(&target).status().unwrap().success());
    });
    let mut last = Default::default();
    let ours = measure(|| {
        let target = fresh();
        fs::create_dir(&target).unwrap();
        install(&registry, &target, &InstallOptions::new("bench")).unwrap();
        last = target;
    });
    let again = measure(|| drop(install(&registry, &last, &InstallOptions::new("bench")).unwrap()));
    println!("cp -r of {skills} skills {copy:.2} s, install {ours:.2} s, install again {again:.2} s");
    println!("= run.install {:.3}", ours / copy);
}

/// An argument sets the number of runs: a small number only shows that the program works.
fn main() {
    let runs = std::env::args().nth(1).map_or(200, |runs| runs.parse().unwrap());
    let scratch = tempfile::tempdir().unwrap();
    exec(scratch.path(), runs);
    installation(scratch.path(), runs * 5);
}
