"""Depth and color to a binary PLY with Open3D.

    cloud_open3d.py legacy|tensor COUNT DEPTH.npy COLOR.npy FOCAL OUT.ply

Prints the median milliseconds from arrays to the closed file.
"""

import sys

import numpy
import open3d

from timing import timed


def legacy(depth, color, camera, path):
    image = open3d.geometry.RGBDImage.create_from_color_and_depth(
        open3d.geometry.Image(color),
        open3d.geometry.Image(depth),
        depth_scale=1,
        depth_trunc=1e9,
        convert_rgb_to_intensity=False,
    )
    cloud = open3d.geometry.PointCloud.create_from_rgbd_image(
        image, open3d.camera.PinholeCameraIntrinsic(*camera)
    )
    open3d.io.write_point_cloud(path, cloud)


def tensor(depth, color, camera, path):
    _, _, fx, fy, cx, cy = camera
    matrix = open3d.core.Tensor([[fx, 0, cx], [0, fy, cy], [0, 0, 1]], dtype=open3d.core.float64)
    image = open3d.t.geometry.RGBDImage(open3d.t.geometry.Image(color), open3d.t.geometry.Image(depth))
    cloud = open3d.t.geometry.PointCloud.create_from_rgbd_image(
        image, matrix, depth_scale=1, depth_max=1e9
    )
    open3d.t.io.write_point_cloud(path, cloud)


if __name__ == "__main__":
    depth, color, focal = numpy.load(sys.argv[3]), numpy.load(sys.argv[4]), float(sys.argv[5])
    height, width = depth.shape
    camera = (width, height, focal, focal, (width - 1) / 2, (height - 1) / 2)
    work = {"legacy": legacy, "tensor": tensor}[sys.argv[1]]
    timed(int(sys.argv[2]), lambda: work(depth, color, camera, sys.argv[6]), sys.argv[6])
