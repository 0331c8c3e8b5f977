//! Hundreds of runs leave no zombie and no descriptor behind. Alone in its binary: it counts the process's own.

#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use skills_exec::{RunId, run, start};
use support::Scratch;

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").expect("a /proc").count()
}

fn children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("a /proc").flatten();
    tasks
        .map(|task| {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            children.split_ascii_whitespace().count()
        })
        .sum()
}

// SPEC 7.2
#[test]
fn hundreds_of_runs_at_64_at_once_leave_nothing_behind() {
    let scratch = Scratch::new();
    let request = scratch.script("read line; echo \"$line\"; exit 3");
    run(&request);
    let before = (descriptors(), children());
    let (next, most) = (AtomicU32::new(0), u32::try_from(test_bed::rounds(200)).expect("few"));
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                loop {
                    let count = next.fetch_add(1, Ordering::Relaxed);
                    if count >= most {
                        return;
                    }
                    let mut request = request.clone();
                    request.run_id = RunId::fresh();
                    request.input = format!("{count}\n");
                    let outcome = if count.is_multiple_of(2) { run(&request) } else { start(request).wait() };
                    assert_eq!(
                        (outcome.exit_code, outcome.stdout),
                        (3, format!("{count}\n")),
                        "{}",
                        outcome.error
                    );
                }
            });
        }
    });
    // The threads of `start` close their pipes just after they hand over the outcome.
    support::eventually(|| (descriptors(), children()) == before);
    assert_eq!((descriptors(), children()), before, "descriptors and children");
}
