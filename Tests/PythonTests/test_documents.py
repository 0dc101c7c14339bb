"""The Python lines of the documentation run."""

import os
import re
import shutil

import pytest

from conftest import IMAGES, ROOT, write_room

INTERFACES = "Sources/Interfaces"
DOCUMENTS = ["README.md", f"{INTERFACES}/Python/README.md", f"{INTERFACES}/Isobath/Documentation.docc/Python.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_lines_run(document, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.S)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for name in ("portrait.heic", "upload.heic"):
        shutil.copy(IMAGES / "portrait.heic", name)
    shutil.copy(IMAGES / "plain.jpg", "beach.jpg")
    shutil.copy(IMAGES / "spatial.heic", "spatial.heic")
    write_room("room")
    os.mkdir("photos")
    shutil.copy(IMAGES / "portrait.jpg", "photos")
    shutil.copy(IMAGES / "plain.heic", "photos")
    # One after the other: later lines use outputs of earlier ones.
    names = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, document, "exec"), names)
