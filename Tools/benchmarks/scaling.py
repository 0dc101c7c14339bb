"""How time grows with work: writes the section on time and memory of MillionsOfPhotos.md, and its plot.

    .venv/bin/python Tools/benchmarks/scaling.py .build/release/isobath photo.heic…

The first photo with a portrait matte is enlarged and reduced for the second table; all are linked to as many names as
the first and the third table need. Each figure is one run, after one that is not counted. About six minutes.
"""

import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from PIL import Image

Image.MAX_IMAGE_PIXELS = None
CATALOG = Path(__file__).resolve().parents[2] / "Sources/Interfaces/Isobath/Documentation.docc"
HEADING = "\n## Time and memory\n"
FOLDERS = [10, 100, 1_000, 10_000, 100_000]
MEGAPIXELS = [3, 12, 48, 100, 192]
BATCH = 200


def measured(*arguments, outputs=()):
    """The time of a command at its second run, and its peak memory in bytes."""
    elapsed, peak = 0.0, 0
    for _ in range(2):
        for output in outputs:
            subprocess.run(["rm", "-rf", str(output)], check=True)
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(argument) for argument in arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        words = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - start
        if status:
            sys.exit(f"{' '.join(map(str, arguments))} failed: {words.decode()[-400:]}")
        peak = max(peak, usage.ru_maxrss * 1024)
    return elapsed, peak


def linked(folder: Path, photos: list[Path], count: int) -> Path:
    """A folder of `count` names for the photos, a thousand to a folder."""
    for number in range(count):
        photo = photos[number % len(photos)]
        place = folder / f"{number // 1000:03}"
        if number % 1000 == 0:
            place.mkdir(parents=True)
        (place / f"{number:06}{photo.suffix}").hardlink_to(photo)
    return folder


def folders(isobath: Path, photos: list[Path], scratch: Path):
    """Rows of (files, seconds, seconds a file, peak memory)."""
    for count in FOLDERS:
        folder = linked(scratch / f"names-{count}", photos, count)
        elapsed, peak = measured(isobath, "info", "--json", "--recursive", "--quiet", folder)
        yield count, elapsed, elapsed / count, peak


def sized(photo: Path, megapixels: int, path: Path) -> int:
    """The picture at about so many megapixels, as a JPEG; the number of its pixels."""
    with Image.open(photo) as picture:
        factor = math.sqrt(megapixels * 1e6 / (picture.width * picture.height))
        size = round(picture.width * factor), round(picture.height * factor)
        picture.resize(size, Image.Resampling.BICUBIC).save(path, quality=92)
    return size[0] * size[1]


def sizes(isobath: Path, photo: Path, scratch: Path):
    """Rows of (work, pixels, seconds, peak memory)."""
    matte, depth = scratch / "matte.png", scratch / "depth.tiff"
    picture = scratch / "picture.png"
    for plane, output in [("matte", matte), ("photo", picture)]:
        subprocess.run([isobath, "extract", photo, "--plane", plane, "-o", output, "--quiet"], check=True)
    subprocess.run([isobath, "extract", photo, "--as", "depth", "-o", depth, "--quiet"], check=True)
    limit = ["--limit", "pixels=300000000", "--limit", f"memory-bytes={1 << 34}"]
    for megapixels in MEGAPIXELS:
        large = scratch / f"{megapixels}.jpg"
        pixels = sized(picture, megapixels, large)
        output, cloud = scratch / "out.jpg", scratch / "out.ply"
        works = {
            "composite, plain": [
                "composite",
                large,
                "--matte",
                matte,
                "--background",
                "white",
                "--no-refine",
                "-o",
                output,
            ],
            "composite": ["composite", large, "--matte", matte, "--background", "white", "-o", output],
            "blur": ["blur", depth, "--color", large, "-o", output],
            "cloud": ["cloud", depth, "--color", large, "-o", cloud],
        }
        for name, arguments in works.items():
            elapsed, peak = measured(isobath, *arguments, *limit, "--quiet", outputs=[output, cloud])
            print(f"{name}, {megapixels} MP: {elapsed:.2f} s", file=sys.stderr)
            yield name, pixels, elapsed, peak


def cores(isobath: Path, photos: list[Path], scratch: Path):
    """Rows of (work, seconds on one core, seconds on two). One job is not one core: decoders share the work of a
    photo."""
    folder = linked(scratch / "batch", photos, BATCH)
    output = scratch / "planes"
    works = {
        f"`info`, {FOLDERS[2]:,} photos": ["info", "--json", "--recursive", scratch / f"names-{FOLDERS[2]}"],
        f"`extract`, {BATCH} photos": [
            "extract",
            *sorted(folder.glob("*/*")),
            "--format",
            "npy",
            "-o",
            f"{output}/",
        ],
    }
    for name, arguments in works.items():
        times = [
            measured("taskset", "-c", cores, isobath, *arguments, "--quiet", outputs=[output])[0]
            for cores in ("0", "0,1")
        ]
        yield name, *times


def table(columns: list[str], rows) -> str:
    lines = [f"| {' | '.join(columns)} |", "|---|" + "--:|" * (len(columns) - 1)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def plot(series: dict[str, list[tuple[float, float]]], path: Path) -> None:
    """Time a pixel over pixels, both axes logarithmic."""
    width, height, left, bottom, top = 720, 360, 70, 50, 20
    points = [point for row in series.values() for point in row]
    low_x, high_x = (math.log10(bound(x for x, _ in points)) for bound in (min, max))
    low_y, high_y = math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points)))
    place_x = lambda x: left + (math.log10(x) - low_x) / (high_x - low_x) * (width - left - 150)
    place_y = lambda y: height - bottom - (math.log10(y) - low_y) / (high_y - low_y) * (height - bottom - top)
    colors = ["#1b6ca8", "#c8553d", "#588157", "#8d6a9f"]
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for power in range(low_y, high_y + 1):
        y = place_y(10.0**power)
        svg.append(f'<path d="M{left} {y:.1f}H{width - 150}" stroke="#dddddd"/>')
        svg.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for x in sorted({x for x, _ in points}):
        svg.append(f'<text x="{place_x(x):.1f}" y="{height - bottom + 20}" text-anchor="middle">{x / 1e6:.0f}</text>')
    svg.append(
        f'<text x="{(left + width - 150) / 2}" y="{height - 10}" text-anchor="middle">megapixels of the photo</text>'
    )
    svg.append(
        f'<text x="14" y="{height / 2}" text-anchor="middle" transform="rotate(-90 14 {height / 2})">'
        "nanoseconds a pixel</text>"
    )
    lowest = 0.0
    labels = {}
    for name, row in sorted(series.items(), key=lambda item: place_y(item[1][-1][1])):
        labels[name] = lowest = max(place_y(row[-1][1]) + 4, lowest + 16)
    for color, (name, row) in zip(colors, series.items()):
        line = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in row)
        svg.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        svg += [f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3" fill="{color}"/>' for x, y in row]
        svg.append(f'<text x="{width - 142}" y="{labels[name]:.1f}" fill="{color}">{name}</text>')
    path.write_text("\n".join(svg) + "\n</svg>\n")


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({' '.join(model.split())}), {memory:.0f} GiB of memory, {date.today():%B %Y}"


def main() -> None:
    isobath, *names = map(Path, sys.argv[1:])
    # Links need to be on the photos' file system: the photos are copied beside them.
    with tempfile.TemporaryDirectory(dir=CATALOG.parents[2] / ".build") as folder:
        scratch = Path(folder)
        photos = [scratch / f"{number}{name.suffix}" for number, name in enumerate(names)]
        for photo, name in zip(photos, names):
            photo.write_bytes(name.read_bytes())
        portrait = next(
            photo for photo in photos
            if subprocess.run([isobath, "extract", photo, "--plane", "matte", "-o", scratch / "probe.png", "--force"],
                              stderr=subprocess.DEVNULL).returncode == 0)
        by_count = list(folders(isobath, photos, scratch))
        by_size = list(sizes(isobath, portrait, scratch))
        by_core = list(cores(isobath, photos, scratch))
    series: dict[str, list[tuple[float, float]]] = {}
    for name, pixels, elapsed, _ in by_size:
        series.setdefault(name, []).append((pixels, elapsed / pixels * 1e9))
    plot(series, CATALOG / "scaling.svg")
    counts = table(
        ["files", "seconds", "microseconds a file", "peak memory"],
        (
            [f"{count:,}", f"{elapsed:.2f}", f"{each * 1e6:.0f}", f"{peak / 1e6:.0f} MB"]
            for count, elapsed, each, peak in by_count
        ),
    )
    pixels = table(
        ["work", "megapixels", "seconds", "nanoseconds a pixel", "bytes a pixel at the peak"],
        ([name, f"{count / 1e6:.0f}", f"{elapsed:.2f}", f"{elapsed / count * 1e9:.0f}", f"{peak / count:.0f}"]
         for name, count, elapsed, peak in by_size))
    speed = table(
        ["work", "one core", "two cores", "times as fast"],
        ([name, f"{one:.2f} s", f"{two:.2f} s", f"{one / two:.2f}"] for name, one, two in by_core))
    article = CATALOG / "MillionsOfPhotos.md"
    before, heading, _ = article.read_text().partition(HEADING)
    if not heading:
        sys.exit(f"{article} has no section {HEADING.strip()!r}")
    # The section is the last one of the article.
    article.write_text(f"""{before}{heading}
`Tools/benchmarks/scaling.py` measured this and wrote this section on
{machine()}: one run each, after one that is not counted,
files in the page cache.

### More photos

`info --json --recursive` over names of {len(photos)} photos of iPhones:

{counts}

### Larger photos

The photo of an iPhone, reduced and enlarged, with the matte or the depth that it contains:

{pixels}

![Nanoseconds a pixel over megapixels of the photo, a line for each work.](scaling.svg)

### More cores

{speed}
""")


main()
