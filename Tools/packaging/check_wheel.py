#!/usr/bin/env python3
"""Checks a wheel: its size, that machine code needs no newer C library than its name declares, and its metadata.

    check_wheel.py WHEEL
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MOST_BYTES = 16_000_000


def main():
    wheel = Path(sys.argv[1])
    problems = []
    if wheel.stat().st_size > MOST_BYTES:
        problems.append(f"it has {wheel.stat().st_size} bytes, and {MOST_BYTES} are allowed")
    declared = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)", wheel.name).groups()))
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        for member in archive.infolist():
            content = archive.read(member)
            if not content.startswith(b"\x7fELF"):
                continue
            path = Path(folder, "elf")
            path.write_bytes(content)
            symbols = subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True).stdout
            versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
            if versions and max(versions) > declared:
                problems.append(f"{member.filename} needs glibc {max(versions)}, and its name declares {declared}")
            if "/scripts/" in member.filename and member.external_attr >> 16 != 0o100755:
                problems.append(f"{member.filename} is not marked as an executable file")
        names = archive.namelist()
        for ending in ("/licenses/licenses/GPL-3.txt", "/licenses/licenses/LGPL-3.txt", "/sboms/sbom.cdx.json"):
            if not any(name.endswith(ending) for name in names):
                problems.append(f"…{ending} is missing")
    for problem in problems:
        print(f"{wheel.name}: {problem}", file=sys.stderr)
    if not problems:
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, complete, for glibc 2.36 and newer", file=sys.stderr)
    sys.exit(bool(problems))


main()
