"""Compares guided upsampling with OpenCV's edge-aware filters on a scene of known disparity, and prints a table.

    python3 -m venv .venv
    .venv/bin/pip install numpy pillow opencv-contrib-python-headless -c Tools/requirements/bench.txt
    ISOBATH_DEVELOPMENT=1 swift build -c release --product InProcessBench
    .venv/bin/python Tools/benchmarks/upsampling_quality.py --bench .build/release/InProcessBench

The map of 768 × 576 comes as floats, as 8-bit codes, and as codes that went through JPEG at quality 90. Each number is
the mean absolute error in 1/m at 4032 × 3024. A filter of OpenCV starts from bilinear interpolation, and has the best
of a small grid of settings for each map.
"""

import argparse
import itertools
import pathlib
import subprocess
import tempfile

import cv2
import numpy

import scene


def maps(exact):
    """Name and samples of each map."""
    low, high = exact.min(), exact.max()
    codes = ((exact - low) / (high - low) * 255).round().astype(numpy.uint8)
    coded = cv2.imdecode(cv2.imencode(".jpg", codes, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], cv2.IMREAD_GRAYSCALE)
    yield "floats", exact
    for name, plane in (("8-bit codes", codes), ("8-bit codes through JPEG", coded)):
        yield name, (plane.astype(numpy.float32) / 255 * (high - low) + low).astype(numpy.float32)


def peers(samples, guide):
    """Name and results, one for each setting."""
    height, width = guide.shape[:2]
    enlarged = cv2.resize(samples, (width, height), interpolation=cv2.INTER_LINEAR)
    filters = cv2.ximgproc
    yield "bilinear", [enlarged]
    yield "guidedFilter", (
        filters.guidedFilter(guide, enlarged, radius, (noise * 255) ** 2)
        for radius, noise in itertools.product((5, 10), (0.01, 0.03)))
    yield "fastGlobalSmootherFilter", (
        filters.fastGlobalSmootherFilter(guide, enlarged, weight, color)
        for weight, color in itertools.product((32, 128, 512), (4, 8)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the program InProcessBench")
    arguments = parser.parse_args()
    truth, guide = scene.render(*scene.PHOTO)
    exact = scene.render(*scene.MAP)[0]
    print("| map | program | mean error, 1/m |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        numpy.save(folder / "guide.npy", guide)
        for title, samples in maps(exact):
            numpy.save(folder / "map.npy", samples)
            paths = [str(folder / file) for file in ("map.npy", "guide.npy", "out.npy")]
            subprocess.run([arguments.bench, "upsample", "1", *paths], check=True, stdout=subprocess.DEVNULL)
            error = numpy.abs(numpy.load(folder / "out.npy") - truth).mean()
            print(f"| {title} | Isobath | {error:.5f} |", flush=True)
            for peer, results in peers(samples, guide):
                error = min(numpy.abs(result - truth).mean() for result in results)
                print(f"| | {peer} | {error:.5f} |", flush=True)


if __name__ == "__main__":
    main()
