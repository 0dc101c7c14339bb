#!/usr/bin/env python3
"""Makes a folder that needs only the C library of a machine: the command, libisobath.so and the codecs beside it.

    bundle.py ROOT

ROOT is the folder that Tools/library --tool wrote: bin/isobath, lib/libisobath.so.N, include/isobath.h. Afterwards it
holds bin/isobath, libexec/isobath/*.so.*, and share/doc/isobath with the license of every library, a list of them, and
sbom.cdx.json (CycloneDX).

Codecs are copied from the Debian packages of this machine. Those that are linked get names that no other program's
libraries have; those that are loaded by name keep their names. FFmpeg and ONNX Runtime are never copied.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent

# Libraries of every Linux system, as the manylinux policy lists them.
SYSTEM = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so\.\d+")
# Names of libraries that libisobath.so loads when it needs them. SQLite and bzip2, which only some bags of ROS need,
# are those of the system: most systems have them.
LOADED = re.compile(rb"lib(?:de265|dav1d|jxl|tiff|OpenEXRCore-3_1|seccomp|zstd)\.so\.[0-9.]+")

# The licenses of Debian packages, as SPDX expressions. A package that is missing here stops the build.
LICENSES = {
    r"libbrotli1": "MIT",
    r"libbz2-1\.0": "bzip2-1.0.6",
    r"libdav1d\d+": "BSD-2-Clause",
    r"libopenh264-\d+": "BSD-2-Clause",
    r"libde265-0": "LGPL-3.0-or-later",
    r"libdeflate0": "MIT",
    r"libexpat1": "MIT",
    r"libhwy1(t64)?": "Apache-2.0",
    r"libisal2": "BSD-3-Clause",
    r"libjpeg62-turbo": "IJG AND BSD-3-Clause AND Zlib",
    r"libjpeg-turbo8": "IJG AND BSD-3-Clause AND Zlib",
    r"libjxl0\.\d+": "BSD-3-Clause",
    r"liblcms2-2": "MIT",
    r"liblerc4": "Apache-2.0",
    r"liblz4-dev": "BSD-2-Clause",
    r"liblzma5": "LicenseRef-XZ-Utils-Public-Domain",
    r"libopenexr-3-1-30": "BSD-3-Clause",
    r"libimath-3-1-29(t64)?": "BSD-3-Clause",
    r"libpng16-16(t64)?": "libpng-2.0",
    r"libseccomp2": "LGPL-2.1-only",
    r"libsqlite3-0": "blessing",
    r"libsharpyuv0": "BSD-3-Clause",
    r"libtiff6": "libtiff",
    r"libwebp7": "BSD-3-Clause",
    r"libwebpmux3": "BSD-3-Clause",
    r"libxxhash-dev": "BSD-2-Clause",
    r"libyuv-dev": "BSD-3-Clause",
    r"libzstd1": "BSD-3-Clause",
    r"zlib1g": "Zlib",
}
# License texts that copyright files of Debian only refer to.
COMMON_TEXTS = ["Apache-2.0", "GPL-3", "LGPL-2.1", "LGPL-3"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path):
    """The libraries that a library is linked with."""
    return output("patchelf", "--print-needed", str(path)).split()


def installed_libraries():
    """The paths of this machine's libraries by their names."""
    paths = {}
    for line in output("/sbin/ldconfig", "-p").splitlines():
        match = re.fullmatch(r"\s*(\S+) \(libc6,x86-64.*\) => (\S+)", line)
        if match:
            paths.setdefault(match[1], Path(match[2]).resolve())
    return paths


def package_of(path):
    """The Debian package of a file, with its version."""
    merged = str(path).removeprefix("/usr")
    for name in (str(path), merged, "/usr" + merged):
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(":")[0]
            return package, output("dpkg-query", "-W", "-f", "${Version}", f"{package}:amd64")
    sys.exit(f"bundle.py: no Debian package owns {path}, so its license is unknown")


def license_of(package):
    for pattern, expression in LICENSES.items():
        if re.fullmatch(pattern, package):
            return expression
    sys.exit(f"bundle.py: the license of {package} is not listed; add it to LICENSES")


def closure(library):
    """The libraries to copy: their paths by name, and the names that are loaded rather than linked."""
    installed = installed_libraries()
    names = {name.decode() for name in LOADED.findall(library.read_bytes())}
    # Some libraries have another name in another release of Debian.
    loaded = sorted(name for name in names if name in installed)
    for name in names.difference(loaded):
        if not any(other.startswith(name.split(".so")[0] + ".so") for other in loaded):
            sys.exit(f"bundle.py: {name} is not installed; run Tools/install")
    found, waiting = {}, needed(library) + loaded
    while waiting:
        name = waiting.pop()
        if name in found or SYSTEM.fullmatch(name) or name == "libjbig.so.0":
            continue
        if name not in installed:
            sys.exit(f"bundle.py: {name} is not installed; run Tools/install")
        found[name] = installed[name]
        waiting += needed(installed[name])
    return found, loaded


def build_jbig(path):
    """A library that refuses JBIG: libtiff is linked with JBIG-KIT, which is under the GPL."""
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-s", "-Wl,-soname,libjbig.so.0"]
    subprocess.run(["clang", *flags, "-o", path, HERE / "no_jbig.c"], check=True)


def copy_libraries(library, folder):
    """Copies the libraries beside `library`. Returns the packages that they come from, by file name."""
    found, loaded = closure(library)
    renamed, packages = {}, {}
    with tempfile.TemporaryDirectory() as temporary:
        jbig = Path(temporary, "libjbig.so.0")
        build_jbig(jbig)
        for name, path in sorted(found.items()) + [("libjbig.so.0", jbig)]:
            target = name
            if name not in loaded:
                stem, version = name.split(".so", 1)
                digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
                target = f"{stem}-{digest}.so{version}"
                renamed[name] = target
            shutil.copyfile(path, folder / target)
            os.chmod(folder / target, 0o755)
            if path != jbig:
                packages[target] = package_of(path)
    for path in sorted(folder.iterdir()):
        changes = ["--set-rpath", "$ORIGIN"]
        for name in needed(path):
            if name in renamed:
                changes += ["--replace-needed", name, renamed[name]]
        if path.name in renamed.values():
            changes += ["--set-soname", path.name]
        subprocess.run(["patchelf", *changes, str(path)], check=True)
    return packages


def component(name, version, expression, purl=None):
    entry = {"type": "library", "name": name, "version": version, "licenses": [{"expression": expression}]}
    if purl:
        entry["purl"] = purl
    return entry


def document(root, packages, version):
    """Writes the licenses, the list of libraries and the SBOM."""
    folder = root / "share/doc/isobath"
    texts = folder / "licenses"
    texts.mkdir(parents=True)
    distribution = re.search(r"^ID=(\S+)", Path("/etc/os-release").read_text(), re.MULTILINE)[1]
    static = {
        archive: package_of(next(Path("/usr/lib/x86_64-linux-gnu").glob(archive)))
        for archive in ("libyuv.a", "liblz4.a", "libxxhash.a")
    }
    lines, components, expressions = [], [], {"Apache-2.0"}
    for file, (package, package_version) in sorted({**packages, **static}.items()):
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", texts / f"{package}.txt")
        expression = license_of(package)
        expressions.update(expression.split(" AND "))
        lines.append(f"| {file} | {package} {package_version} | {expression} |")
        purl = f"pkg:deb/{distribution}/{package}@{package_version}?arch=amd64"
        components.append(component(package, package_version, expression, purl))
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    resolved = json.loads((PROJECT / "Package.resolved").read_text())["pins"]
    versions = {pin["identity"]: pin["state"].get("version", "") for pin in resolved}
    compiler = output("clang", "-print-file-name=libstdc++.a").split("/")[-2]
    exception = "Apache-2.0 WITH Swift-exception"
    for name, part_version, expression in [
        ("swift", swift, exception),
        ("swift-argument-parser", versions.get("swift-argument-parser", ""), exception),
        ("swift-system", versions.get("swift-system", ""), exception),
        ("libstdc++", compiler, "GPL-3.0-or-later WITH GCC-exception-3.1"),
    ]:
        expressions.add(expression)
        lines.append(f"| in libisobath.so | {name} {part_version} | {expression} |")
        components.append(component(name, part_version, expression))
    toolchain = Path(shutil.which("swift")).resolve().parent.parent
    shutil.copyfile(toolchain / "share/swift/LICENSE.txt", texts / "swift.txt")
    for name in COMMON_TEXTS:
        shutil.copyfile(f"/usr/share/common-licenses/{name}", texts / f"{name}.txt")
    shutil.copyfile(PROJECT / "LICENSE", folder / "LICENSE")
    table = ["| file | package | license |", "|---|---|---|", *lines]
    (texts / "LIBRARIES.md").write_text((HERE / "LIBRARIES.md").read_text() + "\n".join(table) + "\n")
    sbom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component("isobath", version, "Apache-2.0")},
        "components": sorted(components, key=lambda entry: entry["name"]),
    }
    (folder / "sbom.cdx.json").write_text(json.dumps(sbom, indent=1) + "\n")
    return " AND ".join(sorted(expressions))


def main():
    root = Path(sys.argv[1])
    version = re.search(r'isobathVersion = "(.*)"', (PROJECT / "Sources/Scenes/Scenes/Version.swift").read_text())[1]
    folder = root / "libexec/isobath"
    folder.mkdir(parents=True)
    (built,) = (root / "lib").glob("libisobath.so.?")
    library = folder / built.name
    built.rename(library)
    (root / "lib/libisobath.so").unlink()
    packages = copy_libraries(library, folder)
    settings = root / "lib/pkgconfig/isobath.pc"
    text = settings.read_text().replace(f"prefix={root}", "prefix=${pcfiledir}/../..", 1)
    text = text.replace("libdir=${prefix}/lib", "libdir=${prefix}/libexec/isobath")
    settings.write_text(text.replace("-lisobath", f"-l:{built.name} -Wl,-rpath,${{libdir}}"))
    print(document(root, packages, version))


if __name__ == "__main__":
    main()
