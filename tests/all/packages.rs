//! Builds and runs the packages below `tests/packages` like packages of an outside user.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::path::Path;
use std::process::Output;

fn command(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    test_bed::cargo_of_packages(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages"))
        .args(arguments)
        .args(["--offline", "--quiet", "--manifest-path"])
        .arg(root.join("tests/packages/Cargo.toml"))
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
        .unwrap()
}

fn cargo(arguments: &[&str]) -> String {
    let output = command(arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "cargo {arguments:?}:\n{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
#[ignore = "builds packages"]
fn generated_code_compiles_in_any_crate() {
    // SPEC 18.1: the facade can be renamed. SPEC 2.6: names such as `type` and `3d` work everywhere.
    assert_eq!(cargo(&["run", "-p", "shadowed"]), "shadowed: ok\n");
    assert_eq!(cargo(&["run", "-p", "prelude"]), "prelude: ok\n");
}

#[test]
#[ignore = "builds packages"]
fn a_build_script_generates_the_same_as_the_macro() {
    let output = cargo(&["test", "-p", "built"]);
    assert!(output.contains("1 passed"), "{output}");
    cargo(&["doc", "-p", "built", "--no-deps"]);
}

// SPEC 6.2, 3.4
#[test]
#[ignore = "builds packages"]
fn skills_are_called_from_any_crate() {
    assert_eq!(cargo(&["run", "-p", "caller"]), "caller: ok\n");
}

// SPEC 1.6, 6.6
#[test]
#[ignore = "builds packages"]
fn a_library_and_a_program_bring_skills_to_one_process() {
    assert_eq!(cargo(&["run", "-p", "agent"]), "agent: ok\n");
}

// SPEC 6.1
#[test]
#[ignore = "needs clippy"]
fn generated_code_is_silent_under_all_lints() {
    cargo(&["clippy", "-p", "pedantic"]);
}

// SPEC 23.9: the Rust blocks of the texts are compiled and run, a failure names the file and the line, and a
// build does not contain them
#[test]
#[ignore = "builds packages"]
fn rust_blocks_of_skills_are_documentation_tests() {
    let output = cargo(&["test", "--doc", "-p", "proven"]);
    // rustdoc compiles some tests together and others separately, and counts them separately.
    let count = |word: &str| -> usize {
        let before = output.split(word).map(|part| part.rsplit(' ').next().unwrap_or_default());
        before.filter_map(|number| number.parse::<usize>().ok()).sum()
    };
    assert_eq!([count(" passed;"), count(" failed;"), count(" ignored;")], [4, 0, 1], "{output}");
    let output = command(&["test", "--doc", "-p", "proven", "--features", "wrong"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && printed.contains("0 passed; 1 failed"), "{printed}");
    assert!(
        printed
            .contains("tests/packages/proven/wrong/sums/SKILL.md - call_skills_once_in_a_module::__skills_doctests::skill_sums_0 (line 8)"),
        "{printed}"
    );
    // The line number in rustc's own message depends on the version of rustdoc.
    assert!(
        printed.contains("proven/wrong/sums/SKILL.md:") && printed.contains("proven::sum(1, 2);"),
        "{printed}"
    );
    cargo(&["doc", "-p", "proven", "--no-deps"]);
}

// SPEC 6.2: without the feature `call`, the error of the compiler names it
#[test]
#[ignore = "builds packages"]
fn a_runner_without_its_feature_names_it() {
    let output = command(&["check", "-p", "proven", "--features", "runner"]);
    let printed = String::from_utf8_lossy(&output.stderr);
    let message = "error[E0277]: calling skills needs the feature `call` of `skills-bundle`";
    assert!(!output.status.success() && printed.contains(message), "{printed}");
    assert!(printed.contains("proven/src/lib.rs") && printed.contains("SKILLS.runner();"), "{printed}");
}

/// Returns the name and version of each package in a lock file, as it writes them.
fn locked(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let packages = text.split("[[package]]\n").skip(1);
    packages.map(|package| package.lines().take(2).collect::<Vec<_>>().join(" ")).collect()
}

// The packages are built offline, so they can only use the versions that the workspace has downloaded.
#[test]
fn packages_use_the_versions_of_the_workspace() {
    let workspace = locked("Cargo.lock");
    let is_own = |package: &String| package.ends_with("version = \"0.0.0\"");
    let other = locked("tests/packages/Cargo.lock");
    let missing: Vec<&String> =
        other.iter().filter(|package| !is_own(package) && !workspace.contains(package)).collect();
    assert!(missing.is_empty(), "copy Cargo.lock to tests/packages/Cargo.lock: {missing:?}");
}
