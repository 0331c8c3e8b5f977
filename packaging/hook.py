"""What pip asks to install the hook of pre-commit: a wheel with the program, which cargo builds from this source.

`pyproject.toml` names this as its build backend; the version is written there. `SKILLS_PROGRAM` names a program that is
built already.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = "skills.exe" if sys.platform == "win32" else "skills"


def build_wheel(directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', text, re.MULTILINE)[1]
    info = f"skills_bundle_hook-{version}.dist-info"
    files = {
        f"skills_bundle_hook-{version}.data/scripts/{FILE}": program(),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: skills-bundle-hook\nVersion: {version}\n".encode(),
        # It is installed on the machine that made it, and nowhere else.
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: skills-bundle\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"]).encode()
    name = f"skills_bundle_hook-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, content)
    return name


def program():
    """Returns the bytes of the program."""
    built = os.environ.get("SKILLS_PROGRAM")
    if built:
        return pathlib.Path(built).read_bytes()
    # What cargo leaves behind has some gigabytes, and the clone is kept.
    with tempfile.TemporaryDirectory() as target:
        words = "cargo build --quiet --release --locked --package cargo-skills --bin skills"
        features = "--no-default-features --target-dir"
        subprocess.run([*words.split(), *features.split(), target], cwd=ROOT, check=True)
        return (pathlib.Path(target) / "release" / FILE).read_bytes()
