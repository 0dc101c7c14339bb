"""Prints the milliseconds that pillow-heif takes for the depth of HEIC photos, as arrays of meters, on two threads.

    arrays_pillow_heif.py IN.heic…

Disparity is turned into meters by the range that the file declares; nothing is turned upright.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy


def meters(path):
    from pillow_heif import open_heif

    plane = open_heif(path).info["depth_images"][0]
    declared = plane.info["metadata"]
    low, high = declared["d_min"], declared["d_max"]
    disparity = low + numpy.asarray(plane.to_pillow(), numpy.float32) * numpy.float32((high - low) / 255)
    return 1 / disparity


def print_milliseconds(work, paths):
    work(paths[0])
    start = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        assert all(array.dtype == numpy.float32 for array in pool.map(work, paths))
    print((time.perf_counter() - start) * 1000)


if __name__ == "__main__":
    print_milliseconds(meters, sys.argv[1:])
