"""What the wheel needs, has and shows."""

import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import isobath
from conftest import IMAGES, ROOT, installed


def test_nothing_but_the_c_library_is_taken_from_the_system():
    for name in ("portrait.heic", "portrait.jpg", "depth.avif", "depth.jxl", "depth.dng"):
        isobath.open(IMAGES / name).image()
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
    ours = {path for path in mapped if "isobath" in path}
    assert ours
    # Checks the dependencies of the wheel's libraries, not the libraries that Python and NumPy load.
    allowed = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so")
    for path in ours:
        shown = subprocess.run(["/usr/bin/env", "ldd", path], capture_output=True, text=True).stdout
        for line in shown.splitlines():
            if "=>" in line:
                name, place = (part.strip() for part in line.split("=>"))
                assert allowed.match(name) or "isobath" in place, line


def test_licenses_are_there():
    files = importlib.metadata.files("isobath-depth")
    licenses = {file.name: file for file in files if "licenses" in file.parts}
    assert {"LICENSE", "LIBRARIES.md", "swift.txt", "LGPL-3.txt", "GPL-3.txt", "LGPL-2.1.txt"} <= set(licenses)
    assert "Version 3, 29 June 2007" in licenses["LGPL-3.txt"].read_text()
    listed = licenses["LIBRARIES.md"].read_text()
    (sbom,) = [json.loads(file.read_text()) for file in files if file.name == "sbom.cdx.json"]
    components = {component["name"]: component for component in sbom["components"]}
    metadata = importlib.metadata.metadata("isobath-depth")
    for library in installed("libexec/isobath", "*.so.*"):
        if library.name.startswith(("libisobath.", "libjbig-")):
            continue
        # "| file | package version | license |"
        row = next(row for row in listed.splitlines() if library.name in row)
        _, _, package, expression, _ = (cell.strip() for cell in row.split("|"))
        name, version = package.split()
        assert f"{name}.txt" in licenses
        assert components[name]["version"] == version
        assert components[name]["licenses"] == [{"expression": expression}]
        assert all(part in metadata["License-Expression"] for part in expression.split(" AND "))
    # Nothing under the GPL without an exception.
    for component in sbom["components"]:
        expression = component["licenses"][0]["expression"]
        assert not re.search(r"(?<!L)GPL", expression) or " WITH " in expression, component


def test_the_command_is_a_program_and_the_module_runs_it():
    (command,) = installed("bin", "isobath")
    assert command.read_bytes()[:4] == b"\x7fELF"
    for run in ([command], [sys.executable, "-m", "isobath"]):
        shown = subprocess.run([*run, "--version"], capture_output=True, text=True)
        assert shown.stdout.strip() == isobath.__version__
        made = subprocess.run([*run, "info", "--isolate", IMAGES / "portrait.heic"], capture_output=True, text=True)
        assert made.returncode == 0 and "disparity" in made.stdout
        refused = subprocess.run([*run, "extract", "--no-such-flag"], capture_output=True, text=True)
        assert refused.returncode == 64


def test_manual_pages_and_completions_are_installed():
    assert {path.name for path in installed("share/man/man1", "*.1")} >= {"isobath.1", "isobath-extract.1"}
    for folder, name in [
        ("share/bash-completion/completions", "isobath"),
        ("share/zsh/site-functions", "_isobath"),
        ("share/fish/vendor_completions.d", "isobath.fish"),
    ]:
        assert installed(folder, name)


def test_without_numpy_everything_but_arrays_works():
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import isobath\n"
        f"photo = isobath.open({str(IMAGES / 'portrait.heic')!r})\n"
        "assert photo.info['planes'][0]['kind'] == 'disparity'\n"
        "try: photo.depth()\n"
        "except ImportError as error: print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert shown.stdout == "arrays need NumPy: pip install 'isobath-depth[arrays]'\n", shown.stderr


def test_onnx_runtime_is_found_in_the_same_environment():
    (command,) = installed("bin", "isobath")
    formats = [command, "info", "--formats"]
    shown = subprocess.run([*formats, "--json"], capture_output=True, text=True, check=True)
    (runtime,) = [each for each in json.loads(shown.stdout)["libraries"] if each["name"] == "ONNX Runtime"]
    assert runtime["version"] == importlib.metadata.version("onnxruntime")
    # A variable takes precedence, and the advice is for this installation.
    other = {"ISOBATH_ONNXRUNTIME": "/nonexistent.so"}
    shown = subprocess.run(formats, capture_output=True, text=True, check=True, env=other)
    assert "missing: networks; install isobath-depth[networks]\n" in shown.stdout


def test_the_version_is_that_of_the_library():
    source = (ROOT / "Sources/Scenes/Scenes/Version.swift").read_text()
    assert f'"{isobath.__version__}"' in source


def test_the_header_and_the_library_agree():
    header = (ROOT / "Sources/Interfaces/CIsobath/isobath.h").read_text()
    declared = set(re.findall(r"\b(isobath_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    exported = set(re.findall(r"isobath_\w+", (ROOT / "Sources/Interfaces/CInterface/exports.map").read_text()))
    assert declared == exported
    import ctypes

    library = ctypes.CDLL(str(*installed("libexec/isobath", "libisobath.so.*")))
    for name in declared:
        getattr(library, name)
    code = (ROOT / "Sources/Interfaces/Python/isobath/_library.py").read_text()
    assert {f"isobath_{name}" for name in re.findall(r'declare\("(\w+)"', code)} == declared


def test_types_are_right(tmp_path):
    use = tmp_path / "use.py"
    use.write_text(
        "from typing import Any\n"
        "import numpy as np\n"
        "from numpy.typing import NDArray\n"
        "import isobath\n"
        "photo = isobath.open('a.heic', limits=isobath.Limits(pixels=5))\n"
        "depth: NDArray[np.float32] = photo.depth()\n"
        "matte: NDArray[np.uint8] = photo.matte('hair')\n"
        "K: NDArray[np.float64] = photo.camera.K\n"
        "info: dict[str, Any] = photo.info\n"
        "colors: NDArray[np.uint8] | None = photo.cloud(far=3.0).colors\n"
        "photo.composite((255, 255, 255))\n"
        "reveal_type(photo.size)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(use)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout
    assert "tuple[int, int] | None" in run.stdout or "Union[tuple[int, int], None]" in run.stdout
    own = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "isobath"]
    run = subprocess.run(own, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stdout


def test_everything_public_is_documented():
    for name in isobath.__all__:
        thing = getattr(isobath, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else []:
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
