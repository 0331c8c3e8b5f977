"""Measures the documentation tests of a bundle, relative to rustdoc's own tests of the same blocks.

Two packages have the same 50 texts with three Rust blocks each: one by `skills!("skills", doctest)`, and one by
`#[doc = include_str!(…)]` in its own source. Printed is the CPU time of `cargo test --doc` for each, with the package
built before, and the number of documentation tests. Run it from the root: python3 bench/doctests.py
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

COUNT = 50
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def text(number):
    block = "```rust\nlet mut sum = {0};\nfor n in 0..10 {{ sum += n; }}\nassert_eq!(sum, {0} + 45);\n```\n"
    blocks = "\nMore text.\n\n".join(block.format(number * 3 + n) for n in range(3))
    return f"---\nname: skill-{number}\ndescription: Adds numbers, the way {number}. Use for sums.\n---\n# Sums\n\n{blocks}"


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content)


def package(top, name, source):
    dependency = f'skills-bundle = {{ path = "{ROOT}", default-features = false }}\n'
    write(f"{top}/{name}/Cargo.toml", f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n{dependency}')
    write(f"{top}/{name}/src/lib.rs", source)
    for number in range(COUNT):
        write(f"{top}/{name}/skills/skill-{number}/SKILL.md", text(number))


def measure(top, name):
    cargo = ["cargo", "test", "--doc", "--offline", "--quiet", "-p", name]
    environment = {**os.environ, "CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", f"{top}/target")}
    best = None
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(cargo, cwd=top, env=environment, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode != 0:
            sys.exit(run.stdout + run.stderr)
        tests = sum(int(number) for number in re.findall(r"(\d+) passed", run.stdout))
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        # The first run also builds the package.
        best = spent if best is None or spent < best else best
    return best, tests


def main():
    top = tempfile.mkdtemp(prefix="skills-doctests-")
    try:
        write(f"{top}/Cargo.toml", '[workspace]\nresolver = "3"\nmembers = ["bundled", "plain"]\n')
        shutil.copy(f"{ROOT}/tests/packages/Cargo.lock", f"{top}/Cargo.lock")
        package(top, "bundled", 'skills::skills!("skills", doctest);\n')
        modules = "".join(
            f'#[doc = include_str!("../skills/skill-{number}/SKILL.md")]\npub mod skill_{number} {{}}\n' for number in range(COUNT)
        )
        package(top, "plain", 'skills::skills!("skills");\n' + modules)
        for name in ["plain", "bundled"]:
            spent, tests = measure(top, name)
            print(f"{name:8} {spent:6.2f} s CPU  {tests} documentation tests")
    finally:
        shutil.rmtree(top)


main()
