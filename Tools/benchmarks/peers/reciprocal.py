"""Half floats to the reciprocals of their values with numpy.

    reciprocal.py COUNT HALVES.npy OUT.npy

The reciprocals replace the widened values: `1 / x` would take a second plane, and more time.
"""

import sys

import numpy

from timing import timed


def reciprocals(halves):
    values = halves.astype(numpy.float32)
    return numpy.divide(numpy.float32(1), values, out=values)


if __name__ == "__main__":
    halves = numpy.load(sys.argv[2])
    numpy.save(sys.argv[3], timed(int(sys.argv[1]), lambda: reciprocals(halves)))
