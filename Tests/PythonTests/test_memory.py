"""Nothing leaks, and nothing is copied."""

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
            try:
                isobath.open(source)
            except isobath.Error:
                pass
        try:
            isobath.open(path).matte("teeth" if name == "portrait.jpg" else "nose")
        except (isobath.Error, ValueError):
            pass

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


def test_samples_are_not_copied():
    """What is allocated beside the array itself would show in the peak: an array of 48 MB has it once, not twice."""
    import subprocess
    import sys

    script = (
        "import resource, sys, numpy as np, isobath\n"
        "stored = np.ones((3000, 4000), np.float32)\n"
        "np.save(sys.argv[1], stored)\n"
        "del stored\n"
        "photo = isobath.open(sys.argv[1])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "depth = photo.depth()\n"
        "base = depth.base\n"
        "assert type(base).__name__ == '_Window'\n"
        "assert depth.ctypes.data == base.__array_interface__['data'][0]\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.executable, "-c", script, folder + "/a.npy"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_clouds_share_one_owner():
    cloud = isobath.open(IMAGES / "portrait.heic").cloud(normals=True)
    positions, copy = cloud.positions, cloud.positions.copy()
    del cloud
    gc.collect()
    np.testing.assert_array_equal(positions, copy)
