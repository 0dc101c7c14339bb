"""`isobath worker` against `isobath extract` on the same photos, with as many jobs: inputs a second, and their ratio.

    .venv/bin/python Tools/benchmarks/worker.py .build/release/isobath photo.heic…

Each round runs both, one after the other, so that what else the machine does falls on both; ratios are medians of
rounds. Files are in memory where they can be, and removed after each run: pages that a virtual machine has not used
before cost whoever writes them first, and ext4 looks long for a place where many files were deleted in the last
seconds.
"""

import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/Interfaces/Python"))

from isobath.worker import Pool, Request  # noqa: E402

MEMORY = pathlib.Path("/dev/shm")
ROUNDS = 7
COUNT = 400


def copies(folder, photos, count):
    """`count` inputs, under names of their own."""
    paths = []
    for number in range(count):
        source = photos[number % len(photos)]
        path = folder / f"{number:05}{source.suffix}"
        shutil.copy(source, path)
        paths.append(path)
    return paths


def batch(isobath, paths, output, flags):
    start = time.perf_counter()
    subprocess.run(
        [isobath, "extract", "--quiet", "--format", "npy", "-o", f"{output}/", *flags, *map(str, paths)],
        check=True,
    )
    return time.perf_counter() - start


def worker(isobath, paths, output, flags, inline):
    """The time of all requests, the start of the workers among it, as that of the batch has its own."""
    requests = [
        Request("extract", path, {"format": "npy"}) if inline
        else Request("extract", path, output=output / f"{path.stem}.npy") for path in paths
    ]
    start = time.perf_counter()
    with Pool(isolate="--isolate" in flags, command=isobath) as pool:
        statuses = [reply.status for reply in pool.map(requests)]
    taken = time.perf_counter() - start
    assert statuses.count("ok") == len(paths), statuses
    return taken


RUNS = {
    "extract": batch,
    "files": lambda *arguments: worker(*arguments, inline=False),
    "inline": lambda *arguments: worker(*arguments, inline=True),
}


def main():
    isobath, *names = sys.argv[1:]
    photos = [pathlib.Path(name) for name in names]
    print("| mode | extract, photos a second | worker, files | worker, inline |\n|---|--:|--:|--:|")
    for flags in [[], ["--isolate"]]:
        times = {kind: [] for kind in RUNS}
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
                paths = copies(pathlib.Path(name), photos, COUNT)
                output = pathlib.Path(name) / "output"
                for kind, run in RUNS.items():
                    output.mkdir()
                    times[kind].append(run(isobath, paths, output, flags))
                    shutil.rmtree(output)
        rate = COUNT / statistics.median(times["extract"])
        ratios = [
            statistics.median(a / b for a, b in zip(times["extract"], times[kind])) for kind in ("files", "inline")
        ]
        print(f"| {' '.join(flags) or 'in place'} | {rate:.0f} | {ratios[0]:.0%} | {ratios[1]:.0%} |")


if __name__ == "__main__":
    main()
