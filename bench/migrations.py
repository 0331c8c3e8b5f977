"""Compares nine real programs that bundle skills by hand with the same programs on `skills!`.

    python3 bench/migrations.py CHECKOUTS

CHECKOUTS holds git repositories of the programs, `NAME` or `OWNER+NAME`, with or without a work tree. Each program in
`bench/migrations/src` replaces the bundling part of one. The script builds them with the skills of the checkouts and
checks: a first installation has the names, bytes and modes of the checkout, and so has an upgrade from files that the
last release wrote, of which one was older. Where the original part needs no other crate, it is compiled and run, too,
and must write the same files. Programs whose checkout is missing are reported, and the exit code is 1.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LOCK = ".skills-lock.json"

# Each program, by the name of its repository: the files with its bundling part, and the items of it (all items before the
# tests, if none is named); where the skills are, and where the replacement reads them; where they are installed.
PROGRAMS = {
    "bitfun": {
        "before": [
            ("src/crates/assembly/core/src/agentic/tools/implementations/skills/builtin.rs", []),
            ("src/crates/assembly/core/build.rs", ["fn build_embedded_builtin_skills_metadata"]),
        ],
        "skills": {"src/crates/assembly/core/builtin_skills": ""},
        "installed": {"": "skills/.system"},
        # The standard allows 1,024 characters for a description; `skills!` refuses a longer one.
        "shorten": ["agent-browser/SKILL.md"],
    },
    "codex": {
        "before": [("codex-rs/skills/src/lib.rs", []), ("codex-rs/skills/build.rs", [])],
        "skills": {"codex-rs/skills/src/assets/samples": ""},
        "installed": {"": "skills/.system"},
    },
    "ironclaw": {
        "before": [("crates/extensions/ironclaw_extension_host/build.rs", [])],
        "skills": {"skills": ""},
        "installed": {"": "system/skills"},
    },
    "marmite": {
        "before": [
            (
                "src/embedded.rs",
                [
                    "pub struct AgentSkills",
                    "pub static EMBEDDED_AGENT_SKILLS",
                    "pub fn get_skill_content",
                    "pub fn install_skills_to_agents",
                    "pub fn install_skills_to_claude",
                    "fn install_skills_to_dir",
                ],
            )
        ],
        "skills": {".agents/skills": ""},
        "installed": {"": ".agents/skills"},
    },
    "memex": {
        "before": [
            (
                "src/cli.rs",
                [
                    "const MEMEX_SEARCH_SKILL",
                    "enum SkillWriteMode",
                    "fn run_skill_status",
                    "fn write_skill_targets",
                ],
            )
        ],
        "skills": {"skills": ""},
        "installed": {"": ".agents/skills"},
        "original": ["skills"],
    },
    "moltis": {
        "before": [("crates/skills/src/bundled.rs", [])],
        "skills": {"crates/skills/src/assets": ""},
        # By the name of the skill, without its category.
        "installed": {"": "bundled-skills"},
        "flat": True,
    },
    "openfang": {
        "before": [("crates/openfang-skills/src/bundled.rs", ["pub fn bundled_skills"])],
        "skills": {"crates/openfang-skills/bundled": ""},
        "installed": {"": "bundled"},
        "original": ["crates/openfang-skills/bundled"],
    },
    "tokf": {
        "before": [
            (
                "crates/tokf-cli/src/skill.rs",
                [
                    "const SKILL_MD",
                    "const STEP_REFERENCE_MD",
                    "const EXAMPLES_TOML",
                    "const DISCOVER_SKILL_MD",
                    "struct SkillFile",
                    "struct SkillBundle",
                    "const FILTER_SKILL",
                    "const DISCOVER_SKILL:",
                    "const ALL_SKILLS",
                    "fn install_bundle_to",
                ],
            ),
            (
                "crates/tokf-cli/src/hook/codex.rs",
                [
                    "const SKILL_MD",
                    "const DISCOVER_SKILL_MD",
                    "struct CodexSkill",
                    "const CODEX_SKILLS",
                    "fn write_skill_file",
                ],
            ),
        ],
        # Two skills have the same name, for two clients, so each client has a bundle.
        "skills": {
            "crates/tokf-cli/skills/tokf-filter": "claude/tokf-filter",
            "crates/tokf-cli/skills/tokf-discover": "claude/tokf-discover",
            "crates/tokf-cli/skills/codex-run": "codex/tokf-run",
            "crates/tokf-cli/skills/codex-discover": "codex/tokf-discover",
        },
        "installed": {"claude": ".claude/skills", "codex": ".agents/skills"},
        "original": ["crates/tokf-cli/skills"],
    },
    "tracey": {
        "before": [
            ("crates/tracey/src/main.rs", ["const SKILL_MD", "const SPEC_MD", "fn install_skill_to"]),
        ],
        "skills": {"crates/tracey/skill": "tracey"},
        "installed": {"": ".claude/skills"},
        "original": ["crates/tracey/skill"],
    },
}


class Failure(Exception):
    """A program is missing, or differs from its replacement."""


def repository(checkouts, name, program):
    """Returns the git directory or work tree of a program: the first of this name, or a fork, that has the skills."""
    for path in sorted(checkouts.iterdir()):
        if path.name.rsplit("+", 1)[-1].removesuffix(".git").lower() == name:
            for candidate in [path, path / "repo"]:
                is_repository = (candidate / ".git").exists() or (candidate / "objects").is_dir()
                if is_repository and git(candidate, "ls-tree", "HEAD", "--", *program["skills"]):
                    return candidate
    raise Failure(f"no checkout named {name} has the skills")


def git(repo, *arguments):
    done = subprocess.run(["git", "-C", repo, *arguments], capture_output=True, check=False)
    if done.returncode:
        raise Failure(done.stderr.decode().strip())
    return done.stdout


def extract(repo, path, into):
    """Writes a directory or file of the newest commit below `into`, at its own path."""
    with tarfile.open(fileobj=BytesIO(git(repo, "archive", "HEAD", "--", path))) as archive:
        archive.extractall(into, filter="data")


def shorten(path):
    """Shortens the description of a skill to the length that the standard allows."""
    lines = path.read_text().split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("description: "))
    lines[at] = lines[at][: len("description: ") + 1000].rsplit(" ", 1)[0]
    path.write_text("\n".join(lines))


def items(text, wanted):
    """Returns the items of a formatted Rust file, each with its attributes; without a list, all up to the tests."""
    lines = text.split("\n")
    if not wanted:
        end = next((at for at, line in enumerate(lines) if line.startswith("#[cfg(test)]")), len(lines))
        return lines[:end]
    found = []
    for item in wanted:
        start = next((at for at, line in enumerate(lines) if re.match(re.escape(item) + r"\b|" + re.escape(item), line)), None)
        if start is None:
            raise Failure(f"the checkout has no `{item}`")
        end = start
        while not re.search(r"^[\])}]", lines[end]) and not (end == start and lines[end].endswith(";")):
            end += 1
        while start and lines[start - 1].startswith("#["):
            start -= 1
        found += lines[start : end + 1]
    return found


def count(lines):
    """Counts the lines that are neither empty nor comments."""
    return sum(1 for line in lines if line.strip() and not line.strip().startswith("//"))


def tree(top):
    """Returns the files below a directory: path, bytes, and whether the file can be executed."""
    found = {}
    for path in sorted(top.rglob("*")):
        if path.is_file():
            found[str(path.relative_to(top))] = (path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return found


def expected(program, skills):
    """Returns the files that an installation must have: those of the checkout, with scripts executable."""
    wanted = {}
    for below, target in program["installed"].items():
        for path, (data, executable) in tree(skills / below).items():
            if program.get("flat"):
                parts = path.split("/")
                depths = [at for at in range(1, len(parts)) if (skills / "/".join(parts[:at]) / "SKILL.md").is_file()]
                if not depths:
                    continue
                path = "/".join(parts[depths[0] - 1 :])
            wanted[f"{target}/{path}"] = (data, executable or data.startswith(b"#!"))
    return wanted


def compare(what, wanted, found):
    found = {path: file for path, file in found.items() if not path.endswith((LOCK, ".bak"))}
    missing, added = sorted(wanted.keys() - found.keys()), sorted(found.keys() - wanted.keys())
    differing = sorted(path for path in wanted.keys() & found.keys() if wanted[path] != found[path])
    if missing or added or differing:
        raise Failure(f"{what}: missing {missing[:5]}, added {added[:5]}, differing {differing[:5]}")


def run(program, name, home):
    done = subprocess.run([program, name, home], capture_output=True, check=False)
    if done.returncode:
        raise Failure(f"the replacement fails: {done.stderr.decode().strip()}")


def upgrade(program, binary, name, wanted, home):
    """Writes what the last release left, with one older file and one of the user, and installs over it."""
    first = next(path for path in wanted if path.endswith("SKILL.md"))
    for path, (data, _) in wanted.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(data + b"\nOf an older release.\n" if path == first else data)
    own = str(Path(first).parent.parent / "users-own/SKILL.md")
    (home / own).parent.mkdir(parents=True)
    (home / own).write_bytes(b"mine")
    run(binary, name, home)
    compare("upgrade", {**wanted, own: (b"mine", False)}, tree(home))


def original(program, name, repo, parts, scratch):
    """Compiles the original bundling part, runs it, and returns the files that it wrote."""
    top = scratch / "original" / name
    for path in program["original"]:
        extract(repo, path, top)
    environment = dict(os.environ)
    for at, ((path, _), lines) in enumerate(zip(program["before"], parts)):
        part = (top / path).parent / f"part_{at}.rs"
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_text("\n".join(lines))
        environment[f"PART_{at}"] = str(part)
    binary = scratch / f"original-{name}"
    source = HERE / "migrations/originals" / f"{name}.rs"
    command = ["rustc", "--edition=2024", "-A", "warnings", "-o", binary, source]
    built = subprocess.run(command, env=environment, capture_output=True, check=False)
    if built.returncode:
        raise Failure(f"the original part does not compile: {built.stderr.decode()[:2000]}")
    home = scratch / "original-home" / name
    home.mkdir(parents=True)
    subprocess.run([binary, home], check=True, capture_output=True)
    return {path: data for path, (data, _) in tree(home).items()}


def build(scratch, present):
    """Builds the replacements of the programs that are present."""
    package = scratch / "package"
    shutil.copytree(HERE / "migrations/src", package / "src")
    manifest = (HERE / "migrations/Cargo.toml").read_text()
    features = ", ".join(f'"{name}"' for name in sorted(present))
    (package / "Cargo.toml").write_text(manifest.replace("default = []", f"default = [{features}]"))
    shutil.copy(ROOT / "Cargo.lock", package / "Cargo.lock")
    target = os.environ.get("CARGO_TARGET_DIR", scratch / "target")
    patch = f"patch.crates-io.skills-bundle.path={str(ROOT)!r}"
    command = ["cargo", "build", "--offline", "--config", patch, "--target-dir", target]
    done = subprocess.run(command, cwd=package, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return Path(target) / "debug/migrations"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    checkouts = Path(sys.argv[1]).resolve()
    scratch = Path(tempfile.mkdtemp(prefix="skills-migrations-"))
    repositories, failures = {}, []
    for name, program in PROGRAMS.items():
        try:
            repo = repositories[name] = repository(checkouts, name, program)
            for path, into in program["skills"].items():
                extract(repo, path, scratch / "archive" / name)
                copy = scratch / "package/skills" / name
                shutil.copytree(scratch / "archive" / name / path, copy / into, dirs_exist_ok=True)
            for path in program.get("shorten", []):
                shorten(copy / path)
        except Failure as failure:
            repositories.pop(name, None)
            failures.append(f"{name}: {failure}")
    binary = build(scratch, repositories)
    print("| program | lines before | lines after | files | first | upgrade | original run |")
    print("|---|---|---|---|---|---|---|")
    for name, repo in repositories.items():
        program = PROGRAMS[name]
        after = count((HERE / f"migrations/src/{name}.rs").read_text().split("\n"))
        try:
            parts = [items(git(repo, "show", f"HEAD:{path}").decode(), wanted) for path, wanted in program["before"]]
            wanted = expected(program, scratch / "package/skills" / name)
            home = scratch / "home" / name
            home.mkdir(parents=True)
            run(binary, name, home)
            compare("first", wanted, tree(home))
            upgrade(program, binary, name, wanted, scratch / "upgraded" / name)
            ran = "no"
            if "original" in program:
                written = original(program, name, repo, parts, scratch)
                differing = [path for path, data in written.items() if wanted.get(path, (None,))[0] != data]
                if differing or len(written) != len(wanted):
                    raise Failure(f"the original writes other files: {differing[:5]}, {len(written)} of {len(wanted)}")
                ran = "same bytes"
            before = sum(count(lines) for lines in parts)
            print(f"| {name} | {before} | {after} | {len(wanted)} | same | same | {ran} |")
        except Failure as failure:
            failures.append(f"{name}: {failure}")
    shutil.rmtree(scratch)
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
