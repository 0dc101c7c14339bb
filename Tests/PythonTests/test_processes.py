"""Threads, fork, multiprocessing, pickling."""

import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import isobath
from conftest import IMAGES

PATHS = [
    str(IMAGES / name) for name in ("portrait.heic", "portrait.jpg", "depth.avif", "depth.jxl", "absolute-depth.heic")
]
NAMES = [os.path.basename(path) for path in PATHS]


def sums(path):
    """Numbers that say what a photo holds."""
    photo = isobath.open(path)
    kind = "depth" if "depth" in photo.planes else "disparity"
    return photo.samples(kind).astype(np.int64).sum().item(), photo.image().astype(np.int64).sum().item()


def limited(seconds, function):
    """Runs a function in a forked child and returns its exit status; a child that hangs is killed."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(seconds)
            status = 0 if function() else 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(scope="module")
def right():
    return {path: sums(path) for path in PATHS}


def test_one_photo_serves_several_threads(right):
    photos = {path: isobath.open(path) for path in PATHS}

    def check(path):
        kind = "depth" if "depth" in photos[path].planes else "disparity"
        planes = photos[path].samples(kind), photos[path].image()
        return tuple(plane.astype(np.int64).sum().item() for plane in planes)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for path, result in zip(PATHS * 6, pool.map(check, PATHS * 6)):
            assert result == right[path]


def test_other_threads_run_while_one_decodes():
    photo = isobath.open(IMAGES / "portrait.heic")
    count, stop = 0, threading.Event()

    def counting():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)

    thread = threading.Thread(target=counting)
    thread.start()
    start, before = time.perf_counter(), count
    photo.cloud(photo_resolution=True)
    seconds, during = time.perf_counter() - start, count - before
    stop.set()
    thread.join()
    # If the call held the interpreter's lock, the thread could not count at all.
    assert during > 20 and seconds > 0


def test_a_thread_limit_changes_no_result(right):
    try:
        isobath.set_thread_limit(1)
        assert {path: sums(path) for path in PATHS} == right
    finally:
        isobath.set_thread_limit(None)


def test_a_forked_child_can_use_the_library(right):
    photo = isobath.open(PATHS[0])
    photo.cloud()
    kind = "disparity"
    assert limited(60, lambda: {path: sums(path) for path in PATHS} == right) == 0
    assert limited(60, lambda: photo.samples(kind).astype(np.int64).sum().item() == right[PATHS[0]][0]) == 0
    assert limited(60, lambda: len(photo.cloud(photo_resolution=True)) > 0) == 0


def test_a_process_can_fork_while_threads_decode(right):
    stop = threading.Event()

    def working():
        while not stop.is_set():
            for path in PATHS:
                sums(path)

    threads = [threading.Thread(target=working) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(20):
            path = PATHS[turn % len(PATHS)]
            assert limited(60, lambda: sums(path) == right[path]) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_processes_work(method, right):
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert dict(zip(PATHS, pool.map_async(sums, PATHS).get(timeout=120))) == right
        with pytest.raises(isobath.MissingFileError):
            pool.apply_async(sums, ("none.heic",)).get(timeout=60)


def test_photos_can_be_sent_to_other_processes():
    path = IMAGES / "portrait.heic"
    limits = isobath.Limits(tiles=2000)
    for source in (path, path.read_bytes()):
        photo = isobath.open(source, limits=limits)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(photo)).depth(), photo.depth())
    with open(path, "rb") as file, pytest.raises(TypeError):
        pickle.dumps(isobath.open(file))
