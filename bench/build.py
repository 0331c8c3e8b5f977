#!/usr/bin/env python3
"""Compares the build cost of bundling, with the macro and with a build script, with its rivals, in CPU seconds of one run."""

import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = pathlib.Path(os.environ.get("BENCH_DIR", pathlib.Path(tempfile.gettempdir()) / "skills-bench"))
RUNS = int(os.environ.get("BENCH_RUNS", "3"))
FACADE = WORK / "facade"


def copy_published():
    """Copies the tracked files to `FACADE`, except the build script of the facade: published packages do not contain it."""
    shutil.rmtree(FACADE, ignore_errors=True)
    for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT).decode().split("\0"):
        if name and name != "build.rs" and (ROOT / name).is_file():
            (FACADE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, FACADE / name)


def target_directory():
    """Returns cargo's target directory of the workspace, according to the user's settings."""
    metadata = subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=ROOT)
    return pathlib.Path(json.loads(metadata)["target_directory"])


def skills_command():
    """Returns the path of the command: the one in `$BENCH_SKILLS`, or a new build."""
    if "BENCH_SKILLS" in os.environ:
        return pathlib.Path(os.environ["BENCH_SKILLS"]).resolve()
    subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "cargo-skills"], cwd=ROOT, check=True)
    return target_directory() / "release" / "skills"


BLOB_BUILD = r"""
use std::{env, fmt::Write, fs, path::{Path, PathBuf}};
fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}
fn main() {
    println!("cargo::rerun-if-changed=skills");
    let (mut files, mut blob, mut index) = (vec![], vec![], String::from("static INDEX: &[(&str, u32, u32)] = &[\n"));
    walk(Path::new("skills"), &mut files);
    files.sort();
    for file in files {
        let bytes = fs::read(&file).unwrap();
        writeln!(index, "({file:?}, {}, {}),", blob.len(), bytes.len()).unwrap();
        blob.extend(bytes);
    }
    index.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    fs::write(out.join("blob"), blob).unwrap();
    fs::write(out.join("index.rs"), index).unwrap();
}
"""

BLOB_MAIN = """
include!(concat!(env!("OUT_DIR"), "/index.rs"));
static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/blob"));
fn main() { println!("{} {}", INDEX.len(), BLOB.len()); std::hint::black_box(INDEX); }
"""

# variant: (dependencies, build-dependencies, build.rs, main.rs)
VARIANTS = {
    "blob": ("", "", BLOB_BUILD, BLOB_MAIN),
    "list": ("", "", "", 'include!("list.rs");\nfn main() { println!("{}", FILES.len()); std::hint::black_box(FILES); }\n'),
    "include_dir": (
        'include_dir = "=0.7.4"', "", "",
        'static DIR: include_dir::Dir<\'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/skills");\n'
        "fn main() { println!(\"{}\", DIR.dirs().count()); }\n",
    ),
    "rust_embed": (
        'rust-embed = { version = "=8.13.0", features = ["debug-embed"] }', "", "",
        '#[derive(rust_embed::Embed)]\n#[folder = "skills/"]\nstruct Files;\nfn main() { println!("{}", Files::iter().count()); }\n',
    ),
    "skill_embed": (
        'skill-embed = "=0.1.0"\ninclude_dir = "=0.7.4"', "", "",
        'static DIR: include_dir::Dir<\'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/skills");\n'
        'fn main() { println!("{}", skill_embed::SkillSet::from_include_dir(&DIR).expect("valid skills").len()); }\n',
    ),
    "ours_macro": (
        f'skills-bundle = {{ path = "{FACADE}", default-features = false }}', "", "",
        'skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.len()); }\n',
    ),
    "ours_build": (
        f'skills-bundle = {{ path = "{FACADE}", default-features = false }}',
        f'skills-build = {{ path = "{FACADE}/core/skills-build" }}',
        'fn main() { skills_build::bundle("skills"); }\n',
        'skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.len()); }\n',
    ),
    # What `skills init` writes.
    "ours_init": (
        f'skills-bundle = {{ path = "{FACADE}" }}',
        f'skills-build = {{ path = "{FACADE}/core/skills-build" }}',
        'fn main() { skills_build::bundle("skills"); }\n',
        'skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.len()); }\n',
    ),
}

# Only in `--clean`.
CLEAN_VARIANTS = {
    "ours_default": (
        f'skills-bundle = {{ path = "{FACADE}" }}', "", "",
        'skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.len()); }\n',
    ),
    "ours_install": (
        f'skills-bundle = {{ path = "{FACADE}", features = ["install"] }}', "", "",
        'skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.install("target/agent").is_ok()); }\n',
    ),
    "ours_call": (
        f'skills-bundle = {{ path = "{FACADE}", features = ["call"] }}', "", "",
        'skills::skills!("skills/");\nfn main() { std::hint::black_box(SKILLS.runner()); }\n',
    ),
}

# The first builds whose costs are compared: name of the figure, variant, the variant beside it.
CLEAN_RATIOS = [
    ("build", "ours_build", "rust_embed"),
    ("default", "ours_default", "skill_embed"),
    ("install", "ours_install", "skill_embed"),
    ("call", "ours_call", "ours_default"),
]

WORDS = "skill tool input output schema prompt check file line query result table index report data model step cache".split()


def text(rng, size):
    """Returns lines of words, `size` bytes in total."""
    lines, length = [], 0
    while length < size:
        lines.append(" ".join(rng.choices(WORDS, k=rng.randint(6, 14))) + ".\n")
        length += len(lines[-1])
    return "".join(lines)[: size - 1] + "\n"


def write_skills(count, root):
    """Writes different skills, each with three files and 4.7 KB."""
    for number in range(count):
        rng, name = random.Random(number), f"skill-{number:05d}"
        folder = root / name
        (folder / "scripts").mkdir(parents=True)
        (folder / "references").mkdir()
        head = f"---\nname: {name}\ndescription: Skill {number} for the {rng.choice(WORDS)}.\nlicense: MIT\n---\n# {name}\n\n"
        (folder / "SKILL.md").write_text(head + text(rng, 4096 - len(head)))
        script = folder / "scripts" / "run.sh"
        script.write_text("#!/bin/sh\n" + "".join(f"echo {word}\n" for word in rng.choices(WORDS, k=30)))
        script.chmod(0o755)
        (folder / "references" / "notes.md").write_text(text(rng, 256))


def write_project(variant, count):
    """Creates a cargo project that embeds `count` skills. Returns it and its target directory (shared by all sizes of a variant)."""
    dependencies, build, script, main = (VARIANTS | CLEAN_VARIANTS)[variant]
    project = WORK / f"{variant}-{count}"
    shutil.rmtree(project, ignore_errors=True)
    (project / "src").mkdir(parents=True)
    write_skills(count, project / "skills")
    (project / "Cargo.toml").write_text(
        '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2024"\n'
        f"[dependencies]\n{dependencies}\n[build-dependencies]\n{build}\n[workspace]\n"
    )
    (project / "src" / "main.rs").write_text(main)
    if script:
        (project / "build.rs").write_text(script)
    if variant == "list":
        files = sorted(path for path in (project / "skills").rglob("*") if path.is_file())
        rows = "".join(f'    ("{path.relative_to(project)}", include_bytes!("../{path.relative_to(project)}")),\n' for path in files)
        (project / "src" / "list.rs").write_text(f"static FILES: &[(&str, &[u8])] = &[\n{rows}];\n")
    return project, WORK / "target" / variant


def cargo(project, target, *arguments):
    """Runs cargo. Returns the CPU seconds of its process tree, and the peak memory of its largest process in MB."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target), CARGO_TERM_COLOR="never")
    environment.setdefault("CARGO_INCREMENTAL", "1")
    process = subprocess.Popen(["cargo", *arguments], cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(output.decode(errors="replace"))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(variant, count):
    project, target = write_project(variant, count)
    cargo(project, target, "build", "-j1")
    touch, edit, peak = [], [], 0
    for _ in range(RUNS):
        (project / "src" / "main.rs").touch()
        seconds, memory = cargo(project, target, "build", "-j1")
        touch.append(seconds)
        peak = max(peak, memory)
    for _ in range(RUNS):
        with open(project / "skills" / "skill-00003" / "SKILL.md", "a") as file:
            file.write("one more line\n")
        edit.append(cargo(project, target, "build", "-j1")[0])
    return min(touch), min(edit), peak


def stripped_size(project, target):
    """Returns the size of the program in KB, built with optimisation and stripped."""
    cargo(project, target, "rustc", "--release", "--", "-Cstrip=symbols")
    return (target / "release" / "program").stat().st_size / 1000


def clean(chosen):
    print("clean build of a program with one skill, CPU s, without incremental compilation; size when stripped, KB")
    os.environ["CARGO_INCREMENTAL"] = "0"
    sizes = dict.fromkeys({"ours_default", "ours_install"} & set(chosen))
    seconds = {}
    for variant in chosen:
        project, _ = write_project(variant, 1)
        target = project / "target"
        cargo(project, target, "fetch")
        seconds[variant] = cargo(project, target, "build", "-j2")[0]
        print(f"{variant}: {seconds[variant]:.2f} CPU s", flush=True)
        if variant in sizes:
            sizes[variant] = stripped_size(project, target)
            print(f"{variant}: {sizes[variant]:.0f} KB", flush=True)
    for name, ours, other in CLEAN_RATIOS:
        if {ours, other} <= set(chosen):
            print(f"= clean.{name} {seconds[ours] / seconds[other]:.3f}")
    if len(sizes) == 2:
        print(f"= clean.size {sizes['ours_install'] - sizes['ours_default']:.0f}")


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    copy_published()
    WORK.mkdir(parents=True, exist_ok=True)
    named = [argument.removeprefix("--variants=") for argument in sys.argv[1:] if argument.startswith("--variants=")]
    all_variants = VARIANTS | CLEAN_VARIANTS if "--clean" in sys.argv else VARIANTS
    chosen = named[0].split(",") if named else list(all_variants)
    if "--clean" in sys.argv:
        return clean(chosen)
    for count in [int(argument) for argument in arguments] or [10, 100]:
        print(f"{count} skills of 3 files and 4.7 KB, CPU s, minimum of {RUNS}")
        print(f"{'variant':12} {'touch':>7} {'/blob':>6} {'edit':>7} {'/blob':>6} {'peak':>6}")
        floor = None
        for variant in chosen:
            touch, edit, peak = measure(variant, count)
            floor = floor or (touch, edit)
            print(f"{variant:12} {touch:7.2f} {touch / floor[0]:6.2f} {edit:7.2f} {edit / floor[1]:6.2f} {peak:6.0f}", flush=True)
            if variant == "ours_init":
                print(f"= build.touch {touch / floor[0]:.3f}\n= build.edit {edit / floor[1]:.3f}", flush=True)
    return None


if __name__ == "__main__":
    main()
