"""Data sets and scaled models that isobath writes, opened by pycolmap."""

import json
import pathlib
import subprocess

import numpy as np
import pycolmap
from PIL import Image

pycolmap.logging.minloglevel = 2  # errors

PHOTO = pathlib.Path(__file__).resolve().parent.parent.parent / "TestImages" / "absolute-depth.heic"


def dense_map(path, channels=1):
    """A dense map, as COLMAP's script read_write_dense.py reads it: one channel after another."""
    width, height, stored, samples = path.read_bytes().split(b"&", 3)
    assert int(stored) == channels, stored
    return np.frombuffer(samples, "<f4").reshape(channels, int(height), int(width))


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
        depth = dense_map(output / "stereo/depth_maps" / f"{image.name}.geometric.bin")[0]
        height, width = depth.shape
        columns = (places[:, 0] * width / camera.width).astype(int)
        rows = (places[:, 1] * height / camera.height).astype(int)
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        assert inside.mean() > 0.99, inside.mean()
        found, wanted = depth[rows[inside], columns[inside]], points[inside, 2]
        assert np.median(np.abs(found - wanted) / wanted) < 0.01

    def scaled():
        unit, shift = 0.137, np.array([0.5, -0.25, 0.125])
        room = pycolmap.Reconstruction(folder / "colmap-set/sparse/0")
        camera = next(iter(room.cameras.values()))
        points = np.array([point.xyz for point in room.points3D.values()])[::20]
        places = np.array(camera.img_from_cam(points))
        photos, text, model, output = (folder / f"scale-{name}" for name in ("photos", "text", "model", "output"))
        for path in (photos, text, model):
            path.mkdir()
        (photos / "photo.heic").write_bytes(PHOTO.read_bytes())
        numbers = " ".join(map(str, camera.params))
        (text / "cameras.txt").write_text(f"1 {camera.model.name} {camera.width} {camera.height} {numbers}\n")
        seen = " ".join(f"{x} {y} {number + 1}" for number, (x, y) in enumerate(places))
        (text / "images.txt").write_text(f"1 1 0 0 0 {' '.join(map(str, shift * unit))} 1 photo.heic\n{seen}\n")
        lines = [f"{n + 1} {x} {y} {z} 0 0 0 0 1 {n}" for n, (x, y, z) in enumerate((points - shift) * unit)]
        (text / "points3D.txt").write_text("\n".join(lines) + "\n")
        made = pycolmap.Reconstruction(text)
        made.write_binary(model)
        command = [isobath, "convert", photos, "--scale-model", model, "-o", output, "--json", "--quiet"]
        record = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        assert abs(record["metersPerUnit"] * unit - 1) < 0.01, record["metersPerUnit"]
        found = pycolmap.Reconstruction(output)
        for number, xyz in enumerate(points - shift):
            assert np.allclose(found.points3D[number + 1].xyz, xyz, atol=0.02 * np.abs(points).max())
        center = next(iter(found.images.values())).projection_center()
        assert np.allclose(center, -shift, rtol=0.01), center
        assert {path.name for path in output.iterdir()} == {path.name for path in model.iterdir()}

    def trains():
        """A wall 2 m away that a camera passes: bundle adjustment and fusion find it where it is."""
        recording, output = folder / "wall", folder / "wall-set"
        recording.mkdir()
        random = np.random.default_rng(1)
        for number in range(6):
            depth = np.full((120, 160), 2000, np.uint16)
            color = random.integers(0, 255, (120, 160, 3), np.uint8)
            Image.fromarray(depth).save(recording / f"frame-{number:06}.depth.png")
            Image.fromarray(color).save(recording / f"frame-{number:06}.color.png")
            pose = np.eye(4)
            pose[0, 3] = 0.1 * number
            np.savetxt(recording / f"frame-{number:06}.pose.txt", pose)
        (recording / "camera-intrinsics.txt").write_text("150 0 79.5\n0 150 59.5\n0 0 1\n")
        command = [isobath, "convert", recording, "--scale", "1000", "--to", "colmap", "-o", output, "--quiet"]
        subprocess.run(command, check=True)
        model = pycolmap.Reconstruction(output / "sparse/0")
        assert len(model.images) == 6 and model.compute_mean_track_length() > 2, model.summary()
        centers = {number: image.projection_center() for number, image in model.images.items()}
        pycolmap.bundle_adjustment(model)
        assert model.compute_mean_reprojection_error() < 0.01
        for number, image in model.images.items():
            assert np.allclose(image.projection_center(), centers[number], atol=1e-3)
        options = pycolmap.StereoFusionOptions()
        options.min_num_pixels = 3
        fused = pycolmap.stereo_fusion(folder / "fused.ply", output, options=options, output_type="PLY")
        depths = np.array([point.xyz[2] for point in fused.points3D.values()])
        assert len(depths) > 5000 and np.abs(depths - 2).max() < 0.002, (len(depths), depths.min(), depths.max())
        normals = dense_map(output / "stereo/normal_maps/000000.png.geometric.bin", channels=3)
        assert np.allclose(normals[:, 10:-10, 10:-10], np.array([0, 0, -1])[:, None, None], atol=0.01)
        # What 3D Gaussian splatting computes.
        scale = json.loads((output / "sparse/0/depth_params.json").read_text())["000000"]
        with Image.open(output / "inverse_depths/000000.png") as stored:
            inverse = np.asarray(stored).astype(float) / 65536 * scale["scale"] + scale["offset"]
        assert np.allclose(inverse, 0.5, atol=1e-4)

    check("pycolmap opens the data set that isobath writes, whose points lie on its depth", colmap)
    check("pycolmap reads a model that isobath scales to meters", scaled)
    check("pycolmap adjusts and fuses a data set that isobath writes", trains)
