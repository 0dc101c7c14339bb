"""Photos that isobath puts depth into, as other programs read them: libheif through pillow-heif, Pillow, and exiftool."""

import base64
import io
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pillow_heif
from PIL import Image

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "TestImages"


def run(tool, place, check):
    """Counts the checks of photos."""

    def embed(photo, output, *flags):
        command = [tool, "embed", str(IMAGES / photo), "-o", str(output), "--force", "--quiet", *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"exit {done.returncode}: {done.stderr.strip()}")

    source = IMAGES / "portrait.heic"

    def depth_of(path):
        image = pillow_heif.open_heif(path).info["depth_images"][0]
        return np.asarray(image.to_pillow()), image.info["metadata"]

    def heic():
        embed("plain.heic", place / "e.heic", "--depth", str(source))
        (found, said), (wanted, told) = depth_of(place / "e.heic"), depth_of(source)
        assert np.array_equal(found, wanted), "libheif reads other codes"
        assert said["d_min"] == told["d_min"] and said["d_max"] == told["d_max"], "libheif reads another range"

    def gdepth():
        embed("plain.jpg", place / "g.jpg", "--depth", str(source), "--format", "gdepth")
        data = (place / "g.jpg").read_bytes()
        # Extended XMP in one segment, as small maps have it.
        text = re.search(rb'GDepth:Data="([^"]+)"', data).group(1)
        found = np.asarray(Image.open(io.BytesIO(base64.b64decode(text))))
        assert np.array_equal(255 - found, depth_of(source)[0]), "the PNG in XMP has other codes"

    def multi_picture():
        embed("plain.jpg", place / "m.mpo", "--depth", str(source), "--plane-quality", "100")
        image = Image.open(place / "m.mpo")
        assert image.n_frames == 2, f"Pillow sees {image.n_frames} images"
        image.seek(1)
        off = np.abs(np.asarray(image.convert("L")).astype(int) - depth_of(source)[0].astype(int)).max()
        assert off <= 1, f"the image behind the photo is off by {off}"

    def dynamic_depth():
        embed("plain.jpg", place / "d.jpg", "--depth", str(source), "--format", "dynamic-depth")
        data = (place / "d.jpg").read_bytes()
        found = np.asarray(Image.open(io.BytesIO(data[data.rindex(b"\x89PNG"):])))
        assert np.array_equal(255 - found, depth_of(source)[0]), "the PNG behind the photo has other codes"

    def warnings(path):
        command = ["exiftool", "-validate", "-warning", "-error", "-a", "-ee", "-s3", str(path)]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        return {line for line in lines if not re.match(r"^\d+ Warning|^OK", line)}

    def exiftool():
        for photo, name in [("plain.jpg", "g.jpg"), ("plain.jpg", "m.mpo"), ("plain.jpg", "d.jpg"),
                            ("plain.heic", "e.heic")]:
            new = warnings(place / name) - warnings(IMAGES / photo)
            assert not new, f"{name}: {new}"

    check("libheif reads depth that was put into HEIC", heic)
    check("Pillow reads GDepth", gdepth)
    check("Pillow reads images behind a photo", multi_picture)
    check("Pillow reads Dynamic Depth", dynamic_depth)
    if shutil.which("exiftool"):
        check("exiftool warns of nothing that the photo does not have", exiftool)
