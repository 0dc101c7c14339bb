"""A small map to the size of a photo: bilinear, then OpenCV's guided filter with the photo as its guide.

    guided_filter.py COUNT MAP.npy GUIDE.npy OUT.npy

The radius is two samples of the map; it hardly changes the time.
"""

import sys

import cv2
import numpy

from timing import timed


def upsampled(samples, guide):
    height, width = guide.shape[:2]
    enlarged = cv2.resize(samples, (width, height), interpolation=cv2.INTER_LINEAR)
    radius = 2 * width // samples.shape[1]
    return cv2.ximgproc.guidedFilter(guide, enlarged, radius, eps=(0.01 * 255) ** 2)


if __name__ == "__main__":
    samples, guide = numpy.load(sys.argv[2]), numpy.load(sys.argv[3])
    numpy.save(sys.argv[4], timed(int(sys.argv[1]), lambda: upsampled(samples, guide)))
