#!/usr/bin/env python3
"""Checks a wheel: its size, that machine code needs no newer C library than its name declares, and its metadata.

    check_wheel.py WHEEL
"""

import io
import re
import sys
import zipfile
from pathlib import Path

from elftools.elf.elffile import ELFFile

MOST_BYTES = 16_000_000


def glibc_versions(content):
    """The versions of the C library whose symbols a file uses."""
    needs = ELFFile(io.BytesIO(content)).get_section_by_name(".gnu.version_r")
    names = [version.name for _, versions in needs.iter_versions() for version in versions] if needs else []
    found = (re.fullmatch(r"GLIBC_(\d+)\.(\d+).*", name) for name in names)
    return {tuple(map(int, match.groups())) for match in found if match}


def main():
    wheel = Path(sys.argv[1])
    problems = []
    if wheel.stat().st_size > MOST_BYTES:
        problems.append(f"it has {wheel.stat().st_size} bytes, and {MOST_BYTES} are allowed")
    declared = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)", wheel.name).groups()))
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            content = archive.read(member)
            if not content.startswith(b"\x7fELF"):
                continue
            versions = glibc_versions(content)
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
        megabytes, glibc = wheel.stat().st_size / 1e6, ".".join(map(str, declared))
        print(f"{wheel.name}: {megabytes:.1f} MB, complete, for glibc {glibc} and newer", file=sys.stderr)
    sys.exit(bool(problems))


main()
