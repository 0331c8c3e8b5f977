//! A thread exchanges a directory on the way for a link to elsewhere and back, as fast as it can, while another writes.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use skills_files::{Root, remove_tree};

/// Runs `act` some rounds while `root/backend` is exchanged for a link to `elsewhere`; returns how often it was `true`.
fn attacked(top: &Path, rounds: usize, act: impl Fn(&Root) -> bool) -> usize {
    let (backend, away, link) = (top.join("root/way"), top.join("root/away"), top.join("root/link"));
    fs::create_dir_all(&backend).expect("the system does it");
    fs::create_dir(top.join("elsewhere")).expect("the system does it");
    fs::write(top.join("elsewhere/precious"), "precious").expect("the system does it");
    std::os::unix::fs::symlink(top.join("elsewhere"), &link).expect("the system does it");
    let root = Root::open(&top.join("root")).expect("the system does it");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for (from, to) in [(&backend, &away), (&link, &backend), (&backend, &link), (&away, &backend)]
                {
                    // A later exchange undoes each of these.
                    fs::rename(from, to).ok();
                }
            }
        });
        let done = (0..rounds).filter(|_| act(&root)).count();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

fn is_untouched(top: &Path) -> bool {
    let names = fs::read_dir(top.join("elsewhere")).expect("the system does it").count();
    names == 1 && fs::read_to_string(top.join("elsewhere/precious")).is_ok_and(|text| text == "precious")
}

// SPEC 12.3
#[test]
fn nothing_is_written_through_an_exchanged_directory() {
    let top = tempfile::tempdir().unwrap();
    // On a busy machine the directory may be away for many attempts, so each round ends with a success.
    let done = attacked(top.path(), test_bed::rounds(40), |root| {
        (0..10_000).any(|_| {
            let written = root.replace(Path::new("way/new/file"), b"written", None).is_ok();
            let is_done = root.replace(Path::new("way/precious"), b"written", None).is_ok() && written;
            if !is_done {
                std::thread::yield_now(); // the other thread may have stopped while the directory was away
            }
            is_done
        })
    });
    assert!(is_untouched(top.path()), "{done} writes succeeded");
    assert!(done > 0, "the directory is there now and then");
}

// SPEC 12.3
#[test]
fn nothing_is_read_through_an_exchanged_directory() {
    let top = tempfile::tempdir().unwrap();
    let leaks = attacked(top.path(), test_bed::rounds(2_000), |root| {
        root.read(Path::new("way/precious"), 100).is_ok()
    });
    assert_eq!(leaks, 0);
    assert!(is_untouched(top.path()));
}

// SPEC 12.3, 13.10
#[test]
fn nothing_is_removed_through_an_exchanged_directory() {
    let top = tempfile::tempdir().unwrap();
    let base = top.path().join("root");
    attacked(top.path(), test_bed::rounds(200), |_| {
        // The exchanged directory is in one that is removed.
        fs::create_dir_all(base.join("way/deep/er")).ok();
        remove_tree(&base.join("way")).is_ok()
    });
    let precious = fs::read_to_string(top.path().join("elsewhere/precious"));
    assert_eq!(precious.unwrap(), "precious");
}
