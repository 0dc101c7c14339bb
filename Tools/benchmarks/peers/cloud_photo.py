"""An iPhone photo to a colored PLY, as short a script with Open3D as there is.

    cloud_photo.py IN.heic|IN.jpg OUT.ply
"""

import io
import json
import subprocess
import sys

import numpy
import open3d
from PIL import Image
from pillow_heif import open_heif


def read_heic(path):
    photo = open_heif(path)
    plane = photo.info["depth_images"][0]
    info = plane.info["metadata"]
    codes = numpy.asarray(plane.to_pillow(), dtype=numpy.float32) / 255
    low, high = float(info["d_min"]), float(info["d_max"])
    return photo.to_pillow(), low + codes * (high - low)


def read_jpeg(path):
    tags = ["-MPImage2", "-MPImage3"]
    for tag in tags:
        data = subprocess.run(["exiftool", "-b", tag, path], capture_output=True).stdout
        if b"disparity" in data[:65536].lower():
            break
    text = subprocess.run(["exiftool", "-j", "-"], input=data, capture_output=True).stdout
    info = json.loads(text)[0]
    codes = numpy.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=numpy.float32) / 255
    low, high = float(info["FloatMinValue"]), float(info["FloatMaxValue"])
    return Image.open(path), low + codes * (high - low)


if __name__ == "__main__":
    photo, disparity = (read_heic if sys.argv[1].lower().endswith("heic") else read_jpeg)(sys.argv[1])
    height, width = disparity.shape
    color = numpy.asarray(photo.convert("RGB").resize((width, height), Image.Resampling.BOX))
    focal = width * 26 / 36
    image = open3d.geometry.RGBDImage.create_from_color_and_depth(
        open3d.geometry.Image(color),
        open3d.geometry.Image(numpy.ascontiguousarray(1 / disparity)),
        depth_scale=1,
        depth_trunc=1e9,
        convert_rgb_to_intensity=False,
    )
    camera = open3d.camera.PinholeCameraIntrinsic(width, height, focal, focal, width / 2, height / 2)
    cloud = open3d.geometry.PointCloud.create_from_rgbd_image(image, camera)
    open3d.io.write_point_cloud(sys.argv[2], cloud)
