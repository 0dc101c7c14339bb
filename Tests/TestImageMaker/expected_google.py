"""What readers must find in the files of Google's family; see GoogleJPEG.swift. `scene` is the module expected.py."""

import math
import struct

NEAR, FAR = 1.4, 20.0
DEPTH_SIZE = (192, 144)


def single(value):
    """Ranges are kept as Float32."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def pinhole(scene, x, y):
    """The ray by focal length and principal point alone, as a reader has it that knows no distortion."""
    u, v = (x + 0.5) * scene.WIDTH / DEPTH_SIZE[0], (y + 0.5) * scene.HEIGHT / DEPTH_SIZE[1]
    return (u - scene.PRINCIPAL[0]) / scene.FOCAL, (v - scene.PRINCIPAL[1]) / scene.FOCAL


def stretch(x, y):
    return math.sqrt(x * x + y * y + 1)


def distances(scene, source, name, codec, inverse=True, along_ray=False, scale=1.0, camera=True, turned=False):
    """A depth plane; `scale` is how many of the file's units are a meter, if it does not say."""
    pixels = []
    for label, (x, y) in scene.DEPTH_PIXELS.items():
        ray = scene.plane_ray(x, y, *DEPTH_SIZE)
        surface, z = scene.scene(*ray)
        distance = z * stretch(*ray) if along_ray else z
        share = FAR * (distance - NEAR) / (distance * (FAR - NEAR)) if inverse else (distance - NEAR) / (FAR - NEAR)
        code = scene.code(share)
        found = FAR * NEAR / (FAR - code / 255 * (FAR - NEAR)) if inverse else NEAR + code / 255 * (FAR - NEAR)
        found *= scale
        if along_ray and camera:
            found /= stretch(*pinhole(scene, x, y))
        pixels.append({
            "name": label, "surface": surface, "upright": [x, y],
            "stored": scene.stored(x, y, DEPTH_SIZE[0], turned), "code": code,
            "tolerance": scene.JPEG_TOLERANCE if codec == "jpeg" else 0,
            "value": round(1 / found if inverse else found, 9), "meters": round(found, 9), "sceneMeters": round(z, 9),
        })
    low, high = (1 / FAR / scale, 1 / NEAR / scale) if inverse else (NEAR, FAR)
    unit = None if scale != 1 else "1/m" if inverse else "m"
    return {
        "kind": "disparity" if inverse else "depth", "width": DEPTH_SIZE[turned], "height": DEPTH_SIZE[not turned],
        "bitDepth": 8, "minimum": single(low), "maximum": single(high), "unit": unit,
        "accuracy": "relative" if unit else "unknown", "source": source, "type": name, "codec": codec,
        "pixels": pixels,
    }


def plain(kind, size, source, name, codec="jpeg", pixels=()):
    return {
        "kind": kind, "width": size[0], "height": size[1], "bitDepth": 8, "minimum": None, "maximum": None,
        "unit": None, "accuracy": "unknown", "source": source, "type": name, "codec": codec, "pixels": list(pixels),
    }


def confidence(scene, source, name, codec, turned=False):
    pixels = [
        {
            "upright": [x, y], "stored": scene.stored(x, y, DEPTH_SIZE[0], turned), "code": 255 - x,
            "tolerance": scene.JPEG_TOLERANCE if codec == "jpeg" else 0,
        }
        for x, y in scene.DEPTH_PIXELS.values()
    ]
    size = DEPTH_SIZE[::-1] if turned else DEPTH_SIZE
    return plain("confidence", size, source, name, codec, pixels)


def file(planes, warnings=0, turned=False, calibration=None):
    width, height = (360, 480) if turned else (480, 360)
    return {
        "container": "jpeg", "width": width, "height": height, "uprightWidth": 480, "uprightHeight": 360,
        "orientation": 6 if turned else 1,
        "camera": {"make": "Isobath", "model": "Analytic Scene", "focalLength": 6.0, "focalLength35mm": 43},
        "warnings": warnings, "intrinsics": calibration, "planes": planes,
    }


def intrinsics(ox, oy, width, height, focal=1200.0):
    return {"fx": focal, "fy": focal, "ox": ox, "oy": oy, "width": width, "height": height}


def files(scene):
    gdepth, dynamic, xdm = "google-gdepth", "google-dynamic-depth", "xdm"
    photo = (480, 360)
    return {
        "gdepth-lens-blur.jpg": file(
            [
                distances(scene, gdepth, "GDepth:Data", "png", scale=10.0),
                plain("original", photo, gdepth, "GImage:Data"),
            ]
        ),
        "gdepth-portrait.jpg": file(
            [
                distances(scene, gdepth, "GDepth:Data", "jpeg"),
                plain("original", photo, gdepth, "GImage:Data"),
            ]
        ),
        "gdepth-linear-ray.jpg": file(
            [
                distances(scene, gdepth, "GDepth:Data", "png", inverse=False, along_ray=True, camera=False),
                confidence(scene, gdepth, "GDepth:Confidence", "png"),
            ],
            warnings=1,
        ),
        "dynamic-depth.jpg": file(
            [
                plain("original", photo[::-1], dynamic, "android/original_image"),
                distances(scene, dynamic, "android/depthmap", "jpeg", turned=True),
                confidence(scene, dynamic, "android/confidencemap", "jpeg", turned=True),
            ],
            warnings=1,
            turned=True,
            calibration=intrinsics(356.0, 474.0, 720, 960),
        ),
        "dynamic-depth-ultrahdr.jpg": file(
            [
                plain("gain-map", (240, 180), "google-container", "mpf:0x00000000"),
                plain("original", photo, dynamic, "Original"),
                distances(scene, dynamic, "Depth", "jpeg", along_ray=True),
                confidence(scene, dynamic, "Confidence", "jpeg"),
            ],
            calibration=intrinsics(486.0, 356.0, 960, 720),
        ),
        # Known from public code only.
        "xdm.jpg": file(
            [
                dict(plane, experimental=True)
                for plane in [
                    distances(scene, xdm, "DepthMap:Data", "png", inverse=False),
                    plain("original", photo, xdm, "Image:Data"),
                ]
            ],
            calibration=intrinsics(97.2, 71.2, 192, 144, focal=240.0),
        ),
    }
