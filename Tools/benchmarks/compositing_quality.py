"""Prints the tables of Sources/Effects/Effects/README.md: composites and mattes against a scene that is known.

    .venv/bin/python Tools/benchmarks/compositing_quality.py INPROCESSBENCH

INPROCESSBENCH is our program of that name, which `Tools/bench --jobs foreground` builds:
.build/bench/release/InProcessBench.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy
from pymatting import estimate_alpha_cf, estimate_foreground_ml

from strands import SMALL, reduced, to_codes, to_light, write_arrays


def is_soft(*mattes):
    return numpy.any([(matte > 0) & (matte < 255) for matte in mattes], axis=0)


def composites(folder: Path, ours) -> dict[str, float]:
    """Mean absolute errors of composites where the matte is soft, in codes of 255."""
    load = lambda name: numpy.load(folder / f"{name}.npy")
    photo, matte, background = load("photo"), load("matte-1"), load("background")
    light, new = (to_light(codes / numpy.float32(255)) for codes in (photo, background))
    share = matte / numpy.float32(255)

    def error(codes):
        return abs(codes - load("truth") * 255)[is_soft(matte)].mean()

    def blended(front):
        return 255 * to_codes(share[..., None] * front + (1 - share[..., None]) * new)

    ours("foreground", 1, "photo", "matte-1", "front")
    ours("composite", 1, "front", "matte-1", "background", "ours")
    encoded = estimate_foreground_ml(photo / numpy.float32(255), share)
    return {
        "plain blend": error(blended(light)),
        "PyMatting on codes": error(blended(to_light(encoded))),
        "PyMatting on light": error(blended(estimate_foreground_ml(light, share))),
        "isobath": error(load("ours")),
    }


def mattes(folder: Path, factor: int, ours) -> dict[str, float]:
    """Mean absolute errors of mattes of a fraction of the size, brought to it, in codes of 255."""
    load = lambda name: numpy.load(folder / f"{name}.npy")
    truth, photo = load("matte-1"), load("photo")
    size = truth.shape[::-1]
    linear = cv2.resize(load(f"matte-{factor}"), size, interpolation=cv2.INTER_LINEAR)
    ours("matte", 1, "photo", f"matte-{factor}", "refined")
    band = is_soft(linear, truth)
    error = lambda matte: abs(matte - truth)[band].mean()
    guided = [
        error(cv2.ximgproc.guidedFilter(photo, linear, radius, epsilon * 255**2))
        for radius in (1, 2, 4, 8)
        for epsilon in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
    ]
    return {"bilinear": error(linear), "OpenCV guidedFilter, best": min(guided), "isobath": error(load("refined"))}


def trimaps(folder: Path, ours) -> dict[str, float]:
    """Mean squared errors, times 10,000, in the unknown band of 28 pixels around a mask of an eighth of the size."""
    load = lambda name: numpy.load(folder / f"{name}.npy")
    truth, photo = load("matte-1") / 255, load("photo") / 255
    size = truth.shape[::-1]
    coarse = (reduced(load("matte-1"), 8) > 127).astype(numpy.float32)
    half = cv2.resize(coarse, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_LINEAR)
    half = numpy.clip(4 * half - 1.5, 0, 1)
    mask = cv2.resize(half, size)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (57, 57))
    inside = (mask > 0.5).astype(numpy.uint8)
    trimap = numpy.full(truth.shape, 128, numpy.float32)
    trimap[cv2.erode(inside, disc) > 0] = 255
    trimap[cv2.dilate(inside, disc) == 0] = 0
    numpy.save(folder / "mask.npy", numpy.round(half * 255))
    numpy.save(folder / "trimap.npy", trimap)
    ours("trimap", 1, "photo", "mask", "trimap", "solved")
    known = numpy.where(trimap == 128, 0.5, trimap / 255)
    found = {
        "mask": mask,
        "PyMatting estimate_alpha_cf": estimate_alpha_cf(photo, known),
        "the same on light": estimate_alpha_cf(to_light(photo).astype(float), known),
        "isobath": load("solved") / 255,
    }
    return {name: 1e4 * ((alpha - truth)[trimap == 128] ** 2).mean() for name, alpha in found.items()}


def add_noise(folder: Path, deviation: float):
    """Adds normally distributed noise to the photo."""
    photo = numpy.load(folder / "photo.npy")
    noisy = photo + numpy.random.default_rng(1).normal(0, deviation, photo.shape)
    numpy.save(folder / "photo.npy", numpy.clip(numpy.round(noisy), 0, 255).astype(photo.dtype))


def row(title, errors):
    print(title + ": " + ", ".join(f"{name} {error:.2f}" for name, error in errors.items()))


def main():
    for title, options in [
        ("distinct colors", {}),
        ("similar colors", {"similar": True}),
        ("distinct colors, mixed in codes", {"encoded": True}),
        ("similar colors, mixed in codes", {"similar": True, "encoded": True}),
    ]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_arrays(folder, *SMALL, **options)

            def ours(work, count, *arrays):
                paths = [folder / f"{array}.npy" for array in arrays]
                subprocess.run([sys.argv[1], work, str(count), *paths], check=True, stdout=subprocess.DEVNULL)

            row(title, composites(folder, ours))
            for noise in (0, 4):
                if noise:
                    add_noise(folder, noise)
                    title += f", noise of {noise} codes"
                for factor in (2, 4):
                    row(f"{title}, matte of 1/{factor}", mattes(folder, factor, ours))
                row(f"{title}, trimap", trimaps(folder, ours))


if __name__ == "__main__":
    main()
