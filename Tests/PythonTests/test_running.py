"""The verbs of the command from Python."""

import re
import shutil
import subprocess

import numpy as np
import pytest

import isobath
from conftest import IMAGES, installed
from isobath import _running

PORTRAIT = IMAGES / "portrait.heic"


def test_depth_that_is_embedded_is_read(tmp_path):
    [record] = isobath.run("embed", IMAGES / "plain.jpg", depth=PORTRAIT, output=tmp_path / "with-depth.jpg")
    assert record["schema"] == "isobath.embed/1" and record["outputs"][0]["path"] == str(tmp_path / "with-depth.jpg")
    found, wanted = isobath.open(tmp_path / "with-depth.jpg").disparity(), isobath.open(PORTRAIT).disparity()
    assert np.allclose(found, wanted, atol=0.0015)


def test_forms_pages_and_clouds(tmp_path):
    isobath.run("convert", PORTRAIT, to="gdepth", output=tmp_path / "google.jpg")
    assert b"GDepth" in (tmp_path / "google.jpg").read_bytes()
    isobath.run("view", PORTRAIT, output=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes().startswith(b"<!doctype html>")
    isobath.run("cloud", PORTRAIT, mesh=True, near=1, far=3.5, fill_holes=False, output=tmp_path / "mesh.glb")
    assert (tmp_path / "mesh.glb").read_bytes()[:4] == b"glTF"


def test_values_are_those_of_the_command(tmp_path):
    isobath.run("blur", PORTRAIT, focus=(0.76, 0.75), aperture=1.4, output=tmp_path / "a.png")
    (command,) = installed("bin", "isobath")
    arguments = ["blur", PORTRAIT, "--focus", "0.76,0.75", "--aperture", "1.4", "-o", tmp_path / "b.png"]
    subprocess.run([command, *arguments], check=True, capture_output=True)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    isobath.run("extract", PORTRAIT, limit=["pixels=20000000", "seconds=60"], output=tmp_path / "c.png")


def test_several_inputs_have_a_record_each(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("one.heic", "-two.heic"):
        shutil.copy(PORTRAIT, name)
    records = isobath.run("info", "one.heic", "-two.heic")
    assert [record["path"] for record in records] == ["one.heic", "-two.heic"]
    with pytest.raises(isobath.PlaneNotFoundError) as caught:
        isobath.run("extract", tmp_path / "one.heic", IMAGES / "plain.jpg", output=f"{tmp_path}/out/")
    assert caught.value.path == str(IMAGES / "plain.jpg") and len(caught.value.records) == 2
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["one-disparity.png"]


def test_errors_have_the_classes_of_open(tmp_path):
    with pytest.raises(isobath.UnreadableError, match="No such file") as missing:
        isobath.run("extract", tmp_path / "missing.heic", output=tmp_path / "d.png")
    assert missing.value.code == "unreadable" and missing.value.path == str(tmp_path / "missing.heic")
    (tmp_path / "cut.heic").write_bytes(PORTRAIT.read_bytes()[:2000])
    with pytest.raises(isobath.DamagedError):
        isobath.run("extract", tmp_path / "cut.heic", output=tmp_path / "d.png")
    (tmp_path / "d.png").write_bytes(b"kept")
    with pytest.raises(isobath.NotWrittenError, match="exists"):
        isobath.run("extract", PORTRAIT, output=tmp_path / "d.png")
    assert (tmp_path / "d.png").read_bytes() == b"kept"


@pytest.mark.parametrize("flags, message", [
    ({"no_such_flag": True}, "no-such-flag"), ({"as": "dept"}, "dept"), ({"softness": 0.1}, "softness"),
])
def test_wrong_flags_are_wrong_arguments(flags, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        isobath.run("extract", PORTRAIT, output=tmp_path / "d.png", **flags)
    assert not list(tmp_path.iterdir())


def test_streams_are_refused():
    for arguments in [{"output": "-"}, {}]:
        with pytest.raises(ValueError, match="name files"):
            isobath.run("extract", "-" if not arguments else PORTRAIT, **arguments)


def test_verbs_are_those_of_the_command():
    (command,) = installed("bin", "isobath")
    shown = subprocess.run([command, "--help"], capture_output=True, text=True).stdout
    verbs = set(re.findall(r"^  ([a-z]+) ", shown.partition("SUBCOMMANDS:")[2], re.M)) - {"worker", "help"}
    assert set(_running.Verb.__args__) == verbs
