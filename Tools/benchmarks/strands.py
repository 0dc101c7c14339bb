"""A portrait whose coverage, foreground and background are known everywhere: strands, soft edges, glass."""

from pathlib import Path

import numpy

SMALL, PHOTO = (960, 720), (4032, 3024)


def to_light(codes):
    """Linear light of coded values, both 0…1 (IEC 61966-2-1)."""
    return numpy.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4).astype(numpy.float32)


def to_codes(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055).astype(numpy.float32)


def coverage(width, height, strands=140, seed=1):
    """A disc whose edge is 1 to 24 pixels soft, strands of 0.6 to 2 pixels around it, and a pane of glass."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32) + 0.5
    unit = height / 720
    cx, cy, radius = 0.5 * width, 0.56 * height, 0.3 * height
    dx, dy = x - cx, y - cy
    distance, angle = numpy.hypot(dx, dy), numpy.arctan2(dy, dx)
    softness = unit * (1 + 23 * (0.5 + 0.5 * numpy.sin(angle * 1.0 + 0.6)) ** 3)
    softness = numpy.maximum(softness, 1)
    alpha = numpy.clip(0.5 + (radius - distance) / softness, 0, 1)
    alpha = alpha * alpha * (3 - 2 * alpha)
    for _ in range(strands):
        start, length = random.uniform(-numpy.pi, 0), random.uniform(0.12, 0.42) * radius / 0.3 * 0.6
        bend, wave = random.uniform(-0.9, 0.9), random.uniform(0, 0.03)
        thick = random.uniform(0.6, 2.0)
        opacity = random.uniform(0.5, 1)
        t = numpy.linspace(-0.1, 1, max(int(length * 2), 16), dtype=numpy.float32)
        a = start + bend * t * t + wave * numpy.sin(9 * t)
        px, py = cx + (radius + length * t) * numpy.cos(a), cy + (radius + length * t) * numpy.sin(a)
        taper = thick * (1 - 0.6 * numpy.clip(t, 0, 1))
        draw(alpha, px, py, taper, opacity)
    glass = (numpy.abs(x - cx - 0.34 * height) < 0.05 * height) & (numpy.abs(y - cy - 0.05 * height) < 0.04 * height)
    alpha = numpy.where(glass, numpy.maximum(alpha, 0.35), alpha)
    return alpha.astype(numpy.float32)


def draw(alpha, px, py, widths, opacity):
    """A line through points closer than a pixel; coverage by distance from it."""
    height, width = alpha.shape
    best = {}
    for x, y, w in zip(px, py, widths):
        for j in range(int(y) - 3, int(y) + 4):
            for i in range(int(x) - 3, int(x) + 4):
                if 0 <= i < width and 0 <= j < height:
                    d = numpy.hypot(i + 0.5 - x, j + 0.5 - y)
                    c = min(max(0.5 + w / 2 - d, 0), min(w, 1)) * opacity
                    if c > best.get((j, i), 0):
                        best[j, i] = c
    for (j, i), c in best.items():
        alpha[j, i] = max(alpha[j, i], c)


def colors(width, height, similar=False, seed=2):
    """Foreground and background in linear light, each with shading and texture; `similar`: hardly apart."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    u, v = x / width, y / height
    k = 720 / height

    def noise(amount, size):
        cells = random.standard_normal((height // size + 2, width // size + 2, 1)).astype(numpy.float32)
        return amount * numpy.kron(cells, numpy.ones((size, size, 1), numpy.float32))[:height, :width]

    f = numpy.stack([0.42 + 0.2 * u, 0.28 + 0.12 * v, 0.2 + 0.08 * numpy.sin(6 * u)], -1)
    f = f + 0.05 * numpy.sin(x * k / 9 + 3 * v)[..., None] + noise(0.015, 3) + noise(0.01, 1)
    if similar:
        b = f[:, ::-1] * 0.5 + numpy.array([0.24, 0.22, 0.2]) + 0.08 * numpy.sin(x * k / 31 - y * k / 17)[..., None]
    else:
        b = numpy.stack([0.3 + 0.5 * v, 0.55 + 0.3 * numpy.sin(5 * u), 0.85 - 0.5 * v * u], -1)
        b = b + 0.1 * (numpy.sin(x * k / 40) * numpy.sin(y * k / 27) > 0.3)[..., None]
    b = b + noise(0.012, 5) + noise(0.008, 1)
    return numpy.clip(f, 0.01, 1).astype(numpy.float32), numpy.clip(b, 0.01, 1).astype(numpy.float32)


def new_background(width, height):
    """In linear light."""
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    b = numpy.stack([0.05 + 0.1 * x / width, 0.35 + 0.2 * y / height, 0.1 + 0 * x], -1)
    return to_light(numpy.round(to_codes(b) * 255) / 255)


def scene(width, height, similar=False, encoded=False, strands=140):
    """Alpha of 255, the photo's codes, the new background's codes, and the true composite in codes 0…1.

    Layers are mixed in linear light, as cameras do; `encoded`: in codes.
    """
    alpha = numpy.round(coverage(width, height, strands) * 255).astype(numpy.uint8)
    share = (alpha / numpy.float32(255))[..., None]
    front, back = colors(width, height, similar)
    new = new_background(width, height)
    if encoded:
        front, back, new = (to_codes(layer) for layer in (front, back, new))
    coded = numpy.asarray if encoded else to_codes
    photo = numpy.round(numpy.clip(coded(share * front + (1 - share) * back), 0, 1) * 255)
    truth = coded(share * front + (1 - share) * new).astype(numpy.float32)
    return alpha, photo.astype(numpy.uint8), numpy.round(coded(new) * 255).astype(numpy.uint8), truth


def reduced(plane, factor):
    """Means of squares, rounded to codes."""
    height, width = (side // factor for side in plane.shape)
    blocks = plane[: height * factor, : width * factor].reshape(height, factor, width, factor)
    return numpy.round(blocks.mean((1, 3))).astype(numpy.float32)


def write_arrays(folder: Path, width, height, **options) -> None:
    """What the contestants read; mattes are codes as floats, at full size and at fractions of it."""
    alpha, photo, background, truth = scene(width, height, **options)
    numpy.save(folder / "truth.npy", truth)
    numpy.save(folder / "photo.npy", photo)
    numpy.save(folder / "background.npy", background)
    for factor in (1, 2, 4):
        numpy.save(folder / f"matte-{factor}.npy", reduced(alpha, factor))
