//! Tests build scripts from a user's view: added, changed, renamed and removed files, errors, and
//! reproducible output.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::fs;
use std::path::{Path, PathBuf};

/// A package in its own directory, with a `main` that prints the contents of the bundle.
struct Package(PathBuf);

impl Package {
    fn new(name: &str, build_script: &str, invocation: &str) -> Self {
        let package = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-script").join(name));
        let _ = fs::remove_dir_all(package.0.join("skills"));
        let facade = env!("CARGO_MANIFEST_DIR");
        package.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"follower\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
                 [dependencies]\nskills = {{ package = \"skills-bundle\", path = {facade:?} }}\n\
                 [build-dependencies]\nskills-build = {{ path = \"{facade}/core/skills-build\" }}\n"
            ),
        );
        fs::copy(Path::new(facade).join("Cargo.lock"), package.0.join("Cargo.lock")).unwrap();
        package.write("build.rs", &format!("fn main() {{ {build_script} }}"));
        package.write(
            "src/main.rs",
            &format!(
                "{invocation}\nfn main() {{ for skill in SKILLS.iter() {{ for file in skill.files() {{ \
                 println!(\"{{}}/{{}} {{}}\", skill.dir(), file.path(), file.sha256_hex()); }} }} }}\n"
            ),
        );
        package.skill("a", "First.");
        package
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(&self, name: &str, body: &str) {
        self.write(
            &format!("skills/{name}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: Does {name}.\n---\n{body}\n"),
        );
    }

    /// Runs the package. Returns whether it succeeded, its output, and the output of cargo.
    fn run(&self) -> (bool, Vec<String>, String) {
        self.wait_for_clock();
        let output = test_bed::cargo_of_packages(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages"))
            .args(["run", "--offline"])
            .current_dir(&self.0)
            .output()
            .unwrap();
        self.wait_for_clock();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let lines = text(&output.stdout).lines().map(str::to_owned).collect();
        (output.status.success(), lines, text(&output.stderr))
    }

    /// Waits until a file that is written now is newer than all files that were written before. Cargo compares file
    /// times, and some file systems only store whole seconds.
    fn wait_for_clock(&self) {
        let clock = self.0.with_extension("clock"); // beside the package, which cargo watches
        let now = || {
            fs::write(&clock, "").unwrap();
            fs::metadata(&clock).unwrap().modified().unwrap()
        };
        let before = now();
        while now() == before {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// Runs the package and compares its bundle with the files on disk.
    fn agrees(&self, paths: &[&str]) {
        let (fine, lines, errors) = self.run();
        assert!(fine, "{errors}");
        let expected: Vec<String> = paths
            .iter()
            .map(|path| {
                let bytes = fs::read(self.0.join("skills").join(path)).unwrap();
                let digest = hmac_sha256::Hash::hash(&bytes);
                let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{path} {hex}")
            })
            .collect();
        assert_eq!(lines, expected);
    }

    fn outputs(&self) -> Vec<(String, Vec<u8>)> {
        let builds = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages/debug/build");
        let newest = fs::read_dir(builds)
            .unwrap()
            .map(|entry| entry.unwrap().path().join("out"))
            .filter(|path| {
                path.parent().unwrap().file_name().unwrap().to_str().unwrap().starts_with("follower-")
            })
            .filter(|path| path.is_dir())
            .max_by_key(|path| path.parent().unwrap().join("output").metadata().unwrap().modified().unwrap())
            .unwrap();
        let mut files: Vec<_> = fs::read_dir(newest)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    }
}

#[test]
#[ignore = "builds packages"]
fn the_bundle_follows_its_directory() {
    let builds = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages/debug/build");
    for old in fs::read_dir(builds).into_iter().flatten().flatten() {
        if old.file_name().to_string_lossy().starts_with("follower-") {
            fs::remove_dir_all(old.path()).unwrap();
        }
    }
    // A single test, since the packages share a target directory and the steps depend on each other.
    let package = Package::new("one", "skills_build::bundle(\"skills\");", "skills::skills!(\"skills/\");");
    package.agrees(&["a/SKILL.md"]);
    package.write("skills/a/notes/deep.md", "added");
    package.agrees(&["a/SKILL.md", "a/notes/deep.md"]);
    package.write("skills/a/notes/deep.md", "edited");
    package.skill("b", "Second.");
    package.agrees(&["a/SKILL.md", "a/notes/deep.md", "b/SKILL.md"]);
    fs::rename(package.0.join("skills/a/notes/deep.md"), package.0.join("skills/a/notes/moved.md")).unwrap();
    package.agrees(&["a/SKILL.md", "a/notes/moved.md", "b/SKILL.md"]);
    fs::remove_dir_all(package.0.join("skills/b")).unwrap();
    fs::remove_file(package.0.join("skills/a/notes/moved.md")).unwrap();
    package.agrees(&["a/SKILL.md"]);

    // Two packages at different paths have the same output (SPEC 1.1).
    let first = package.outputs();
    assert_eq!(first.len(), 4, "{:?}", first.iter().map(|(name, _)| name).collect::<Vec<_>>());
    let other = Package::new("two", "skills_build::bundle(\"skills\");", "skills::skills!(\"skills/\");");
    other.agrees(&["a/SKILL.md"]);
    assert_eq!(other.outputs(), first);

    // A broken skill is an error with its source, reported once; the valid one is kept.
    package.write("skills/b/SKILL.md", "---\nname: b\ndescription: Use when: reviewing\n---\nText.\n");
    let (fine, _, errors) = package.run();
    assert!(!fine);
    let count = |text: &str| errors.matches(text).count();
    assert_eq!(count("skills/b/SKILL.md:3:"), 1, "{errors}");
    assert!(errors.contains("--> src/main.rs:1:17"), "{errors}");
    assert_eq!(count("error: ["), 1, "{errors}");
    assert!(errors.contains("due to 1 previous error"), "no cascade: {errors}");

    // `fail_early` reports it on one line, and nothing is compiled.
    let early = "skills_build::Bundle::new(\"skills\").fail_early().build();";
    package.write("build.rs", &format!("fn main() {{ {early} }}"));
    let (fine, _, errors) = package.run();
    assert!(!fine && !errors.contains("src/main.rs"), "{errors}");
    assert!(
        errors.lines().any(|line| line.starts_with("error: follower@0.0.0: skills/b/SKILL.md:3:")),
        "{errors}"
    );
    package.skill("b", "Mended.");
    // SPEC 1.2: a missing directory fails the build, whatever the macro names.
    package.write("build.rs", "fn main() { skills_build::bundle(\"skils\"); }");
    let (fine, _, errors) = package.run();
    assert!(!fine && errors.contains("directory `skils` does not exist"), "{errors}");
    assert!(errors.contains("change the path to `skills`") && !errors.contains("src/main.rs"), "{errors}");
    package.write("build.rs", &format!("fn main() {{ {early} }}"));
    package.agrees(&["a/SKILL.md", "b/SKILL.md"]);

    // A lint is a warning of cargo, or an error if it is denied. Other options in the macro are an error.
    package.write("skills/b/SKILL.md", "---\nname: bb\ndescription: Does b.\n---\nText.\n");
    let (fine, _, errors) = package.run();
    assert!(fine && errors.contains("warning: follower@0.0.0: skills/b/SKILL.md:2:"), "{errors}");
    let deny = "skills_build::Bundle::new(\"skills\").deny(\"name-mismatch\").build();";
    package.write("build.rs", &format!("fn main() {{ {deny} }}"));
    let (fine, _, errors) = package.run();
    assert!(!fine && errors.contains("[skills::name-mismatch]"), "{errors}");
    package.skill("b", "Mended.");
    let main = fs::read_to_string(package.0.join("src/main.rs")).unwrap();
    package.write("src/main.rs", &main.replace("\"skills/\"", "\"skills/\", deny(long_body)"));
    let (fine, _, errors) = package.run();
    assert!(!fine, "{errors}");
    assert!(
        errors
            .contains("write in build.rs: skills_build::Bundle::new(\"skills\").deny(\"long-body\").build()"),
        "{errors}"
    );

    // SPEC 6.1: the build script decides about formats, and the macro must not contradict it.
    package.write(
        "src/main.rs",
        "skills::skills!(\"skills/\", formats(ignore));\nfn main() { println!(\"{}\", \
         call::Input::from_json(\"{\\\"day\\\":\\\"soon\\\"}\").is_ok()); }",
    );
    package.write(
        "skills/call/skill.json",
        r#"{"name": "call", "description": "Calls.", "category": "tools", "mode": "code",
            "input": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}},
            "output": {"type": "object"}}"#,
    );
    let bundle = |policy: &str| {
        format!(
            "fn main() {{ skills_build::Bundle::new(\"skills\").formats(skills_build::FormatPolicy::{policy}).build(); }}"
        )
    };
    package.write("build.rs", &bundle("Assert"));
    let (fine, _, errors) = package.run();
    assert!(!fine && errors.contains(".formats(skills_build::FormatPolicy::Ignore).build()"), "{errors}");
    package.write("build.rs", &bundle("Ignore"));
    let (fine, lines, errors) = package.run();
    assert!(fine && lines == ["true"], "{lines:?} {errors}");
    let main = fs::read_to_string(package.0.join("src/main.rs")).unwrap();
    package.write("src/main.rs", &main.replace(", formats(ignore)", ""));
    package.write("build.rs", &bundle("Assert"));
    let (fine, lines, errors) = package.run();
    assert!(fine && lines == ["false"], "{lines:?} {errors}");

    // Failures are reported in every case.
    package
        .write("build.rs", "fn main() { skills_build::Bundle::new(\"skills\").deny(\"long-bdy\").build(); }");
    let (fine, _, errors) = package.run();
    assert!(!fine && errors.contains("unknown rule `long-bdy`; did you mean `long-body`?"), "{errors}");
}
