"""How the peer scripts time their own work, as InProcessBench does."""

import statistics
import time
from pathlib import Path


def timed(count, work, writing=None):
    """Does the work `count` times, prints the median milliseconds, and returns the last result.

    A file that each pass writes is removed first: replacing one costs more on some file systems.
    """
    times = []
    for _ in range(count):
        result = None  # the memory of the last pass is free again, as it is on our side
        if writing:
            Path(writing).unlink(missing_ok=True)
        start = time.perf_counter()
        result = work()
        times.append((time.perf_counter() - start) * 1000)
    print(statistics.median(times))
    return result
