"""Prints the median milliseconds pillow-heif takes from a HEIC file to RGB pixels.

    decode_heic.py IN.heic COUNT
"""

import statistics
import sys
import time

from pillow_heif import open_heif


def decode(path):
    start = time.perf_counter()
    open_heif(path).to_pillow().load()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    print(statistics.median(decode(sys.argv[1]) for _ in range(int(sys.argv[2]))))
