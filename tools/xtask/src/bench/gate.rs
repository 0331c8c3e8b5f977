//! Counts the instructions of small runs and compares them with the figures in `bench/gate.txt`.
//!
//! An instruction count hardly depends on the load of the machine, so this check can run in CI, where times cannot be
//! measured. It counts in the programs as the tests compile them, without optimization: it costs no build, and finds
//! work that is done more often, not a loop that is compiled worse. The benchmarks measure the optimized programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{at, cargo, run, stdout_of, write};
use crate::workspace::Workspace;

const FIGURES: &str = "bench/gate.txt";

/// By how many percent a count may differ from its figure.
const TOLERANCE: f64 = 5.0;

/// The skills in the directory that the command reads.
const SKILLS: usize = 4;

/// A run whose instructions are counted. It starts no program of a skill, since valgrind ends a process that does.
struct Case {
    name: &'static str,
    program: Program,
    arguments: &'static [&'static str],
    exit_code: i32,
}

enum Program {
    /// The command `skills`.
    Command,
    /// An example of the library.
    Example(&'static str),
}

use Program::{Command as Skills, Example};

const fn case(name: &'static str, program: Program, arguments: &'static [&'static str]) -> Case {
    Case { name, program, arguments, exit_code: 0 }
}

const CASES: [Case; 12] = [
    case("check", Skills, &["check", "skills"]),
    Case { exit_code: 1, ..case("problems", Skills, &["check", "faulty"]) },
    case("list", Skills, &["list", "--dir", "skills"]),
    case("show", Skills, &["show", "skill_3", "--dir", "skills"]),
    case("search", Skills, &["search", "report of files", "--dir", "skills"]),
    case("tools", Skills, &["tools", "--format", "openai", "skills"]),
    case("graph", Skills, &["graph", "skills"]),
    case("expand", Skills, &["expand", "skills"]),
    case("start", Example("embed_cli"), &["skill", "list"]),
    case("install", Example("embed_cli"), &["skill", "install", "--to", "installed"]),
    case("prompt", Example("agent"), &[]),
    case("loop", Example("loop"), &[]),
];

/// Compares the counts with the figures, or writes them as the new figures.
///
/// Returns the reason if there is nothing to compare with: the figures hold for one processor and one compiler.
///
/// # Errors
/// A count differs from its figure by more than [`TOLERANCE`]: also a lower one, so that the figures stay true.
pub(crate) fn compare(is_written: bool) -> Result<Option<String>, String> {
    let built_with = built_with()?;
    // Outside of every repository: the command also reads the package and the git files around the skills.
    let top = std::env::temp_dir().join(format!("skills-gate-{}", std::process::id()));
    let counts: BTreeMap<&str, u64> =
        CASES.iter().map(|case| Ok((case.name, count(case, &top)?))).collect::<Result<_, String>>()?;
    fs::remove_dir_all(&top).map_err(at(&top))?;
    let text = format_figures(&built_with, &counts);
    if is_written {
        print!("{text}");
        return write(Path::new(FIGURES), text).map(|()| None);
    }
    let figures = fs::read_to_string(FIGURES).map_err(at(Path::new(FIGURES)))?;
    if figures.lines().next() != text.lines().next() {
        print!("{text}");
        return Ok(Some(format!(
            "{FIGURES} has figures for another compiler or processor than {built_with}"
        )));
    }
    let figures = read_figures(&figures)?;
    let mut outside = Vec::new();
    for (name, count) in &counts {
        let figure =
            figures.get(*name).copied().ok_or_else(|| format!("{FIGURES} has no figure `{name}`"))?;
        let percent = (*count as f64 / figure as f64 - 1.0) * 100.0;
        println!("{name:<10} {count:>12} {percent:>+6.1} %");
        if percent.abs() > TOLERANCE {
            outside.push(format!("{name} {percent:+.1} %"));
        }
    }
    if outside.is_empty() {
        return Ok(None);
    }
    Err(format!(
        "the count of instructions changed by more than {TOLERANCE} %: {}; if that is wanted, run `cargo xtask bench --gate --write`",
        outside.join(", ")
    ))
}

/// Builds the programs that [`compare`] counts in. The tests build the same.
pub(crate) fn build() -> Result<(), String> {
    run(cargo().args(["build", "--quiet", "--workspace", "--bins", "--examples"]))
}

/// Returns the compiler and the processor, on which the counts depend.
fn built_with() -> Result<String, String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = stdout_of(Command::new(compiler).arg("--version"))?;
    // The C library and the digests have other code for processors with these instructions.
    #[cfg(target_arch = "x86_64")]
    let vectors = if std::arch::is_x86_feature_detected!("avx2") { " with AVX2" } else { " without AVX2" };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "";
    Ok(format!("{} on {}-{}{vectors}", version.trim(), std::env::consts::ARCH, std::env::consts::OS))
}

/// Runs a case below valgrind in a new directory, and returns the number of its instructions.
fn count(case: &Case, top: &Path) -> Result<u64, String> {
    let program = match case.program {
        Skills => Workspace::built("skills")?,
        Example(name) => Workspace::built(&format!("examples/{name}"))?,
    };
    if top.exists() {
        fs::remove_dir_all(top).map_err(at(top))?;
    }
    write_skills(top)?;
    let output = valgrind(&program, top)
        .args(case.arguments)
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let [stdout, problems] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.code() != Some(case.exit_code) {
        return Err(format!("{}: ended with {}:\n{stdout}{problems}", case.name, output.status));
    }
    let collected = problems.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected.ok_or_else(|| format!("{}: valgrind printed no count:\n{problems}", case.name))
}

fn valgrind(program: &Path, top: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    // Settings of the user would change the counts.
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.current_dir(top).env("HOME", top).env("NO_COLOR", "1");
    command
}

/// Writes skills with texts, links, scripts and schemas, and some with faults.
fn write_skills(top: &Path) -> Result<(), String> {
    let line = "Read [the guide](references/guide.md#part) before you change `code`, and name each file.\n";
    for at in 0..SKILLS {
        let dir = top.join(format!("skills/skill_{at}"));
        let description = format!(
            "Does the work number {at} with files and reports. Use it when someone asks for work {at}."
        );
        let program = if at == 0 { "exec: run\n" } else { "" };
        let head =
            format!("---\nname: skill_{at}\ndescription: {description}\n{program}---\n# Work {at}\n\n");
        write(&dir.join("SKILL.md"), head + &line.repeat(12))?;
        write(
            &dir.join("references/guide.md"),
            format!("# Guide\n\n## Part\n\n{}", "Some text.\n".repeat(12)),
        )?;
        if at == 0 {
            write(&dir.join("run"), "#!/bin/sh\ncat\n")?;
            write(&dir.join("skill.json"), manifest(at, &description))?;
            make_executable(dir.join("run"))?;
        }
    }
    let faulty = format!("---\nname: A Skill\ndescription: ''\n---\n[a](missing.md) {line}");
    write(&top.join("faulty/skill/SKILL.md"), faulty)
}

fn manifest(at: usize, description: &str) -> String {
    let text = r#"{"type": "string", "description": "A path below the workspace", "maxLength": 200}"#;
    let list = format!(r#"{{"type": "array", "items": {text}, "maxItems": 20}}"#);
    let object = format!(
        r#"{{"type": "object", "properties": {{"path": {text}, "more": {list}, "depth": {{"type": "integer", "minimum": 0}}}}, "required": ["path"], "additionalProperties": false}}"#
    );
    format!(
        r#"{{"name": "skill_{at}", "description": "{description}", "category": "work", "mode": "code", "input": {object}, "output": {object}}}"#
    )
}

fn make_executable(path: PathBuf) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(at(&path))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

fn format_figures(built_with: &str, counts: &BTreeMap<&str, u64>) -> String {
    let mut text = format!("{built_with}\n");
    for (name, count) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} {count}");
    }
    text
}

fn read_figures(text: &str) -> Result<BTreeMap<String, u64>, String> {
    let figure = |line: &str| {
        let (name, count) = line.split_once(' ')?;
        Some((name.to_owned(), count.parse().ok().filter(|count| *count > 0)?))
    };
    let lines = text.lines().skip(1);
    lines.map(|line| figure(line).ok_or_else(|| format!("{FIGURES}: `{line}` is no figure"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_cases() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let figures = read_figures(&fs::read_to_string(root.join(FIGURES)).unwrap()).unwrap();
        let mut names: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        names.sort_unstable();
        assert_eq!(figures.keys().map(String::as_str).collect::<Vec<_>>(), names);
        assert!(read_figures("compiler\ncheck 0\n").is_err());
    }

    #[test]
    fn figures_are_read_as_they_are_written() {
        let counts = BTreeMap::from([("check", 12), ("list", 7)]);
        let read = read_figures(&format_figures("rustc", &counts)).unwrap();
        assert_eq!(read, BTreeMap::from([("check".to_owned(), 12), ("list".to_owned(), 7)]));
    }
}
