"""Runs the jobs and prints the table. Started by Tools/bench, which installs what this needs.

Exits with 1 when isobath failed or gave a wrong result; a goal that is missed is said in the table only.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from subprocess import PIPE, STDOUT

from jobs import JOBS, Bench, Job
from measure import Result, compete
from photos import find_photos

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ["job", "isobath", "peer", "peer's", "ratio", "goal", "reached"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tools/bench")
    parser.add_argument("--tool", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--convert", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=named_jobs, default=JOBS, metavar="NAME,NAME…")
    parser.add_argument("--runs", type=positive, default=7, metavar="N")
    return parser.parse_args()


def named_jobs(text: str) -> list[Job]:
    known = {job.name: job for job in JOBS}
    unknown = [name for name in text.split(",") if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"no job {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in text.split(",")]


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError("must be a whole number above 0")
    return int(text)


def run(jobs: list[Job], runs: int, bench: Bench) -> list[Result]:
    results = []
    for job in jobs:
        for contest in job.contests(bench):
            print(f"bench: {contest.title}", file=sys.stderr)
            done = compete(contest, runs)
            # A run that is ended before the table leaves what it measured.
            for result in done:
                print("bench: " + " | ".join(cells(result)[1:5]), file=sys.stderr)
            results += done
    return results


def first_line(*command: object) -> str:
    try:
        output = subprocess.run(command, stdout=PIPE, stderr=STDOUT, text=True, errors="replace").stdout
    except OSError:
        return "missing"
    return next((line.strip() for line in output.splitlines() if line.strip()), "missing")


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(os.sched_getaffinity(0))} cores, {models[0] if models else platform.machine()}"


def peer_versions(bench: Bench) -> str:
    names = ["pillow-heif", "pillow", "numpy", "opencv-contrib-python-headless", "tifffile", "imagecodecs"]
    names += ["pymatting", "pyvips", "open3d"]
    modules = [f"{name} {version(name)}" for name in names]
    magick = " ".join(first_line(bench.convert, "-version").split()[1:3])
    heif = " ".join(first_line(bench.heif_convert, "--help").split())
    return ", ".join([f"exiftool {first_line('exiftool', '-ver')}", magick, heif, *modules])


def header(bench: Bench, runs: int) -> str:
    return "\n".join(
        [
            f"isobath {first_line(bench.tool, '--version')}; medians of up to {runs} runs in turns.",
            f"Photos: {bench.photos.origin}.",
            f"Machine: {processor()}.",
            f"Peers: {peer_versions(bench)}.",
        ]
    )


def cells(result: Result) -> list[str]:
    unit, goal = result.contest.unit, result.peer.goal
    reached = {None: "–", True: "yes", False: "**no**"}[result.is_reached]
    return [
        result.contest.title,
        "fails" if result.ours is None else unit.show(result.ours),
        result.peer.name,
        "fails" if result.theirs is None else unit.show(result.theirs),
        "–" if result.ratio is None else unit.show_ratio(result.ratio),
        "–" if goal is None else goal.text,
        reached,
    ]


def table(results: list[Result], scratch: Path) -> str:
    """The rows, then numbered remarks, which name no scratch files."""
    rows, numbers = [COLUMNS, ["---"] * len(COLUMNS)], {}
    for result in results:
        row = cells(result)
        for remark in result.remarks:
            number = numbers.setdefault(remark.replace(f"{scratch}/", ""), len(numbers) + 1)
            row[-1] += f" [{number}]"
        rows.append(row)
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "".join(f"\n\n[{number}] {remark}" for remark, number in numbers.items())


def main() -> int:
    arguments = parse_arguments()
    build = ROOT / ".build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=build) as scratch:
        bench = Bench(ROOT, arguments.tool.resolve(), arguments.convert, Path(scratch), find_photos(ROOT))
        results = run(arguments.jobs, arguments.runs, bench)
        print(header(bench, arguments.runs), table(results, bench.scratch), sep="\n\n")
    return 1 if any(result.is_wrong for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
