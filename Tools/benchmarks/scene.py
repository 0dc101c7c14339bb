"""A scene whose disparity is known everywhere: curved discs before a wall, each with a color of its own."""

from pathlib import Path

import numpy
from PIL import Image, ImageOps

PHOTO, MAP = (4032, 3024), (768, 576)
DISCS = 60
FOCAL = 3000


def render(width: int, height: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Disparity in 1/m and color, both at the centers of pixels; the field of view is 4 wide and 3 high."""
    x = ((numpy.arange(width, dtype=numpy.float32) + 0.5) * 4 / width)[numpy.newaxis, :]
    y = ((numpy.arange(height, dtype=numpy.float32) + 0.5) * 3 / height)[:, numpy.newaxis]
    random = numpy.random.default_rng(1)
    ripples = 0.05 * numpy.sin(3 * x) * numpy.sin(4 * y)
    disparity = 0.2 + ripples + 0.1 * y
    color = numpy.full((height, width, 3), [96, 120, 150], dtype=numpy.float32)
    for value in numpy.linspace(0.5, 3, DISCS):
        center_x, center_y, radius = random.uniform([0, 0, 0.1], [4, 3, 0.5])
        is_inside = (x - center_x) ** 2 + (y - center_y) ** 2 < radius**2
        disparity = numpy.where(is_inside, value + ripples + 0.2 * (x - center_x), disparity)
        color[is_inside] = random.uniform(40, 215, 3)
    color += (10 * numpy.sin(40 * x) * numpy.sin(31 * y))[..., numpy.newaxis]
    color += 3 * random.standard_normal(color.shape, dtype=numpy.float32)
    return disparity.astype(numpy.float32), color.clip(0, 255).astype(numpy.uint8)


def write_background(photo: Path, path: Path) -> tuple[int, int]:
    """The photo's mirror image as a JPEG, which as a background needs no resizing; its size."""
    with Image.open(photo) as picture:
        mirrored = ImageOps.mirror(picture)
        mirrored.save(path, quality=92, icc_profile=picture.info.get("icc_profile"))
        return mirrored.size


def write_arrays(folder: Path) -> None:
    """What the contestants read: the map at both sizes, the photo, the large map as halves and as codes."""
    truth, guide = render(*PHOTO)
    arrays = {
        "truth": truth,
        "guide": guide,
        "map": render(*MAP)[0],
        "depth": numpy.float32(1) / truth,
        "halves": truth.astype(numpy.float16),
        "codes": (truth / truth.max() * 65535).round().astype(numpy.uint16),
    }
    folder.mkdir()
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", array)
