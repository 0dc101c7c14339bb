"""What readers must find in AVIF, DNG, JPEG XL, lossless JPEG in HEIF, and pairs. `scene` is the module expected.py."""

import math

import expected_google

NEAR, FAR = 1.4, 20.0
ALPHA = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
DEPTH = "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"


def code(share, bits):
    return int(math.floor(min(max(share, 0), 1) * (2**bits - 1) + 0.5))


def depth(scene, source, name, codec, bits, share, value=None, size=(192, 144), tolerance=0):
    """A plane of distances: `share` gives 0…1 for the distance of a pixel, `value` what a share stands for."""
    pixels = []
    places = scene.DEPTH_PIXELS if size == (192, 144) else scene.MATTE_PIXELS
    for label, (x, y) in places.items():
        surface, z = scene.scene(*scene.plane_ray(x, y, *size))
        number = code(share(z), bits)
        pixel = {
            "name": label, "surface": surface, "upright": [x, y], "stored": [x, y], "code": number,
            "tolerance": tolerance, "sceneMeters": round(z, 9),
        }
        if value:
            pixel["meters"] = round(value(number / (2**bits - 1)), 9)
        pixels.append(pixel)
    return {
        "kind": "disparity", "width": size[0], "height": size[1], "bitDepth": bits, "minimum": None,
        "maximum": None, "unit": None, "accuracy": "unknown", "source": source, "type": name, "codec": codec,
        "experimental": False, "pixels": pixels,
    }


def matte(scene, kind, source, name, codec):
    pixels = [
        {
            "name": label, "upright": [x, y], "stored": [x, y],
            "code": scene.plane_code("matte", x, y, 480, 360), "tolerance": 0,
        }
        for label, (x, y) in scene.MATTE_PIXELS.items()
    ]
    return {
        "kind": kind, "width": 480, "height": 360, "bitDepth": 8, "minimum": None, "maximum": None, "unit": None,
        "accuracy": "unknown", "source": source, "type": name, "codec": codec, "experimental": False,
        "pixels": pixels,
    }


def files(scene):
    low, high = scene.DISPARITY_RANGE
    nearest, farthest = scene.DEPTH_RANGE

    def disparity(z):
        return (1 / z - low) / (high - low)

    def distance(z):
        return (z - nearest) / (farthest - nearest)

    def photo(container, planes, warnings=0, **more):
        return dict(scene.small_file(container), planes=planes, warnings=warnings, **more)

    lossless = depth(
        scene, "heif-auxiliary", "urn:mpeg:hevc:2015:auxid:2", "jpeg", 16,
        distance, lambda share: nearest + share * (farthest - nearest))
    lossless.update(kind="depth", minimum=nearest, maximum=farthest, unit="m", accuracy="absolute")
    inverse = depth(
        scene, "dng-depth", "inverse", "uncompressed", 16, lambda z: (1 / NEAR - 1 / z) / (1 / NEAR - 1 / FAR),
        lambda share: 1 / (1 / NEAR + share * (1 / FAR - 1 / NEAR)))
    inverse.update(
        minimum=expected_google.single(1 / FAR),
        maximum=expected_google.single(1 / NEAR),
        unit="1/m",
        accuracy="relative",
    )
    no_camera = {"make": None, "model": None, "focalLength": None, "focalLength35mm": None}
    side = depth(scene, "side-by-side", "right", "jpeg", 8, disparity, size=(480, 360), tolerance=6)
    beside = depth(scene, "depth-image", "whole", "png", 8, disparity)
    return {
        # The type says depth, so codes rise with distance; a warning tells that no range is declared.
        "depth.avif": photo("avif", [
            dict(depth(scene, "heif-auxiliary", DEPTH, "av1", 12, distance), kind="depth"),
            matte(scene, "alpha", "heif-auxiliary", ALPHA, "av1"),
        ], warnings=1),
        "lossless-jpeg-depth.heic": photo("heif", [lossless]),
        "depth.dng": photo("dng", [
            inverse, matte(scene, "matte", "dng-semantic-mask", scene.URNS["matte"], "deflate"),
        ]),
        "depth.jxl": photo("jxl", [
            dict(depth(scene, "jxl-extra-channel", "depth", "jxl", 16, distance, size=(480, 360)), kind="depth"),
            matte(scene, "alpha", "jxl-extra-channel", "alpha", "jxl"),
        ], camera=no_camera),
        "side-by-side.jpg": dict(photo("jpeg", [side]), width=480, layout="right"),
        "pair.jpg": dict(photo("jpeg", [beside]), depthImage="pair_depth.png"),
    }
