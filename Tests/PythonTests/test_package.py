"""What the wheel needs, has and shows."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import isobath
from conftest import IMAGES, ROOT

PACKAGE = Path(isobath.__file__).parent


def test_nothing_but_the_c_library_is_taken_from_the_system():
    for name in ("portrait.heic", "portrait.jpg", "depth.avif", "depth.jxl", "depth.dng"):
        isobath.open(IMAGES / name).image()
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
    ours = {path for path in mapped if "isobath" in path}
    assert ours
    # Checks the dependencies of the wheel's libraries, not the libraries that Python and NumPy load. zlib is on every
    # Linux that manylinux wheels are made for.
    allowed = re.compile(r"(libz|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so")
    for path in ours:
        shown = subprocess.run(["/usr/bin/env", "ldd", path], capture_output=True, text=True).stdout
        for line in shown.splitlines():
            if "=>" in line:
                name, place = (part.strip() for part in line.split("=>"))
                assert allowed.match(name) or "isobath" in place, line


def test_licenses_are_there():
    files = importlib.metadata.files("isobath")
    licenses = {file.name for file in files if "licenses" in file.parts}
    assert {"LICENSE", "LIBRARIES.md", "swift.txt"} <= licenses
    listed = next(file for file in files if file.name == "LIBRARIES.md").read_text()
    bundled = {
        file.name.split("-")[0].split(".")[0] for file in files if ".so" in file.name and "isobath.libs" in file.parts
    }
    for name in bundled - {"libjbig"}:
        assert name in listed, name
    assert not any("gpl-2" in name.lower() or "jbigkit" in name for name in licenses)


def test_the_version_is_that_of_the_library():
    source = (ROOT / "Sources/DepthIO/Version.swift").read_text()
    assert f'"{isobath.__version__}"' in source


def test_the_header_and_the_library_agree():
    header = (ROOT / "Sources/CIsobath/isobath.h").read_text()
    declared = set(re.findall(r"\b(isobath_\w+)\(", re.sub(r"/\*.*?\*/", "", header, flags=re.S)))
    exported = set(re.findall(r"isobath_\w+", (ROOT / "Sources/CInterface/exports.map").read_text()))
    assert declared == exported
    import ctypes

    library = ctypes.CDLL(next(str(path) for path in PACKAGE.glob("libisobath.so.*")))
    for name in declared:
        getattr(library, name)
    code = (ROOT / "Sources/Python/isobath/_library.py").read_text()
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
