"""Photos that isobath puts depth into, as other programs read them: libheif through pillow-heif, Pillow, and
exiftool."""

import base64
import io
import os
import pathlib
import re
import subprocess

import imagecodecs
import numpy as np
import OpenEXR
import pillow_heif
from PIL import Image, ImageCms

# Real photos, where the variable names a folder of them.
SAMPLES = pathlib.Path(os.environ["ISOBATH_SAMPLES"]) if os.environ.get("ISOBATH_SAMPLES") else None
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
        embed("plain.jpg", place / "g.jpg", "--depth", str(source), "--to", "gdepth")
        data = (place / "g.jpg").read_bytes()
        # Extended XMP in one segment, as small maps have it.
        text = re.search(rb'GDepth:Data="([^"]+)"', data).group(1)
        found = np.asarray(Image.open(io.BytesIO(base64.b64decode(text))))
        assert np.array_equal(255 - found, depth_of(source)[0]), "the PNG in XMP has other codes"

    def multi_picture():
        embed("plain.jpg", place / "m.mpo", "--depth", str(source))
        image = Image.open(place / "m.mpo")
        assert image.n_frames == 2, f"Pillow sees {image.n_frames} images"
        data = (place / "m.mpo").read_bytes()
        # Baseline or lossless JPEG, whichever is exact.
        found = imagecodecs.jpeg_decode(data[data.rindex(b"\xff\xd8\xff"):])
        assert np.array_equal(found, depth_of(source)[0]), "the image behind the photo has other codes"

    def dynamic_depth():
        embed("plain.jpg", place / "d.jpg", "--depth", str(source), "--to", "dynamic-depth")
        data = (place / "d.jpg").read_bytes()
        found = np.asarray(Image.open(io.BytesIO(data[data.rindex(b"\x89PNG"):])))
        assert np.array_equal(255 - found, depth_of(source)[0]), "the PNG behind the photo has other codes"

    def warnings(path):
        command = ["exiftool", "-validate", "-warning", "-error", "-a", "-ee", "-s3", str(path)]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        return {line for line in lines if not re.match(r"^\d+ Warning|^OK", line)}

    def exiftool():
        for photo, name in written:
            new = warnings(place / name) - warnings(IMAGES / photo)
            assert not new, f"{name}: {new}"

    def made_exif():
        """A photo without Exif, coded again: what is made has all that the standard demands."""
        command = [
            tool,
            "convert",
            str(IMAGES / "depth.jxl"),
            "--to",
            "apple-jpeg",
            "--range",
            "1.4,20",
            "-o",
            str(place / "made.jpg"),
            "--force",
            "--quiet",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        # As of any JPEG with further images.
        found = {line for line in warnings(place / "made.jpg") if "IFD0" in line or "Exif" in line}
        assert not found, found

    def exiv2():
        for photo, name in written:
            (status, words), (was, before) = messages(place / name), messages(IMAGES / photo)
            assert status == was and not words - before, f"{name}: exit {status}, {words - before}"

    def messages(path):
        done = subprocess.run(["exiv2", "-pa", str(path)], capture_output=True, text=True, check=False)
        lines = done.stderr.replace(str(path), "FILE").splitlines()
        return done.returncode, {line for line in lines if "No Exif data" not in line}

    def holes():
        """A map with unknown samples, by a decoder of lossless JPEG that is not ours, and the rule in its XMP."""
        with Image.open(IMAGES / "plain.jpg") as photo:
            width, height = photo.width // 8, photo.height // 8
        row, column = np.mgrid[0:height, 0:width]
        depth = (1 + row / 90 + column / 40).astype(np.float32)
        depth[::5, ::3] = np.nan
        np.save(place / "holes.npy", depth)
        for name, values in [("line", depth), ("half", depth.astype(np.float16).astype(np.float32))]:
            np.save(place / "holes.npy", values)
            embed("plain.jpg", place / f"{name}.jpg", "--depth", str(place / "holes.npy"))
            data = (place / f"{name}.jpg").read_bytes()
            plane = data[data.rindex(b"\xff\xd8\xff"):]
            said = {key.decode(): text.decode() for key, text in re.findall(rb"<apdi:(\w+)>([^<]*)<", plane)}
            codes = np.asarray(imagecodecs.jpegsof3_decode(plane)).reshape(height, width)
            if name == "half":
                assert int(said["StoredFormat"]).to_bytes(4, "big") == b"hdep", said
                found = codes.view(np.float16).astype(np.float32)
                assert np.array_equal(found, values, equal_nan=True), "other values of binary16"
                continue
            assert int(said["StoredFormat"]).to_bytes(4, "big") == b"L016", said
            first, last = int(said["IntMinValue"]), int(said["IntMaxValue"])
            low, high = float(said["FloatMinValue"]), float(said["FloatMaxValue"])
            found = np.where(codes == 0, np.nan, low + (codes - float(first)) * (high - low) / (last - first))
            assert np.array_equal(np.isnan(found), np.isnan(values)), "other samples are unknown"
            assert np.nanmax(np.abs(found - values)) <= (high - low) / 65534 * 0.501, "other values"

    def layers():
        """The camera in OpenEXR's standard attributes, and colors in linear light of Rec. 709."""
        done = subprocess.run(
            [tool, "convert", str(source), "--to", "exr", "-o", str(place / "layers.exr"), "--force", "--quiet"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        with OpenEXR.File(str(place / "layers.exr"), separate_channels=True) as file:
            header, channels = dict(file.header()), file.parts[0].channels
            red, green, blue = (channels[name].pixels.astype(np.float64) for name in "RGB")
        fx, fy, cx, cy = map(float, header["camera.intrinsics"].split())
        height, width = red.shape
        random = np.random.default_rng(3)
        points = np.column_stack([random.uniform(-1, 1, (9, 2)), random.uniform(-9, -1, 9), np.ones(9)])
        projected = points @ np.asarray(header["worldToNDC"], dtype=np.float64).reshape(4, 4)
        found = projected[:, :2] / projected[:, 3:] * [width, height] - 0.5
        wanted = np.column_stack([cx - fx * points[:, 0] / points[:, 2], cy + fy * points[:, 1] / points[:, 2]])
        assert np.abs(found - wanted).max() < 1e-2, "worldToNDC is another camera"
        seen = points @ np.asarray(header["worldToCamera"], dtype=np.float64).reshape(4, 4)
        assert np.allclose(seen[:, 2], -points[:, 2]) and np.allclose(seen[:, :2], points[:, :2])
        # LittleCMS by way of Pillow, where nothing is clipped.
        image = pillow_heif.open_heif(source)
        photo = image.to_pillow().convert("RGB")
        profile = image.info.get("icc_profile")
        if profile:
            photo = ImageCms.profileToProfile(
                photo, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
            )
        codes = np.asarray(photo) / 255
        light = np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
        ours = np.stack([red, green, blue], axis=-1)
        inside = ((codes > 0.02) & (codes < 0.98)).all(axis=-1)
        assert inside.mean() > 0.3 and np.abs(ours - light)[inside].mean() < 0.004, np.abs(ours - light)[inside].mean()

    def real(photo, form):
        """Depth of a real photo, through a PNG file and back into it."""
        ending = ".heic" if form == "apple-heic" else ".jpg"
        output, depth = place / f"real{ending}", place / "real.png"
        commands = [
            ["extract", photo, "-o", depth],
            ["embed", photo, "--depth", depth, "--replace", "--to", form, "-o", output],
        ]
        for arguments in commands:
            done = subprocess.run(
                [tool, *map(str, arguments), "--force", "--quiet"], capture_output=True, text=True, check=False
            )
            if done.returncode == 3 or "no unit" in done.stderr:
                return
            assert done.returncode == 0, done.stderr
        assert not warnings(output) - warnings(photo), warnings(output) - warnings(photo)
        (status, words), (was, before) = messages(output), messages(photo)
        assert status == was and not words - before, words - before
        if ending == ".heic":
            (found, said), (wanted, told) = depth_of(output), depth_of(photo)
            assert np.array_equal(found, wanted), "libheif reads other codes"
            assert (said["d_min"], said["d_max"]) == (told["d_min"], told["d_max"]), "libheif reads another range"

    written = [("plain.jpg", "g.jpg"), ("plain.jpg", "m.mpo"), ("plain.jpg", "d.jpg"), ("plain.heic", "e.heic"),
               ("plain.jpg", "line.jpg")]
    check("libheif reads depth that was put into HEIC", heic)
    check("Pillow reads GDepth", gdepth)
    check("Pillow reads images behind a photo", multi_picture)
    check("Pillow reads Dynamic Depth", dynamic_depth)
    check("imagecodecs reads maps with unknown samples", holes)
    check("OpenEXR reads camera and colors of layers", layers)
    check("exiftool misses nothing in Exif that is made", made_exif)
    check("exiftool warns of nothing that the photo does not have", exiftool)
    check("Exiv2 warns of nothing that the photo does not have", exiv2)
    for folder in ("apple-heic", "apple-jpeg", "apple-spatial", "gdepth", "dynamic-depth"):
        for photo in sorted(SAMPLES.glob(f"{folder}/*")) if SAMPLES else []:
            if "stripped" in photo.name:
                continue
            for form in (
                ["apple-heic"] if photo.suffix.lower() == ".heic" else ["apple-jpeg", "gdepth", "dynamic-depth"]
            ):
                check(f"others read {photo.name} as {form}", lambda photo=photo, form=form: real(photo, form))
