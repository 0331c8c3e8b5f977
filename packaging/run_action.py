"""Runs the steps of a composite action as a runner does: `run_action.py action.yml NAME=VALUE…`, in the current directory.

Steps with `uses` are named, not run. Ends with 1 when a step failed; those after it run when their condition has `always()`.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml


def main() -> None:
    action = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    values = {name: str(value.get("default", "")) for name, value in action["inputs"].items()}
    for word in sys.argv[2:]:
        name, _, value = word.partition("=")
        if name not in values:
            raise SystemExit(f"the action has no input {name}")
        values[name] = value
    if action["runs"]["using"] != "composite":
        raise SystemExit("it is no composite action")
    temporary = tempfile.mkdtemp()
    context = {f"inputs.{name}": value for name, value in values.items()} | {"runner.temp": temporary}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: context[found[1]], text)

    def holds(condition: str) -> bool:
        code = condition.strip().removeprefix("${{").removesuffix("}}")
        parts = [part.strip() for part in code.split("&&")]
        if "always()" not in parts and failed:
            return False
        compared = [part.split("==") for part in parts if part != "always()"]
        return all(context[left.strip()] == right.strip().strip("'") for left, right in compared)

    failed = False
    paths = pathlib.Path(temporary, "path")
    paths.touch()
    for step in action["runs"]["steps"]:
        if not holds(step.get("if", "${{ }}")) if "if" in step else failed:
            continue
        if "uses" in step:
            told = {name: filled(str(value)) for name, value in step.get("with", {}).items()}
            print(f"uses {step['uses']} {told}", flush=True)
            continue
        environment = os.environ | {name: filled(str(value)) for name, value in step.get("env", {}).items()}
        environment |= {"GITHUB_PATH": str(paths), "RUNNER_TEMP": temporary}
        environment["GITHUB_ACTION_PATH"] = str(pathlib.Path(sys.argv[1]).resolve().parent)
        environment["PATH"] = os.pathsep.join([*paths.read_text().split("\n")[:-1], environment["PATH"]])
        # As the runner starts it.
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])]
        failed |= subprocess.run(shell, env=environment, check=False).returncode != 0
    sys.exit(1 if failed else 0)


main()
