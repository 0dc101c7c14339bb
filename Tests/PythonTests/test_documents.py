"""The Python and the C code of the documentation runs."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import IMAGES, ROOT, installed, write_room

INTERFACES = ROOT / "Sources/Interfaces"
CATALOG = INTERFACES / "Isobath/Documentation.docc"
DOCUMENTS = [ROOT / "README.md", INTERFACES / "Python/README.md", *sorted(CATALOG.glob("*.md"))]


def blocks(document, language):
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text(), re.S | re.M)


def names(documents):
    return [str(document.relative_to(ROOT)) for document in documents]


class Store:
    """A store of objects with the two methods of obstore that an article uses: the files of a folder."""

    def head(self, path):
        return {"size": os.path.getsize(path)}

    def get_ranges(self, path, *, starts, ends):
        with open(path, "rb") as file:
            return [os.pread(file.fileno(), end - start, start) for start, end in zip(starts, ends)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files with the names that documents use."""
    monkeypatch.chdir(tmp_path)
    for name in ("portrait.heic", "upload.heic"):
        shutil.copy(IMAGES / "portrait.heic", name)
    shutil.copy(IMAGES / "plain.jpg", "beach.jpg")
    shutil.copy(IMAGES / "spatial.heic", "spatial.heic")
    write_room("room")
    os.mkdir("photos")
    shutil.copy(IMAGES / "portrait.jpg", "photos")
    shutil.copy(IMAGES / "plain.heic", "photos")
    shutil.copy(IMAGES / "portrait.heic", "photos/1.heic")
    # The command beside this Python.
    monkeypatch.setenv("PATH", f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
    return tmp_path


def is_missing(block):
    """Whether a block needs a package that is not installed here: it is only compiled."""
    modules = set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            modules.update(name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    return any(importlib.util.find_spec(module) is None for module in modules)


WITH_PYTHON = [document for document in DOCUMENTS if blocks(document, "python")]


@pytest.mark.parametrize("document", WITH_PYTHON, ids=names(WITH_PYTHON))
def test_the_python_lines_run(document, folder):
    # One after the other: later lines use outputs of earlier ones.
    variables = {"__name__": "__main__", "store": Store()}
    for block in blocks(document, "python"):
        code = compile(block, document, "exec")
        if not is_missing(block):
            exec(code, variables)


@pytest.fixture(scope="session")
def typed(tmp_path_factory):
    """A folder with the Python lines of each document as one module."""
    folder = tmp_path_factory.mktemp("typed")
    for document in WITH_PYTHON:
        name = "_".join(document.relative_to(ROOT).with_suffix("").parts[-2:]).replace(".", "_")
        lines = ["from typing import Any", "", "store: Any = None", *blocks(document, "python")]
        (folder / f"{name}.py").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize("checker", [
    ["mypy", "--strict", "--ignore-missing-imports", "--cache-dir=cache"],
    ["basedpyright", "--level=error", f"--pythonpath={sys.executable}"],
], ids=["mypy", "pyright"])
def test_the_python_lines_have_types(checker, typed):
    if importlib.util.find_spec(checker[0]) is None:
        pytest.skip(f"{checker[0]} is not installed")
    settings = {"reportMissingImports": "none", "typeCheckingMode": "standard"}
    (typed / "pyrightconfig.json").write_text(json.dumps(settings))
    run = subprocess.run([sys.executable, "-m", *checker, "."], cwd=typed, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


WITH_C = [document for document in DOCUMENTS if blocks(document, "c")]


@pytest.mark.skipif(not all(map(shutil.which, ["cc", "pkg-config"])), reason="needs cc and pkg-config")
@pytest.mark.parametrize("document", WITH_C, ids=names(WITH_C))
def test_the_c_programs_run(document, folder, monkeypatch):
    (settings,) = installed("lib/pkgconfig", "isobath.pc")
    monkeypatch.setenv("PKG_CONFIG_PATH", str(settings.parent))
    (command,) = [line for line in "".join(blocks(document, "console")).splitlines() if line.startswith("$ cc ")]
    for block in blocks(document, "c"):
        (folder / "depth.c").write_text(block)
        subprocess.run(["sh", "-ec", command[2:] + " -Wall -Wextra -Werror && ./depth"], check=True)
