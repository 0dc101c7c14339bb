"""Data sets that isobath writes, opened by pycolmap: a model with its dense map."""

import pathlib
import subprocess

import numpy as np
import pycolmap
from PIL import Image

PHOTO = pathlib.Path(__file__).resolve().parent.parent.parent / "TestImages" / "absolute-depth.heic"


def dense_map(path):
    """A dense map, as COLMAP's script read_write_dense.py reads it."""
    width, height, channels, samples = path.read_bytes().split(b"&", 3)
    assert channels == b"1", channels
    return np.frombuffer(samples, "<f4").reshape(int(height), int(width))


def checks(isobath, folder, check):
    """Counted checks; `check` is that of check.py."""

    def colmap():
        output = folder / "colmap-set"
        subprocess.run([isobath, "convert", PHOTO, "--to", "colmap", "-o", output, "--quiet"], check=True)
        model = pycolmap.Reconstruction(output / "sparse/0")
        assert len(model.images) == 1 and len(model.points3D) > 1000, model.summary()
        image = next(iter(model.images.values()))
        camera = model.cameras[image.camera_id]
        with Image.open(output / "images" / image.name) as picture:
            assert picture.size == (camera.width, camera.height), picture.size
        pose = np.asarray(image.cam_from_world().matrix())
        points = np.array([point.xyz for point in model.points3D.values()]) @ pose[:, :3].T + pose[:, 3]
        places = np.array(camera.img_from_cam(points))
        depth = dense_map(output / "stereo/depth_maps" / f"{image.name}.geometric.bin")
        height, width = depth.shape
        columns = (places[:, 0] * width / camera.width).astype(int)
        rows = (places[:, 1] * height / camera.height).astype(int)
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        assert inside.mean() > 0.99, inside.mean()
        found, wanted = depth[rows[inside], columns[inside]], points[inside, 2]
        assert np.median(np.abs(found - wanted) / wanted) < 0.01

    check("pycolmap opens the data set that isobath writes, whose points lie on its depth", colmap)
