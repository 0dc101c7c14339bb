"""Results are written as files that others read."""

import pickle
import struct
import zlib

import numpy as np
import pytest

import isobath
from conftest import IMAGES, write_room


@pytest.fixture(scope="module")
def photo():
    return isobath.open(IMAGES / "portrait.heic")


def rows_of_png(path):
    """The samples of a PNG without filters other than those of the standard (PNG §9), by a decoder of our own."""
    data, place, packed = path.read_bytes(), 8, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[place + 8 : place + 18])
        if kind == b"IDAT":
            packed += data[place + 8 : place + 8 + length]
        place += length + 12
    channels = {0: 1, 2: 3, 6: 4}[color]
    step = channels * depth // 8
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * step).astype(int)
    above, rows = np.zeros(width * step, int), []
    for line in lines:
        row = line[1:].copy()
        for place in range(len(row)):
            left, corner = (row[place - step], above[place - step]) if place >= step else (0, 0)
            nearest = min((left, above[place], corner), key=lambda value: abs(left + above[place] - corner - value))
            added = [0, left, above[place], (left + above[place]) // 2, nearest][line[0]]
            row[place] = (row[place] + added) & 255
        rows.append(row)
        above = row
    samples = np.array(rows, np.uint8)
    return samples.view(">u2").reshape(height, width, -1) if depth == 16 else samples.reshape(height, width, -1)


@pytest.mark.parametrize("ending", ["exr", "tiff", "pfm", "npy"])
@pytest.mark.parametrize("quantity", ["depth", "disparity"])
def test_maps_are_the_same_when_they_are_read(photo, ending, quantity, tmp_path):
    values = getattr(photo, quantity)()
    path = tmp_path / f"map.{ending}"
    values.write(path)
    again = getattr(isobath.open(path, quantity=None if ending in ("exr", "tiff") else quantity), quantity)()
    assert np.array_equal(again, values, equal_nan=True)
    if ending in ("exr", "tiff"):
        assert again.scale == values.scale == "relative" and again.quantity == quantity
        assert np.allclose(again.camera.K, values.camera.K) and again.camera.source == "file"
    if ending == "npy":
        assert np.array_equal(np.load(path), values, equal_nan=True)


def test_png_holds_the_range_in_16_bits(photo, tmp_path):
    depth = photo.depth()
    depth.write(tmp_path / "depth.png")
    codes = rows_of_png(tmp_path / "depth.png")[..., 0].astype(float)
    low, high = float(depth.min()), float(depth.max())
    step = (high - low) / 65535
    assert np.abs(low + codes * step - depth).max() <= 0.51 * step


def test_what_is_computed_is_a_plain_array(photo):
    depth = photo.depth()
    assert type(depth * 2) is np.ndarray and type(depth > 1) is np.ndarray
    assert isinstance(np.nanmedian(depth), np.floating) and isinstance(depth.sum(), np.floating)
    assert type(depth[::2]) is isobath.Map and depth[::2].scale == "relative"
    depth *= 2
    assert type(depth) is isobath.Map
    copy = pickle.loads(pickle.dumps(depth))
    assert (copy.scale, copy.quantity) == (depth.scale, "depth") and np.array_equal(copy.camera.K, depth.camera.K)


def test_own_values_are_written(tmp_path):
    values = np.linspace(1, 2, 12).reshape(3, 4)
    isobath.Map(values, scale="absolute").write(tmp_path / "own.exr")
    again = isobath.open(tmp_path / "own.exr")
    assert again.scale == "absolute" and np.array_equal(again.depth(), values.astype(np.float32))
    assert again.depth().camera is None
    with pytest.raises(ValueError, match="quantity"):
        isobath.Map(values, quantity="height")
    with pytest.raises(ValueError, match="scale is 'metric'"):
        isobath.Map(values, scale="metric").write(tmp_path / "other.exr")


def test_an_existing_file_is_kept(photo, tmp_path):
    path = tmp_path / "depth.npy"
    path.write_bytes(b"kept")
    with pytest.raises(isobath.NotWrittenError, match="exists") as caught:
        photo.depth().write(path)
    assert caught.value.filename == str(path) and path.read_bytes() == b"kept"
    photo.depth().write(path, overwrite=True)
    assert np.load(path).shape == (144, 192)
    with pytest.raises(isobath.NotWrittenError, match="tiff"):
        photo.depth().write(tmp_path / "depth.doc")
    with pytest.raises(isobath.NotWrittenError):
        photo.depth().write(tmp_path / "missing" / "depth.npy")
    assert [file.name for file in tmp_path.iterdir()] == ["depth.npy"]


def test_pictures_and_mattes_are_written(photo, tmp_path):
    white = photo.composite("white")
    white.write(tmp_path / "white.png")
    assert np.array_equal(rows_of_png(tmp_path / "white.png"), white)
    cutout = photo.composite()
    cutout.write(tmp_path / "cutout.png")
    assert np.array_equal(rows_of_png(tmp_path / "cutout.png"), cutout)
    matte = photo.matte()
    matte.write(tmp_path / "matte.png")
    assert np.array_equal(rows_of_png(tmp_path / "matte.png")[..., 0], matte)
    photo.blur().write(tmp_path / "soft.jpg", quality=80)
    assert (tmp_path / "soft.jpg").read_bytes()[:3] == b"\xff\xd8\xff"
    error = isobath.open(tmp_path / "soft.jpg").image().astype(int) - photo.blur()
    assert np.abs(error).mean() < 3
    with pytest.raises(ValueError, match="quality"):
        white.write(tmp_path / "low.jpg", quality=0)


def test_native_pictures_keep_their_profile(photo, tmp_path):
    picture, profile = photo.native_image()
    assert profile and picture.color_profile == profile
    picture.write(tmp_path / "native.png")
    again, kept = isobath.open(tmp_path / "native.png").native_image()
    assert kept == profile and np.array_equal(again, picture)


def test_clouds_are_written(photo, tmp_path):
    cloud = photo.cloud(normals=True)
    cloud.write(tmp_path / "cloud.ply")
    header, _, body = (tmp_path / "cloud.ply").read_bytes().partition(b"end_header\n")
    assert b"format binary_little_endian" in header and f"element vertex {len(cloud)}".encode() in header
    names = [line.split()[1:] for line in header.decode().splitlines() if line.startswith("property")]
    kinds = {"float": "<f4", "uchar": "u1"}
    points = np.frombuffer(body, [(name, kinds[kind]) for kind, name in names])
    assert np.array_equal(np.stack([points["x"], points["y"], points["z"]], 1), cloud.positions)
    assert np.array_equal(np.stack([points["red"], points["green"], points["blue"]], 1), cloud.colors)
    assert np.allclose(np.stack([points["nx"], points["ny"], points["nz"]], 1), cloud.normals)
    cloud.write(tmp_path / "text.ply", text=True)
    assert b"format ascii" in (tmp_path / "text.ply").read_bytes()[:40]
    with pytest.raises(isobath.NotWrittenError, match="exists"):
        cloud.write(tmp_path / "cloud.ply")


def read_mesh(path):
    """Vertices and triangles of a PLY file."""
    header, _, body = path.read_bytes().partition(b"end_header\n")
    lines = [line.split() for line in header.decode().splitlines()]
    (points, faces) = (int(line[2]) for line in lines if line[0] == "element")
    kinds = {"float": "<f4", "uchar": "u1"}
    vertex = np.dtype([(line[2], kinds[line[1]]) for line in lines if line[0] == "property" and line[1] != "list"])
    vertices = np.frombuffer(body, vertex, points)
    rest = body[points * vertex.itemsize :]
    triangles = np.frombuffer(rest, [("count", "u1"), ("corners", "<i4", 3)], faces)
    assert (triangles["count"] == 3).all() and len(rest) == faces * 13
    return np.stack([vertices["x"], vertices["y"], vertices["z"]], 1), triangles["corners"]


def test_meshes_of_photos_and_recordings(photo, tmp_path):
    write_room(tmp_path / "room")
    fused = isobath.open_recording(tmp_path / "room").fuse(0.05, mesh=True)
    for name, mesh in [("photo", photo.cloud(mesh=True)), ("room", fused)]:
        assert mesh.triangles.dtype == np.uint32 and mesh.triangles.shape[1] == 3
        assert mesh.triangles.max() < len(mesh)
        mesh.write(tmp_path / f"{name}.ply")
        positions, triangles = read_mesh(tmp_path / f"{name}.ply")
        assert np.array_equal(positions, mesh.positions) and np.array_equal(triangles, mesh.triangles)
    # The wall and the square face the cameras, which look along z.
    corners = fused.positions[fused.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (across[:, 2] < 0).mean() > 0.95
    assert photo.cloud().triangles is None
    assert len(photo.cloud(mesh=True, maximum_triangles=500).triangles) <= 500
    with pytest.raises(ValueError, match="grid"):
        photo.cloud(mesh=True, voxel_size=0.1)
    with pytest.raises(ValueError, match="without a mesh"):
        photo.cloud(maximum_triangles=10)
    with pytest.raises(isobath.Error, match="LAS|las"):
        fused.write(tmp_path / "room.las")


@pytest.mark.parametrize("name, color", [("white", (255,) * 3), ("Orange", (255, 165, 0)), ("#0f8", (0, 255, 136))])
def test_colors_have_names(photo, name, color):
    assert np.array_equal(photo.composite(name), photo.composite(color))


def test_text_that_is_no_color_is_a_file(photo):
    with pytest.raises(isobath.MissingFileError):
        photo.composite("whitish")
    with pytest.raises(ValueError, match="#rrggbb"):
        photo.composite("#12345")


def test_objects_say_what_they_hold(photo, tmp_path):
    shown = repr(photo)
    assert "picture 960 × 720, depth 192 × 144 relative, matte" in shown
    write_room(tmp_path / "room")
    recording = isobath.open_recording(tmp_path / "room")
    assert repr(recording) == f"<isobath.Recording '{tmp_path}/room': 3 frames, 7-scenes>"
    assert "depth 80 × 60 unknown" in repr(recording[0])
    some = recording.arrays()
    assert repr(some) == "<isobath.FrameArrays of 3 frames: depth (3, 60, 80), color (3, 60, 80, 3)>"
    mesh = photo.cloud(mesh=True, normals=True)
    counts = f"{len(mesh):,} points, {len(mesh.triangles):,} triangles"
    assert repr(mesh) == f"<isobath.Cloud: {counts}, colors, normals, {photo.scale}>"


def test_arrays_of_many_frames(tmp_path):
    write_room(tmp_path / "room")
    recording = isobath.open_recording(tmp_path / "room")
    frames = recording.arrays()
    assert len(frames) == 3 and frames.depth.shape == (3, 60, 80) and frames.color.shape == (3, 60, 80, 3)
    assert frames.K.shape == (3, 3, 3) and frames.K[0].tolist() == [[70, 0, 40], [0, 70, 30], [0, 0, 1]]
    assert np.allclose(frames.pose[:, 0, 3], [0, 0.02, 0.04]) and np.allclose(frames.time, [0, 1 / 30, 2 / 30])
    assert type(frames.depth) is np.ndarray and set(np.unique(frames.depth)) == {1, 2}
    every = recording.arrays(every=2)
    assert every.index.tolist() == [0, 2] and np.array_equal(every.depth, frames.depth[::2])
    assert recording.arrays(start=1 / 30, end=2 / 30).index.tolist() == [1]
    with pytest.raises(ValueError, match="no frame"):
        recording.arrays(start=5)
    with pytest.raises(ValueError, match="every"):
        recording.arrays(every=0)
