"""Depth and color to a binary PLY with numpy alone.

    cloud_numpy.py COUNT DEPTH.npy COLOR.npy FOCAL OUT.ply
"""

import sys

import numpy

from timing import timed

HEADER = """ply
format binary_little_endian 1.0
element vertex {}
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
end_header
"""


def write(depth, color, focal, path):
    height, width = depth.shape
    x = (numpy.arange(width, dtype=numpy.float32) - numpy.float32((width - 1) / 2)) / numpy.float32(focal)
    y = (numpy.arange(height, dtype=numpy.float32) - numpy.float32((height - 1) / 2)) / numpy.float32(focal)
    is_known = numpy.isfinite(depth) & (depth > 0)
    kind = [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("color", "u1", 3)]
    points = numpy.empty((height, width), dtype=kind)
    numpy.multiply(depth, x[numpy.newaxis, :], out=points["x"])
    numpy.multiply(depth, -y[:, numpy.newaxis], out=points["y"])
    numpy.negative(depth, out=points["z"])
    points["color"] = color
    if not is_known.all():
        points = points[is_known]
    with open(path, "wb") as file:
        file.write(HEADER.format(points.size).encode())
        points.tofile(file)


if __name__ == "__main__":
    depth, color = numpy.load(sys.argv[2]), numpy.load(sys.argv[3])
    timed(int(sys.argv[1]), lambda: write(depth, color, float(sys.argv[4]), sys.argv[5]), sys.argv[5])
