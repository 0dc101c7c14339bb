"""Writes a recording in the layout of 7-Scenes: a wall 2 m away with a square 1 m away before it, seen by three
cameras.

python3 recording.py FOLDER
"""
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT, FOCAL_LENGTH = 80, 60, 70


def png(path, bits, color_type, rows):
    def chunk(name, data):
        checksum = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, color_type, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def is_square(column, row, camera):
    x = (column - WIDTH / 2) / FOCAL_LENGTH + camera
    return abs(x) < 0.15 and abs(row - HEIGHT / 2) / FOCAL_LENGTH < 0.15


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for index in range(3):
    camera = 0.02 * index
    near = [[is_square(column, row, camera) for column in range(WIDTH)] for row in range(HEIGHT)]
    name = f"frame-{index:06}"
    png(
        folder / f"{name}.depth.png", 16, 0,
        [struct.pack(f">{WIDTH}H", *(1000 if sample else 2000 for sample in row)) for row in near],
    )
    png(
        folder / f"{name}.color.png", 8, 2,
        [b"".join(b"\xc0\x40\x20" if s else bytes([60, 80, 3 * x]) for x, s in enumerate(row)) for row in near],
    )
    pose = f"1 0 0 {camera}\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
    (folder / f"{name}.pose.txt").write_text(pose)
intrinsics = f"{FOCAL_LENGTH} 0 {WIDTH / 2}\n0 {FOCAL_LENGTH} {HEIGHT / 2}\n0 0 1\n"
(folder / "camera-intrinsics.txt").write_text(intrinsics)
