"""Movies with each version of FFmpeg that `isobath` knows: the system's, and those that PyAV's wheels bring."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

from pipes import COUNT, HEIGHT, RATE, SIZE, WIDTH, closer_than, ffmpeg, frames, pipe, scene, source

# Wheels of PyAV, and the versions of FFmpeg inside.
WHEELS = {"12.3.0": "6.1", "13.1.0": "7.0", "16.1.0": "8.0", "19.0.2": "9.0"}
PLATFORMS = ["manylinux_2_17_x86_64", "manylinux_2_28_x86_64"]


def libraries(version, folder):
    """A folder of the libraries in a wheel, under the names that programs look for."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--only-binary=:all:", "--python-version", "3.12", *(f"--platform={name}" for name in PLATFORMS),
         "--dest", str(folder), f"av=={version}"], check=True)
    subprocess.run([sys.executable, "-m", "zipfile", "-e", *map(str, folder.glob("*.whl")), str(folder)], check=True)
    found = folder / "av.libs"
    for name in ["avutil", "avcodec", "avformat", "swscale"]:
        library = next(found.glob(f"lib{name}-*.so.*"))
        (found / f"lib{name}.so.{library.name.split('.so.')[1].split('.')[0]}").symlink_to(library.name)
    return found


def version_checks(tool, version, folder, environment, check):
    def isobath(*arguments):
        done = subprocess.run([tool, *map(str, arguments)], env=environment, capture_output=True, cwd=folder)
        assert done.returncode == 0, done.stderr.decode().strip()
        return done.stdout

    def decoded(path, pixels="rgb24"):
        return pipe(ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", pixels, "-"))

    def probe(path, entries, stream):
        return pipe(["ffprobe", "-v", "error", "-count_packets", "-select_streams", stream, "-show_entries",
                     f"stream={entries}", "-of", "csv=p=0", str(path)]).decode().strip()

    def is_loaded():
        found = json.loads(isobath("info", "--formats", "--json"))["libraries"]
        found = next(library for library in found if library["name"] == "FFmpeg")["version"]
        assert found and (version is None or found.startswith(version)), found

    check(f"FFmpeg {version or 'of the system'} is loaded", is_loaded)
    name = f"with FFmpeg {version or 'of the system'}"

    depth = scene()
    (folder / "depth.raw").write_bytes(depth.tobytes())
    (folder / "color.y4m").write_bytes(pipe(source("-f", "yuv4mpegpipe", "-pix_fmt", "yuv420p")))
    picture = frames(decoded(folder / "color.y4m"), HEIGHT, WIDTH, 3)

    def lossless():
        isobath("extract", "depth.raw", "--raw-depth", f"gray16le,{SIZE}", "--frame-rate", RATE, "--scale", "1000",
                "--values", "millimeters", "-o", "depth.mkv")
        found = isobath("extract", "depth.mkv", "--values", "millimeters", "--format", "gray16le", "-o", "-")
        found = frames(found, HEIGHT, WIDTH)
        assert np.array_equal(found, depth), np.argwhere(found != depth)[:3]

    check(f"depth is the same after FFV1 {name}", lossless)

    for output, codec in [("h264.mp4", "h264"), ("hevc.mp4", "hevc"), ("ffv1.mkv", "ffv1")]:
        def coded(output=output, codec=codec):
            isobath("extract", "color.y4m", "--plane", "photo", "--codec", codec, "-o", output)
            found = probe(folder / output, "codec_name,nb_read_packets", "v:0")
            assert found == f"{codec},{COUNT}", found
            closer_than(25, frames(decoded(folder / output), HEIGHT, WIDTH, 3), picture)
            isobath("extract", output, "--plane", "photo", "-o", f"{codec}.y4m")
            read = frames(decoded(folder / f"{codec}.y4m"), HEIGHT, WIDTH, 3)
            closer_than(35, read, frames(decoded(folder / output), HEIGHT, WIDTH, 3))

        check(f"{output} is written and read as the command ffmpeg reads it, {name}", coded)

    for output in ["movie.webp", "movie.apng"]:
        def animated(output=output):
            isobath("extract", "color.y4m", "--plane", "photo", "-o", output)
            with Image.open(folder / output) as movie:
                assert (movie.size, movie.n_frames) == ((WIDTH, HEIGHT), COUNT), (movie.size, movie.n_frames)

        check(f"{output} has all frames for Pillow, {name}", animated)

    def sound():
        pipe(ffmpeg("-i", folder / "color.y4m", "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "mpeg4", "-q:v", "2",
                    "-c:a", "aac", folder / "sound.mov"))
        isobath("extract", "sound.mov", "--plane", "photo", "-o", "copied.mp4")
        wanted = int(probe(folder / "sound.mov", "nb_read_packets", "a:0"))
        found = int(probe(folder / "copied.mp4", "nb_read_packets", "a:0"))
        # The time before the first frame may hold one packet.
        assert wanted - 1 <= found <= wanted, (found, wanted)

    check(f"sound is copied {name}", sound)

    def alpha():
        pipe(ffmpeg("-i", folder / "color.y4m", "-vf", "format=argb", "-c:v", "qtrle", folder / "alpha.mov"))
        isobath("extract", "alpha.mov", "--plane", "photo", "-o", "opaque.y4m")
        closer_than(35, frames(decoded(folder / "opaque.y4m"), HEIGHT, WIDTH, 3), picture)

    check(f"the colors of a movie with alpha are read {name}", alpha)

    def eyes():
        spatial = pathlib.Path(os.environ["ISOBATH_MOVIES"], "spatial.mov")
        isobath("extract", spatial, "--plane", "right", "-o", "right.y4m")
        truth = np.fromfile(spatial.with_name("r.yuv"), np.uint8).reshape(8, -1).astype(float)
        found = np.frombuffer(decoded(folder / "right.y4m", "yuv420p"), np.uint8).reshape(-1, truth.shape[1])
        # The file lists its frames at times of others, so FFmpeg delivers fewer of them, in another order.
        nearest = [min(truth, key=lambda wanted: ((wanted - frame) ** 2).mean()) for frame in found]
        assert len(found) >= 6, len(found)
        closer_than(30, found, np.array(nearest))

    if version in ["8.0", "9.0"] and "ISOBATH_MOVIES" in os.environ:
        check(f"the second eye of a spatial video is read {name}", eyes)


def checks(isobath, folder, check, _same):
    """Runs the checks of all versions, counted by the function `check` of check.py."""
    for wheel, version in [(None, None), *WHEELS.items()]:
        scratch = folder / f"movies-{version}"
        scratch.mkdir()
        environment = dict(os.environ)
        if wheel:
            environment["LD_LIBRARY_PATH"] = str(libraries(wheel, scratch))
        version_checks(isobath, version, scratch, environment, check)
