//! Builds and runs the packages below `tests/packages` like packages of an outside user.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::collections::BTreeMap;
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
fn generated_code_compiles_in_any_crate() {
    // SPEC 18.1: the facade can be renamed. SPEC 2.6: names such as `type` and `3d` work everywhere.
    assert_eq!(cargo(&["run", "-p", "shadowed"]), "shadowed: ok\n");
    assert_eq!(cargo(&["run", "-p", "prelude"]), "prelude: ok\n");
}

#[test]
fn a_build_script_generates_the_same_as_the_macro() {
    let output = cargo(&["test", "-p", "built"]);
    assert!(output.contains("1 passed"), "{output}");
    cargo(&["doc", "-p", "built", "--no-deps"]);
}

// SPEC 6.2, 3.4
#[test]
fn skills_are_called_from_any_crate() {
    assert_eq!(cargo(&["run", "-p", "caller"]), "caller: ok\n");
}

// SPEC 1.6, 6.6
#[test]
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
            .contains("tests/packages/proven/wrong/sums/SKILL.md - __skills_doctests::skill_sums_0 (line 8)"),
        "{printed}"
    );
    // The line number in rustc's own message depends on the version of rustdoc.
    assert!(
        printed.contains("proven/wrong/sums/SKILL.md:") && printed.contains("proven::sum(1, 2);"),
        "{printed}"
    );
    cargo(&["doc", "-p", "proven", "--no-deps"]);
}

// SPEC 1.5, 1.8, 3.4, 6.2: misuse is an error of the build, at its place, and says what to write.
#[test]
fn misuse_is_an_error_of_the_build() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = root.join("tests/packages/misused/examples");
    let mut printed: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(&examples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            printed.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), String::new());
        }
    }
    // One cargo compiles all examples side by side, and its messages name the example. `check` would compile the dependencies,
    // which `caller` has, once more.
    let output =
        command(&["build", "-p", "misused", "--examples", "--keep-going", "--message-format", "json"]);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(rendered) = message["message"]["rendered"].as_str() {
            let name = message["target"]["name"].as_str().unwrap();
            printed.get_mut(name).unwrap().push_str(&without_foreign_places(rendered, root));
        }
    }
    let mut faults = Vec::new();
    for (name, printed) in printed {
        assert!(printed.contains("error"), "{name} compiles: {}", String::from_utf8_lossy(&output.stderr));
        let golden = examples.join(format!("{name}.stderr"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &printed).unwrap();
        }
        if std::fs::read_to_string(&golden).unwrap_or_default() != printed {
            faults.push(format!(
                "{}: run with BLESS=1 and look at the difference\n{printed}",
                golden.display()
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Removes the root, and the lines and columns of files outside of the example, from an error of rustc: they change with
/// every edit elsewhere.
fn without_foreign_places(printed: &str, root: &Path) -> String {
    let root = &*root.to_string_lossy();
    let line = |line: &str| {
        let line = line.trim();
        if let Some((_, place)) = line.split_once("--> ").or_else(|| line.split_once("::: ")) {
            let Some(foreign) = place.strip_prefix(root) else { return format!("--> {place}\n") };
            return format!("--> {}\n", foreign.split(':').next().unwrap_or_default());
        }
        let code = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        format!("{}\n", if code.starts_with('|') { code } else { line })
    };
    // The file to which rustc writes the names of long types is different each time.
    let is_kept = |line: &&str| !line.contains("long-type") && !line.contains("full type name");
    printed.lines().filter(is_kept).map(line).collect()
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
