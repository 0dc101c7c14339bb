"""The depth of many HEIC and JPEG photos to 16-bit PNGs, in one process.

    folder_depth.py OUT_FOLDER IN…
"""

import sys
from pathlib import Path

from PIL import Image, ImageSequence

import heic_depth


def jpeg_disparity(path):
    """The disparity frame of an Apple JPEG, which only that frame's own XMP tells from the others."""
    with Image.open(path) as photo:
        for frame in ImageSequence.Iterator(photo):
            if frame.tell() > 0 and b"disparity" in frame.info.get("xmp", b"").lower():
                return frame.convert("L")
    raise ValueError(f"{path}: no disparity")


def extract(path, folder):
    is_heic = path.suffix.lower() == ".heic"
    codes = heic_depth.depth_codes(path) if is_heic else jpeg_disparity(path)
    heic_depth.save_16_bit(codes, folder / f"{path.stem}.png")


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        extract(Path(argument), Path(sys.argv[1]))
