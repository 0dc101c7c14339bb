"""Bags that rosbags and mcap write, as isobath reads them: depth and colors with known values, in every container and
compression."""

import json
import subprocess

import numpy as np
from mcap.writer import CompressionType, Writer as MCAPWriter
from rosbags import rosbag1, rosbag2
from rosbags.typesys import Stores, get_typestore

WIDTH, HEIGHT, COUNT = 64, 48, 4
ROS1, ROS2 = get_typestore(Stores.ROS1_NOETIC), get_typestore(Stores.ROS2_HUMBLE)
DEPTH, COLOR, CAMERA = "/c/aligned_depth_to_color/image_raw", "/c/color/image_raw", "/c/color/camera_info"
IMAGE, INFO = "sensor_msgs/msg/Image", "sensor_msgs/msg/CameraInfo"


def depth(index):
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    codes = (1000 + 100 * index + columns + 2 * rows).astype(np.uint16)
    codes[0, :5] = 0
    return codes


def messages(store, is_ros2):
    """Topics, types, times in nanoseconds and messages."""

    def header(time):
        stamp = store.types["builtin_interfaces/msg/Time"](sec=time // 10**9, nanosec=time % 10**9)
        count = {} if is_ros2 else {"seq": 1}
        return store.types["std_msgs/msg/Header"](stamp=stamp, frame_id="color", **count)

    def image(time, pixels, encoding):
        rows = np.ascontiguousarray(pixels).view(np.uint8).reshape(HEIGHT, -1)
        return store.types[IMAGE](
            header=header(time), height=HEIGHT, width=WIDTH, encoding=encoding, is_bigendian=0,
            step=rows.shape[1], data=rows.ravel())  # fmt: skip

    def camera(time):
        region = store.types["sensor_msgs/msg/RegionOfInterest"](0, 0, 0, 0, False)
        matrices = {
            "d": np.zeros(5),
            "k": np.array([50, 0, 31.5, 0, 50, 23.5, 0, 0, 1.0]),
            "r": np.eye(3).ravel(),
            "p": np.array([50, 0, 31.5, 0, 0, 50, 23.5, 0, 0, 0, 1.0, 0]),
        }
        return store.types[INFO](
            header=header(time), height=HEIGHT, width=WIDTH, distortion_model="plumb_bob", binning_x=0, binning_y=0,
            roi=region, **{name if is_ros2 else name.upper(): value for name, value in matrices.items()})  # fmt: skip

    for index in range(COUNT):
        time = 1_700_000_000_000_000_000 + index * 100_000_000
        color = np.stack([depth(index) % 200] * 3, -1).astype(np.uint8)
        yield CAMERA, INFO, time, camera(time)
        yield DEPTH, IMAGE, time, image(time, depth(index), "16UC1")
        yield COLOR, IMAGE, time, image(time + 3_000_000, color, "rgb8")


def write_ros1(path, compression):
    writer = rosbag1.Writer(path)
    if compression:
        writer.set_compression(compression)
    with writer:
        topics = {}
        for topic, kind, time, message in messages(ROS1, is_ros2=False):
            if topic not in topics:
                topics[topic] = writer.add_connection(topic, kind, typestore=ROS1)
            writer.write(topics[topic], time, ROS1.serialize_ros1(message, kind))


def write_ros2(path, storage, mode=None):
    writer = rosbag2.Writer(path, version=rosbag2.Writer.VERSION_LATEST, storage_plugin=storage)
    if mode:
        writer.set_compression(mode, rosbag2.CompressionFormat.ZSTD)
    with writer:
        topics = {}
        for topic, kind, time, message in messages(ROS2, is_ros2=True):
            if topic not in topics:
                topics[topic] = writer.add_connection(topic, kind, typestore=ROS2)
            writer.write(topics[topic], time, ROS2.serialize_cdr(message, kind))


def write_mcap(path, compression, is_chunked=True):
    with path.open("wb") as file:
        writer = MCAPWriter(file, chunk_size=20_000, compression=compression, use_chunking=is_chunked)
        writer.start("ros2", "test")
        topics = {}
        for topic, kind, time, message in messages(ROS2, is_ros2=True):
            if topic not in topics:
                schema = writer.register_schema(kind, "ros2msg", b"")
                topics[topic] = writer.register_channel(topic, "cdr", schema)
            writer.add_message(topics[topic], time, bytes(ROS2.serialize_cdr(message, kind)), time)
        writer.finish()


def checks(tool, folder, check, same):
    """Writes each kind of bag, and compares what isobath extracts."""
    compressions = rosbag1.Writer.CompressionFormat
    modes = rosbag2.CompressionMode
    kinds = {
        "none.bag": lambda path: write_ros1(path, None),
        "bz2.bag": lambda path: write_ros1(path, compressions.BZ2),
        "lz4.bag": lambda path: write_ros1(path, compressions.LZ4),
        "none.mcap": lambda path: write_mcap(path, CompressionType.NONE),
        "lz4.mcap": lambda path: write_mcap(path, CompressionType.LZ4),
        "zstd.mcap": lambda path: write_mcap(path, CompressionType.ZSTD),
        "flat.mcap": lambda path: write_mcap(path, CompressionType.NONE, is_chunked=False),
        "db3": lambda path: write_ros2(path, rosbag2.StoragePlugin.SQLITE3),
        "db3-files": lambda path: write_ros2(path, rosbag2.StoragePlugin.SQLITE3, modes.FILE),
        "db3-messages": lambda path: write_ros2(path, rosbag2.StoragePlugin.SQLITE3, modes.MESSAGE),
        "mcap-folder": lambda path: write_ros2(path, rosbag2.StoragePlugin.MCAP),
    }
    for name, write in kinds.items():
        write(folder / name)
        check(f"bag {name}", lambda name=name: compare(tool, folder / name, folder, same))


def compare(tool, bag, folder, same):
    done = subprocess.run([tool, "info", "--json", str(bag)], capture_output=True, text=True, check=True)
    record = json.loads(done.stdout)
    found = {topic["name"]: (topic["messages"], topic["role"]) for topic in record["topics"]}
    if found != {CAMERA: (COUNT, None), DEPTH: (COUNT, "depth"), COLOR: (COUNT, "color")}:
        raise AssertionError(f"topics {found}")
    if (record["camera"]["fx"], record["camera"]["cx"], record["frames"]) != (50, 31.5, COUNT):
        raise AssertionError(f"camera {record['camera']} of {record['frames']} frames")
    for index in range(COUNT):
        output = folder / "frame.npy"
        command = [tool, "extract", str(bag), "--frame", str(index), "--as", "depth", "-o", str(output), "--force"]
        subprocess.run([*command, "--quiet"], check=True)
        wanted = depth(index).astype(np.float32) / np.float32(1000)
        wanted[wanted == 0] = np.nan
        same(np.load(output), wanted)
