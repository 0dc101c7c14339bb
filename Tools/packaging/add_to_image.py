#!/usr/bin/env python3
"""Adds the libraries that packages take from the system to a folder that bundle.py made: FFmpeg, SQLite and bzip2.

    add_to_image.py ROOT FFMPEG

FFMPEG is the folder that Tools/packaging/ffmpeg printed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import bundle

# Loaded for some bags of ROS.
FOR_BAGS = ["libbz2.so.1.0", "libsqlite3.so.0"]
TEXT = """
## FFmpeg

libavcodec, libavformat, libavutil, libswresample and libswscale are under the LGPL 2.1 or newer, and separate files
that you may replace. They were built without the parts that are under the GPL: `./configure OPTIONS`, in the source
that `apt-get source ffmpeg={version}` downloads from Debian. The options:

    {options}

H.264 is written by OpenH264. Where patents on H.264, HEVC or AAC are in force, you may need a license for them.
"""


def link(path, folder):
    """Makes a library find those that it needs in `folder`, where bundle.py has given some of them other names. Returns
    the names that are not there."""
    changes, missing = ["--set-rpath", "$ORIGIN"], []
    for name in bundle.needed(path):
        if bundle.SYSTEM.fullmatch(name) or (folder / name).exists():
            continue
        stem, version = name.split(".so", 1)
        renamed = list(folder.glob(f"{stem}-????????.so{version}"))
        if renamed:
            changes += ["--replace-needed", name, renamed[0].name]
        else:
            missing.append(name)
    subprocess.run(["patchelf", *changes, str(path)], check=True)
    return missing


def main():
    root, ffmpeg = Path(sys.argv[1]), Path(sys.argv[2])
    folder, documents = root / "libexec/isobath", root / "share/doc/isobath"
    installed = bundle.installed_libraries()
    missing = list(FOR_BAGS)
    for path in sorted((ffmpeg / "lib").iterdir()):
        shutil.copy(path, folder)
    for path in sorted((ffmpeg / "lib").iterdir()):
        missing += link(folder / path.name, folder)
    lines, components = [], []
    while missing:
        name = missing.pop()
        if (folder / name).exists():
            continue
        shutil.copyfile(installed[name], folder / name)
        (folder / name).chmod(0o755)
        missing += link(folder / name, folder)
        package, version = bundle.package_of(installed[name])
        expression = bundle.license_of(package)
        lines.append(f"| {name} | {package} {version} | {expression} |")
        components.append(bundle.component(package, version, expression))
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", documents / f"licenses/{package}.txt")
    source, options = (ffmpeg / "SOURCE").read_text().splitlines()
    version = source.split()[1]
    shutil.copyfile(ffmpeg / "LICENSE", documents / "licenses/ffmpeg.txt")
    components.append(bundle.component("ffmpeg", version, "LGPL-2.1-or-later"))

    listing = documents / "licenses/LIBRARIES.md"
    text = listing.read_text()
    absent = "FFmpeg and ONNX\nRuntime are not inside: if installed, they are loaded from your system."
    if absent not in text:
        sys.exit("add_to_image.py: LIBRARIES.md has another text about FFmpeg")
    text = text.replace(absent, "ONNX Runtime\nis not inside.")
    listing.write_text(text + "\n".join(sorted(lines)) + "\n" + TEXT.format(version=version, options=options))
    bill = documents / "sbom.cdx.json"
    content = json.loads(bill.read_text())
    content["components"] = sorted(content["components"] + components, key=lambda entry: entry["name"])
    bill.write_text(json.dumps(content, indent=1) + "\n")


main()
