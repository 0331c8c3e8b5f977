#!/usr/bin/env python3
"""Measures skills at run time: discovery on disk, relative to a bare read and the crate agent-skills, and start-up to the first prompt.

Usage: bench/load.py [SKILLS [BUNDLED]] (default 10000 1000). CPU seconds of whole processes, the best of BENCH_RUNS.
"""

import os
import shutil
import subprocess
import sys

import build

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
BUNDLED = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
HERE = build.WORK / "load"

DISK = r"""
use std::{fs, path::{Path, PathBuf}};

/// The floor: lists every directory, reads every file, keeps the bytes.
fn read(dir: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() { read(&entry.path(), files) } else { files.push(fs::read(entry.path()).unwrap()) }
    }
}

/// agent-skills finds no directories; its loader reads the SKILL.md of each and nothing else.
fn agent_skills(dir: &Path) -> usize {
    let mut dirs: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    dirs.sort();
    let skills: Vec<_> = dirs.iter().map(|dir| agent_skills::SkillDirectory::load(dir).unwrap()).collect();
    std::hint::black_box(&skills).len()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let dir = Path::new(&arguments[2]);
    let count = match arguments[1].as_str() {
        "read" => { let mut files = Vec::new(); read(dir, &mut files); std::hint::black_box(&files).len() }
        "agent-skills" => agent_skills(dir),
        "layers" => skills::load::LayersBuilder::new().directory(dir).load().unwrap().len(),
        "prompt" => {
            let layers = skills::load::LayersBuilder::new().directory(dir).load().unwrap();
            layers.prompt_with(&skills::Prompt::new(skills::Style::Skills)).len()
        }
        other => panic!("{other}"),
    };
    println!("{count}");
}
"""

BUNDLE = 'skills::skills!("skills/");\nfn main() { print!("{}", SKILLS.prompt()); }\n'

# Does the work of a program with skills as embedded texts: parses all, then prints the catalog.
PARSED = r"""
include!("list.rs");
fn main() {
    let skills: Vec<_> = TEXTS.iter().map(|text| agent_skills::Skill::parse(text).unwrap()).collect();
    let mut out = String::from("<available_skills>\n");
    for skill in &skills {
        let (name, description) = (skill.name().as_str(), skill.description().as_str());
        out += &format!("<skill>\n<name>\n{name}\n</name>\n<description>\n{description}\n</description>\n</skill>\n");
    }
    print!("{out}</available_skills>");
}
"""

EMPTY = "fn main() {}\n"


def package(name, main, dependencies, script=None):
    source = HERE / name / "src"
    source.mkdir(parents=True, exist_ok=True)
    build_script = f'[build-dependencies]\nskills-build = {{ path = "{build.ROOT}/core/skills-build" }}\n' if script else ""
    (HERE / name / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n{dependencies}\n{build_script}'
    )
    (source / "main.rs").write_text(main)
    if script:
        (HERE / name / "build.rs").write_text(script)


def prepare():
    shutil.rmtree(HERE / "disk-skills", ignore_errors=True)
    build.write_skills(COUNT, HERE / "disk-skills")
    agent = 'agent-skills = "=0.3.0"'
    package("disk", DISK, f'{agent}\nskills-bundle = {{ path = "{build.ROOT}", features = ["load"] }}')
    bundled = f'skills-bundle = {{ path = "{build.ROOT}", default-features = false }}'
    package("bundled", BUNDLE, bundled, 'fn main() { skills_build::bundle("skills"); }\n')
    package("parsed", PARSED, agent)
    package("empty", EMPTY, "")
    skills = HERE / "bundled/skills"
    shutil.rmtree(skills, ignore_errors=True)
    build.write_skills(BUNDLED, skills)
    texts = "".join(f'    include_str!("{path}"),\n' for path in sorted(skills.glob("*/SKILL.md")))
    (HERE / "parsed/src/list.rs").write_text(f"static TEXTS: &[&str] = &[\n{texts}];\n")
    (HERE / "Cargo.toml").write_text('[workspace]\nresolver = "3"\nmembers = ["disk", "bundled", "parsed", "empty"]\n')
    subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=HERE, check=True, env={**os.environ, "CARGO_TARGET_DIR": str(HERE / "target")})


def cpu(name, *arguments):
    """Returns the user and system seconds of one process."""
    command = [HERE / "target/release" / name, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_utime + usage.ru_stime


def best(cases):
    """Returns the best time of each, measured in turns, so that other load affects all of them equally."""
    return {case: min(times) for case, times in zip(cases, zip(*([cpu(*case) for case in cases] for _ in range(build.RUNS))))}


def main():
    prepare()
    root, small = str(HERE / "disk-skills"), str(HERE / "bundled/skills")
    cases = [("disk", "read", root), ("disk", "layers", root), ("disk", "agent-skills", root)]
    times = best(cases)
    floor = times[cases[0]]
    print(f"{COUNT} skills on disk, CPU s")
    for case, name in zip(cases, ["bare read", "ours", "agent-skills, SKILL.md alone"]):
        print(f"{name:32} {times[case]:7.3f}  {times[case] / floor:5.2f} times the read")
    print(f"= load.layers {times[cases[1]] / floor:.3f}")
    cases = [("empty",), ("bundled",), ("disk", "prompt", small), ("parsed",)]
    times = best(cases)
    print(f"{BUNDLED} skills, start-up to the first prompt, CPU s")
    for case, name in zip(cases, ["an empty program", "ours, bundled", "ours, from disk", "agent-skills, embedded, parsed"]):
        print(f"{name:32} {times[case]:7.3f}")
    print(f"= load.start {times[cases[1]]:.3f}")


if __name__ == "__main__":
    main()
