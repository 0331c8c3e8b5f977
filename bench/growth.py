#!/usr/bin/env python3
"""Measures how costs grow with the number of skills, and draws them in docs/book/text/pictures/growth.svg.

Usage: bench/growth.py [SKILLS…] (default 100 1000 10000 30000). CPU seconds of whole process trees, the best of three (a build runs once).
A row is the cost of the most skills relative to the second number, divided by the ratio of the numbers. The picture is drawn with four numbers.
"""

import itertools
import math
import os
import shutil
import subprocess
import sys

import build

COUNTS = [int(argument) for argument in sys.argv[1:]] or [100, 1_000, 10_000, 30_000]
COLOURS = {"check": "#c2410c", "list": "#0e7490", "search": "#7c3aed", "install": "#15803d", "build": "#b91c1c", "start": "#525252"}
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 640, 400, 60, 20, 340, 530


def cpu(*command):
    """Returns the user and system seconds of a process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    problem = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command}: {problem.decode()}")
    return usage.ru_utime + usage.ru_stime


def measure(command, count):
    """Returns the seconds of each operation on this number of skills."""
    project, target = build.write_project("ours_build", count)
    # The program prints the catalog, which is the first thing that an agent needs.
    (project / "src/main.rs").write_text('skills::skills!("skills/");\nfn main() { println!("{}", SKILLS.prompt()); }\n')
    skills = project / "skills"
    build.cargo(project, target, "build", "-j1")
    with open(skills / "skill-00003/SKILL.md", "a") as file:
        file.write("one more line\n")
    built = build.cargo(project, target, "build", "-j1")[0]

    # Each installation has a new directory: after many files were deleted, some file systems create files more slowly.
    places = (build.WORK / f"growth-installed-{count}-{number}" for number in itertools.count())

    def install():
        place = next(places)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return cpu(command, "install", "--dir", skills, "--to", place)

    works = {
        "check": lambda: cpu(command, "check", skills, "--allow", "catalog-budget"),
        "list": lambda: cpu(command, "list", skills),
        "search": lambda: cpu(command, "search", "schema", "cache", "--dir", skills),
        "install": install,
        "start": lambda: cpu(target / "debug/program"),
    }
    return {name: min(work() for _ in range(3)) for name, work in works.items()} | {"build": built}


def draw(times):
    """Returns a picture: both axes are logarithmic, so a linear cost rises like the dashed line."""
    all_seconds = [max(seconds, 0.001) for row in times.values() for seconds in row.values()]
    low, high = math.floor(math.log10(min(all_seconds))), math.ceil(math.log10(max(all_seconds)))
    first, last = math.log10(COUNTS[0]), math.log10(COUNTS[-1])
    x = lambda count: LEFT + (math.log10(count) - first) / (last - first) * (RIGHT - LEFT)
    y = lambda seconds: BOTTOM - (math.log10(max(seconds, 0.001)) - low) / (high - low) * (BOTTOM - TOP)
    line = lambda points: " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        "<title>CPU seconds by the number of skills</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{RIGHT}" stroke="#e5e5e5"/><text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for count in COUNTS:
        parts.append(f'<text x="{x(count):.1f}" y="{BOTTOM + 22}" text-anchor="middle">{count:,}</text>')
    parts.append(f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 46}" text-anchor="middle">skills</text>')
    least = 10.0**low
    linear = [(count, least * count / COUNTS[0]) for count in COUNTS]
    parts.append(f'<polyline points="{line((x(a), y(b)) for a, b in linear)}" fill="none" stroke="#a3a3a3" stroke-dasharray="4 4"/>')
    # Labels of lines that end close to each other are moved apart.
    below = -math.inf
    for name in sorted(COLOURS, key=lambda name: -times[COUNTS[-1]][name]):
        points = [(x(count), y(times[count][name])) for count in COUNTS]
        below = max(points[-1][1] + 4, below + 15)
        parts.append(f'<polyline points="{line(points)}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        parts.append(f'<text x="{RIGHT + 8}" y="{below:.1f}" fill="{COLOURS[name]}">{name} {times[COUNTS[-1]][name]:.2f} s</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    command, times = build.skills_command(), {}
    build.copy_published()
    build.WORK.mkdir(parents=True, exist_ok=True)
    print(f"{'skills':>7} " + " ".join(f"{name:>8}" for name in COLOURS))
    for count in COUNTS:
        times[count] = measure(command, count)
        print(f"{count:7} " + " ".join(f"{times[count][name]:8.3f}" for name in COLOURS), flush=True)
    most, base = COUNTS[-1], COUNTS[min(1, len(COUNTS) - 2)]
    for name in COLOURS:
        growth = max(times[most][name], 0.001) / max(times[base][name], 0.001) / (most / base)
        print(f"= growth.{name} {growth:.3f}")
    for place in build.WORK.glob("growth-installed-*"):
        shutil.rmtree(place)
    if len(COUNTS) == 4:
        (build.ROOT / "docs/book/text/pictures/growth.svg").write_text(draw(times))


if __name__ == "__main__":
    main()
