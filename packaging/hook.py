"""What pip asks to install the hook of pre-commit: a package of nothing but a dependency, made without a download.

`pyproject.toml` names this as its build backend; the version is written there.
"""

import pathlib
import re
import zipfile


def build_wheel(directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    text = pathlib.Path("pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', text, re.MULTILINE)[1]
    needs = re.search(r'^dependencies = \["(.+)"\]$', text, re.MULTILINE)[1]
    info = f"skills_bundle_hook-{version}.dist-info"
    files = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: skills-bundle-hook\nVersion: {version}\nRequires-Dist: {needs}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: skills-bundle\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    name = f"skills_bundle_hook-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(directory, name), "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return name
