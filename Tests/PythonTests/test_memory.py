"""Nothing leaks, and nothing is copied."""

import contextlib
import gc
import os
import resource

import numpy as np
import pytest

import isobath
from conftest import IMAGES


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def growth(function, rounds):
    """By how much memory grows in the second half of so many calls, in bytes."""
    for _ in range(rounds // 2):
        function()
    gc.collect()
    before = resident()
    for _ in range(rounds // 2):
        function()
    gc.collect()
    return resident() - before


@pytest.mark.parametrize("name", ["portrait.heic", "portrait.jpg"])
def test_a_thousand_photos_leave_no_memory(name):
    path = IMAGES / name
    content = path.read_bytes()
    # What earlier tests left behind may hold files.
    gc.collect()
    open_files = descriptors()

    def use():
        photo = isobath.open(path)
        photo.depth()
        photo.info
        photo.camera

    def use_bytes():
        isobath.open(content).matte()

    def fail():
        for source in (content[:200], b"x"):
            with contextlib.suppress(isobath.Error):
                isobath.open(source)
        with contextlib.suppress(isobath.Error, ValueError):
            isobath.open(path).matte("teeth" if name == "portrait.jpg" else "nose")

    # An array leaked is 110 KB, and a photo's structure more than 2 KB: 1 MB would be the least of 500.
    assert growth(use, 1000) < 1_000_000
    assert growth(use_bytes, 1000) < 1_000_000
    assert growth(fail, 1000) < 1_000_000
    assert descriptors() == open_files


def test_file_objects_are_let_go():
    from isobath import _source

    with open(IMAGES / "portrait.heic", "rb") as file:
        for _ in range(50):
            isobath.open(file).depth()
    gc.collect()
    assert not _source._sources


def test_an_array_keeps_its_memory_and_nothing_else_has_it():
    photo = isobath.open(IMAGES / "portrait.heic")
    depth, again = photo.depth(), photo.depth()
    assert not np.shares_memory(depth, again)
    view = depth[10:20, 10:20].T
    copy = view.copy()
    del depth, photo
    gc.collect()
    rubbish = [bytearray(1 << 16) for _ in range(1000)]
    np.testing.assert_array_equal(view, copy)
    del rubbish
    view[:] = 1
    assert not (again == 1).all() and (view == 1).all()


def test_samples_are_in_memory_once(tmp_path):
    np.save(tmp_path / "large.npy", np.ones((3000, 4000), np.float32))
    photo = isobath.open(tmp_path / "large.npy")
    photo.depth()
    gc.collect()
    before = resident()
    depth = photo.depth()
    # NumPy shows the library's memory, which has nothing else of that size.
    assert depth.ctypes.data == depth.base.__array_interface__["data"][0]
    assert resident() - before < 1.3 * depth.nbytes
    del depth
    gc.collect()
    assert resident() - before < 8_000_000


def test_clouds_share_one_owner():
    cloud = isobath.open(IMAGES / "portrait.heic").cloud(normals=True)
    positions, copy = cloud.positions, cloud.positions.copy()
    del cloud
    gc.collect()
    np.testing.assert_array_equal(positions, copy)
