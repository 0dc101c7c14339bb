"""Frames through pipes between ffmpeg and `isobath`, live on both sides: their number and their values, against the
same work on files."""

import subprocess

import numpy as np

WIDTH, HEIGHT, COUNT, RATE = 160, 120, 25, 25
SIZE = f"{WIDTH}x{HEIGHT}"
DEPTH_FLAGS = ["--raw-depth", f"gray16le,{SIZE}", "--frame-rate", str(RATE), "--scale", "1000"]


def ffmpeg(*arguments):
    return ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]


def source(*arguments):
    """ffmpeg's moving test picture."""
    return ffmpeg("-f", "lavfi", "-i", f"testsrc=size={SIZE}:rate={RATE}:duration={COUNT / RATE}", *arguments, "-")


def raw(pixels, *arguments):
    """ffmpeg reading frames without a header from its standard input."""
    return ffmpeg("-f", "rawvideo", "-pix_fmt", pixels, "-s", SIZE, "-r", RATE, "-i", "-", *arguments)


def pipe(*commands):
    """What the last command of a pipe prints; every one must succeed."""
    running, former = [], subprocess.DEVNULL
    for command in commands:
        running.append(subprocess.Popen(command, stdin=former, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        if former is not subprocess.DEVNULL:
            former.close()
        former = running[-1].stdout
    output = former.read()
    for process, command in zip(running, commands):
        message = process.stderr.read().decode()
        if process.wait() != 0:
            raise AssertionError(f"{command[0]} exits with {process.returncode}: {message.strip()}")
    return output


def frames(data, *shape):
    """The frames in raw bytes of one or two a sample; their number must be right."""
    kind = np.uint8 if len(shape) == 3 else np.dtype("<u2")
    found = np.frombuffer(data, kind)
    if found.size != COUNT * np.prod(shape):
        raise AssertionError(f"{found.size / np.prod(shape):g} frames, not {COUNT}")
    return found.reshape(COUNT, *shape)


def closer_than(decibels, found, wanted):
    """The peak signal-to-noise ratio of each frame."""
    errors = ((found.astype(float) - wanted.astype(float)) ** 2).mean(axis=tuple(range(1, found.ndim)))
    ratio = 10 * np.log10(255**2 / max(errors.max(), 1e-9))
    if ratio < decibels:
        raise AssertionError(f"{ratio:.1f} dB in frame {errors.argmax()}, not {decibels}")


def scene():
    """Depth in millimeters: a ramp with a disk before it that moves, and a row without depth."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    depth = np.empty((COUNT, HEIGHT, WIDTH), "<u2")
    for index in range(COUNT):
        disk = (rows - 60) ** 2 + (columns - 30 - 4 * index) ** 2 < 30**2
        depth[index] = np.where(disk, 1200, 2000 + 10 * columns)
        depth[index, index] = 0
    return depth


def checks(isobath, folder, check, same):
    """Counted checks; `check` and `same` are those of check.py."""
    folder = folder / "pipes"
    folder.mkdir()

    def frames_by(verb, *arguments):
        return [isobath, verb, *map(str, arguments), "--quiet"]

    def decoded(path, pixels):
        return pipe(ffmpeg("-i", path, "-f", "rawvideo", "-pix_fmt", pixels, "-"))

    picture = frames(pipe(source("-f", "rawvideo", "-pix_fmt", "rgb24")), HEIGHT, WIDTH, 3)
    depth = scene()
    (folder / "depth.raw").write_bytes(depth.tobytes())

    def y4m():
        y4m = ["-f", "yuv4mpegpipe", "-pix_fmt", "yuv420p"]
        to_pixels = ffmpeg("-f", "yuv4mpegpipe", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
        found = pipe(source(*y4m), frames_by("extract", "-", "--plane", "photo", "-o", "-"), to_pixels)
        # ffmpeg alone takes the colors of 2 x 2 pixels together just as well.
        wanted = pipe(source(*y4m), to_pixels)
        closer_than(40, frames(found, HEIGHT, WIDTH, 3), frames(wanted, HEIGHT, WIDTH, 3))
        pipe(source("-c:v", "ffv1", "-pix_fmt", "yuv420p", "-f", "matroska", folder / "color.mkv")[:-1])
        pipe(frames_by("extract", folder / "color.mkv", "--plane", "photo", "-o", folder / "color.y4m"))
        closer_than(40, frames(found, HEIGHT, WIDTH, 3),
                    frames(decoded(folder / "color.y4m", "rgb24"), HEIGHT, WIDTH, 3))

    check("y4m from ffmpeg to ffmpeg is as it was, and as from a movie", y4m)

    color_flags = ["--frame-rate", RATE, "--plane", "photo", "-o", "-"]

    def rgb():
        found = pipe(
            source("-f", "rawvideo", "-pix_fmt", "rgb24"),
            frames_by("extract", "-", "--raw", f"rgb24,{SIZE}", "--format", "rgb24", *color_flags),
            raw("rgb24", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"))
        same(frames(found, HEIGHT, WIDTH, 3).reshape(COUNT, -1), picture.reshape(COUNT, -1))

    check("rgb24 from ffmpeg to ffmpeg is the same to the bit", rgb)

    for pixels in ["yuv420p", "nv12"]:
        def subsampled(pixels=pixels):
            luma = raw(pixels, "-f", "rawvideo", "-pix_fmt", "gray", "-")
            made = source("-f", "rawvideo", "-pix_fmt", pixels)
            found = pipe(
                made, frames_by("extract", "-", "--raw", f"{pixels},{SIZE}", "--format", pixels, *color_flags), luma)
            wanted = pipe(made, luma)
            closer_than(40, frames(found, HEIGHT, WIDTH, 1), frames(wanted, HEIGHT, WIDTH, 1))

        check(f"{pixels} from ffmpeg to ffmpeg is as it was", subsampled)

    def lossless():
        movie, output = folder / "depth.mkv", folder / "filtered.mkv"
        subprocess.run(raw("gray16le", "-c:v", "ffv1", movie), input=depth.tobytes(), check=True)
        pipe(
            ffmpeg("-i", movie, "-f", "rawvideo", "-pix_fmt", "gray16le", "-"),
            frames_by("extract", "-", *DEPTH_FLAGS, "--values", "millimeters", "--format", "gray16le", "-o", "-"),
            raw("gray16le", "-c:v", "ffv1", output))
        found = frames(decoded(output, "gray16le"), HEIGHT, WIDTH)
        same(found.reshape(COUNT, -1), depth.reshape(COUNT, -1))

    check("millimeters from ffmpeg to ffmpeg's FFV1 are the same to the bit", lossless)

    def coded(verb, name, flags, read):
        """Through libx264 from a pipe, against the frames of the same work on files."""
        movie = folder / f"{name}.mp4"
        pipe(*read, frames_by(verb, "-", *flags, "-o", "-"),
             ffmpeg("-f", "yuv4mpegpipe", "-i", "-", "-c:v", "libx264", "-crf", "8", movie))
        wanted = folder / f"{name}.y4m"
        (folder / "input").write_bytes(pipe(*read))
        pipe(frames_by(verb, folder / "input", *flags, "-o", wanted))
        count = pipe(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                      "-of", "csv=p=0", str(movie)])
        assert int(count.split()[0].strip(b",")) == COUNT, count
        closer_than(30, *(frames(decoded(path, "rgb24"), HEIGHT, WIDTH, 3) for path in [movie, wanted]))

    def colors():
        read = [["cat", str(folder / "depth.raw")]]
        coded("extract", "depth", [*DEPTH_FLAGS, "--near", "1", "--far", "4"], read)

    check("depth in colors from a pipe to ffmpeg's H.264 is as on files", colors)

    def mask():
        flags = [*DEPTH_FLAGS, "--raw-depth", f"gray16le,{SIZE},{folder}/depth.raw", "--far", "1.5",
                 "--background", "#00ff00"]
        coded("composite", "mask", flags, [source("-f", "yuv4mpegpipe", "-pix_fmt", "yuv420p")])
        found = frames(decoded(folder / "mask.mp4", "rgb24"), HEIGHT, WIDTH, 3)
        # Away from the disk there is nothing but the background.
        last = found[-1, 90:, :90].reshape(-1, 3).astype(int)
        assert np.abs(last - [0, 255, 0]).max() < 30, last

    check("y4m from ffmpeg with depth beside it, masked, to ffmpeg's H.264 is as on files", mask)
