"""The depth of a HEIC to a 16-bit PNG, as short a pillow-heif script as there is.

    heic_depth.py IN.heic OUT.png

257 · code is the code twice as a byte, so numpy is not needed: importing it would double the time.
"""

import sys

from PIL import Image
from pillow_heif import open_heif


def depth_codes(path):
    return open_heif(path).info["depth_images"][0].to_pillow()


def save_16_bit(codes, path):
    doubled = Image.merge("LA", (codes, codes)).tobytes()
    Image.frombytes("I;16", codes.size, doubled).save(path)


if __name__ == "__main__":
    save_16_bit(depth_codes(sys.argv[1]), sys.argv[2])
