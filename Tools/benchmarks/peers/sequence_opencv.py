"""Frames of 1280 x 720 with depth of 256 x 192, rendered with OpenCV as `isobath extract` and `composite` render them.

sequence_opencv.py scene FRAMES.raw                   writes 150 frames: rgb24, then gray16le in millimeters
sequence_opencv.py depth|mask FRAMES.raw              prints p50, p95 and p99 of the milliseconds of rendering one frame
sequence_opencv.py percentiles COMMAND...             prints those that isobath reports with --json
"""

import json
import subprocess
import sys
from time import perf_counter

import cv2
import numpy

WIDTH, HEIGHT, COLUMNS, ROWS, COUNT = 1280, 720, 256, 192, 150


def scene(path):
    """A square 1.5 to 2.5 m away that moves before a wall at 4 m, with 0.4 % of noise and 1 % of holes."""
    random = numpy.random.default_rng(3)
    coarse = random.random((HEIGHT // 24, WIDTH // 24, 3), dtype=numpy.float32)
    wall = (numpy.clip(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), 0, 1) * 120 + 60).astype(
        numpy.uint8
    )
    with open(path, "wb") as file:
        for index in range(COUNT):
            time = index / 30
            distance = 2 + 0.5 * numpy.sin(time * 1.2)
            size = 500 / distance
            left = int(640 + 300 * numpy.sin(time * 0.9) - size / 2)
            top = int(360 + 80 * numpy.sin(time * 1.7) - size / 2)
            picture = wall.copy()
            picture[top : top + int(size), left : left + int(size)] = (200, 90, 40)
            depth = numpy.full((HEIGHT, WIDTH), 4000, numpy.float32)
            depth[top : top + int(size), left : left + int(size)] = distance * 1000
            small = cv2.resize(depth, (COLUMNS, ROWS), interpolation=cv2.INTER_NEAREST)
            small *= 1 + random.normal(0, 0.004, small.shape)
            small[random.random(small.shape) < 0.01] = 0
            file.write(picture.tobytes())
            file.write(small.round().astype("<u2").tobytes())


def frames(path):
    bytes_of_color, bytes_of_depth = WIDTH * HEIGHT * 3, COLUMNS * ROWS * 2
    with open(path, "rb") as file:
        while color := file.read(bytes_of_color):
            depth = numpy.frombuffer(file.read(bytes_of_depth), "<u2").reshape(ROWS, COLUMNS)
            yield numpy.frombuffer(color, numpy.uint8).reshape(HEIGHT, WIDTH, 3), depth


def depth_view(color, depth):
    large = cv2.resize(depth, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)
    known = depth[depth > 0]
    low, high = numpy.percentile(known[::5], [1, 99])
    scale = 255 / (high - low)
    view = cv2.applyColorMap(cv2.convertScaleAbs(large, alpha=scale, beta=-low * scale), cv2.COLORMAP_TURBO)
    view[large == 0] = 0
    return view


class Mask:
    def __init__(self):
        self.coverage = None
        self.background = numpy.full((HEIGHT, WIDTH, 3), (32, 128, 64), numpy.float32)

    def __call__(self, color, depth):
        near = ((depth > 0) & (depth < 3000)).astype(numpy.float32)
        self.coverage = near if self.coverage is None else self.coverage * 0.66 + near * 0.34
        guide = cv2.cvtColor(
            cv2.resize(color, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY
        ) / numpy.float32(255)
        box = lambda plane: cv2.boxFilter(plane, -1, (5, 5))
        mean_i, mean_p = box(guide), box(self.coverage)
        slope = (box(guide * self.coverage) - mean_i * mean_p) / (box(guide * guide) - mean_i * mean_i + 2e-4)
        offset = mean_p - slope * mean_i
        slope, offset = (cv2.resize(box(plane), (WIDTH, HEIGHT)) for plane in (slope, offset))
        gray = cv2.cvtColor(color, cv2.COLOR_RGB2GRAY) * numpy.float32(1 / 255)
        alpha = numpy.clip(slope * gray + offset, 0, 1)[..., None]
        return (color * alpha + self.background * (1 - alpha)).astype(numpy.uint8)


def main():
    job, *rest = sys.argv[1:]
    if job == "scene":
        return scene(rest[0])
    if job == "percentiles":
        report = json.loads(subprocess.run(rest, stdout=subprocess.PIPE, check=True).stdout)
        return print(*(report["milliseconds"]["render"][name] for name in ["p50", "p95", "p99"]))
    work = {"depth": depth_view, "mask": Mask()}[job]
    times = []
    for color, depth in frames(rest[0]):
        start = perf_counter()
        work(color, depth)
        times.append((perf_counter() - start) * 1000)
    print(*numpy.percentile(times, [50, 95, 99]))


if __name__ == "__main__":
    main()
