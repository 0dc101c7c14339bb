"""Prints the milliseconds that the Python package takes for the depth of HEIC photos, as arrays of meters, on two
threads.

arrays_isobath.py IN.heic…
"""

import sys

import isobath
from arrays_pillow_heif import print_milliseconds


def meters(path):
    return isobath.open(path).depth()


if __name__ == "__main__":
    print_milliseconds(meters, sys.argv[1:])
