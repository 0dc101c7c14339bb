"""The jobs: each turns photos into contests between isobath and its peers. `JOBS` lists them all."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image
from pillow_heif import open_heif

import checks
import scene
import strands
from measure import (
    CommandFailed,
    Contest,
    Fixed,
    Goal,
    Megabytes,
    PeakMemory,
    Peer,
    Percentile,
    Percentiles,
    PhotosPerSecond,
    ProcessorTime,
    SelfTimed,
    Step,
    WholeProcess,
)
from photos import Photos, disparity_tag, has_heic_depth, heic_size, is_12_megapixels


@cache
def _in_process_bench(root: Path) -> Path:
    """Builds our half of what is timed in process; should that fail, running it will say so."""
    build = root / ".build/bench"
    command = ["swift", "build", "-c", "release", "--package-path", root, "--scratch-path", build]
    environment = os.environ | {"ISOBATH_DEVELOPMENT": "1"}
    subprocess.run([*command, "--product", "InProcessBench"], env=environment, stdout=sys.stderr, check=False)
    return build / "release/InProcessBench"


@cache
def _python_package(root: Path) -> None:
    """Builds the wheel and installs it where we run; should that fail, running a script with it will say so."""
    built = subprocess.run([root / "Tools/wheel"], stdout=subprocess.PIPE, text=True, check=False)
    wheel = built.stdout.strip().rpartition("\n")[2]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*install, "--force-reinstall", wheel], stdout=sys.stderr, check=False)


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

    def array(self, name: str) -> Path:
        """One of the arrays of `scene.py`, which are written once."""
        folder = self.path("scene")
        if not folder.exists():
            scene.write_arrays(folder)
        return folder / f"{name}.npy"

    def portrait(self, name: str) -> Path:
        """One of the arrays of `strands.py`, which are written once."""
        folder = self.path("portrait")
        if not folder.exists():
            folder.mkdir()
            strands.write_arrays(folder, *strands.PHOTO, strands=300)
        return folder / f"{name}.npy"

    def in_process(self, work: str, *arguments: object) -> SelfTimed:
        """Our half of work that is timed inside both processes."""
        return SelfTimed(self.step(_in_process_bench(self.root), work, *arguments, output=f"{work}.stdout"))

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
        Goal(1 / 150, "≥ 150 ×"),
        most_runs=3,
        check=lambda: checks.lists_all(ours.output, count),
    )
    title = f"`info` over {count} photos"
    yield Contest(title, WholeProcess([ours]), [exiftool], PhotosPerSecond(count))
    heic = [path for path in folder.iterdir() if path.suffix.lower() == ".heic"]
    if not heic:
        return
    names = bench.path("heic-photos.txt")
    names.write_text("\0".join(map(str, heic)))
    listing = bench.isobath("info", "--json", "--files0-from", names, output="info-heic.json")
    libheif = Peer(
        "libheif, all in one process",
        WholeProcess([bench.script("list_libheif", *heic)]),
        Goal(1 / 2, "≥ 2 ×"),
        check=lambda: checks.lists_all(listing.output, len(heic)),
    )
    yield Contest(f"`info` over {len(heic)} HEIC", WholeProcess([listing]), [libheif], PhotosPerSecond(len(heic)))


def start(bench: Bench) -> Iterable[Contest]:
    """What a run costs that does nothing."""
    limit = Peer("a few milliseconds", Fixed(0.003), Goal(1, "≤ 3 ms"))
    yield Contest("start of the process (`--version`)", WholeProcess([bench.isobath("--version")]), [limit])


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
        WholeProcess([bench.isobath("extract", photo, "-o", ours)], [ours]),
        [
            Peer(
                "pillow-heif script",
                WholeProcess([bench.script("heic_depth", photo, theirs)], [theirs]),
                Goal(1 / 8, "≤ 1/8"),
                check=lambda: checks.same_codes(ours, theirs),
            ),
            Peer(
                "heif-convert",
                WholeProcess([heif_convert], [converted]),
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
        WholeProcess([embedded, bench.step(bench.convert, embedded.output, theirs)], [theirs]),
        Goal(1 / 15, "≤ 1/15"),
        check=lambda: checks.same_codes(ours, theirs),
    )
    steps = [bench.isobath("extract", photo, "-o", ours)]
    return Contest(f"JPEG depth to PNG, {photo.stem}", WholeProcess(steps, [ours]), [peer])


def embed(bench: Bench) -> Iterable[Contest]:
    """A map goes back into its photo: we copy the coded picture, the peer codes it again, and has no way to put depth
    in."""
    for photo in (photo for photo in bench.photos.heic if has_heic_depth(photo)):
        depth = bench.path(f"{photo.stem}.map.png")
        subprocess.run([bench.tool, "extract", "--quiet", photo, "-o", depth], check=True)
        ours, theirs = bench.path(f"{photo.stem}.embedded.heic"), bench.path(f"{photo.stem}.again.heic")
        peer = Peer(
            "pillow-heif, photo only",
            WholeProcess([bench.script("reencode_heic", photo, theirs)], [theirs]),
            Goal(1 / 5, "≤ 1/5"),
            most_runs=1,
            check=lambda ours=ours, photo=photo: checks.same_depth(ours, photo),
        )
        steps = [bench.isobath("embed", photo, "--depth", depth, "--replace", "-o", ours)]
        yield Contest(f"depth into HEIC, {photo.stem}", WholeProcess(steps, [ours]), [peer])


def folder_depth(bench: Bench) -> Iterable[Contest]:
    count = 200
    inputs = bench.with_depth.copies(count, bench.path("folder"))
    ours, theirs = bench.folder("folder.isobath"), bench.folder("folder.script")
    script = Peer(
        "pillow-heif and Pillow script",
        WholeProcess([bench.script("folder_depth", theirs, *inputs)], [theirs]),
        most_runs=3,
        check=lambda: checks.same_folders(ours, theirs),
    )
    steps = [bench.isobath("extract", *inputs, "-o", f"{ours}/")]
    title = f"depth of {count} HEIC and JPEG to PNG, one process"
    yield Contest(title, WholeProcess(steps, [ours]), [script], PhotosPerSecond(count))


def python_arrays(bench: Bench) -> Iterable[Contest]:
    """Arrays of meters in Python, on two threads; the tool writes the same arrays as files."""
    heic = Photos(bench.photos.origin, [path for path in bench.photos.heic if has_heic_depth(path)])
    if not heic.paths:
        return
    _python_package(bench.root)
    count = 100
    inputs = heic.copies(count, bench.path("arrays"))
    written = bench.folder("arrays.isobath")
    extract = ["extract", "--as", "depth", "--format", "npy", *inputs, "-o", f"{written}/"]
    peers = [
        Peer("isobath extract to NPY", WholeProcess([bench.isobath(*extract)], [written]), Goal(1 / 0.9, "≥ 0.9 ×")),
        Peer("pillow-heif", SelfTimed(bench.script("arrays_pillow_heif", *inputs)), Goal(1 / 6, "≥ 6 ×")),
    ]
    ours = SelfTimed(bench.script("arrays_isobath", *inputs))
    yield Contest(f"depth of {count} HEIC as arrays, in Python", ours, peers, PhotosPerSecond(count))


def photo_pixels(bench: Bench) -> Iterable[Contest]:
    """In process on both sides: writing the pixels to a file would cost more than decoding them."""
    if not bench.photos.heic:
        return
    photo = next(filter(is_12_megapixels, bench.photos.heic), bench.photos.heic[0])
    passes = 5
    script = Peer(
        "pillow-heif",
        SelfTimed(bench.script("decode_heic", photo, passes)),
        Goal(0.4, "≤ 0.4"),
        check=lambda: _check_photo(bench, photo),
    )
    ours = bench.in_process("photo", passes, photo)
    width, height = heic_size(photo)
    yield Contest(f"HEIC photo to pixels, {width} × {height}, {photo.stem}", ours, [script])
    written, theirs = bench.path("photo-written.png"), bench.path("photo-peer.png")
    peer = Peer(
        "pillow-heif, Pillow level 1",
        WholeProcess([bench.script("heic_to_png", photo, theirs)], [theirs]),
        Goal(1 / 3, "≤ 1/3"),
        check=lambda: checks.nearly_same_pixels(written, theirs),
    )
    steps = [bench.isobath("extract", photo, "--plane", "photo", "-o", written)]
    yield Contest(f"HEIC photo to PNG, {photo.stem}", WholeProcess(steps, [written]), [peer])


def _check_photo(bench: Bench, photo: Path) -> str | None:
    ours = bench.path("photo.png")
    bench.isobath("extract", photo, "--plane", "photo", "-o", ours, "--force").run()
    return checks.nearly_same_pixels(ours, open_heif(photo).to_pillow())


def reciprocal(bench: Bench) -> Iterable[Contest]:
    ours, theirs, halves = bench.path("reciprocal.npy"), bench.path("numpy.npy"), bench.array("halves")
    numpy = Peer(
        "numpy",
        SelfTimed(bench.script("reciprocal", 5, halves, theirs)),
        Goal(1 / 2, "≤ 1/2"),
        check=lambda: checks.same_values(ours, theirs),
    )
    work = bench.in_process("reciprocal", 5, halves, ours)
    yield Contest("half → float → reciprocal, 12 MP", work, [numpy])


def upsample(bench: Bench) -> Iterable[Contest]:
    """From the same small map and photo; ours may not be further from the scene."""
    ours, theirs = bench.path("upsampled.npy"), bench.path("opencv.npy")
    arrays = [bench.array(name) for name in ["map", "guide"]]
    opencv = Peer(
        "OpenCV guidedFilter",
        SelfTimed(bench.script("guided_filter", 3, *arrays, theirs)),
        Goal(0.6, "≤ 0.6"),
        most_runs=3,
        check=lambda: checks.no_further_off(ours, theirs, bench.array("truth")),
    )
    title = "color-guided upsampling, 768 × 576 to 4032 × 3024"
    yield Contest(title, bench.in_process("upsample", 3, *arrays, ours), [opencv])


def png16(bench: Bench) -> Iterable[Contest]:
    codes, ours = bench.array("codes"), bench.path("png16.png")
    peers = [
        _pillow(bench, "Pillow, compress_level=1", ours, "1"),
        _pillow(bench, "Pillow, its default level", ours),
    ]
    yield Contest("16-bit PNG, 12 MP", bench.in_process("png16", 3, codes, ours), peers)


def _pillow(bench: Bench, name: str, ours: Path, *level: str) -> Peer:
    theirs = bench.path(f"pillow{''.join(level)}.png")
    return Peer(
        name,
        SelfTimed(bench.script("save_png", 1, bench.array("codes"), theirs, *level)),
        Goal(1, "≤ 1"),
        most_runs=3,
        check=lambda: checks.same_codes(ours, theirs),
    )


def tiff(bench: Bench) -> Iterable[Contest]:
    ours, theirs, samples = bench.path("isobath.tiff"), bench.path("tifffile.tiff"), bench.array("truth")
    tifffile = Peer(
        "tifffile, deflate",
        SelfTimed(bench.script("save_tiff", 3, samples, theirs)),
        Goal(1, "≤ 1"),
        check=lambda: checks.same_values(ours, theirs),
    )
    yield Contest("Float32 TIFF, 12 MP", bench.in_process("tiff", 3, samples, ours), [tifffile])


def composite(bench: Bench) -> Iterable[Contest]:
    """The plain blend beside the peers', then what full quality costs beside the plain blend."""
    photo, matte = _photo_with_matte(bench)
    if photo is None:
        return
    background, theirs = bench.path("background.jpg"), bench.path("composite.peer.jpg")
    pixels = scene.write_background(photo, background)
    steps = {
        name: bench.isobath(
            "composite", photo, "--background", background, "-o", bench.path(f"{name}.jpg"), "--force", *flags
        )
        for name, flags in {
            "plain": ["--matte", matte, "--no-refine"],
            "full": [],
        }.items()
    }
    scripts = {"Pillow": "composite_pillow", "OpenCV": "composite_opencv", "pyvips": "composite_pyvips"}
    magick = [background, photo, "(", matte, "-resize", f"{pixels[0]}x{pixels[1]}!", ")"]
    works = {name: bench.script(script, photo, background, matte, theirs) for name, script in scripts.items()}
    works["ImageMagick"] = bench.step(bench.convert, *magick, "-composite", "-quality", 92, theirs)
    peers = [
        Peer(
            name,
            WholeProcess([work], [theirs]),
            Goal(1 / 3, "≤ 1/3"),
            most_runs=3,
            check=lambda: checks.nearly_same_pixels(bench.path("plain.jpg"), theirs),
        )
        for name, work in works.items()
    ]
    title = f"matte composite, JPEG in and out, {pixels[0]} × {pixels[1]}"
    ours = {name: WholeProcess([step], [bench.path(f"{name}.jpg")]) for name, step in steps.items()}
    yield Contest(f"{title}, plain", ours["plain"], peers)
    pillow = Peer("Pillow, plain", WholeProcess([works["Pillow"]], [theirs]), Goal(1.5, "≤ 1.5"), most_runs=3)
    yield Contest(f"{title}, full quality", ours["full"], [pillow])
    for name in ["plain", "full"]:
        yield _peak_memory(f"{name} composite", steps[name], pixels)


def _peak_memory(work: str, step: Step, pixels: tuple[int, int]) -> Contest:
    """The tool itself, its libraries and its tables take about 15 MB."""
    allowed = Peer("16 bytes a pixel", Fixed(pixels[0] * pixels[1] * 16 + 15e6), Goal(1, "≤ 1"))
    return Contest(f"peak memory, {work}", PeakMemory(step), [allowed], Megabytes())


def blur(bench: Bench) -> Iterable[Contest]:
    photo, _ = _photo_with_matte(bench)
    if photo is None:
        return
    ours = bench.path("blur.jpg")
    step = bench.isobath("blur", photo, "-o", ours)
    limit = Peer("seconds, not minutes", Fixed(5), Goal(1, "≤ 5 s"))
    yield Contest("synthetic aperture of the same photo", WholeProcess([step], [ours]), [limit])
    with Image.open(photo) as picture:
        pixels = picture.size
    yield _peak_memory("synthetic aperture", bench.isobath("blur", photo, "-o", ours, "--force"), pixels)


def cloud(bench: Bench) -> Iterable[Contest]:
    """12 MP of depth and color to a PLY on disk, from arrays in memory on both sides."""
    arrays = [bench.array(name) for name in ["depth", "guide"]]
    ours, theirs = bench.path("isobath.ply"), bench.path("peer.ply")
    passes = 3
    peers = [
        Peer(
            f"Open3D, {kind} API",
            SelfTimed(bench.script("cloud_open3d", kind, passes, *arrays, scene.FOCAL, theirs)),
            Goal(1 / 6, "≤ 1/6"),
            most_runs=2,
            check=lambda: checks.same_cloud(ours, theirs),
        )
        for kind in ["legacy", "tensor"]
    ]
    numpy = SelfTimed(bench.script("cloud_numpy", passes, *arrays, scene.FOCAL, theirs))
    peers.append(
        Peer("numpy", numpy, Goal(1 / 2, "≤ 1/2"), check=lambda: checks.same_cloud(ours, theirs))
    )
    work = bench.in_process("cloud", passes, *arrays, scene.FOCAL, ours)
    yield Contest("12 MP depth and color to PLY", work, peers)
    for photo in bench.with_depth.paths[:2]:
        script = Peer(
            "Open3D script",
            WholeProcess([bench.script("cloud_photo", photo, theirs)], [theirs]),
            Goal(1 / 12, "≤ 1/12"),
            most_runs=2,
        )
        step = bench.isobath("cloud", photo, "-o", ours)
        yield Contest(f"photo to PLY, {photo.stem}", WholeProcess([step], [ours]), [script])


def _percentiles(title: str, ours: Step, name: str, theirs: Step, goal: Goal) -> Iterable[Contest]:
    """Rows for p50, p95 and p99 of a frame; the first has the goal."""
    ours, theirs = Percentiles(ours), Percentiles(theirs)
    for place, wanted in enumerate(["p50", "p95", "p99"]):
        peer = Peer(name, Percentile(theirs, place), goal if place == 0 else None)
        yield Contest(f"{title}, {wanted}", Percentile(ours, place), [peer])


def sequence(bench: Bench) -> Iterable[Contest]:
    """Milliseconds of rendering one frame of 1280 × 720 with depth of 256 × 192, decoding and writing apart."""
    frames = bench.path("frames.raw")
    bench.script("sequence_opencv", "scene", frames).run()
    flags = (
        "--raw rgb24,1280x720 --raw-depth gray16le,256x192 --scale 1000".split()
    )
    flags += ["--frame-rate", "30", "--json", "--force", "-o", bench.path("out.y4m")]
    works = {
        "depth view": ("depth", "extract", ["--upsample"]),
        "mask, edges followed": ("mask", "composite", ["--far", "3", "--background", "#208040"]),
    }
    for title, (name, verb, view) in works.items():
        ours = bench.isobath(verb, frames, *flags, *view)
        times = bench.script("sequence_opencv", "percentiles", *ours.arguments)
        opencv = bench.script("sequence_opencv", name, frames)
        yield from _percentiles(f"{title}, 720p", times, "OpenCV", opencv, Goal(1 / 2, "≤ 1/2"))


def recordings(bench: Bench) -> Iterable[Contest]:
    """640 × 480: depth in colors, layers and tracking for a frame; a pipe as a whole; fusion, and its memory."""
    names = ["depth", "square"]
    depth, square = [bench.path(f"{name}.raw") for name in names]
    for name, path in zip(names, [depth, square]):
        bench.script("recording_peers", name, path).run()
    room = bench.path("room")
    bench.script("recording_peers", "room", room, 60).run()
    frame = "--raw-depth gray16le,640x480 --scale 1000 --force".split()
    flags = [*frame, "--frame-rate", "30"]
    command = bench.isobath(
        "extract", depth, *flags, "--near", "0.9", "--far", "3", "--json", "-o", bench.path("out.y4m")
    )
    ours = bench.script("recording_peers", "percentiles", "render", *command.arguments)
    theirs = bench.script("recording_peers", "colors", depth)
    yield from _percentiles(
        "depth in colors, 640 × 480", ours, "OpenCV table and applyColorMap", theirs, Goal(1, "≤ 1")
    )
    # Decoding, colors whose range follows the scene, and writing.
    arguments = bench.isobath("extract", depth, *flags, "--format", "rgb24", "-o", "-").arguments
    pipe = bench.step("sh", "-c", 'exec "$0" "$@" >/dev/null', *arguments)
    limit = Peer("1,000 frames a second", Fixed(0.15), Goal(1, "≤ 1"))
    yield Contest("150 frames of 640 × 480 from raw to raw, processor time", ProcessorTime(pipe), [limit])
    color = ["--raw", "rgb24,640x480"]
    layer = bench.path("layer.png")
    bench.isobath("extract", depth, *frame, "--frame", "0", "-o", layer).run()
    placement = ["--layer", layer, "--layer-distance", "2", "--camera", "500"]
    command = bench.isobath(
        "composite", square, *color, *flags, *placement, "--json", "-o", bench.path("layer.y4m")
    )
    ours = Percentiles(bench.script("recording_peers", "percentiles", "render", *command.arguments))
    limit = Peer("10 ms", Fixed(10), Goal(1, "≤ 1"))
    yield Contest("a layer in a frame of 640 × 480, p50", Percentile(ours, 0), [limit])
    box = "200px,160px,120px,120px"
    command = bench.isobath(
        "follow", square, *color, *flags, "--box", box, "--json", "-o", bench.path("track.csv")
    )
    ours = bench.script("recording_peers", "percentiles", "follow", *command.arguments)
    kcf = bench.script("recording_peers", "follow", square)
    yield from _percentiles("following a square, 640 × 480", ours, "OpenCV KCF", kcf, Goal(1, "≤ 1"))
    ours_cloud, theirs_cloud = bench.path("room.ply"), bench.path("room-open3d.ply")
    # Only a surface that is at least as exact counts.
    is_exact = lambda: checks.no_further_off_walls(ours_cloud, theirs_cloud)
    for voxel in ["0.02", "0.01"]:
        fuse = bench.script("recording_peers", "fuse", room, voxel, theirs_cloud)
        step = bench.isobath("cloud", room, "--voxel", voxel, "-o", ours_cloud, "--force")
        step.run()
        title = f"60 frames of 640 × 480 fused at {float(voxel) * 100:.0f} cm"
        speed = Peer("Open3D ScalableTSDF", SelfTimed(fuse), Goal(1 / 2, "≤ 1/2"), most_runs=2, check=is_exact)
        ours = bench.in_process("fuse", 3, room, voxel)
        yield Contest(f"{title}, processor time of a frame", ours, [speed])
        both = bench.script("recording_peers", "integrate", room, voxel, theirs_cloud)
        speed = Peer("Open3D ScalableTSDF, all threads", SelfTimed(both), Goal(1 / 2, "≤ 1/2"), most_runs=2)
        ours = bench.in_process("fuse-elapsed", 3, room, voxel)
        yield Contest(f"{title}, time of a frame", ours, [speed])
        memory = Peer("Open3D ScalableTSDF", PeakMemory(fuse), Goal(1 / 2, "≤ 1/2"), most_runs=2)
        yield Contest(f"{title}, peak memory", PeakMemory(step), [memory], Megabytes())


def _photo_with_matte(bench: Bench) -> tuple[Path | None, Path]:
    """The first JPEG that has a portrait matte, and the matte as a PNG."""
    matte = bench.path("matte.png")
    for photo in bench.photos.jpeg:
        try:
            bench.isobath("extract", photo, "--plane", "matte", "-o", matte, "--force").run()
            return photo, matte
        except CommandFailed:
            continue
    return None, matte


def foreground(bench: Bench) -> Iterable[Contest]:
    """From the same matte; before a new background ours may not be further from the scene."""
    ours, theirs = bench.path("foreground.npy"), bench.path("pymatting.npy")
    arrays = [bench.portrait(name) for name in ["photo", "matte-1"]]
    others = [bench.portrait(name) for name in ["background", "truth"]]
    pymatting = Peer(
        "PyMatting estimate_foreground_ml",
        SelfTimed(bench.script("foreground", 3, *arrays, theirs)),
        Goal(1 / 5, "≤ 1/5"),
        most_runs=3,
        check=lambda: checks.composite_no_further_off(ours, theirs, arrays[1], *others),
    )
    yield Contest("foreground colors, 12 MP", bench.in_process("foreground", 3, *arrays, ours), [pymatting])


def networks(bench: Bench) -> Iterable[Contest]:
    """The matte of a network, not refined, and a cut-out with it, whole process on one thread: time and memory."""
    models = os.environ.get("ISOBATH_MODELS")
    if not models:
        return
    model, python = Path(models) / "u2netp.onnx", _rembg(bench.root)
    script = bench.root / "Tools/benchmarks/peers/matte_network.py"
    for photo in _portraits(bench):
        ours = {name: bench.path(f"{photo.stem}.{name}.png") for name in ["matte", "cut-out"]}
        common = ["--model", model, "--jobs", "1", "--quiet", "--force", "-o"]
        matte = bench.isobath("extract", photo, "--plane", "matte", *common, ours["matte"])
        cut = ["composite", photo, "--background", "none", "--no-refine"]
        cut_out = bench.isobath(*cut, *common, ours["cut-out"])
        works = {
            "onnxruntime": (matte, "matte", "Python onnxruntime", 0.9, 1),
            "mask": (matte, "matte", "rembg, mask only", 1 / 2, 1 / 2),
            "cut-out": (cut_out, "cut-out", "rembg", 1 / 2, 1 / 2),
        }
        for work, (step, result, name, time, memory) in works.items():
            theirs = bench.path(f"{photo.stem}.{work}.peer.png")
            peer = bench.step(python, script, work, photo, model, 1, theirs)
            same = lambda result=result, theirs=theirs: checks.same_matte(ours[result], theirs)
            title = f"network's {result}, u2netp, {photo.stem}"
            times = [WholeProcess([each], [path]) for each, path in [(step, ours[result]), (peer, theirs)]]
            goal = Goal(time, f"≤ {time:.2g}")
            yield Contest(title, times[0], [Peer(name, times[1], goal, most_runs=3, check=same)])
            goal = Goal(memory, f"≤ {memory:.2g}")
            yield Contest(
                f"{title}, peak memory",
                PeakMemory(step),
                [Peer(name, PeakMemory(peer), goal, most_runs=2)],
                Megabytes(),
            )


def _portraits(bench: Bench) -> Iterable[Path]:
    """The photos that hold a portrait matte: one of each container."""
    for paths in [bench.photos.jpeg, bench.photos.heic]:
        for photo in paths:
            try:
                bench.isobath("extract", photo, "--plane", "matte", "-o", bench.path("any.png"), "--force").run()
            except CommandFailed:
                continue
            yield photo
            break


@cache
def _rembg(root: Path) -> Path:
    """Python with rembg, in an environment of its own: it wants other versions than the peers of other jobs."""
    folder = root / ".build/matting"
    prepare = 'source "$0/Tools/shared.sh" && python_environment "$1" matting'
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run(["bash", "-c", prepare, root, folder], env=environment, stdout=sys.stderr, check=True)
    return folder / "bin/python"


@dataclass(frozen=True)
class Job:
    """A name for `--jobs`, and what it compares."""

    name: str
    contests: Callable[[Bench], Iterable[Contest]]


JOBS = [
    Job("info", info),
    Job("start", start),
    Job("memory", memory),
    Job("heic", heic_depth),
    Job("jpeg", jpeg_depth),
    Job("embed", embed),
    Job("folder", folder_depth),
    Job("python", python_arrays),
    Job("photo", photo_pixels),
    Job("reciprocal", reciprocal),
    Job("upsample", upsample),
    Job("foreground", foreground),
    Job("png16", png16),
    Job("tiff", tiff),
    Job("composite", composite),
    Job("blur", blur),
    Job("cloud", cloud),
    Job("sequence", sequence),
    Job("recordings", recordings),
    Job("networks", networks),
]
