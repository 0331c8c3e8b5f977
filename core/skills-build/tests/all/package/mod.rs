//! Builds packages outside the workspace: skills with given schemas, and a program that reads and writes
//! their values.

#![allow(clippy::panic, clippy::unwrap_used, reason = "test support")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The input and the output schema of one skill.
pub(crate) type Schemas = (Value, Value);

/// Whether a value is an input or an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Input,
    Output,
}

/// A value for the types of a skill to read.
pub(crate) struct Asked {
    pub(crate) skill: usize,
    pub(crate) side: Side,
    pub(crate) text: String,
}

/// A built package.
pub(crate) struct Package {
    root: PathBuf,
    name: &'static str,
}

impl Package {
    /// Builds a package with a skill for each pair of schemas.
    pub(crate) fn build(name: &'static str, skills: &[Schemas]) -> Self {
        let manifest = |(at, (input, output)): (usize, &Schemas)| {
            let manifest = json!({
                "name": format!("t{at}"), "description": format!("Tool {at}."), "category": "tools",
                "mode": "code", "input": input, "output": output,
            });
            (format!("t{at}/skill.json"), manifest.to_string())
        };
        let files: Vec<(String, String)> = skills.iter().enumerate().map(manifest).collect();
        Self::build_files(name, &["unicode-patterns"], &program(PROGRAM, skills.len()), &files)
    }

    /// Writes the package and builds it as an outside user would: with a build script, offline.
    pub(crate) fn build_files(
        name: &'static str,
        features: &[&str],
        program: &str,
        skills: &[(String, String)],
    ) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(root.join("skills"));
        fs::create_dir_all(root.join("src")).unwrap();
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        fs::write(root.join("Cargo.toml"), manifest(name, features, workspace)).unwrap();
        fs::write(root.join("build.rs"), BUILD).unwrap();
        fs::write(root.join("src/main.rs"), program).unwrap();
        for (path, text) in skills {
            let path = root.join("skills").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let package = Self { root, name };
        let output = package.cargo("build").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        package
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = test_bed::cargo_of_packages(&target());
        cargo.args([command, "--offline", "--quiet", "--manifest-path"]).arg(self.root.join("Cargo.toml"));
        cargo
    }

    /// Returns for each value the JSON that its type writes, or the reason why it was refused.
    pub(crate) fn ask(&self, asked: &[Asked]) -> Vec<Result<String, String>> {
        let number = |asked: &Asked| asked.skill * 2 + usize::from(asked.side == Side::Output);
        self.answers(asked.iter().map(|asked| (number(asked), asked.text.as_str())))
    }

    /// Returns the results of the program's functions for texts; each text has the number of its function.
    pub(crate) fn answers<'t>(
        &self,
        asked: impl Iterator<Item = (usize, &'t str)>,
    ) -> Vec<Result<String, String>> {
        let program = target().join("debug").join(self.name);
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = String::new();
        let mut count = 0;
        for (number, text) in asked {
            assert!(!text.contains('\n'));
            writeln!(lines, "{number}\t{text}").unwrap();
            count += 1;
        }
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        let parsed: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(answer).collect();
        assert_eq!(parsed.len(), count);
        parsed
    }
}

fn answer(line: &str) -> Result<String, String> {
    match line.split_once('\t').unwrap() {
        ("ok", text) => Ok(text.to_owned()),
        (_, text) => Err(text.to_owned()),
    }
}

/// Returns the target directory, shared with the packages below `tests/packages`, so that their dependencies
/// are built once.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages")
}

fn manifest(name: &str, features: &[&str], workspace: &Path) -> String {
    format!(
        "[workspace]\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nagent_kit = {{ path = {workspace:?}, package = \"skills-bundle\", features = {features:?} }}\n\
         [build-dependencies]\nskills-build = {{ path = {:?} }}\n",
        workspace.join("core/skills-build")
    )
}

/// Control characters in these schemas are intended, not hidden text.
const BUILD: &str = "//! Bundles the skills.\nfn main() {\n    \
    skills_build::Bundle::new(\"skills\").allow(\"hidden-unicode\").allow(\"schema-default-lost\").build();\n}\n";

/// The program shadows names of the standard library and denies all warnings.
const PROGRAM: &str = r#"//! Reads `number TAB json` lines and writes what the types make of them.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications, rust_2018_idioms)]
#![deny(missing_debug_implementations)]
#![allow(dead_code)]
#![forbid(unsafe_code)]

struct Result;
struct String;
struct Option;
struct Vec;
struct Box;
struct Value;
trait Debug {}
trait Clone {}
mod core {}
mod alloc {}
mod serde_json {}

mod all {
    agent_kit::skills!("skills");
}

type Answer = ::std::result::Result<::std::string::String, ::std::string::String>;

macro_rules! answers {
    ($($skill:ident)*) => {
        &[$(
            |text| match all::$skill::Input::from_json(text) {
                Ok(value) => Ok(value.to_json()),
                Err(error) => Err(error.to_string()),
            },
            |text| match all::$skill::Output::from_json(text) {
                Ok(value) => Ok(value.to_json()),
                Err(error) => Err(error.to_string()),
            },
        )*]
    };
}

fn main() {
    for line in ::std::io::stdin().lines() {
        let line = line.unwrap();
        let (number, text) = line.split_once('\t').unwrap();
        match ANSWERS[number.parse::<usize>().unwrap()](text) {
            Ok(text) => println!("ok\t{text}"),
            Err(error) => println!("err\t{}", error.replace('\n', " | ")),
        }
    }
}
"#;

/// Completes a program with the table of its functions; `answers!` creates them from the names of the skills.
pub(crate) fn program(text: &str, skills: usize) -> String {
    let mut text = text.to_owned();
    text.push_str("\nstatic ANSWERS: &[fn(&str) -> Answer] = answers!(");
    (0..skills).for_each(|at| write!(text, "t{at} ").unwrap());
    text.push_str(");\n");
    text
}
