"""16-bit codes to a PNG with Pillow.

    save_png.py COUNT CODES.npy OUT.png [LEVEL]
"""

import sys

import numpy
from PIL import Image

from timing import timed

if __name__ == "__main__":
    picture = Image.fromarray(numpy.load(sys.argv[2]))
    options = {"compress_level": int(sys.argv[4])} if len(sys.argv) > 4 else {}
    timed(int(sys.argv[1]), lambda: picture.save(sys.argv[3], **options), sys.argv[3])
