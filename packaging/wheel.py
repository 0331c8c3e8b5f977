"""Packs a program and its data as a Python wheel: `wheel.py OUT VERSION TAG PROGRAM SHARE README`; prints the path.

The same input gives the same bytes: names are sorted, and dates are fixed.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    out, version, tag, program, share, readme = sys.argv[1:]
    stem = f"skills_bundle-{version}"
    info, data = f"{stem}.dist-info", f"{stem}.data"
    program = pathlib.Path(program)
    share = pathlib.Path(share)
    text = pathlib.Path(readme).read_text(encoding="utf-8")
    metadata = (
        "Metadata-Version: 2.4\nName: skills-bundle\n"
        f"Version: {version}\nSummary: Checks, shows and runs agent skills\n"
        "License-Expression: MIT OR Apache-2.0\nRequires-Python: >=3.8\n"
        f"Description-Content-Type: text/markdown\n\n{text}"
    )
    wheel = f"Wheel-Version: 1.0\nGenerator: skills-bundle\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = {f"{data}/scripts/{program.name}": program.read_bytes()}
    for path in sorted(path for path in share.rglob("*") if path.is_file()):
        files[f"{data}/data/share/{path.relative_to(share).as_posix()}"] = path.read_bytes()
    files[f"{info}/METADATA"] = metadata.encode()
    files[f"{info}/WHEEL"] = wheel.encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = pathlib.Path(out) / f"{stem}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            is_program = name.startswith(f"{data}/scripts/")
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, content)
    print(path)


main()
