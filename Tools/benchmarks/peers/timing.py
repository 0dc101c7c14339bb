"""How the peer scripts time their own work, as InProcessBench does."""

import statistics
import time


def timed(count, work):
    """Does the work `count` times, prints the median milliseconds, and returns the last result."""
    times = []
    for _ in range(count):
        result = None  # the memory of the last pass is free again, as it is on our side
        start = time.perf_counter()
        result = work()
        times.append((time.perf_counter() - start) * 1000)
    print(statistics.median(times))
    return result
