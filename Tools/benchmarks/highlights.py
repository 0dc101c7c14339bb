#!/usr/bin/env python3
"""Blurs lamps of a known brightness, and prints the error around them.

    highlights.py ISOBATH [--brightness 30] [--width 1200] [--keep FOLDER]

A gray card at 1 m stands before a dark textured wall at 3 m with lamps: points and small discs, white, warm, cold,
orange, red and green. The photo is the scene, clipped. It is blurred with `blur --focus-distance 1 --aperture 0.7`.
Truth is the scene blurred by a disc, and then clipped, with the sharp card before it. Errors are 8-bit sRGB codes, in
all pixels and within two radii of a lamp. `--brightness 1` gives the error without light above white.
"""
import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
from PIL import Image

COLORS = [(1, 1, 1), (1, 0.85, 0.6), (0.75, 0.85, 1), (1, 0.6, 0.3), (1, 0.25, 0.2), (0.1, 1, 0.4)]


def linear(x):
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)


def encoded(x):
    x = np.clip(x, 0, 1)
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


def disc(image, radius):
    """The picture blurred by a disc, with antialiased rim."""
    reach, steps = int(np.ceil(radius + 0.5)), 8
    size = 2 * reach + 1
    y, x = (np.mgrid[0 : size * steps, 0 : size * steps] + 0.5) / steps - reach - 0.5
    kernel = (x * x + y * y <= radius * radius).reshape(size, steps, size, steps).mean((1, 3))
    kernel /= kernel.sum()
    padded = np.pad(image, ((reach, reach), (reach, reach), (0, 0)), "reflect")
    transform = np.fft.rfft2(kernel, padded.shape[:2])
    blurred = np.fft.irfft2(np.fft.rfft2(padded, axes=(0, 1)) * transform[..., None], padded.shape[:2], axes=(0, 1))
    return blurred[2 * reach :, 2 * reach :]


def scene(width, brightness, seed=1):
    """The wall with its lamps in light, where the lamps are, and where the card is."""
    height, rng = width * 3 // 4, np.random.default_rng(seed)
    wall = np.zeros((height, width, 3))
    for step in (4, 16, 64):
        small = (rng.uniform(0, 255, (height // step + 2, width // step + 2, 3))).astype(np.uint8)
        wall += np.asarray(Image.fromarray(small).resize((width, height), Image.BICUBIC)) / 765
    wall = linear(wall * 0.35)
    lamps = np.zeros((height, width), bool)
    y, x = np.mgrid[0:height, 0:width]
    card = (abs(x - width / 2) < width * 0.12) & (y > height * 0.35)
    places = [(i, j) for j in range(5) for i in range(8) if not (3 <= i <= 4 and j >= 1)]
    for number, (i, j) in enumerate(places):
        cx, cy = width * (i + 0.5 + rng.uniform(-0.2, 0.2)) / 8, height * (j + 0.5 + rng.uniform(-0.2, 0.2)) / 5
        radius = (0, 1, 1.5, 2.5, 4)[number % 5] * width / 1200
        lamp = (x - cx) ** 2 + (y - cy) ** 2 <= max(radius, 0.6) ** 2
        wall[lamp] = brightness * np.array(COLORS[number % len(COLORS)])
        lamps |= lamp
    return wall, lamps, card


def run(tool, width, brightness, folder):
    wall, lamps, card = scene(width, brightness)
    gray = linear(np.float64(0.5))
    photo = np.where(card[..., None], gray, wall)
    Image.fromarray((encoded(photo) * 255 + 0.5).astype(np.uint8)).save(folder / "photo.png")
    np.save(folder / "z.npy", np.where(card, 1, 3).astype(np.float32))
    flags = ["--focus-distance", "1", "--aperture", "0.7", "--force", "--quiet"]
    source = ["--color", folder / "photo.png", folder / "z.npy", "--scale", "1"]
    subprocess.run([str(word) for word in [tool, "blur", *source, *flags, "-o", folder / "blur.png"]], check=True)
    found = np.asarray(Image.open(folder / "blur.png").convert("RGB")).astype(float)
    # Without a camera, the tool assumes 65 degrees along the longer side.
    focal = width / 2 / np.tan(np.radians(32.5))
    radius = focal * (focal * 43.2666 / np.hypot(width, width * 3 // 4) / 0.7 / 1000) / 2 * (1 - 1 / 3)
    truth = encoded(np.where(card[..., None], gray, disc(wall, radius))) * 255
    near = disc(lamps[..., None].astype(float), 2 * radius)[..., 0] > 1e-6
    near &= disc(card[..., None].astype(float), 2 * radius)[..., 0] < 1e-6
    Image.fromarray((truth + 0.5).astype(np.uint8)).save(folder / "truth.png")
    return radius, np.abs(found - truth).mean(2)[near].mean(), np.abs(found - truth).mean()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--brightness", type=float, default=30)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    radius, near, everywhere = run(options.tool, options.width, options.brightness, folder)
    print(f"discs of {radius:.1f} px: error {near:.2f} codes around lamps, {everywhere:.2f} everywhere")
