"""Frames of recordings hold what the recording is made of."""

import errno
import json
import pickle
import shutil
import struct

import numpy as np
import pytest

import isobath
from conftest import write_room


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording") / "room"
    write_room(folder)
    return folder


def test_frames_have_depth_color_and_cameras(room):
    recording = isobath.open_recording(room)
    assert len(recording) == 3 and recording.info["layout"] == "7-scenes"
    for index, frame in enumerate(recording):
        depth, image = frame.depth(), frame.image()
        assert depth.dtype == np.float32 and depth.shape == (60, 80) and depth.flags.writeable
        assert set(np.unique(depth)) == {1, 2}
        assert image.shape == (60, 80, 3)
        # The square is red, the wall is not.
        assert ((image[..., 0] == 192) == (depth == 1)).all()
        assert frame.index == index and frame.scale == "unknown" and frame.depth_size == frame.size == (80, 60)
        assert frame.camera.K.tolist() == [[70, 0, 40], [0, 70, 30], [0, 0, 1]] and frame.camera.source == "file"
        assert frame.planes == ["depth"]


def test_poses_and_times(room):
    recording = isobath.open_recording(room)
    assert recording.poses.shape == (3, 4, 4)
    expected = np.tile(np.eye(4), (3, 1, 1))
    expected[:, 0, 3] = [0, 0.02, 0.04]
    assert np.allclose(recording.poses, expected, atol=1e-12)
    # The recording has no times: 30 frames a second are assumed.
    assert np.allclose(recording.times, [0, 1 / 30, 2 / 30])
    assert recording[-1].pose.tolist() == expected[2].tolist()


def write_hills(folder):
    """Five cameras, 1.5 cm apart, see a hilly surface with a pattern: z = 2 + 0.15 sin 4x + 0.12 cos 5y."""
    folder.mkdir()
    rows, columns = np.mgrid[0:120, 0:160]
    across, down = (columns - 80) / 140, (rows - 60) / 140
    for index in range(5):
        z = np.full(rows.shape, 2.0)
        for _ in range(60):
            x, y = across * z + 0.015 * index, down * z
            z = 2 + 0.15 * np.sin(4 * x) + 0.12 * np.cos(5 * y)
        pattern = 128 + 60 * np.sin(40 * x) * np.cos(37 * y) + 60 * np.sin(11 * x + 7 * y)
        picture = np.stack([pattern, pattern, 255 - pattern], axis=2).astype(np.uint8)
        picture.view(isobath.Picture).write(folder / f"frame-{index:06}.color.png")
        isobath.Map(z, scale="absolute").write(folder / "z.tiff", overwrite=True)
        depth = folder / f"frame-{index:06}.depth.png"
        isobath.run("extract", folder / "z.tiff", values="millimeters", output=depth)
    (folder / "z.tiff").unlink()
    (folder / "camera-intrinsics.txt").write_text("140 0 80\n0 140 60\n0 0 1\n")


def test_the_camera_is_followed_where_poses_are_missing(tmp_path):
    write_hills(tmp_path / "hills")
    recording = isobath.open_recording(tmp_path / "hills")
    assert len(recording) == 5 and np.isnan(recording.poses).all()
    followed = recording.followed()
    wanted = np.tile(np.eye(4), (5, 1, 1))
    wanted[:, 0, 3] = 0.015 * np.arange(5)
    assert np.allclose(followed.poses, wanted, atol=0.003)
    assert np.array_equal(followed[2].pose, followed.poses[2])
    assert any("odometry" in remark["message"] for remark in followed.diagnostics), followed.diagnostics
    again = pickle.loads(pickle.dumps(followed))
    assert np.allclose(again.poses, followed.poses) and len(again) == 5
    with pytest.raises(ValueError, match="level"):
        recording.followed(axes="opencv")


def test_poses_that_are_known_are_kept(room, tmp_path):
    recording = isobath.open_recording(room)
    kept = recording.followed()
    assert np.array_equal(kept.poses, recording.poses) and kept.diagnostics == recording.diagnostics
    for path in room.glob("frame-*.[dc]*.png"):
        shutil.copy(path, tmp_path)
    shutil.copy(room / "camera-intrinsics.txt", tmp_path)
    # Flat surfaces without a pattern show no motion.
    with pytest.raises(isobath.UnsuitableError, match="odometry"):
        isobath.open_recording(tmp_path).followed()


def test_the_fused_cloud_is_the_wall_and_the_square(room):
    recording = isobath.open_recording(room)
    cloud = recording.fuse(0.05)
    depths = cloud.positions[:, 2]
    # Both surfaces are flat. Free space beside the square moves its rim, by half a voxel of 5 cm at most.
    error = np.minimum(abs(depths - 1), abs(depths - 2))
    assert error.max() < 0.025 and (error < 1e-3).mean() > 0.95 and len(cloud) > 100
    assert cloud.colors.shape == cloud.positions.shape and cloud.scale == "unknown"
    square = recording.fuse(0.05, far=1.5)
    assert len(square) > 0 and np.isclose(square.positions[:, 2], 1, atol=1e-3).all()
    assert len(recording.fuse(0.2)) < len(cloud)
    # The end is not included, so that nothing is before the first frame.
    with pytest.raises(isobath.UnsuitableError, match="given times"):
        recording.fuse(0.05, end=0)
    # A wall does not show the direction up.
    with pytest.raises(isobath.UnsuitableError, match="upright"):
        recording.fuse(0.05, level=True)
    for wrong in ({"near": -1}, {"step": -1}, {"axes": "opencv"}, {"axes": "up", "level": True}):
        with pytest.raises(ValueError):
            recording.fuse(**wrong)


FILES = {
    "nerfstudio": {"transforms.json", "sparse_pc.ply", "images", "depths"},
    "colmap": {"sparse", "images", "stereo", "inverse_depths"},
    "tum": {"rgb", "depth", "rgb.txt", "depth.txt", "groundtruth.txt", "associated.txt", "calibration.txt"},
}


@pytest.mark.parametrize("form", FILES)
def test_data_sets_hold_the_frames(room, tmp_path, form):
    made = isobath.open_recording(room).write_data_set(tmp_path / "set", form)
    assert (made["frames"], made["pictures"], made["poses"]) == (3, 3, 3)
    assert made["damagedFrames"] == [] and (made["points"] is None) == (form == "tum")
    assert {path.name for path in (tmp_path / "set").iterdir()} == FILES[form]
    # Pictures of the recording are copied.
    folder = "rgb" if form == "tum" else "images"
    for index in range(3):
        copy = tmp_path / "set" / folder / f"{index:06}.png"
        assert copy.read_bytes() == (room / f"frame-{index:06}.color.png").read_bytes()
    if form == "nerfstudio":
        frames = json.loads((tmp_path / "set" / "transforms.json").read_text())["frames"]
        # The cameras are 2 cm apart.
        matrices = np.array([frame["transform_matrix"] for frame in frames])
        steps = np.linalg.norm(np.diff(matrices[:, :3, 3], axis=0), axis=1)
        assert np.allclose(steps, 0.02) and np.allclose(np.linalg.det(matrices[:, :3, :3]), 1)


@pytest.mark.parametrize("form", FILES)
def test_data_sets_are_those_of_the_tool(tool, room, tmp_path, form):
    source = tmp_path / "soft"
    shutil.copytree(room, source)
    # Of the two frames from 0.01 s on, the picture of the first is flat.
    flat = np.full((60, 80, 3), 128, np.uint8).view(isobath.Picture)
    flat.write(source / "frame-000001.color.png", overwrite=True)
    recording = isobath.open_recording(source)
    made = recording.write_data_set(tmp_path / "here", form, start=0.01, maximum_frames=1, sharpest=True)
    flags = ["--start", 0.01, "--max-frames", 1, "--sharpest"]
    run = tool("convert", source, "--to", form, *flags, "-o", tmp_path / "there")
    assert run.returncode == 0, run.stderr
    here, there = tmp_path / "here", tmp_path / "there"
    files = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(there) for path in there.rglob("*") if path.is_file())
    assert all((here / file).read_bytes() == (there / file).read_bytes() for file in files)
    assert made["frames"] == 1
    pictures = list((here / ("rgb" if form == "tum" else "images")).iterdir())
    assert [path.name for path in pictures] == ["000002.png"]
    assert pictures[0].read_bytes() == (room / "frame-000002.color.png").read_bytes()


def test_data_sets_report_damage_and_replace_only_data_sets(room, tmp_path):
    recording, path = isobath.open_recording(room), tmp_path / "set"
    depth = room / "frame-000001.depth.png"
    whole = depth.read_bytes()
    depth.write_bytes(whole[:60])
    try:
        made = recording.write_data_set(path, "tum")
    finally:
        depth.write_bytes(whole)
    assert made["frames"] == 2 and [frame["index"] for frame in made["damagedFrames"]] == [1]
    assert made["damagedFrames"][0]["error"]["code"] in ("truncated", "damaged")
    with pytest.raises(isobath.NotWrittenError, match="exists") as raised:
        recording.write_data_set(path, "tum")
    assert raised.value.filename == str(path) and isinstance(raised.value, OSError)
    assert recording.write_data_set(path, "tum", step=2, overwrite=True)["frames"] == 2
    (path / "letter.txt").touch()
    with pytest.raises(isobath.NotWrittenError, match="letter.txt"):
        recording.write_data_set(path, "tum", overwrite=True)
    (path / "letter.txt").unlink()
    with pytest.raises(isobath.NotWrittenError, match="input"):
        isobath.open_recording(path).write_data_set(path, "tum", overwrite=True)
    with pytest.raises(isobath.NotWrittenError) as raised:
        recording.write_data_set(tmp_path / "none" / "set", "tum")
    assert raised.value.errno == errno.ENOENT
    for wrong in ({"form": "ply"}, {"sharpest": True}, {"maximum_frames": 0}, {"quality": 101}, {"step": -1}):
        with pytest.raises(ValueError):
            recording.write_data_set(tmp_path / "other", **{"form": "tum", **wrong})
    with pytest.raises(isobath.UnsuitableError):
        recording.write_data_set(tmp_path / "other", "tum", start=9)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["set"]


def test_times_and_poses_are_those_of_frames(room):
    recording = isobath.open_recording(room)
    assert recording.times.tolist() == [frame.time for frame in recording]
    assert (recording.poses == [frame.pose for frame in recording]).all()


def test_points_of_all_frames_are_on_the_wall_and_the_square(room):
    for frame in isobath.open_recording(room):
        points = frame.cloud(axes="opencv", keep_edges=True).positions
        world = points @ frame.pose[:3, :3].T + frame.pose[:3, 3]
        assert len(world) == 4800
        square = world[np.isclose(world[:, 2], 1)]
        assert np.isclose(world[:, 2], 2).sum() + len(square) == 4800
        # Half a pixel is 1/140 of the distance.
        assert np.abs(square[:, :2]).max() < 0.15 + 1 / 140


def test_effects_and_lasting_arrays(room):
    recording = isobath.open_recording(room)
    first = recording[0]
    depth, before = first.depth(), recording[0].depth()
    for frame in recording:
        frame.depth()
    assert (depth == before).all()
    depth[:] = 0
    assert (first.depth() == before).all()
    white = first.composite((255, 255, 255), near=0.5, far=1.5, softness=0, refine=False)
    assert white.shape == (60, 80, 3) and white[0, 0].tolist() == [255, 255, 255]
    with pytest.raises(isobath.PlaneNotFoundError):
        first.matte()
    with pytest.raises(isobath.PlaneNotFoundError):
        first.samples("confidence")


def test_units_and_cameras_that_are_given(room):
    frame = isobath.open_recording(room, scale=500, camera=35)[0]
    assert set(np.unique(frame.depth())) == {2, 4} and frame.scale == "absolute"
    assert frame.camera.K.tolist() == [[35, 0, 39.5], [0, 35, 29.5], [0, 0, 1]] and frame.camera.source == "given"


def test_poses_that_are_given(room, tmp_path):
    path = tmp_path / "poses.txt"
    path.write_text("".join(f"1 0 0 {index} 0 1 0 2 0 0 1 3\n" for index in range(3)))
    recording = isobath.open_recording(room, poses=path, pose_convention="world-to-camera-opencv")
    assert [pose[:3, 3].tolist() for pose in recording.poses] == [[-index, -2, -3] for index in range(3)]
    # REP 103: a body's x is forward, its y left and its z up.
    body = isobath.open_recording(room, poses=path, pose_convention="ros-body").poses[1]
    assert body.tolist() == [[0, 0, 1, 1], [-1, 0, 0, 2], [0, -1, 0, 3], [0, 0, 0, 1]]
    with pytest.raises(ValueError, match="'camera-to-world-opencv'"):
        isobath.open_recording(room, poses=path, pose_convention="opencv")


def write_bag(path):
    """An MCAP file with an image of 2 x 1 samples in each of two topics: 1 m in /a/depth, 2 m in /b/depth."""

    def text(value, end=b""):
        content = value.encode() + end
        return struct.pack("<I", len(content)) + content

    def record(code, content):
        return struct.pack("<BQ", code, len(content)) + content

    mark = b"\x89MCAP0\r\n"
    file = mark + record(1, text("ros2") + text(""))
    file += record(3, struct.pack("<H", 1) + text("sensor_msgs/msg/Image") + text("ros2msg") + text(""))
    for number, topic in enumerate(("/a/depth", "/b/depth")):
        file += record(4, struct.pack("<HH", number, 1) + text(topic) + text("cdr") + text(""))
        millimeters = 1000 * (number + 1)
        # CDR aligns numbers of 4 bytes, counted from behind its first 4 bytes.
        image = struct.pack("<II", 5, 0) + text("cam", b"\0") + struct.pack("<II", 1, 2) + text("16UC1", b"\0")
        image += bytes(1)
        image += bytes(-len(image) % 4) + struct.pack("<IIHH", 4, 4, millimeters, millimeters)
        file += record(5, struct.pack("<HIQQ", number, 0, 5, 5) + b"\0\1\0\0" + image)
    path.write_bytes(file + record(15, bytes(4)) + record(2, bytes(20)) + mark)


def test_the_topic_of_a_bag_is_chosen(room, tmp_path):
    path = tmp_path / "drive.mcap"
    write_bag(path)
    for topics, meters in (("/a/depth", 1), (["/b/depth"], 2), (iter(["/b/depth"]), 2)):
        recording = isobath.open_recording(path, topics=topics)
        assert recording[0].depth().tolist() == [[meters, meters]]
        assert pickle.loads(pickle.dumps(recording))[0].depth()[0, 0] == meters
    with pytest.raises(isobath.UnrecognizedError, match="/a/depth, /b/depth"):
        isobath.open_recording(path, topics=["/c/depth"])
    with pytest.raises(ValueError, match="not a bag"):
        isobath.open_recording(room, topics="/a/depth")


def test_errors(room, tmp_path):
    recording = isobath.open_recording(room)
    for index in (3, -4):
        with pytest.raises(IndexError):
            recording[index]
    with pytest.raises(isobath.MissingFileError):
        isobath.open_recording(tmp_path / "nothing")
    with pytest.raises(isobath.UnrecognizedError):
        isobath.open_recording(tmp_path)
    (room / "frame-000001.depth.png").rename(room / "kept")
    try:
        with pytest.raises(isobath.UnreadableError):
            recording[1].depth()
    finally:
        (room / "kept").rename(room / "frame-000001.depth.png")


def test_frames_can_be_pickled(room):
    frame = pickle.loads(pickle.dumps(isobath.open_recording(room, scale=500)[2]))
    assert frame.index == 2 and (frame.depth() >= 2).all()
