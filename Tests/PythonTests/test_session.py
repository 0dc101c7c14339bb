"""A session of a notebook: open, look, align, write, and a batch over many photos with processes."""

import concurrent.futures
import gc
import multiprocessing
import os
import resource
import shutil

import numpy as np
import pytest

import isobath
from conftest import IMAGES
from isobath.worker import Pool, Request

NAMES = ("portrait.heic", "portrait.jpg", "absolute-depth.heic", "depth.avif", "plain.jpg")


def test_open_look_align_write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(IMAGES / "absolute-depth.heic", "portrait.heic")

    photo = isobath.open("portrait.heic")
    assert repr(photo) == "<isobath.Photo 'portrait.heic': picture 960 × 720, depth 192 × 144 absolute>"
    depth = photo.depth()
    assert depth.min() > 1.4 and float(np.nanmedian(depth)) > 1.4 and depth.scale == "absolute"
    u, v = 100, 70
    camera = photo.camera
    point = depth[v, u] * np.linalg.inv(camera.K) @ [u, v, 1]
    assert point[2] == pytest.approx(depth[v, u])

    answer = 3 / np.asarray(depth)[::2, ::2] + 0.5  # as a network would give it
    meters = isobath.align(answer, to=photo, quantity="disparity")
    assert np.nanmedian(np.abs(meters - depth[::2, ::2])) < 0.05 and meters.alignment.residual < 1e-3

    meters.write("aligned.exr")
    photo.with_depth(answer, quantity="disparity").cloud(voxel_size=0.02).write("cloud.ply")
    photo.blur(f_number=1.4).write("soft.jpg")
    photo.composite("white", matte="depth", far=3).write("white.png")
    assert sorted(os.listdir()) == ["aligned.exr", "cloud.ply", "portrait.heic", "soft.jpg", "white.png"]
    np.testing.assert_array_equal(isobath.open("aligned.exr").depth(), meters)
    with pytest.raises(isobath.NotWrittenError):
        meters.write("aligned.exr")


def start():
    isobath.set_thread_limit(1)


def look(path):
    """What a batch keeps of a photo, and what the process holds afterwards."""
    try:
        depth = float(np.nanmean(isobath.open(path).depth()))
    except isobath.PlaneNotFoundError:
        depth = None
    gc.collect()
    with open("/proc/self/statm") as file:
        memory = int(file.read().split()[1]) * resource.getpagesize()
    return depth, os.getpid(), len(os.listdir("/proc/self/fd")), memory


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_batch_over_five_hundred_photos_leaves_nothing(method):
    paths = [str(IMAGES / name) for name in NAMES] * 100
    expected = [look(path)[0] for path in paths[: len(NAMES)]]
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, context, initializer=start) as pool:
        found = list(pool.map(look, paths, chunksize=20))
    assert [depth for depth, *_ in found] == expected * 100
    for process in {pid for _, pid, *_ in found}:
        own = [(files, memory) for _, pid, files, memory in found if pid == process]
        # The first photos of each kind load their decoders.
        settled, last = own[len(own) // 2], own[-1]
        assert last[0] == settled[0] and last[1] - settled[1] < 2_000_000, process


def test_the_same_batch_with_workers():
    requests = [Request("extract", IMAGES / name, {"format": "npy", "as": "depth"}) for name in NAMES] * 100
    open_files = len(os.listdir("/proc/self/fd"))
    with Pool(2) as pool:
        found = [float(np.nanmean(reply.array())) if reply.error is None else None for reply in pool.map(requests)]
        assert pool.counters.done == 400 and pool.counters.failed == 100 and pool.counters.restarted == 0
    assert found == found[:5] * 100 and found[4] is None
    assert len(os.listdir("/proc/self/fd")) == open_files
    for name, mean in zip(NAMES[:4], found):
        with np.errstate(all="ignore"):
            assert mean == pytest.approx(float(np.nanmean(isobath.open(IMAGES / name).depth())), rel=1e-5)
