"""Rasters in both directions between isobath and the readers and writers of others; clouds as others read them."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

import imageio.v3 as imageio
import matplotlib
import numpy as np
import OpenEXR
import tifffile
from PIL import Image

import bags
import clouds
import datasets
import movies
import photos
import pipes
import ranges

TOOL = sys.argv[1]
passed = failed = 0


def check(name, run):
    """Counts one check; `run` raises where it fails."""
    global passed, failed
    try:
        run()
        passed += 1
    except Exception as error:  # Every failure is one line.
        failed += 1
        print(f"FAILED {name}: {error}")


def extract(source, output, *flags):
    """Runs `isobath extract`."""
    command = [TOOL, "extract", str(source), "-o", str(output), "--force", "--quiet", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stderr.strip()}")


def same(found, wanted):
    """The same shape and the same values bit for bit, nan anywhere nan is."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        raise AssertionError(f"shape {found.shape}, not {wanted.shape}")
    if not np.array_equal(found, wanted, equal_nan=True):
        row, column = np.argwhere(~((found == wanted) | (np.isnan(found) & np.isnan(wanted))))[0]
        raise AssertionError(f"{found[row, column]!r} at row {row}, column {column}, not {wanted[row, column]!r}")


def read_by_isobath(source, *flags):
    """The values that isobath reads, handed over as the simplest of its formats; none of them is unknown but nan."""
    output = source.with_name(source.name + ".out.npy")
    extract(source, output, "--no-data", "none", *flags)
    return np.load(output)


def values(height=37, width=53):
    """Depths with everything that may stand in a map: negative, huge, tiny, infinite, unknown."""
    random = np.random.default_rng(7)
    depth = random.uniform(0.2, 9, (height, width)).astype(np.float32)
    depth[3, 4], depth[5, 6], depth[7, 8] = np.nan, np.inf, -1.25
    depth[9, 10], depth[11, 12], depth[13, 14] = 0, 1e-40, 6e4
    return depth


def codes(kind, height=37, width=53):
    random = np.random.default_rng(8)
    return random.integers(0, np.iinfo(kind).max, (height, width), dtype=kind, endpoint=True)


def read_pfm(path):
    """A PFM reader of our own: the format is three lines."""
    kind, size, scale, data = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    assert kind == b"Pf", kind
    return np.frombuffer(data, "<f4" if float(scale) < 0 else ">f4").reshape(height, width)[::-1]


def write_pfm(path, array, order):
    scale = b"-1.0" if order == "<" else b"1.0"
    path.write_bytes(b"Pf\n%d %d\n%s\n" % (array.shape[1], array.shape[0], scale)
                     + array[::-1].astype(order + "f4").tobytes())


def exr_channel(path, name):
    with OpenEXR.File(str(path), separate_channels=True) as file:
        return file.parts[0].channels[name].pixels.copy()


def write_exr(path, array, compression=OpenEXR.ZIP_COMPRESSION, name="Z", kind=OpenEXR.scanlineimage, **others):
    header = {"compression": compression, "type": kind}
    if kind == OpenEXR.tiledimage:
        header["tiles"] = OpenEXR.TileDescription()
        header["tiles"].xSize, header["tiles"].ySize = 16, 16
    OpenEXR.File(header, {name: array, **others}).write(str(path))


def written_by_isobath(folder):
    """What isobath writes, read by others."""
    depth = values()
    source = folder / "source.npy"
    np.save(source, depth)

    for ending, read in [
        ("tiff", tifffile.imread), ("npy", np.load), ("pfm", read_pfm), ("exr", lambda path: exr_channel(path, "Z")),
    ]:
        output = folder / f"written.{ending}"

        def run(output=output, read=read):
            extract(source, output, "--no-data", "none")
            same(read(output), depth)

        check(f"isobath writes {ending}", run)

    def pillow_tiff():
        extract(source, folder / "pillow.tiff", "--no-data", "none")
        with Image.open(folder / "pillow.tiff") as image:
            same(np.asarray(image), depth)

    def imageio_tiff():
        extract(source, folder / "imageio.tiff", "--no-data", "none")
        same(imageio.imread(folder / "imageio.tiff"), depth)

    def unknown():
        extract(source, folder / "known.npy")
        same(np.load(folder / "known.npy"), np.where((depth > 0) & np.isfinite(depth), depth, np.nan))

    def attributes():
        extract(source, folder / "camera.exr", "--camera", "500,20,10")
        with OpenEXR.File(str(folder / "camera.exr")) as file:
            header = dict(file.header())
        assert header["isobath.unit"] == "m", header
        assert header["isobath.quantity"] == "depth"
        intrinsics = json.loads(header["isobath.camera"])["intrinsics"]
        assert (intrinsics["fx"], intrinsics["cx"], intrinsics["cy"]) == (500, 20, 10), intrinsics
        assert header["compression"] == OpenEXR.ZIP_COMPRESSION

    check("Pillow reads our TIFF", pillow_tiff)
    check("imageio reads our TIFF", imageio_tiff)
    check("OpenEXR reads our attributes", attributes)
    check("0, negative and infinite depths are unknown", unknown)

    def png(read):
        def run():
            kept = codes(np.uint16) | 1
            np.save(folder / "kept.npy", kept)
            extract(folder / "kept.npy", folder / "kept.png", "--scale", "1000", "--values", "millimeters")
            same(read(folder / "kept.png"), kept)
        return run

    check("Pillow reads our PNG of millimeters", png(lambda path: np.asarray(Image.open(path))))
    check("imageio reads our PNG of millimeters", png(imageio.imread))

    def png_record():
        finite = np.where(np.isfinite(depth) & (depth > 0.1) & (depth < 10), depth, np.nan)
        np.save(folder / "finite.npy", finite)
        extract(folder / "finite.npy", folder / "finite.png")
        with Image.open(folder / "finite.png") as image:
            record, stored = json.loads(image.text["Isobath"]), np.asarray(image).astype(np.float64)
        span = record["maximum"] - record["minimum"]
        restored = np.where(stored == 0, np.nan, record["minimum"] + (stored - 1) / 65534 * span)
        assert np.nanmax(np.abs(restored - finite)) <= span / 65534 * 0.51
        ours = read_by_isobath(folder / "finite.png")
        assert np.array_equal(np.isnan(ours), np.isnan(finite))
        assert np.nanmax(np.abs(ours - restored)) <= 1e-6

    check("the record in our PNG restores the values", png_record)


def read_from_others(folder):
    """What others write, read by isobath."""
    depth, half = values(), values().astype(np.float16).astype(np.float32)

    def npy(name, array, wanted, *flags):
        def run():
            np.save(folder / "in.npy", array)
            same(read_by_isobath(folder / "in.npy", *flags), wanted)
        check(f"numpy writes {name}", run)

    def unitless(array):
        return array.astype(np.float32)

    npy("f4", depth, depth)
    npy("big-endian f4", depth.astype(">f4"), depth)
    npy("f2", depth.astype(np.float16), half)
    npy("f8", depth.astype(np.float64), depth)
    npy("Fortran f4", np.asfortranarray(depth), depth)
    npy("Fortran big-endian f8", np.asfortranarray(depth.astype(">f8")), depth)
    npy("1 × 1 × rows × columns", depth[None, None], depth)
    for kind in [np.uint8, np.uint16, np.int16, np.int32, np.uint32]:
        array = (codes(np.uint16) // 7).astype(kind)
        npy(np.dtype(kind).name, array, unitless(array))
        npy(f"Fortran {np.dtype(kind).name}", np.asfortranarray(array), unitless(array))
    array = codes(np.uint16)
    npy("u2 in millimeters", array, (array / 1000.0).astype(np.float32), "--scale", "1000")

    for name, save in [("savez", np.savez), ("savez_compressed", np.savez_compressed)]:
        def run(save=save):
            save(folder / "in.npz", first=codes(np.uint8), second=depth)
            same(read_by_isobath(folder / "in.npz", "--channel", "second"), depth)
        check(f"numpy {name}", run)

    def tiff(name, array, wanted, **options):
        def run():
            tifffile.imwrite(folder / "in.tiff", array, **options)
            same(read_by_isobath(folder / "in.tiff"), wanted)
        check(f"tifffile writes {name}", run)

    for compression in [None, "lzw", "deflate", "packbits"]:
        for order in "<>":
            for layout in [{}, {"tile": (16, 32)}, {"rowsperstrip": 5}, {"bigtiff": True}]:
                label = f"{compression} {order} {layout}"
                options = {"compression": compression, "byteorder": order, **layout}
                tiff(f"f4 {label}", depth, depth, **options)
                tiff(f"f2 {label}", depth.astype(np.float16), half, **options)
                tiff(f"u2 {label}", array, unitless(array), **options)
                if compression in ("lzw", "deflate"):
                    tiff(f"f4 predictor 3 {label}", depth, depth, predictor=3, **options)
                    tiff(f"f2 predictor 3 {label}", depth.astype(np.float16), half, predictor=3, **options)
                    tiff(f"u2 predictor 2 {label}", array, unitless(array), predictor=2, **options)
        tiff(f"f8 {compression}", depth.astype(np.float64), depth, compression=compression)
        tiff(f"u1 {compression}", codes(np.uint8), unitless(codes(np.uint8)), compression=compression)

    def pillow(name, image, wanted, ending, *flags, **options):
        def run():
            file = folder / f"in.{ending}"
            image.save(file, **options)
            same(read_by_isobath(file, *flags), wanted)
        check(f"Pillow writes {name}", run)

    pillow("16-bit PNG", Image.fromarray(array), unitless(array), "png")
    pillow("8-bit PNG", Image.fromarray(codes(np.uint8)), unitless(codes(np.uint8)), "png")
    pillow("Float32 TIFF", Image.fromarray(depth), depth, "tiff")
    pillow("16-bit PGM", Image.fromarray(array), unitless(array), "pgm")
    pillow("8-bit PGM", Image.fromarray(codes(np.uint8)), unitless(codes(np.uint8)), "pgm")

    def imageio_png():
        imageio.imwrite(folder / "imageio.png", array)
        same(read_by_isobath(folder / "imageio.png"), unitless(array))

    check("imageio writes 16-bit PNG", imageio_png)

    for order in "<>":
        def run(order=order):
            write_pfm(folder / "in.pfm", depth, order)
            same(read_by_isobath(folder / "in.pfm"), depth)
        check(f"PFM {order}", run)

    lossless = ["NO", "RLE", "ZIPS", "ZIP", "PIZ"]
    for compression in [getattr(OpenEXR, f"{name}_COMPRESSION") for name in lossless]:
        for kind in [OpenEXR.scanlineimage, OpenEXR.tiledimage]:
            for name, array_in, wanted in [
                ("f4", depth, depth), ("f2", depth.astype(np.float16), half),
                ("u4", array.astype(np.uint32), unitless(array)),
            ]:
                def run(array_in=array_in, wanted=wanted, compression=compression, kind=kind):
                    extra = {"A": np.ones_like(depth), "depth.x": depth.astype(np.float16)}
                    write_exr(folder / "in.exr", array_in, compression, kind=kind, **extra)
                    same(read_by_isobath(folder / "in.exr"), wanted)
                check(f"OpenEXR writes {name} {compression} {kind}", run)

    def named():
        write_exr(folder / "in.exr", depth, name="left.disparity", other=half)
        same(read_by_isobath(folder / "in.exr", "--channel", "left.disparity"), depth)

    def layer():
        write_exr(folder / "in.exr", depth, name="depth.Z", R=half, G=half, B=half)
        same(read_by_isobath(folder / "in.exr"), depth)

    check("OpenEXR channel by name", named)
    check("OpenEXR channel depth.Z", layer)


def round_trips(folder):
    """What isobath writes, read by isobath."""
    depth = values()
    np.save(folder / "start.npy", depth)
    for ending in ["tiff", "exr", "pfm", "npy"]:
        def run(ending=ending):
            extract(folder / "start.npy", folder / f"trip.{ending}", "--no-data", "none")
            same(read_by_isobath(folder / f"trip.{ending}"), depth)
        check(f"round trip through {ending}", run)


def color_maps(folder):
    """Previews in color, against matplotlib's tables: color floor(256 * share), rounded to 8 bits."""
    disparity = np.abs(values())
    disparity[~(disparity < 10)] = np.nan  # one huge value would leave a single color to the rest
    np.save(folder / "map.npy", disparity)
    low, high = np.nanmin(disparity), np.nanmax(disparity)
    share = (disparity - low) / (high - low) * 256
    # Where float arithmetic could fall on either side of a color's border, either is right.
    clear = np.isfinite(disparity) & (np.abs(share - np.round(share)) > 1e-3) & (share < 255.9)
    for name in ["turbo", "viridis", "magma", "inferno", "gray"]:
        def run(name=name):
            extract(folder / "map.npy", folder / "colors.png", "--quantity", "disparity", "--colormap", name)
            found = np.asarray(Image.open(folder / "colors.png"))
            table = np.round(np.asarray(matplotlib.colormaps[name](np.arange(256)))[:, :3] * 255).astype(np.uint8)
            same(found[clear], table[np.floor(share[clear]).astype(int)])
        check(f"colors of {name} are matplotlib's", run)


with tempfile.TemporaryDirectory(prefix="isobath-interop-") as name:
    place = pathlib.Path(name)
    written_by_isobath(place)
    read_from_others(place)
    round_trips(place)
    color_maps(place)
    photos.run(TOOL, place, check)
    ranges.photos(TOOL, check)
    pipes.checks(TOOL, place, check, same)
    movies.checks(TOOL, place, check, same)
    bags.checks(TOOL, place, check, same)
    datasets.checks(TOOL, place, check)
    clouds.run(TOOL, place, check, has_open3d=importlib.util.find_spec("open3d") is not None)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
