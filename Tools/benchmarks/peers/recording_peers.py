"""Frames and recordings of 640 x 480, and what OpenCV and Open3D make of them.

recording_peers.py depth OUT.raw                writes 150 frames of gray16le in millimeters, with noise and holes
recording_peers.py square OUT.raw               writes 150 frames of rgb24 and gray16le: a square that moves
recording_peers.py room FOLDER COUNT            writes a recording in Open3D's layout: a camera that turns in a room,
                                                with noise of 2.5 mm at 1 m that grows with the square of the distance
recording_peers.py colors DEPTH.raw             milliseconds of a frame: a table of 8 bits and applyColorMap
recording_peers.py follow SQUARE.raw            OpenCV's KCF; the overlap goes to standard error
recording_peers.py fuse FOLDER VOXEL OUT.ply    Open3D's ScalableTSDFVolume: processor time of a frame, on one thread
recording_peers.py integrate FOLDER VOXEL OUT.ply  the time of a frame, on all threads
recording_peers.py percentiles STAGE COMMAND... milliseconds that isobath reports with --json
(p50, p95 and p99 of the milliseconds of a frame, but for fusion.)
recording_peers.py overlap TRACK.csv            the mean overlap of a track with the square
"""

import csv
import json
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy

WIDTH, HEIGHT, COUNT, FOCAL = 640, 480, 150, 525.0


def noisy_depth(random, index):
    rows, columns = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    depth = 1500 + columns * 2.0 + 200 * numpy.sin(rows / 60 + index / 40)
    left = 100 + 2 * index % 300
    depth[120:360, left : left + 160] = 900
    depth *= 1 + random.normal(0, 0.003, depth.shape)
    depth[random.random(depth.shape) < 0.02] = 0
    return depth.round().astype("<u2")


def depth(path):
    random = numpy.random.default_rng(5)
    with open(path, "wb") as file:
        for index in range(COUNT):
            file.write(noisy_depth(random, index).tobytes())


def place(index):
    """The left and top edge of the square, of 120 pixels."""
    return 200 + 120 * numpy.sin(index / 25), 160 + 50 * numpy.sin(index / 14)


def square(path):
    random = numpy.random.default_rng(7)
    wall = numpy.kron(random.integers(60, 180, (HEIGHT // 16, WIDTH // 16, 3)), numpy.ones((16, 16, 1))).astype(
        numpy.uint8
    )
    object_ = numpy.kron(random.integers(0, 255, (10, 10, 3)), numpy.ones((12, 12, 1))).astype(numpy.uint8)
    with open(path, "wb") as file:
        for index in range(COUNT):
            left, top = (int(round(value)) for value in place(index))
            picture, map_ = wall.copy(), numpy.full((HEIGHT, WIDTH), 4000, "<u2")
            picture[top : top + 120, left : left + 120] = object_
            map_[top : top + 120, left : left + 120] = 2000
            noise = random.normal(0, 3, picture.shape)
            file.write(numpy.clip(picture + noise, 0, 255).astype(numpy.uint8).tobytes() + map_.tobytes())


def pose(index):
    angle = 0.05 * index
    matrix = numpy.eye(4)
    matrix[:3, :3] = [[numpy.cos(angle), 0, numpy.sin(angle)], [0, 1, 0], [-numpy.sin(angle), 0, numpy.cos(angle)]]
    matrix[:3, 3] = [0.3 * numpy.cos(angle), 0.1 * numpy.sin(angle), 0.3 * numpy.sin(angle)]
    return matrix


def room(folder, count):
    """A room of 4 x 3 x 4 m, seen from its middle."""
    import cv2

    folder = Path(folder)
    for name in ["color", "depth"]:
        (folder / name).mkdir(parents=True, exist_ok=True)
    rows, columns = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    rays = numpy.stack([(columns - 319.5) / FOCAL, (rows - 239.5) / FOCAL, numpy.ones_like(rows)], -1)
    log = []
    random = numpy.random.default_rng(3)
    for index in range(count):
        matrix = pose(index)
        world = rays @ matrix[:3, :3].T
        with numpy.errstate(divide="ignore"):
            distances = (numpy.sign(world) * [2, 1.5, 2] - matrix[:3, 3]) / world
        wall = distances.argmin(-1)
        distance = distances.min(-1)
        points = world * distance[..., None] + matrix[:3, 3]
        checks = (numpy.floor(points * 5).sum(-1) % 2 * 60).astype(numpy.uint8)
        distance = distance + random.normal(0, 0.0025, distance.shape) * distance**2
        color = numpy.stack([100 + 50 * wall, 160 - 40 * wall, 90 + checks], -1).astype(numpy.uint8)
        cv2.imwrite(str(folder / f"color/{index:06}.png"), color, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        cv2.imwrite(
            str(folder / f"depth/{index:06}.png"),
            (distance * 1000).round().astype(numpy.uint16),
            [cv2.IMWRITE_PNG_COMPRESSION, 1],
        )
        log.append(f"{index} {index} {index + 1}\n" + "\n".join(" ".join(map(str, row)) for row in matrix) + "\n")
    (folder / "trajectory.log").write_text("".join(log))
    camera = {"width": WIDTH, "height": HEIGHT, "intrinsic_matrix": [FOCAL, 0, 0, 0, FOCAL, 0, 319.5, 239.5, 1]}
    (folder / "camera_intrinsic.json").write_text(json.dumps(camera))


def depths(path):
    frames = numpy.memmap(path, "<u2", "r").reshape(-1, HEIGHT, WIDTH)
    return (numpy.array(frame) for frame in frames)


def colors():
    import cv2

    # 65,536 distances to 256 codes between 0.9 and 3 m, as a look-up is quicker than arithmetic.
    table = numpy.clip((numpy.arange(65536) - 900) / 2100 * 255, 0, 255).astype(numpy.uint8)

    def work(frame):
        view = cv2.applyColorMap(table[frame], cv2.COLORMAP_TURBO)
        view[frame == 0] = 0
        return view

    return work


def print_percentiles(times):
    print(*numpy.percentile(times[10:], [50, 95, 99]))


def time_frames(frames, work):
    times = []
    for frame in frames:
        frame = getattr(work, "prepare", lambda frame: frame)(frame)
        start = perf_counter()
        work(frame)
        times.append((perf_counter() - start) * 1000)
    print_percentiles(times)


def overlap(box, index):
    left, top = place(index)
    across = min(box[0] + box[2], left + 120) - max(box[0], left)
    down = min(box[1] + box[3], top + 120) - max(box[1], top)
    common = max(across, 0) * max(down, 0)
    return common / (box[2] * box[3] + 120 * 120 - common)


def follow(path):
    import cv2

    make = getattr(cv2, "TrackerKCF_create", None) or getattr(cv2, "TrackerKCF", None) and cv2.TrackerKCF.create
    tracker = (make or cv2.legacy.TrackerKCF_create)()
    frames = numpy.memmap(path, numpy.uint8, "r").reshape(COUNT, HEIGHT * WIDTH * 5)
    times, overlaps = [], []
    for index, frame in enumerate(frames):
        picture = cv2.cvtColor(numpy.array(frame[: HEIGHT * WIDTH * 3]).reshape(HEIGHT, WIDTH, 3), cv2.COLOR_RGB2BGR)
        if index == 0:
            left, top = place(0)
            tracker.init(picture, (int(left), int(top), 120, 120))
            continue
        start = perf_counter()
        found, box = tracker.update(picture)
        times.append((perf_counter() - start) * 1000)
        overlaps.append(overlap(box, index) if found else 0)
    print(f"KCF: mean overlap {numpy.mean(overlaps):.3f}", file=sys.stderr)
    print_percentiles(times)


def track_overlap(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    values = [overlap([float(row[name]) for name in ["x", "y", "width", "height"]], int(row["frame"])) for row in rows]
    print(f"{numpy.mean(values[1:]):.3f}")


def fuse(folder, voxel, output, clock):
    """Milliseconds that integrating a frame takes; the number of points and the peak of memory beyond Python and its
    modules go to standard error.

    Processor time is taken on one thread, where Open3D takes the least: its threads are busy while they wait for each
    other. Open3D 0.20's volume stays empty, because it divides depth in meters by 1,000 once more: 0.19 does not.
    """
    import os

    if clock is process_time:
        os.environ["OMP_NUM_THREADS"] = "1"
    import open3d
    from open3d.pipelines.integration import ScalableTSDFVolume, TSDFVolumeColorType

    folder, voxel = Path(folder), float(voxel)
    volume = ScalableTSDFVolume(voxel_length=voxel, sdf_trunc=4 * voxel, color_type=TSDFVolumeColorType.RGB8)
    camera = open3d.camera.PinholeCameraIntrinsic(WIDTH, HEIGHT, FOCAL, FOCAL, 319.5, 239.5)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for index in range(len(list((folder / "depth").iterdir()))):
        color, depth_ = (open3d.io.read_image(str(folder / f"{name}/{index:06}.png")) for name in ["color", "depth"])
        frame = open3d.geometry.RGBDImage.create_from_color_and_depth(
            color, depth_, depth_scale=1000, depth_trunc=10, convert_rgb_to_intensity=False
        )
        start = clock()
        volume.integrate(frame, camera, numpy.linalg.inv(pose(index)))
        times.append((clock() - start) * 1000)
    cloud = volume.extract_point_cloud()
    points = len(cloud.points)
    if points == 0:
        sys.exit("Open3D fused nothing")
    open3d.io.write_point_cloud(output, cloud)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"Open3D: {points} points, {(peak - before) / 1000:.0f} MB", file=sys.stderr)
    print(numpy.mean(times))


def reported(stage, command):
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    print(*(report["milliseconds"][stage][name] for name in ["p50", "p95", "p99"]))


def main():
    job, *rest = sys.argv[1:]
    if job == "depth":
        depth(*rest)
    elif job == "square":
        square(*rest)
    elif job == "room":
        room(rest[0], int(rest[1]))
    elif job == "colors":
        time_frames(depths(rest[0]), colors())
    elif job == "follow":
        follow(*rest)
    elif job in ("fuse", "integrate"):
        fuse(*rest, {"fuse": process_time, "integrate": perf_counter}[job])
    elif job == "percentiles":
        reported(rest[0], rest[1:])
    elif job == "overlap":
        track_overlap(*rest)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
