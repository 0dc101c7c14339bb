"""Writes small bags of ROS, and their messages, as seeds: bags.py FOLDER. Depth of 3 x 2 samples, pictures, poses."""

import bz2
import sqlite3
import struct
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
POSE = struct.pack("<7d", 0.1, 0.2, 0.3, 0, 0, 0, 1)
# RVL data of 0 0 1000 1001 999 0.
RVL = struct.pack("<4i", 0, 0, 0, 3) + struct.pack("<3I", 2, 0x238AF323, 0x10000000)


class Fields:
    """The fields of a message, in the serialization of ROS 1 or as CDR."""

    def __init__(self, is_cdr):
        self.is_cdr = is_cdr
        self.bytes = b"\0\1\0\0" if is_cdr else b""

    def add(self, form, *values):
        for value in values:
            size = struct.calcsize(form)
            if self.is_cdr:
                self.bytes += bytes(-(len(self.bytes) - 4) % size)
            self.bytes += struct.pack("<" + form, value)
        return self

    def text(self, text):
        content = text.encode() + (b"\0" if self.is_cdr else b"")
        return self.content(content)

    def content(self, content):
        self.add("I", len(content))
        self.bytes += content
        return self

    def header(self, frame):
        if not self.is_cdr:
            self.add("I", 1)
        return self.add("I", 5, 6).text(frame)

    def pose(self):
        return self.add("d", *struct.unpack("<7d", POSE))


def messages(is_cdr):
    """Topics, types of ROS 1, and contents."""

    def fields():
        return Fields(is_cdr)

    def image(encoding, pixel, frame):
        made = fields().header(frame).add("I", 2, 3).text(encoding).add("B", 0)
        return made.add("I", 3 * len(pixel)).content(6 * pixel).bytes

    def camera(frame):
        made = fields().header(frame).add("I", 2, 3).text("plumb_bob").add("I", 5).add("d", 0, 0, 0, 0, 0)
        made.add("d", 4, 0, 1, 0, 4, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 0, 1, 0, 0, 4, 1, 0, 0, 0, 1, 0)
        return made.add("I", 0, 0, 0, 0, 0, 0).add("B", 0).bytes

    def transform(parent, child):
        return fields().add("I", 1).header(parent).text(child).pose().bytes

    yield "/tf_static", "tf2_msgs/TFMessage", transform("color", "depth")
    yield "/tf", "tf2_msgs/TFMessage", transform("world", "color")
    yield "/c/depth/camera_info", "sensor_msgs/CameraInfo", camera("depth")
    yield "/c/color/camera_info", "sensor_msgs/CameraInfo", camera("color")
    yield "/c/depth/image_raw", "sensor_msgs/Image", image("16UC1", b"\1\7", "depth")
    yield "/c/color/image_raw", "sensor_msgs/Image", image("rgb8", b"\1\2\3", "color")
    yield "/odom", "nav_msgs/Odometry", fields().header("world").text("color").pose().add("d", *84 * [0]).bytes
    yield "/pose", "geometry_msgs/PoseStamped", fields().header("world").pose().bytes
    compressed = fields().header("depth").text("16UC1; compressedDepth rvl").content(RVL)
    yield "/d/compressedDepth", "sensor_msgs/CompressedImage", compressed.bytes
    stream = "/device_0/sensor_0/Depth_0"
    yield stream + "/tf/0", "geometry_msgs/Transform", fields().pose().bytes
    yield "/device_0/sensor_0/option/Depth Units/value", "std_msgs/Float32", fields().add("f", 0.001).bytes


def number(value, form="<I"):
    return struct.pack(form, value)


def ros_bag(path):
    def record(header, data):
        header = b"".join(number(len(name) + 1 + len(value)) + name + b"=" + value for name, value in header)
        return number(len(header)) + header + number(len(data)) + data

    def text(name, value):
        return number(len(name) + 1 + len(value)) + name + b"=" + value

    chunks = [b"", b"", b""]
    for index, (topic, kind, content) in enumerate(messages(is_cdr=False)):
        names = [(b"conn", number(index)), (b"topic", topic.encode())]
        chunk = record([(b"op", b"\7"), *names], text(b"topic", topic.encode()) + text(b"type", kind.encode()))
        chunk += record([(b"op", b"\2"), (b"conn", number(index)), (b"time", bytes(8))], content)
        chunks[index % 3] += chunk
    # An LZ4 frame of one stored block, without checksums.
    lz4 = b"\x04\x22\x4d\x18\x60\x70\x73" + number(len(chunks[1]) | 1 << 31) + chunks[1] + number(0)
    packed = [(b"none", chunks[0]), (b"lz4", lz4), (b"bz2", bz2.compress(chunks[2]))]
    file = b"#ROSBAG V2.0\n"
    for chunk, (name, content) in zip(chunks, packed):
        file += record([(b"op", b"\5"), (b"compression", name), (b"size", number(len(chunk)))], content)
    path.write_bytes(file)


def mcap(path, encoding):
    def record(code, content):
        return bytes([code]) + number(len(content), "<Q") + content

    def text(value):
        return number(len(value)) + value.encode()

    records = []
    for index, (topic, kind, content) in enumerate(messages(is_cdr=encoding == "cdr")):
        kind = kind.replace("/", "/msg/")
        records.append(
            record(3, struct.pack("<H", index + 1) + text(kind) + text("ros2msg") + number(0))
            + record(4, struct.pack("<HH", index, index + 1) + text(topic) + text(encoding) + number(0))
            + record(5, struct.pack("<HIQQ", index, 0, 5, 5) + content)
        )
    mark = b"\x89MCAP0\r\n"
    chunk = b"".join(records[:6])
    head = bytes(16) + number(len(chunk), "<Q") + number(0) + text("") + number(len(chunk), "<Q")
    end = record(15, number(0)) + record(2, bytes(20))
    start = mark + record(1, text("ros2") + text("")) + record(6, head + chunk)
    path.write_bytes(start + b"".join(records[6:]) + end + mark)


def database(path):
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA page_size = 512")
        base.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)")
        base.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)")
        for index, (topic, kind, content) in enumerate(messages(is_cdr=True)):
            base.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr')", (index, topic, kind.replace("/", "/msg/")))
            base.execute("INSERT INTO messages VALUES (?, ?, 5, ?)", (index, index, content))


ros_bag(FOLDER / "ros1.bag")
mcap(FOLDER / "cdr.mcap", "cdr")
mcap(FOLDER / "ros1.mcap", "ros1")
database(FOLDER / "ros2.db3")
for is_cdr in [False, True]:
    for index, (_, _, content) in enumerate(messages(is_cdr)):
        (FOLDER / f"{index}-{'cdr' if is_cdr else 'ros1'}.message").write_bytes(content)
