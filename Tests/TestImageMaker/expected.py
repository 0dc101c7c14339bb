#!/usr/bin/env python3
"""Computes what a reader must find in TestImages/, from the formulas of TestImages/README.md alone.

Prints expected.json. Shares no code with the Swift program that renders and writes the images; additions,
products, quotients and square roots are rounded alike everywhere, so codes agree exactly.
"""

import json
import math
import struct
import sys

import expected_formats
import expected_google

# The camera: upright photo, continuous pixel coordinates (pixel 0 spans 0…1).
WIDTH, HEIGHT = 960, 720
FOCAL = 1200.0
PRINCIPAL = (486.0, 356.0)
CENTER = (482.0, 358.0)
PIXEL_SIZE = 0.005
INVERSE_DISTORTION = [0, 0, 0.06, 0.01, 0.001, 0, 0, 0]
DISTORTION = [0, -0.000002, -0.059985, -0.010038, -0.000846, 0.000013, 0.000018, -0.000001]

# The scene, in meters: x right, y down, z away.
BACKDROP, WALL, WALL_TOP, FLOOR = 20.0, 4.2, -0.525, 0.7
SPHERE, SPHERE_RADIUS = (0.61, 0.42, 3.0), 0.28
BOX_LEFT, BOX_RIGHT, BOX_TOP, BOX_FRONT, BOX_BACK = -1.04, -0.58, 0.27, 2.8, 3.25
CARD, CARD_X, CARD_Y = 1.5, -0.06, 0.0

# Ellipses on the card: center, radii, degree.
HAIR_BACK = (0, -0.112, 0.107, 0.122, 2)
HAIR_LONG = (0, -0.02, 0.113, 0.13, 4)
TORSO = (0, 0.40, 0.245, 0.325, 4)
NECK = (0, 0.03, 0.039, 0.085, 4)
NECKLINE = (0, 0.078, 0.06, 0.036, 2)
FACE = (0, -0.095, 0.076, 0.103, 2)
EARS = [(-0.077, -0.085, 0.013, 0.022, 2), (0.077, -0.085, 0.013, 0.022, 2)]
LENSES = [(-0.0315, -0.098, 0.0265, 0.0235, 2), (0.0315, -0.098, 0.0265, 0.0235, 2)]
FRAME = 0.0036
HAIR_SOFT, SKIN_SOFT, CLOTH_SOFT = 0.009, 0.003, 0.004

# x, y, direction x, direction y, length, curvature
STRANDS = [
    (-0.055, -0.185, -1, -0.55, 0.085, -7),
    (-0.07, -0.165, -1, -0.35, 0.08, -8),
    (-0.08, -0.15, -1, -0.1, 0.078, -7),
    (-0.035, -0.205, -1, -0.75, 0.08, -9),
    (-0.015, -0.212, -1, -0.9, 0.062, -11),
    (-0.086, -0.12, -0.9, 0.5, 0.09, -7),
    (-0.092, -0.09, -0.65, 0.75, 0.1, -5),
    (-0.098, -0.06, -0.42, 0.9, 0.1, -2.5),
    (-0.103, -0.025, -0.32, 1, 0.1, 3),
    (-0.1, 0.015, -0.28, 1, 0.09, -3),
    (-0.097, 0.05, -0.4, 1, 0.07, 5),
    (-0.1, -0.04, -0.5, 0.85, 0.085, 3.5),
    (-0.088, -0.135, -1, 0.15, 0.072, -10),
    (0.055, -0.19, 1, -0.6, 0.082, 7),
    (0.07, -0.17, 1, -0.3, 0.085, 6),
    (0.08, -0.155, 1, -0.1, 0.074, 9),
    (0.03, -0.207, 1, -0.8, 0.084, 8),
    (0.008, -0.213, 0.8, -1, 0.06, 12),
    (0.088, -0.12, 0.9, 0.4, 0.092, 6.5),
    (0.092, -0.08, 0.6, 0.75, 0.1, 4),
    (0.098, -0.05, 0.45, 0.9, 0.1, 2),
    (0.103, -0.02, 0.3, 1, 0.095, -3),
    (0.1, 0.02, 0.3, 1, 0.085, 3),
    (0.096, 0.052, 0.35, 1, 0.07, -5),
    (0.1, -0.03, 0.55, 0.85, 0.08, -3),
    (0.086, -0.14, 1, 0.1, 0.075, 9),
]

DISPARITY_RANGE = (0.04998779296875, 0.708984375)
DEPTH_RANGE = (1.4091796875, 20.0)


def ray(x, y):
    vx, vy = x - CENTER[0], y - CENTER[1]
    radius = math.sqrt(vx * vx + vy * vy) * PIXEL_SIZE
    percent = 0.0
    for coefficient in reversed(INVERSE_DISTORTION):
        percent = percent * radius + coefficient
    stretch = 1 + percent * 0.01
    return (
        (CENTER[0] + vx * stretch - PRINCIPAL[0]) / FOCAL,
        (CENTER[1] + vy * stretch - PRINCIPAL[1]) / FOCAL,
    )


def background(x, y):
    """The surface that the ray meets first, and its Z."""
    hits = [(BACKDROP, "backdrop")]
    if y * WALL >= WALL_TOP:
        hits.append((WALL, "wall"))
    if y > 0:
        hits.append((FLOOR / y, "floor"))
    if BOX_LEFT <= x * BOX_FRONT <= BOX_RIGHT and BOX_TOP <= y * BOX_FRONT <= FLOOR:
        hits.append((BOX_FRONT, "box front"))
    if x < 0:
        z = BOX_RIGHT / x
        if BOX_FRONT <= z <= BOX_BACK and BOX_TOP <= y * z <= FLOOR:
            hits.append((z, "box side"))
    if y > 0:
        z = BOX_TOP / y
        if BOX_FRONT <= z <= BOX_BACK and BOX_LEFT <= x * z <= BOX_RIGHT:
            hits.append((z, "box top"))
    a = x * x + y * y + 1
    b = x * SPHERE[0] + y * SPHERE[1] + SPHERE[2]
    c = SPHERE[0] * SPHERE[0] + SPHERE[1] * SPHERE[1] + SPHERE[2] * SPHERE[2] - SPHERE_RADIUS * SPHERE_RADIUS
    discriminant = b * b - a * c
    if discriminant >= 0:
        hits.append(((b - math.sqrt(discriminant)) / a, "sphere"))
    z, surface = min(hits, key=lambda hit: hit[0])
    return surface, z


def card(x, y):
    return x * CARD - CARD_X, y * CARD - CARD_Y


def rim(ellipse, x, y):
    """About the distance to an ellipse's rim, negative inside."""
    cx, cy, rx, ry, degree = ellipse
    dx, dy = (x - cx) / rx, (y - cy) / ry
    a, b = dx * dx, dy * dy
    norm = math.sqrt(a + b) if degree == 2 else math.sqrt(math.sqrt(a * a + b * b))
    return (norm - 1) * min(rx, ry)


def bulge(ellipse, x, y, height):
    cx, cy, rx, ry, _ = ellipse
    dx, dy = (x - cx) / rx, (y - cy) / ry
    return height * math.sqrt(max(0, 1 - dx * dx - dy * dy))


def scene(x, y):
    """The surface and Z of the whole scene; loose hair has no depth."""
    px, py = card(x, y)
    if any(rim(shape, px, py) <= 0 for shape in [HAIR_BACK, HAIR_LONG, TORSO, NECK, FACE] + EARS):
        relief = max(
            0, bulge(FACE, px, py, 0.09), bulge(HAIR_BACK, px, py, 0.07), bulge(TORSO, px, py, 0.06),
            bulge(NECK, px, py, 0.03))
        return "figure", CARD - relief
    return background(x, y)


def smoothstep(value):
    t = min(max(value, 0), 1)
    return t * t * (3 - 2 * t)


def coverage(distance, softness):
    return smoothstep(0.5 - distance / softness)


def strand(hair, px, py):
    x, y, direction_x, direction_y, length, curvature = hair
    norm = math.sqrt(direction_x * direction_x + direction_y * direction_y)
    dx, dy = direction_x / norm, direction_y / norm
    along = (px - x) * dx + (py - y) * dy
    if not 0 <= along <= length:
        return 0
    across = (py - y) * dx - (px - x) * dy
    slope = 2 * curvature * along
    distance = abs(across - curvature * along * along) / math.sqrt(1 + slope * slope)
    rest = 1 - along / length
    return 0.85 * smoothstep(4 * rest) * coverage(distance - (0.0004 + 0.0008 * rest), 0.0016)


def mouth(x, y):
    return max(-0.0455 - 3 * x * x - y, y - (-0.0305 - 22 * x * x))


def glasses(x, y):
    half = FRAME / 2
    rings = min(abs(rim(lens, x, y)) - half for lens in LENSES)
    bridge = max(abs(y + 0.103) - half, abs(x) - 0.006)
    temples = max(abs(y + 0.103) - half, abs(abs(x) - 0.067) - 0.0105)
    return min(rings, bridge, temples)


def mattes(x, y):
    """Layers from back to front; each hides what is behind it as far as it covers."""
    px, py = card(x, y)
    fringe = max(rim(HAIR_BACK, px, py), py - (-0.158 + 7 * (px + 0.02) * (px + 0.02)))
    layers = [
        ("hair", max(strand(hair, px, py) for hair in STRANDS)),
        ("hair", coverage(rim(HAIR_BACK, px, py), HAIR_SOFT)),
        ("hair", coverage(rim(HAIR_LONG, px, py), HAIR_SOFT)),
        (None, coverage(rim(TORSO, px, py), CLOTH_SOFT)),
        ("skin", coverage(rim(NECKLINE, px, py), SKIN_SOFT)),
        ("skin", coverage(rim(NECK, px, py), SKIN_SOFT)),
        ("skin", coverage(min(rim(ear, px, py) for ear in EARS), SKIN_SOFT)),
        ("skin", coverage(rim(FACE, px, py), SKIN_SOFT)),
        (None, coverage(mouth(px, py) - 0.002, SKIN_SOFT)),
        ("teeth", coverage(mouth(px, py), SKIN_SOFT)),
        ("hair", coverage(fringe, HAIR_SOFT)),
        ("glasses", coverage(glasses(px, py), SKIN_SOFT)),
    ]
    shown = {"matte": 0.0, "skin": 0.0, "hair": 0.0, "teeth": 0.0, "glasses": 0.0}
    for kind, amount in layers:
        for name in ("skin", "hair", "teeth", "glasses"):
            shown[name] *= 1 - amount
        shown["matte"] = amount + shown["matte"] * (1 - amount)
        if kind:
            shown[kind] += amount
    hills = min(-0.167 + 0.42 * (x + 0.3) * (x + 0.3), -0.154 + 0.6 * (x - 0.25) * (x - 0.25))
    sky = coverage(y - WALL_TOP / WALL, 0.002) * coverage(y - hills, 0.002)
    shown["sky"] = sky * (1 - shown["matte"])
    glow = smoothstep((-y - 0.5 * x - 0.05) / 0.5)
    shown["gain-map"] = 0.9 * sky * (1 - shown["matte"]) * glow
    return shown


def plane_ray(x, y, width, height):
    return ray((x + 0.5) * (WIDTH / width), (y + 0.5) * (HEIGHT / height))


def code(fraction):
    return int(math.floor(min(max(fraction, 0), 1) * 255 + 0.5))


def plane_code(kind, x, y, width, height):
    """The code of one upright pixel of one plane."""
    direction = plane_ray(x, y, width, height)
    if kind == "disparity":
        low, high = DISPARITY_RANGE
        return code((1 / scene(*direction)[1] - low) / (high - low))
    if kind == "depth":
        low, high = DEPTH_RANGE
        return code((scene(*direction)[1] - low) / (high - low))
    return code(mattes(*direction)[kind])


# Upright pixels of the 192 × 144 planes.
DEPTH_PIXELS = {
    "sky, left": (10, 10), "sky, right": (180, 20), "hills": (20, 37), "wall, left": (30, 60),
    "wall, right": (150, 60), "wall, low right": (185, 100), "floor, right": (180, 125),
    "floor, bottom right": (150, 141), "floor, bottom left": (20, 140), "box front": (27, 111), "box side": (49, 97),
    "sphere, middle": (146, 105), "sphere, upper left": (136, 93), "face": (87, 54), "hair": (87, 39),
    "chest": (90, 110), "shoulder": (60, 100),
}
# Upright pixels of the 480 × 360 planes.
MATTE_PIXELS = {
    "background": (400, 200), "chest": (219, 270), "cheek": (205, 158), "hair, top": (219, 100),
    "hair, side": (180, 180), "teeth": (218, 161), "glasses, bridge": (218, 136), "sky": (60, 20),
    "sky, right": (440, 40), "hair, soft rim": (198, 89), "loose strand": (161, 116),
}
MATTE_KINDS = ["matte", "skin", "hair", "teeth", "glasses", "sky", "gain-map"]
URNS = {
    "disparity": "urn:mpeg:hevc:2015:auxid:2", "depth": "urn:mpeg:hevc:2015:auxid:2",
    "matte": "urn:com:apple:photo:2018:aux:portraiteffectsmatte",
    "skin": "urn:com:apple:photo:2019:aux:semanticskinmatte",
    "hair": "urn:com:apple:photo:2019:aux:semantichairmatte",
    "teeth": "urn:com:apple:photo:2019:aux:semanticteethmatte",
    "glasses": "urn:com:apple:photo:2020:aux:semanticglassesmatte",
    "sky": "urn:com:apple:photo:2020:aux:semanticskymatte",
    "gain-map": "urn:com:apple:photo:2020:aux:hdrgainmap",
}
# Quality 100 leaves only rounding in the cosine transform: off by 1 at most, over all planes, in libjpeg-turbo 2.1.
JPEG_TOLERANCE = 1


def stored(x, y, width, turned):
    """Where an upright pixel is stored: a quarter turn counterclockwise when the file is turned."""
    return [y, width - 1 - x] if turned else [x, y]


def calibration(turned):
    def point(x, y):
        return [y, WIDTH - x] if turned else [x, y]

    return {
        "intrinsics": {
            "fx": FOCAL, "fy": FOCAL, "ox": point(*PRINCIPAL)[0], "oy": point(*PRINCIPAL)[1],
            "width": HEIGHT if turned else WIDTH, "height": WIDTH if turned else HEIGHT,
        },
        "pixelSize": PIXEL_SIZE, "distortionCenter": point(*CENTER), "distortion": DISTORTION,
        "inverseDistortion": INVERSE_DISTORTION,
        "extrinsics": [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    }


def half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def depth_plane(kind, turned, is_jpeg):
    width, height = 192, 144
    low, high = DISPARITY_RANGE if kind == "disparity" else DEPTH_RANGE
    assert half(low) == low and half(high) == high
    pixels = []
    for name, (x, y) in DEPTH_PIXELS.items():
        direction = plane_ray(x, y, width, height)
        surface, z = scene(*direction)
        number = plane_code(kind, x, y, width, height)
        value = low + number * (high - low) / 255
        pixels.append({
            "name": name, "surface": surface, "upright": [x, y], "stored": stored(x, y, width, turned),
            "code": number, "tolerance": JPEG_TOLERANCE if is_jpeg else 0, "value": round(value, 9),
            "meters": round(value if kind == "depth" else 1 / value, 9), "sceneMeters": round(z, 9),
            "scenePoint": [round(direction[0] * z, 9), round(direction[1] * z, 9), round(z, 9)],
        })
    return {
        "kind": kind, "width": height if turned else width, "height": width if turned else height, "bitDepth": 8,
        "minimum": low, "maximum": high, "unit": "m" if kind == "depth" else "1/m",
        "accuracy": "absolute" if kind == "depth" else "relative", "quality": "high", "filtered": True,
        "type": kind if is_jpeg else URNS[kind], "calibration": calibration(turned), "pixels": pixels,
    }


def matte_plane(kind, turned, is_jpeg):
    width, height = 480, 360
    pixels = [
        {
            "name": name, "upright": [x, y], "stored": stored(x, y, width, turned),
            "code": plane_code(kind, x, y, width, height), "tolerance": JPEG_TOLERANCE if is_jpeg else 0,
        }
        for name, (x, y) in MATTE_PIXELS.items()
    ]
    return {
        "kind": kind, "width": height if turned else width, "height": width if turned else height, "bitDepth": 8,
        "minimum": None, "maximum": None, "unit": None, "accuracy": "unknown",
        "type": "depth/portraiteffectsmatte" if is_jpeg else URNS[kind], "pixels": pixels,
    }


def file(kinds, turned, is_jpeg):
    return {
        "container": "jpeg" if is_jpeg else "heif", "width": HEIGHT if turned else WIDTH,
        "height": WIDTH if turned else HEIGHT, "uprightWidth": WIDTH, "uprightHeight": HEIGHT,
        "orientation": 6 if turned else 1,
        "camera": {"make": "Isobath", "model": "Analytic Scene", "focalLength": 6.0, "focalLength35mm": 43},
        "planes": [
            (depth_plane if kind in ("disparity", "depth") else matte_plane)(kind, turned, is_jpeg)
            for kind in kinds
        ],
    }


def small_file(container, turned=False):
    """A photo of half the size and nothing else."""
    return {
        "container": container, "width": 360 if turned else 480, "height": 480 if turned else 360,
        "orientation": 6 if turned else 1,
        "camera": {"make": "Isobath", "model": "Analytic Scene", "focalLength": 6.0, "focalLength35mm": 43},
        "planes": [], "stereo": None, "trailers": [],
    }


def raw_plane(source, raw_type, turned=False, experimental=False):
    """A vendor's plane: one byte a sample, dark near, 255 minus the code of the disparity plane."""
    width, height = 192, 144
    pixels = [
        {
            "name": name, "upright": [x, y], "stored": stored(x, y, width, turned),
            "code": 255 - plane_code("disparity", x, y, width, height), "tolerance": 0,
        }
        for name, (x, y) in DEPTH_PIXELS.items()
    ]
    return {
        "kind": "disparity", "width": height if turned else width, "height": width if turned else height,
        "bitDepth": 8, "minimum": None, "maximum": None, "unit": None, "accuracy": "unknown", "source": source,
        "type": raw_type, "experimental": experimental, "pixels": pixels,
    }


def original(source, raw_type, turned=False):
    return {
        "kind": "original", "width": 360 if turned else 480, "height": 480 if turned else 360, "bitDepth": 8,
        "minimum": None, "maximum": None, "unit": None, "accuracy": "unknown", "source": source, "type": raw_type,
        "experimental": False, "pixels": [],
    }


def vendor_files():
    files = {}

    def add(name, container, planes, trailers=(), turned=False):
        files[name] = dict(small_file(container, turned), planes=planes, trailers=list(trailers))

    time = "0x0a01"
    dual = raw_plane("samsung-sef", "0x0ab1")
    add("samsung-dualshot.jpg", "jpeg", [original("samsung-sef", "0x0001"), dual], ["0x0ab3", time])
    add("samsung.heic", "heif", [dual], ["0x0ab3", time])
    add("samsung-singleshot.jpg", "jpeg", [raw_plane("samsung-sef", "0x0b41", True)], ["0x0b40", time], True)
    huawei = raw_plane("huawei-edof", "edof", True, True)
    add("huawei-edof.jpg", "jpeg", [huawei, original("huawei-edof", "jpeg", True)], turned=True)
    add("xiaomi-pmpd.jpg", "jpeg", [raw_plane("xiaomi-pmpd", "PMPD", experimental=True)])
    add("vivo.jpg", "jpeg", [raw_plane("vivo", "raw", experimental=True)])
    add("oppo.jpg", "jpeg", [], ["rear.depth"])
    return files


# The right eye, in meters to the right of the left one.
BASELINE = 0.065


def views():
    """Colors of the left and the right picture: what is at x in the left one is f · b / Z further left in the other."""
    left, right = [], []
    for probe in PHOTO_PROBES["pixels"]:
        x, y = probe["upright"]
        shift = math.floor(FOCAL * BASELINE / scene(*ray(x + 0.5, y + 0.5))[1] + 0.5)
        left.append({"name": probe["name"], "upright": [x // 2, y // 2], "rgb": probe["rgb"]})
        right.append({"name": probe["name"], "upright": [(x - shift) // 2, y // 2], "rgb": probe["rgb"]})
    return {"left": left, "right": right, "tolerance": 14}


def stereo_files():
    field_of_view = 2 * math.degrees(math.atan(WIDTH / 2 / FOCAL))

    def pair(source, container, baseline=None, angle=None, width=480, planes=()):
        stereo = {"source": source, "baseline": baseline, "horizontalFieldOfView": angle, "views": views()}
        return dict(small_file(container), width=width, stereo=stereo, planes=list(planes))

    disparity = raw_plane("leia-lif", "1000001")
    for pixel in disparity["pixels"]:
        pixel.update(code=255 - pixel["code"], tolerance=JPEG_TOLERANCE)
    return {
        "stereo.mpo": pair("mpo", "jpeg", BASELINE),
        "stereo-marked.jpg": pair("jps", "jpeg", width=960),
        "stereo-crosseyed.jps": pair("jps-name", "jpeg", width=960),
        "leia-lif.jpg": pair("leia-lif", "jpeg", planes=[disparity]),
        "spatial.heic": pair("heif-stereo", "heif", BASELINE, field_of_view),
        "spatial-uuid.heic": pair("heif-stereo", "heif", BASELINE, field_of_view),
    }


def expected():
    portrait = ["disparity", "matte"]
    everything = portrait + MATTE_KINDS[1:]
    files = {}
    for name, turned in [("portrait", False), ("portrait-rotated", True)]:
        files[name + ".heic"] = file(everything, turned, False)
        files[name + ".jpg"] = file(portrait, turned, True)
    for name, kinds in [("absolute-depth", ["depth"]), ("plain", [])]:
        files[name + ".heic"] = file(kinds, False, False)
        files[name + ".jpg"] = file(kinds, False, True)
    files.update(vendor_files())
    files.update(stereo_files())
    files.update(expected_google.files(sys.modules[__name__]))
    files.update(expected_formats.files(sys.modules[__name__]))
    return {"generator": "Tests/TestImageMaker/expected.py", "photoProbes": PHOTO_PROBES, "files": files}


# Upright photo pixels on even surfaces, in the photo's own Display P3 codes. Recorded, not computed: the mean of
# 5 × 5 pixels of portrait.heic, read with Pillow 13.0 and pillow-heif 1.8.1.
PHOTO_PROBES = {
    "tolerance": 10,
    "pixels": [
        {"name": "sky", "upright": [560, 30], "rgb": [144, 175, 216]},
        {"name": "sweater", "upright": [420, 510], "rgb": [70, 127, 121]},
        {"name": "sweater, stripe", "upright": [438, 588], "rgb": [229, 210, 167]},
        {"name": "sphere, blue", "upright": [740, 600], "rgb": [41, 74, 118]},
        {"name": "sphere, white", "upright": [760, 525], "rgb": [238, 235, 227]},
        {"name": "box", "upright": [140, 530], "rgb": [163, 125, 79]},
        {"name": "floor, light tile", "upright": [850, 655], "rgb": [223, 214, 201]},
        {"name": "floor, dark tile", "upright": [720, 665], "rgb": [131, 144, 153]},
        {"name": "hair", "upright": [440, 190], "rgb": [100, 69, 48]},
        {"name": "forehead", "upright": [430, 245], "rgb": [236, 199, 167]},
    ],
}

if __name__ == "__main__":
    json.dump(expected(), sys.stdout, indent=1, ensure_ascii=False)
    print()
