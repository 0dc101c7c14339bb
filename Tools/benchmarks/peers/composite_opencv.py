"""A photo over a background by a matte, with OpenCV, as JPEG. OpenCV keeps no color profile.

    composite_opencv.py PHOTO.jpg BACKGROUND.jpg MATTE.png OUT.jpg
"""

import sys

import cv2
import numpy

if __name__ == "__main__":
    photo, background = (cv2.imread(path) for path in sys.argv[1:3])
    matte = cv2.imread(sys.argv[3], cv2.IMREAD_GRAYSCALE)
    size = (photo.shape[1], photo.shape[0])
    coverage = cv2.resize(matte, size, interpolation=cv2.INTER_LINEAR).astype(numpy.float32) / 255
    picture = cv2.blendLinear(photo, background, coverage, 1 - coverage)
    cv2.imwrite(sys.argv[4], picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
