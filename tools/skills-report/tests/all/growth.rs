//! Twice as much of any kind of input is twice the work: counted in steps, not in time.
#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use skills_core::config::find;
use skills_core::edit::Applicability;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_core::{load, load_over};
use skills_report::fix::fix;
use skills_text::work::done;
use test_bed::inputs::{Input, inputs};

/// The bytes of the smaller input: large enough that not all problems are reported.
const SIZE: usize = 8_000;

/// The fixed number of steps of a check.
const ANYWAY: u64 = 2_000;

fn write(root: &Path, input: &Input, size: usize) {
    let _: std::io::Result<()> = fs::remove_dir_all(root);
    for (path, text) in (input.make)(size) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The bytes for each of which a check takes at least one step on average.
const COUNTED: usize = 200;

/// The kinds that have a largest size, of which a check reads only the start (too deep, or not JSON), or whose patterns
/// are only compared with a few paths.
const SHORT: [&str; 9] = [
    "indentation that grows",
    "lines of .skillignore",
    "anchors around anchors",
    "deep brackets of JSON",
    "faults of JSON",
    "commas that are missing",
    "open strings of JSON",
    "nested allOf",
    "nested templates",
];

/// Counts the steps for some input and for twice as much; names those kinds that take more than twice as many, and those
/// whose work is not counted.
/// Each thread counts its own steps, so the kinds are shared out among threads.
fn grown(inputs: impl Iterator<Item = Input>, size: usize, work: fn(&Path)) -> Vec<String> {
    let inputs: Vec<Input> = inputs.collect();
    let next = AtomicUsize::new(0);
    let take = || inputs.get(next.fetch_add(1, Ordering::Relaxed));
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(|| grown_of(take, size, work))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn grown_of<'i>(take: impl Fn() -> Option<&'i Input>, size: usize, work: fn(&Path)) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("skills");
    let steps = |input: &Input, size: usize| {
        write(&root, input, size);
        let before = done();
        work(&root);
        done() - before
    };
    let grows = |input: &Input| {
        let (once, twice) = (steps(input, size), steps(input, size * 2));
        let grows = twice * 10 > once * 25 + ANYWAY * 10;
        let is_counted = twice - once >= (size / COUNTED) as u64 || SHORT.contains(&input.name);
        (grows || !is_counted).then(|| format!("{}: {once} and {twice}", input.name))
    };
    std::iter::from_fn(take).filter_map(grows).collect()
}

// SPEC 12.10
#[test]
fn a_check_of_twice_as_much_takes_twice_the_steps() {
    assert!(inputs().count() >= 40);
    let found = grown(inputs(), SIZE, |root| drop(load(root, "skills", &find(root, None).options())));
    assert!(found.is_empty(), "{found:#?}");
}

// SPEC 17.2
#[test]
fn fixes_of_twice_as_much_take_twice_the_rounds() {
    const KINDS: [&str; 2] = ["colons in one value", "links that differ"];
    let inputs = inputs().filter(|input| KINDS.contains(&input.name));
    assert_eq!(inputs.clone().count(), KINDS.len());
    let found = grown(inputs, 1_000, |root| {
        let check = |over: &Overlay| load_over(root, "skills", &Options::default(), over);
        let fixed = fix(root, Overlay::default(), Applicability::Unsafe, check).unwrap();
        assert!(!fixed.is_cut, "{}", root.display());
    });
    assert!(found.is_empty(), "{found:#?}");
}
