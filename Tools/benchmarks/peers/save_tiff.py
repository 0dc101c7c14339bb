"""Float32 samples to a TIFF with tifffile: Adobe Deflate without a predictor, as Isobath writes them.

    save_tiff.py COUNT MAP.npy OUT.tiff
"""

import sys

import numpy
import tifffile

from timing import timed

if __name__ == "__main__":
    samples = numpy.load(sys.argv[2])
    timed(
        int(sys.argv[1]),
        lambda: tifffile.imwrite(sys.argv[3], samples, compression="zlib"),
        sys.argv[3],
    )
