"""Arrays equal what the command line tool writes, bit for bit."""

import json

import numpy as np
import pytest

import isobath
from conftest import IMAGES, photos


def identifier(path):
    return "/".join(path.parts[-2:])


def extracted(tool, folder, path, *arguments):
    """The array that `extract` writes, or its exit status and message."""
    out = folder / "plane.npy"
    run = tool("extract", path, *arguments, "-o", out, "--force")
    return np.load(out) if run.returncode == 0 else (run.returncode, run.stderr.decode())


def stretched(codes, bits):
    """Codes of more than 8 bits as files have them: over 16 bits."""
    if bits in (8, 16):
        return codes
    top = (1 << bits) - 1
    return ((codes.astype(np.uint64) * 65535 + top // 2) // top).astype(np.uint16)


def check(tool, folder, path, function, *arguments):
    there = extracted(tool, folder, path, *arguments)
    try:
        here = function()
    except isobath.Error as error:
        assert isinstance(there, tuple), f"{error}; the tool can"
        # Status 3 is for planes that are not there.
        assert (there[0] == 3) == isinstance(error, isobath.PlaneNotFoundError), f"{error!r}: {there}"
        assert error.message.split(";")[0] in there[1]
        return False
    assert not isinstance(there, tuple), there
    assert here.dtype == there.dtype
    np.testing.assert_array_equal(here.view(np.uint8), there.view(np.uint8))
    return True


@pytest.mark.parametrize("path", photos(), ids=identifier)
def test_arrays_are_those_of_extract(path, tool, tmp_path):
    if not tool("info", path).stdout:
        with pytest.raises(isobath.Error):
            isobath.open(path)
        return
    # The tool also uses a depth image beside a photo.
    if (path.parent / f"{path.stem}_depth.png").exists():
        return
    photo = isobath.open(path)
    check(tool, tmp_path, path, photo.depth, "--as", "depth")
    check(tool, tmp_path, path, photo.disparity, "--as", "disparity")
    for kind in photo.planes:
        if kind in ("matte", "skin", "hair", "teeth", "glasses", "sky"):
            assert check(tool, tmp_path, path, lambda: photo.matte(kind), "--plane", kind)
        elif kind in ("confidence", "alpha"):
            bits = next(plane["bitDepth"] for plane in photo.info["planes"] if plane["kind"] == kind)
            assert check(tool, tmp_path, path, lambda: stretched(photo.samples(kind), bits), "--plane", kind)
    check(tool, tmp_path, path, lambda: photo.native_image()[0], "--plane", "photo")


@pytest.mark.parametrize("path", photos(), ids=identifier)
def test_info_is_that_of_the_tool(path, tool):
    run = tool("info", "--json", path)
    there = json.loads(run.stdout.splitlines()[0])
    if there["schema"] != "isobath.info/1" or "error" in there:
        with pytest.raises(isobath.Error) as raised:
            isobath.open(path)
        if "error" in there:
            assert raised.value.code == there["error"]["code"] and raised.value.offset == there["error"]["offset"]
        return
    here = isobath.open(path).info
    # The tool measures the lens of the camera's blur, which decodes both pictures.
    there.pop("lens", None)
    # The tool adds which flag helps.
    assert len(here["warnings"]) == len(there["warnings"])
    assert all(mine in theirs for mine, theirs in zip(here.pop("warnings"), there.pop("warnings")))
    assert here == there


def points_of(path):
    """Vertices of a binary PLY file."""
    head, _, body = path.read_bytes().partition(b"end_header\n")
    lines = head.decode().splitlines()
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    types = {"float": "<f4", "uchar": "u1"}
    names = [(line.split()[2], types[line.split()[1]]) for line in lines if line.startswith("property")]
    return np.frombuffer(body, names, count)


@pytest.mark.parametrize("name", ["portrait.heic", "absolute-depth.jpg", "dynamic-depth.jpg", "stereo.mpo"])
def test_clouds_are_those_of_the_tool(name, tool, tmp_path):
    out = tmp_path / "cloud.ply"
    assert tool("cloud", IMAGES / name, "-o", out, "--normals").returncode == 0
    there, here = points_of(out), isobath.open(IMAGES / name).cloud(normals=True)
    for columns, rows in (("x y z", here.positions), ("nx ny nz", here.normals), ("red green blue", here.colors)):
        np.testing.assert_array_equal(rows, np.stack([there[column] for column in columns.split()], axis=1))


@pytest.mark.parametrize("background", [None, (255, 255, 255), "plain.jpg"])
def test_composites_are_those_of_the_tool(background, tool, tmp_path):
    out = tmp_path / "composite.png"
    named = "none" if background is None else "white" if isinstance(background, tuple) else IMAGES / background
    source = IMAGES / "portrait.heic"
    assert tool("composite", source, "--background", named, "-o", out).returncode == 0
    here = isobath.open(source).composite(IMAGES / background if isinstance(background, str) else background)
    if background is None:
        # A reader of pictures puts transparent areas on white.
        assert here.shape == (720, 960, 4)
        opaque = here[..., 3] == 255
        np.testing.assert_array_equal(here[opaque, :3], isobath.open(out).image()[opaque])
    else:
        np.testing.assert_array_equal(here, isobath.open(out).image())
