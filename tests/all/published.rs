//! Packs crates with `cargo package`, and builds the packages outside of any workspace, as a user does.

#![allow(clippy::unwrap_used)] // test helpers may panic

use std::fs;
use std::path::{Path, PathBuf};

const SKILL: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\nSee [the guide](docs/guide.md).\n";
const SCRIPT: &str = "fn main() { skills_build::bundle(\"skills\"); }\n";

/// A separate package, with a `main` that prints the files of its skills.
struct Crate {
    at: PathBuf,
    target: PathBuf,
}

impl Crate {
    fn new(name: &str, keys: &str, dir: &str, files: &[(&str, &str)]) -> Self {
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let made =
            Self { at: tmp.join("published").join(name).join("crates/agent"), target: tmp.join("packages") };
        let _ = fs::remove_dir_all(tmp.join("published").join(name));
        let script = files.iter().any(|(path, _)| *path == "build.rs");
        let build = if script { "[build-dependencies]\nskills-build = \"0.1\"\n" } else { "" };
        made.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"agent-{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"MIT\"\n\
                 description = \"An agent.\"\nrepository = \"https://example.com\"\n{keys}\n\
                 [dependencies]\nskills = {{ package = \"skills-bundle\", version = \"0.1\" }}\n{build}[workspace]\n"
            ),
        );
        let main = format!(
            "skills::skills!({dir:?});\nfn main() {{ for skill in SKILLS.iter() {{ for file in skill.files() {{ \
             println!(\"{{}} {{}} {{}}\", skill.name(), file.path(), file.bytes().len()); }} }} }}\n"
        );
        made.write("src/main.rs", &main);
        fs::copy(root().join("Cargo.lock"), made.at.join("Cargo.lock")).unwrap();
        files.iter().for_each(|(path, text)| made.write(path, text));
        made
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs cargo with the crates of this workspace in place of published ones.
    fn cargo(&self, at: &Path, arguments: &[&str]) -> Result<String, String> {
        let patch = |name: &str, path: &str| {
            let path = root().join(path);
            format!("patch.crates-io.{name}.path={:?}", path.to_str().unwrap())
        };
        let output = test_bed::cargo_of_packages(&self.target)
            .args(arguments)
            .arg("--offline")
            .args(["--config", &patch("skills-bundle", "")])
            .args(["--config", &patch("skills-build", "core/skills-build")])
            .current_dir(at)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match output.status.success() {
            true => Ok(text(&output.stdout)),
            false => Err(text(&output.stderr)),
        }
    }

    /// Returns the output of cargo when it builds the crate in its directory.
    fn built(&self) -> String {
        let text = self.at.join("src/main.rs");
        // Cargo does not repeat its messages for a crate at another path with the same files.
        fs::write(&text, fs::read_to_string(&text).unwrap() + "\n").unwrap();
        let output = self.cargo(&self.at, &["check", "--message-format", "json-diagnostic-rendered-ansi"]);
        output.unwrap()
    }

    /// Packs the crate, which cargo verifies, and runs the package from a directory outside of the workspace.
    fn published(&self) -> Result<Vec<String>, String> {
        self.cargo(&self.at, &["package", "--allow-dirty", "--quiet"])?;
        let name =
            self.at.parent().and_then(Path::parent).and_then(Path::file_name).unwrap().to_str().unwrap();
        let packed = self.target.join(format!("package/agent-{name}-0.1.0"));
        let alone = std::env::temp_dir().join(format!("skills-published-{}", std::process::id()));
        let place = alone.join(format!("agent-{name}-0.1.0"));
        copy(&packed, &place);
        let output = self.cargo(&place, &["run", "--quiet"]);
        fs::remove_dir_all(&alone).unwrap();
        Ok(output?.lines().map(str::to_owned).collect())
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

// SPEC 18.14, 18.15: one test, since the crates share a target directory.
#[test]
#[ignore = "builds packages"]
fn a_published_crate_has_its_skills_or_is_refused() {
    let in_skills = [("skills/pdf/SKILL.md", SKILL), ("skills/pdf/docs/guide.md", "Read.\n")];
    let files = [format!("pdf SKILL.md {}", SKILL.len()), "pdf docs/guide.md 6".to_owned()];
    let inside = Crate::new("inside", "", "skills/", &in_skills);
    assert!(!inside.built().contains("skills::"), "nothing is reported");
    assert_eq!(inside.published().unwrap(), files);

    let scripted = [&in_skills[..], &[("build.rs", SCRIPT)]].concat();
    let older = Crate::new("scripted", "rust-version = \"1.75\"", "skills/", &scripted);
    // SPEC 18.17: cargo refuses the newer syntax in a package for Rust 1.75.
    assert_eq!(older.published().unwrap(), files);

    let beside = [("SKILL.md", SKILL), ("docs/guide.md", "Read.\n"), ("docs/other.md", "No.\n")];
    let beside = Crate::new("beside", "", ".", &beside);
    assert_eq!(beside.published().unwrap(), files);

    // An `include` without the skills is reported at its place, and the package is refused.
    let listed = Crate::new("listed", "include = [\"/src\"]", "skills/", &in_skills);
    let printed = listed.built();
    assert!(printed.contains("skills::bundle-not-packaged"), "{printed}");
    assert!(printed.contains("add to the list: ") && printed.contains("/skills/**"), "{printed}");
    let refused = listed.published().unwrap_err();
    assert!(
        refused.contains("the package `agent-listed` 0.1.0 was published without its skills"),
        "{refused}"
    );
    assert!(!refused.contains("mkdir"), "{refused}");

    // The path leads back into the workspace from `target/package`, and still the package is refused.
    let outside = Crate::new("outside", "", "../../skills", &[("../../skills/pdf/SKILL.md", SKILL)]);
    let trap = outside.target.join("skills/pdf");
    fs::create_dir_all(&trap).unwrap();
    fs::write(trap.join("SKILL.md"), SKILL).unwrap();
    let printed = outside.built();
    assert!(
        printed.contains("skills::bundle-outside-package") && printed.contains("skills package vendor"),
        "{printed}"
    );
    let refused = outside.published().unwrap_err();
    fs::remove_dir_all(outside.target.join("skills")).unwrap();
    assert!(refused.contains("was published without its skills"), "{refused}");
    assert!(refused.contains("`../../skills` is outside the package"), "{refused}");
    let private =
        Crate::new("private", "publish = false", "../../skills", &[("../../skills/pdf/SKILL.md", SKILL)]);
    assert!(!private.built().contains("skills::bundle"), "a package that is never published may do so");
}
