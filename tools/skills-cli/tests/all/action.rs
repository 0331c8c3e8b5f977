//! The steps of the action and the hook of pre-commit, in the checkout of a repository that means ill (SPEC 18.11).
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::command::Place;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Files of a repository that could be run or read by mistake: modules that shadow those of pip, programs,
/// configurations.
const BAIT: [&str; 9] = [
    "pip.py",
    "pip/__main__.py",
    "hashlib.py",
    "sitecustomize.py",
    "usercustomize.py",
    "zipfile.py",
    "encodings.py",
    "sys.py",
    "os.py",
];

/// A repository, the action beside it, and a directory for its output.
struct Fixture {
    place: Place,
}

impl Fixture {
    fn new() -> Self {
        let place = Place::new(&[("temporary/.keep", ""), ("bin/.keep", "")]);
        for bait in BAIT {
            let ill = format!("open({:?}, 'w').close()\nraise SystemExit(0)\n", place.path("run"));
            place.write(format!("repo/{bait}"), &ill);
        }
        let ill = format!("#!/bin/sh\ntouch {}\n", place.path("run"));
        for name in ["repo/skills", "repo/python3", "repo/cargo", "repo/cp", "repo/rustc"] {
            program(&place, name, &ill);
        }
        place.write("repo/.cargo/config.toml", "[build]\nrustc = \"./rustc\"\n");
        place.write("repo/pip.conf", "[global]\nindex-url = http://127.0.0.1:9\n");
        Self { place }
    }

    /// A step, with a token in its environment as workflows have it.
    fn step(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        let mut command = Command::new("bash");
        command.arg(Path::new(ROOT).join("packaging/action.sh")).args(arguments);
        command.current_dir(self.place.top.join("repo"));
        let path = format!("{}:{}", self.place.path("bin"), std::env::var("PATH").unwrap());
        command
            .env("PATH", path)
            .env("GITHUB_ACTION_PATH", ROOT)
            .env("RUNNER_TEMP", self.place.path("temporary"));
        command.env("GITHUB_PATH", self.place.path("paths")).env("HOME", self.place.path(""));
        command.envs([
            ("GITHUB_TOKEN", "s3cret"),
            ("GH_TOKEN", "s3cret"),
            ("ACTIONS_RUNTIME_TOKEN", "s3cret"),
        ]);
        command.envs([("WHEEL", ""), ("SHA256", ""), ("CHECKED", "."), ("ARGUMENTS", "")]);
        command.envs(environment.iter().copied()).output().unwrap()
    }

    /// Fails when anything of the repository was run.
    fn nothing_has_run(&self) {
        assert!(!self.place.top.join("run").exists(), "something of the repository was run");
    }
}

fn program(place: &Place, name: &str, text: &str) {
    place.write(name, text);
    fs::set_permissions(place.top.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

// SPEC 18.11: a wheel is unpacked and its program runs; nothing of the repository runs, and no token is passed on
#[test]
#[ignore = "needs python3 and bash"]
fn a_wheel_is_taken_by_its_digest() {
    ["python3", "bash"].into_iter().for_each(test_bed::need);
    let fixture = Fixture::new();
    program(&fixture.place, "made/skills", "#!/bin/sh\nenv\nprintf 'argument %s\\n' \"$@\"\n");
    fixture.place.write("share/note", "");
    let packed = Command::new("python3")
        .args(["-I", "packaging/wheel.py", &fixture.place.path("repo"), "0.1.0", "py3-none-any"])
        .args([&fixture.place.path("made/skills"), &fixture.place.path("share"), "README.md"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(packed.status.success(), "{}", text_of(&packed));
    let wheel = "skills_bundle-0.1.0-py3-none-any.whl";
    let digest =
        Command::new("sha256sum").arg(fixture.place.path(&format!("repo/{wheel}"))).output().unwrap();
    let digest = text_of(&digest).split(' ').next().unwrap().to_owned();

    for wrong in ["", &"0".repeat(64)] {
        let refused = fixture.step(&["install"], &[("WHEEL", wheel), ("SHA256", wrong)]);
        assert!(!refused.status.success() && text_of(&refused).contains(&digest), "{}", text_of(&refused));
    }
    let installed = fixture.step(&["install"], &[("WHEEL", wheel), ("SHA256", &digest)]);
    fixture.nothing_has_run();
    assert!(installed.status.success(), "{}", text_of(&installed));
    let paths = fs::read_to_string(fixture.place.top.join("paths")).unwrap();
    assert_eq!(paths, fixture.place.path("temporary/skills-bundle/bin") + "\n");

    let checked = fixture.step(&["check", "github"], &[("CHECKED", "-a b"), ("ARGUMENTS", "--deny *")]);
    fixture.nothing_has_run();
    let printed = text_of(&checked);
    assert!(checked.status.success() && !printed.contains("s3cret"), "{printed}");
    let arguments: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("argument ")).collect();
    assert_eq!(arguments, ["check", "--format", "github", "--deny", "*", "--", "-a b"], "{printed}");
}

// SPEC 18.11: without a wheel, cargo builds the source of the action outside the repository and its configuration
#[test]
#[ignore = "needs bash"]
fn the_source_of_the_action_is_built() {
    test_bed::need("bash");
    let fixture = Fixture::new();
    let printed = fixture.place.path("told");
    program(&fixture.place, "bin/cargo", &format!("#!/bin/sh\n(pwd; env; echo \"$@\") > {printed}\n"));
    let installed = fixture.step(&["install"], &[]);
    fixture.nothing_has_run();
    assert!(installed.status.success(), "{}", text_of(&installed));
    let printed = fs::read_to_string(printed).unwrap();
    let root = fs::canonicalize(ROOT).unwrap();
    assert_eq!(fs::canonicalize(printed.lines().next().unwrap()).unwrap(), root);
    assert!(printed.contains("install --quiet --locked --path tools/skills-cli "), "{printed}");
    assert!(!printed.contains("s3cret"), "{printed}");
}

// SPEC 18.11: the hook depends on no package, and contains the program
#[test]
#[ignore = "needs python3 and pip"]
fn the_hook_is_the_program() {
    test_bed::need("python3");
    let place = Place::new(&[("out/.keep", "")]);
    program(&place, "skills", "#!/bin/sh\necho \"checked $*\"\n");
    let script =
        "import sys; sys.path.insert(0, 'packaging'); import hook; print(hook.build_wheel(sys.argv[1]))";
    let mut python = Command::new("python3");
    python.args(["-I", "-B", "-c", script, &place.path("out")]).current_dir(ROOT);
    let built = python.env("SKILLS_PROGRAM", place.path("skills")).output().unwrap();
    assert!(built.status.success(), "{}", text_of(&built));
    let wheel = format!("{}/{}", place.path("out"), text_of(&built).trim());
    let mut pip = Command::new("python3");
    pip.args(["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]);
    let installed = pip.args(["--target", &place.path("env"), &wheel]).output().unwrap();
    assert!(installed.status.success(), "it depends on no package: {}", text_of(&installed));
    let ran = Command::new(place.path("env/bin/skills")).args(["check", "."]).output().unwrap();
    assert_eq!(text_of(&ran), "checked check .\n");
}
