#!/usr/bin/env python3
"""Compares `skills check` on many skills with a Python loop that checks less, and with only reading the files.

Usage: bench/check.py [SKILLS [DIR]] (default 1000). With DIR, measures only `skills check` of that directory.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import build

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
NAME = re.compile(r"^[a-z0-9]+([_-][a-z0-9]+)*$")
LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:scripts|references|assets)/[\w./-]+")


def python_loop(root):
    """Checks like a script would: frontmatter with PyYAML, the name, the description, links, hidden characters, lengths."""
    import yaml

    problems = 0
    for folder, _, files in os.walk(root):
        contents = {file: pathlib.Path(folder, file).read_bytes() for file in files}
        if "SKILL.md" not in contents:
            continue
        source = contents["SKILL.md"].decode()
        _, head, body = source.split("---\n", 2)
        fields = yaml.safe_load(head)
        name, description = str(fields.get("name", "")), str(fields.get("description", ""))
        problems += not NAME.match(name) or len(name) > 64 or name != os.path.basename(folder)
        problems += not 1 <= len(description.strip()) <= 1024
        problems += body.count("\n") > 500 or len(body.encode()) > 20_000
        problems += any(not pathlib.Path(folder, link.group(1) or link.group(0)).exists() for link in LINK.finditer(body))
        problems += any(ord(c) < 32 and c not in "\t\r\n" or 0xE0000 <= ord(c) <= 0xE007F or 0x202A <= ord(c) <= 0x202E for c in source)
    return problems


def bare_read(root):
    for folder, _, files in os.walk(root):
        for file in files:
            with open(os.path.join(folder, file), "rb") as handle:
                handle.read()


def timed(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def check(command, root):
    """Returns the smallest CPU seconds of three runs of `skills check`, and its memory in KB."""
    seconds, memory = [], []
    for _ in range(3):
        process = subprocess.Popen([command, "check", root, "--allow", "catalog-budget"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        usage = os.wait4(process.pid, 0)[2]
        seconds.append(usage.ru_utime + usage.ru_stime)
        memory.append(usage.ru_maxrss)
    return min(seconds), max(memory)


def main():
    command = build.skills_command()
    if len(sys.argv) > 2:
        root = pathlib.Path(sys.argv[2])
        seconds, memory = check(command, root)
        count = sum(1 for _ in root.rglob("SKILL.md"))
        print(f"{count} skills: {seconds:.2f} CPU s, {memory / 1024:.0f} MB")
        return
    root = build.WORK / f"check-{COUNT}"
    shutil.rmtree(root, ignore_errors=True)
    build.write_skills(COUNT, root)
    ours, memory = check(command, root)
    read, python = timed(lambda: bare_read(root)), timed(lambda: python_loop(root))
    print(f"{COUNT} skills: skills check {ours:.2f} CPU s, {memory / 1024:.0f} MB, bare read {read:.2f}, Python loop {python:.2f}")
    print(f"= check.read {ours / read:.3f}\n= check.loop {python / ours:.3f}\n= check.memory {memory / COUNT:.3f}")


if __name__ == "__main__":
    main()
