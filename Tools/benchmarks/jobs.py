"""The jobs: each turns photos into contests between isobath and its peers. `JOBS` lists them all."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pillow_heif import open_heif

import checks
from measure import Contest, Goal, Megabytes, PeakMemory, Peer, PhotosPerSecond, SelfTimed
from measure import Step, WholeProcess
from photos import Photos, disparity_tag, has_heic_depth, heic_size, is_12_megapixels


@dataclass(frozen=True)
class Bench:
    """What a job has at hand: the tool, a scratch folder that goes away, the photos."""

    root: Path
    tool: Path
    convert: str
    scratch: Path
    photos: Photos

    def step(self, *arguments: object, output: str = "stdout") -> Step:
        return Step(arguments, self.scratch / output)

    def isobath(self, *arguments: object, output: str = "isobath.stdout") -> Step:
        return self.step(self.tool, *arguments, output=output)

    def script(self, name: str, *arguments: object) -> Step:
        """A peer script, in the interpreter that runs us."""
        path = self.root / "Tools/benchmarks/peers" / f"{name}.py"
        return self.step(sys.executable, path, *arguments, output=f"{name}.stdout")

    def path(self, name: str) -> Path:
        return self.scratch / name

    def folder(self, name: str) -> Path:
        folder = self.path(name)
        folder.mkdir()
        return folder

    def heap(self, count: int) -> Path:
        """A folder of that many photos, shared by the jobs that only read."""
        folder = self.path(f"{count}-photos")
        if not folder.exists():
            self.photos.copies(count, folder)
        return folder

    @property
    def heif_convert(self) -> str:
        """Newer releases of libheif call it heif-dec."""
        return "heif-convert" if shutil.which("heif-convert") else "heif-dec"

    @property
    def with_depth(self) -> Photos:
        heic = [path for path in self.photos.heic if has_heic_depth(path)]
        jpeg = [path for path in self.photos.jpeg if disparity_tag(path)]
        return Photos(self.photos.origin, heic + jpeg)


def info(bench: Bench) -> Iterable[Contest]:
    """Plain `exiftool -j`: without `-ee`, which would look into embedded images and be slower still."""
    count = 600
    folder = bench.heap(count)
    ours = bench.isobath("info", "--json", "--recursive", folder, output="info.json")
    exiftool = Peer(
        "exiftool -j",
        WholeProcess([bench.step("exiftool", "-j", folder, output="exiftool.json")]),
        Goal(1 / 100, "≥ 100 ×"),
        most_runs=3,
        check=lambda: checks.lists_all(ours.output, count),
    )
    title = f"`info` over {count} photos"
    yield Contest(title, WholeProcess([ours]), [exiftool], PhotosPerSecond(count))


def memory(bench: Bench) -> Iterable[Contest]:
    """The same work over ten times the photos may not take more memory."""
    many, few = (
        PeakMemory(bench.isobath("info", "--json", "--recursive", bench.heap(count))) for count in [600, 60]
    )
    fewer = Peer("isobath, 60 photos", few, Goal(1.1, "≤ 1.1"))
    yield Contest("peak memory of `info` over 600 photos", many, [fewer], Megabytes())


def heic_depth(bench: Bench) -> Iterable[Contest]:
    return (_heic_depth(bench, photo) for photo in bench.photos.heic if has_heic_depth(photo))


def _heic_depth(bench: Bench, photo: Path) -> Contest:
    ours, theirs = bench.path(f"{photo.stem}.isobath.png"), bench.path(f"{photo.stem}.script.png")
    converted = bench.folder(f"{photo.stem}.heif-convert")
    heif_convert = bench.step(bench.heif_convert, "--with-aux", photo, converted / "photo.png")
    return Contest(
        f"HEIC depth to PNG, {photo.stem}",
        WholeProcess([bench.isobath("extract", photo, "-o", ours, "--force")]),
        [
            Peer(
                "pillow-heif script",
                WholeProcess([bench.script("heic_depth", photo, theirs)]),
                Goal(1 / 5, "≤ 1/5"),
                check=lambda: checks.same_codes(ours, theirs),
            ),
            Peer(
                "heif-convert",
                WholeProcess([heif_convert]),
                most_runs=2,
                check=lambda: checks.is_there(converted, "*depth*"),
            ),
        ],
    )


def jpeg_depth(bench: Bench) -> Iterable[Contest]:
    tagged = ((photo, disparity_tag(photo)) for photo in bench.photos.jpeg)
    return (_jpeg_depth(bench, photo, tag) for photo, tag in tagged if tag)


def _jpeg_depth(bench: Bench, photo: Path, tag: str) -> Contest:
    ours, theirs = bench.path(f"{photo.stem}.isobath.png"), bench.path(f"{photo.stem}.convert.png")
    embedded = bench.step("exiftool", "-b", f"-{tag}", photo, output=f"{photo.stem}.embedded.jpg")
    peer = Peer(
        f"exiftool -b -{tag}, convert",
        WholeProcess([embedded, bench.step(bench.convert, embedded.output, theirs)]),
        Goal(1 / 15, "≤ 1/15"),
        check=lambda: checks.same_codes(ours, theirs),
    )
    steps = [bench.isobath("extract", photo, "-o", ours, "--force")]
    return Contest(f"JPEG depth to PNG, {photo.stem}", WholeProcess(steps), [peer])


def folder_depth(bench: Bench) -> Iterable[Contest]:
    count = 200
    inputs = bench.with_depth.copies(count, bench.path("folder"))
    ours, theirs = bench.folder("folder.isobath"), bench.folder("folder.script")
    script = Peer(
        "pillow-heif and Pillow script",
        WholeProcess([bench.script("folder_depth", theirs, *inputs)]),
        most_runs=3,
        check=lambda: checks.same_folders(ours, theirs),
    )
    steps = [bench.isobath("extract", *inputs, "--output-directory", ours, "--force")]
    title = f"depth of {count} HEIC and JPEG to PNG, one process"
    yield Contest(title, WholeProcess(steps), [script], PhotosPerSecond(count))


def photo_pixels(bench: Bench) -> Iterable[Contest]:
    """In process on both sides: writing the pixels to a file would cost more than decoding them."""
    if not bench.photos.heic:
        return
    photo = next(filter(is_12_megapixels, bench.photos.heic), bench.photos.heic[0])
    passes = 5
    script = Peer(
        "pillow-heif",
        SelfTimed(bench.script("decode_heic", photo, passes)),
        Goal(0.6, "≤ 0.6"),
        check=lambda: _check_photo(bench, photo),
    )
    ours = SelfTimed(bench.step(_decode_bench(bench), photo, passes, output="DecodeBench.stdout"))
    width, height = heic_size(photo)
    yield Contest(f"HEIC photo to pixels, {width} × {height}, {photo.stem}", ours, [script])


def _decode_bench(bench: Bench) -> Path:
    """Builds the in-process half; should that fail, running it will say so."""
    package, build = bench.root / "Tools/benchmarks/DecodeBench", bench.root / ".build/bench"
    command = ["swift", "build", "-c", "release", "--package-path", package, "--scratch-path", build]
    subprocess.run(command, stdout=sys.stderr, check=False)
    return build / "release/DecodeBench"


def _check_photo(bench: Bench, photo: Path) -> str | None:
    ours = bench.path("photo.png")
    bench.isobath("extract", photo, "--plane", "photo", "-o", ours, "--force").run()
    return checks.nearly_same_pixels(ours, open_heif(photo).to_pillow())


@dataclass(frozen=True)
class Job:
    """A name for `--jobs`, and what it compares."""

    name: str
    contests: Callable[[Bench], Iterable[Contest]]


JOBS = [
    Job("info", info),
    Job("memory", memory),
    Job("heic", heic_depth),
    Job("jpeg", jpeg_depth),
    Job("folder", folder_depth),
    Job("photo", photo_pixels),
]
