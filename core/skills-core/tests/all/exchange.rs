//! No file outside a root is read while its directories are replaced with links that lead outside.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use skills_core::read::{ReadOptions, read};
use skills_core::report::Report;

/// The number of times that the root is read.
const READS: usize = 400;

// SPEC 12.7
#[test]
fn an_exchange_of_a_directory_with_a_link_leads_nowhere() {
    let top = tempfile::tempdir().unwrap();
    let (root, outside) = (top.path().join("root"), top.path().join("outside"));
    let skill = root.join("group/it");
    fs::create_dir_all(skill.join("data/deep")).unwrap();
    fs::create_dir_all(outside.join("it/data/deep")).unwrap();
    for (directory, word) in [(&root.join("group"), "inside"), (&outside, "secret")] {
        let document = format!("---\nname: it\ndescription: It is {word}.\n---\n{word}\n");
        fs::write(directory.join("it/SKILL.md"), document).unwrap();
        for at in 0..8 {
            fs::write(directory.join(format!("it/data/{at}.txt")), word).unwrap();
            fs::write(directory.join(format!("it/data/deep/{at}.txt")), word).unwrap();
        }
    }
    // One exchange at each depth: the folder of skills, the skill, a directory in it.
    let pairs = [
        (root.join("group"), outside.clone()),
        (skill.clone(), outside.join("it")),
        (skill.join("data"), outside.join("it/data")),
    ];
    let (mut leaks, mut whole) = (0, 0);
    for (at, (directory, elsewhere)) in pairs.iter().enumerate() {
        let link = top.path().join(format!("link{at}"));
        symlink(elsewhere, &link).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut pause = 0;
                while !stop.load(Ordering::Relaxed) {
                    // Twice, so that the directory is back at its path at the end.
                    for _ in 0..2 {
                        pause = (pause + 17) % 230;
                        std::thread::sleep(Duration::from_micros(pause));
                        renameat_with(CWD, directory, CWD, &link, RenameFlags::EXCHANGE).unwrap();
                    }
                }
            });
            for _ in 0..READS {
                let tree = read(&root, "root", &ReadOptions::default(), &mut Report::default());
                let files = || tree.skills.iter().flat_map(|skill| &skill.files);
                let holds = |word: &str| {
                    files().any(|file| {
                        file.bytes(&tree.sources).windows(word.len()).any(|window| window == word.as_bytes())
                    })
                };
                leaks += usize::from(holds("secret"));
                whole += usize::from(files().count() == 17);
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
    println!("{leaks} of {} readings had a file from outside, {whole} were whole", 3 * READS);
    assert_eq!(leaks, 0);
    assert!(whole > 0, "the directory was never seen in its place");
}
