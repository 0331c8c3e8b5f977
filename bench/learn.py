"""Compares `skills learn` with `skills exec`: CPU seconds (user and system) of the command and of all its processes.

    python3 bench/learn.py [FILES]

Each program is run by both commands in turn, several times; the smallest figures count. `start` only starts Python,
`read` also reads FILES files (default 300) and `many` also starts 20 processes.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import build

FILES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
ROUNDS = 9
HEAD = "#!/usr/bin/env python3\nimport json, pathlib, re, subprocess, sys\n"
READ = "size = sum(len(path.read_text()) for path in pathlib.Path('notes').iterdir())\n"
PROGRAMS = {
    "start": HEAD + "print(1)\n",
    "read": HEAD + READ + "print(size)\n",
    "many": HEAD + READ + "for _ in range(20): subprocess.run(['true'], check=True)\nprint(size)\n",
}


def cpu(command, cwd):
    """Runs a command, and returns its CPU seconds with those of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    skills = build.skills_command()
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for name, text in PROGRAMS.items():
            skill = place / "skills" / name
            skill.mkdir(parents=True)
            (skill / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Runs {name}.\nexec: run.py\n---\n# Run\n")
            (skill / "run.py").write_text(text)
            (skill / "run.py").chmod(0o755)
        notes = place / "work" / "notes"
        notes.mkdir(parents=True)
        for at in range(FILES):
            (notes / f"{at}.md").write_text("note\n" * 20)
        for name in PROGRAMS:
            figures = {"exec": [], "learn": []}
            for _ in range(ROUNDS):
                for command, found in figures.items():
                    found.append(cpu([skills, command, name, "--dir", "skills", "--workspace", "work"], place))
            plain, learned = (min(figures[command]) for command in ("exec", "learn"))
            print(f"{name}: exec {plain:.3f} s, learn {learned:.3f} s\n= learn.{name} {learned / plain:.3f}")


if __name__ == "__main__":
    main()
