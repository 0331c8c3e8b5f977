//! Checks that the examples in README.md equal files of the repository.

/// Checks that the first example in the README is a program that runs, word for word.
#[test]
fn the_first_example_is_the_loop() {
    let readme = include_str!("../../README.md");
    let shown = readme.split_once("```rust,no_run\n").and_then(|(_, rest)| rest.split_once("```\n"));
    let (shown, _) = shown.expect("README.md has an example");
    let program = include_str!("../../examples/loop.rs");
    let own = program.lines().skip_while(|line| line.starts_with("//!") || line.starts_with("#!["));
    let own: Vec<&str> = own.skip_while(|line| line.is_empty()).collect();
    assert_eq!(shown.lines().collect::<Vec<_>>(), own);
}
