import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "TestImages"


@pytest.fixture(scope="session")
def expected():
    """What each test image is made of, computed by a second implementation of the formulas."""
    return json.loads((IMAGES / "expected.json").read_text())


@pytest.fixture(scope="session")
def tool():
    """Runs the command line tool."""
    executable = os.environ.get("ISOBATH")
    if not executable:
        pytest.skip("ISOBATH names no tool")

    def run(*arguments):
        return subprocess.run([executable, *map(str, arguments)], capture_output=True)

    return run


def installed(folder, pattern):
    """The files of the distribution in a folder outside of the package."""
    files = importlib.metadata.files("isobath-depth")
    paths = [Path(os.path.realpath(file.locate())) for file in files]
    return [path for path in paths if path.parent.as_posix().endswith(folder) and path.match(pattern)]


def write_room(folder):
    """A recording of a wall 2 m away and a square 1 m away before it, seen by three cameras that are 2 cm apart."""
    subprocess.run([sys.executable, ROOT / "Tools" / "Examples" / "recording.py", folder], check=True)


def photos():
    """Every file of the test images, and of the samples where there are some."""
    files = [path for path in sorted(IMAGES.iterdir()) if path.suffix not in (".md", ".json") and path.is_file()]
    samples = os.environ.get("ISOBATH_SAMPLES")
    if samples:
        files += [
            path
            for path in sorted(Path(samples).rglob("*"))
            if path.is_file() and path.suffix not in (".md", ".json", ".txt") and "malformed" not in path.parts
        ]
    return files


def malformed():
    """Files that are broken on purpose."""
    folders = [IMAGES / "Malformed"]
    samples = os.environ.get("ISOBATH_SAMPLES")
    if samples:
        folders.append(Path(samples) / "malformed")
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".md"]
