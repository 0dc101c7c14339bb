"""Renders stereo pairs with exact disparity, and compares Isobath with OpenCV's StereoSGBM on them.

    python3 -m venv .venv
    .venv/bin/pip install numpy opencv-contrib-python-headless -c Tools/requirements/bench.txt
    ISOBATH_DEVELOPMENT=1 swift build -c release --product InProcessBench
    .venv/bin/python Tools/benchmarks/stereo_quality.py --bench .build/release/InProcessBench

For each scene and program the table has, over pixels that both eyes see:

- bad 2.0: the share of matched pixels that are off by more than 2 pixels, in percent;
- coverage: the share that was matched, in percent;
- wrong or missing: the share that is off by more than 2 pixels or was not matched, in percent.

StereoSGBM stands with the settings that have the least "wrong or missing" of a small grid, scene by scene and mode by
mode. It is told the exact range of disparities; Isobath finds it by itself.
"""

import argparse
import itertools
import pathlib
import subprocess
import tempfile
import time

import cv2
import numpy as np


def texture(rng, width, height, contrast):
    """Smooth random texture of several octaves around gray; as in photos, channels differ less than pixels."""
    result = np.zeros((height, width, 3), np.float32)
    for cell, weight in ((2.0, 1.0), (5.0, 1.0), (16.0, 0.8), (60.0, 0.8)):
        shape = (int(height / cell) + 4, int(width / cell) + 4, 3)
        noise = rng.normal(0, 1, (*shape[:2], 1)).astype(np.float32) + 0.35 * rng.normal(0, 1, shape).astype(np.float32)
        result += weight * cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    return 128 + contrast * result


class Layer:
    """A plane with disparity a + b·x + c·y in pixels of the left picture, where `mask` holds."""

    def __init__(self, rng, size, plane, mask, contrast=28.0):
        self.plane, self.mask = plane, mask
        width, height = size
        self.pad = 320
        self.texture = texture(rng, width + 2 * self.pad, height, contrast)

    def disparity(self, x, y):
        a, b, c = self.plane
        return a + b * x + c * y


def render(layers, size, row_shift=0.0):
    """Left and right picture, the left one's disparity, and which of its pixels both eyes see."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    left = np.zeros((height, width, 3), np.float32)
    truth = np.full((height, width), -1e9, np.float32)
    right, nearest = np.zeros_like(left), np.full((height, width), -1e9, np.float32)
    for layer in layers:
        d = layer.disparity(x, y)
        covers = layer.mask(x, y) & (d > truth)
        color = cv2.remap(layer.texture, x + layer.pad, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        left[covers], truth[covers] = color[covers], d[covers]
        a, b, c = layer.plane
        row = y + row_shift
        source = (x + a + c * row) / (1 - b)
        d = source - x
        covers = layer.mask(source, row) & (d > nearest)
        color = cv2.remap(layer.texture, source + layer.pad, row, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        right[covers], nearest[covers] = color[covers], d[covers]
    partner = x - truth
    seen = cv2.remap(
        nearest, partner, y - row_shift, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=1e9
    )
    visible = (partner >= 0) & (partner <= width - 1) & (np.abs(seen - truth) < 1)
    return left, right, truth, visible


def everywhere(x, y):
    return np.ones_like(x, bool)


def box(left, top, right, bottom):
    return lambda x, y: (x >= left) & (x < right) & (y >= top) & (y < bottom)


def scenes(size):
    """Name, layers, noise in codes, and the rows that the right picture is lower."""
    width, height = size
    u, v = width / 640, height / 480

    def make(name, planes, sigma=1.0, shift=0.0, contrast=28.0):
        rng = np.random.default_rng(sum(map(ord, name)))
        layers = [Layer(rng, size, plane, mask, contrast) for plane, mask in planes]
        return name, layers, sigma, shift

    bars = [
        ((34 * u, 0, 0), box((60 + 70 * i) * u, 40 * v, (60 + 70 * i) * u + (3 + 2 * i) * u, 440 * v)) for i in range(7)
    ]
    blobs = [
        ((30 * u, 0, 0), lambda x, y: (x - 200 * u) ** 2 + (y - 200 * v) ** 2 < (90 * u) ** 2),
        ((44 * u, 0, 0), box(330 * u, 120 * v, 520 * u, 380 * v)),
        ((56 * u, 0.02, 0), box(380 * u, 300 * v, 600 * u, 440 * v)),
    ]
    slants = [((6 * u, 0, 0.09), everywhere), ((20 * u, 0.06, 0), box(100 * u, 80 * v, 320 * u, 300 * v)),
              ((60 * u, -0.05, 0.02), box(360 * u, 180 * v, 560 * u, 420 * v))]
    both = [((-18 * u, 0.0, 0.02), everywhere), ((4 * u, 0, 0), box(120 * u, 100 * v, 300 * u, 380 * v)),
            ((22 * u, 0, 0), box(380 * u, 60 * v, 520 * u, 300 * v))]
    yield make("slanted planes", slants)
    yield make("thin bars", [((8 * u, 0, 0.01), everywhere)] + bars)
    yield make("occlusion", [((10 * u, 0.01, 0), everywhere)] + blobs)
    yield make("both signs", both)
    yield make("noise of 5 codes", [((10 * u, 0.01, 0), everywhere)] + blobs, sigma=5)
    yield make("noise of 10 codes", [((10 * u, 0.01, 0), everywhere)] + blobs, sigma=10)
    yield make("faint texture", [((10 * u, 0.01, 0), everywhere)] + blobs, sigma=1, contrast=4)
    yield make("rows off by 1 pixel", slants, shift=1.0)


def quality(found, truth, visible):
    known = np.isfinite(found) & visible
    wrong = known & (np.abs(np.where(known, found, 0) - truth) > 2)
    bad = 100 * wrong.sum() / max(1, known.sum())
    coverage = 100 * known.sum() / visible.sum()
    return bad, coverage, 100 - coverage + 100 * wrong.sum() / visible.sum()


MODES = {"SGBM": cv2.STEREO_SGBM_MODE_SGBM, "3WAY": cv2.STEREO_SGBM_MODE_SGBM_3WAY, "HH": cv2.STEREO_SGBM_MODE_HH}


def sgbm(left, right, low, count, mode, block, factor, uniqueness, cap):
    # StereoSGBM finds nothing in the left columns of its search range: a border makes room for them.
    pad = max(0, low + count)
    area = 3 * block * block
    matcher = cv2.StereoSGBM_create(
        minDisparity=low, numDisparities=count, blockSize=block, P1=8 * area, P2=factor * area, disp12MaxDiff=1,
        preFilterCap=cap, uniquenessRatio=uniqueness, speckleWindowSize=100, speckleRange=1, mode=MODES[mode])
    start = time.perf_counter()
    after = max(0, -low)
    wide = [cv2.copyMakeBorder(image, 0, 0, pad, after, cv2.BORDER_REPLICATE) for image in (left, right)]
    codes = matcher.compute(*wide)[:, pad:pad + left.shape[1]]
    seconds = time.perf_counter() - start
    found = codes.astype(np.float32) / 16
    found[codes < low * 16] = np.nan
    return found, seconds


def best_sgbm(pair, low, count, mode):
    left, right, truth, visible = pair
    best = None
    for block, factor, uniqueness, cap in itertools.product((3, 5, 7), (32, 96), (1, 10), (15, 63)):
        found, seconds = sgbm(left, right, low, count, mode, block, factor, uniqueness, cap)
        result = quality(found, truth, visible)
        if best is None or result[2] < best[0][2]:
            best = result, seconds, (block, factor, uniqueness, cap)
    found, again = sgbm(left, right, low, count, mode, *best[2])
    return best[0], min(best[1], again), best[2]


def isobath(command, folder, left, right, count):
    """The disparity, and the median of seconds that matching took."""
    for name, image in (("left", left), ("right", right)):
        np.save(folder / f"{name}.npy", image[..., ::-1])
    names = [str(folder / name) for name in ("left.npy", "right.npy", "out.npy")]
    result = subprocess.run([command, "stereo", str(count), *names], check=True, capture_output=True, text=True)
    found = np.load(folder / "out.npy")
    scale = left.shape[1] / found.shape[1]
    if scale != 1:
        found = cv2.resize(found, (left.shape[1], left.shape[0]), interpolation=cv2.INTER_NEAREST) * scale
    return found, float(result.stdout) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the program InProcessBench")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--count", type=int, default=5, help="how often Isobath matches each scene")
    parser.add_argument("--modes", default="SGBM,3WAY,HH")
    arguments = parser.parse_args()
    size = tuple(map(int, arguments.size.split("x")))
    print("| scene | program | settings | bad 2.0 % | coverage % | wrong or missing % | ms | time of Isobath / its |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, layers, sigma, shift in scenes(size):
            left, right, truth, visible = render(layers, size, shift)
            rng = np.random.default_rng(1)
            left, right = (
                np.clip(image + rng.normal(0, sigma, image.shape), 0, 255).round().astype(np.uint8)
                for image in (left, right))
            low = int(np.floor(truth.min())) - 2
            count = -(-(int(np.ceil(truth.max())) + 3 - low) // 16) * 16
            found, ours = isobath(arguments.bench, pathlib.Path(folder), left, right, arguments.count)
            bad, coverage, missing = quality(found, truth, visible)
            print(
                f"| {name} | Isobath | | {bad:.2f} | {coverage:.1f} | {missing:.2f} | {1000 * ours:.0f} | |", flush=True
            )
            for mode in arguments.modes.split(","):
                (bad, coverage, missing), seconds, settings = best_sgbm((left, right, truth, visible), low, count, mode)
                print(
                    f"| | {mode} "
                    f"| block {settings[0]}, P2 {settings[1]}·3b², uniqueness {settings[2]}, cap {settings[3]} "
                    f"| {bad:.2f} | {coverage:.1f} | {missing:.2f} | {1000 * seconds:.0f} | {ours / seconds:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
