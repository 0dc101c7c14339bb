"""The foreground's colors by PyMatting, from light to light, as ours.

    foreground.py COUNT PHOTO.npy MATTE.npy OUT.npy

Compiling and the conversion of codes are not timed. OUT holds the foreground's light as floats.
"""

import sys
from pathlib import Path

import numpy
from pymatting import estimate_foreground_ml

sys.path.append(str(Path(__file__).resolve().parents[1]))
from strands import to_light
from timing import timed

if __name__ == "__main__":
    light = to_light(numpy.load(sys.argv[2]) / numpy.float32(255))
    alpha = numpy.load(sys.argv[3]) / numpy.float32(255)
    estimate_foreground_ml(light[:16, :16], alpha[:16, :16])
    numpy.save(sys.argv[4], timed(int(sys.argv[1]), lambda: estimate_foreground_ml(light, alpha)))
