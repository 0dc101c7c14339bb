"""Whether our result and a peer's are the same picture. Each check says what differs, or nothing."""

import json
import sys
from pathlib import Path

import numpy
import tifffile
from PIL import Image
from pillow_heif import open_heif

from measure import PeerFailed
from strands import to_codes, to_light


def turnings(picture: numpy.ndarray) -> list[numpy.ndarray]:
    """The eight ways a picture can lie: ours are upright, some peers leave them as stored."""
    quarters = [numpy.rot90(picture, turns) for turns in range(4)]
    return quarters + [numpy.fliplr(quarter) for quarter in quarters]


def codes_of(path: Path) -> numpy.ndarray:
    """The codes of a gray PNG as 16 bits: an 8-bit code c is 257 · c."""
    with Image.open(path) as picture:
        if picture.mode.startswith("I"):
            return numpy.asarray(picture).astype(numpy.int64)
        return numpy.asarray(picture.convert("L")).astype(numpy.int64) * 257


def same_codes(ours: Path, theirs: Path) -> str | None:
    """The same codes, sample for sample, turned as may be."""
    left, right = codes_of(ours), codes_of(theirs)
    same_shape = [turned for turned in turnings(left) if turned.shape == right.shape]
    if not same_shape:
        return f"sizes differ, {left.shape} and {right.shape}"
    difference = min(abs(turned - right).max() for turned in same_shape)
    return f"codes differ by up to {difference} of 65535" if difference else None


def same_depth(first: Path, second: Path) -> str | None:
    """The same codes of depth in two HEIC files, as libheif decodes them."""
    left, right = (numpy.asarray(open_heif(path).info["depth_images"][0].to_pillow()) for path in (first, second))
    if left.shape != right.shape:
        return f"sizes differ, {left.shape} and {right.shape}"
    return None if numpy.array_equal(left, right) else "libheif decodes other codes of depth"


def same_matte(ours: Path, theirs: Path) -> str | None:
    """The same matte, or that of cut-outs, at the smaller of both sizes: mean difference of one code at most."""
    mattes = [picture.getchannel("A") if picture.mode == "RGBA" else picture.convert("L")
              for picture in map(Image.open, [ours, theirs])]
    size = min((matte.size for matte in mattes), key=lambda size: size[0] * size[1])
    left, right = (numpy.asarray(matte.resize(size, Image.Resampling.BOX)).astype(float) for matte in mattes)
    difference = abs(left - right).mean()
    return f"mattes differ by {difference:.1f} codes on average" if difference > 1 else None


def same_folders(ours: Path, theirs: Path) -> str | None:
    """Every PNG of the peer's folder beside ours: `x.png` and `x-<kind>.png`."""
    for expected in sorted(theirs.glob("*.png")):
        found = list(ours.glob(f"{expected.stem}-*.png"))
        if len(found) != 1:
            return f"{len(found)} files for {expected.stem}"
        difference = same_codes(found[0], expected)
        if difference:
            return f"{expected.stem}: {difference}"
    return None


def nearly_same_pixels(ours: Path, theirs: Image.Image | Path) -> str | None:
    """The same photo: decoders round color conversion and place chroma a little differently."""
    if isinstance(theirs, Path):
        theirs = Image.open(theirs)
    with Image.open(ours) as picture:
        left = numpy.asarray(picture.convert("RGB")).astype(numpy.int16)
    right = numpy.asarray(theirs.convert("RGB")).astype(numpy.int16)
    differences = [abs(turned - right).mean() for turned in turnings(left) if turned.shape == right.shape]
    if not differences:
        return f"sizes differ, {left.shape} and {right.shape}"
    return f"pixels differ by {min(differences):.1f} codes on average" if min(differences) > 1 else None


def values_of(path: Path) -> numpy.ndarray:
    """The samples of a TIFF or NPY file."""
    return numpy.load(path) if path.suffix == ".npy" else tifffile.imread(path)


def same_values(ours: Path, theirs: Path) -> str | None:
    """The same values, bit for bit but for kinds of nan."""
    left, right = values_of(ours), values_of(theirs)
    if left.shape != right.shape or left.dtype != right.dtype:
        return f"arrays differ, {left.dtype} {left.shape} and {right.dtype} {right.shape}"
    count = left.size - numpy.count_nonzero((left == right) | (numpy.isnan(left) & numpy.isnan(right)))
    return f"{count} values differ" if count else None


def no_further_off(ours: Path, theirs: Path, truth: Path) -> str | None:
    """The mean absolute error of our map is at most that of the peer's."""
    exact = values_of(truth)
    left, right = (abs(values_of(path) - exact).mean() for path in [ours, theirs])
    return None if left <= right else f"the mean error is {left:.2g} 1/m, the peer's {right:.2g} 1/m"


def composite_no_further_off(
    ours: Path, theirs: Path, matte: Path, background: Path, truth: Path
) -> str | None:
    """Our foreground's codes and the peer's light, each mixed with a background where the matte is soft."""
    codes = values_of(matte)
    is_soft = (codes > 0) & (codes < 255)
    share = (codes[is_soft] / numpy.float32(255))[:, None]
    new = to_light(values_of(background)[is_soft] / numpy.float32(255))
    exact = values_of(truth)[is_soft]
    fronts = [to_light(values_of(ours)[is_soft] / numpy.float32(255)), values_of(theirs)[is_soft]]
    left, right = (255 * abs(to_codes(share * front + (1 - share) * new) - exact).mean() for front in fronts)
    return None if left <= right else f"the mean error is {left:.2f} codes, the peer's {right:.2f}"


def lists_all(report: Path, count: int) -> str | None:
    """One JSON object a line for every photo, none of them an error."""
    records = [json.loads(line) for line in report.read_text().splitlines()]
    errors = [record for record in records if "error" in record]
    if len(records) == count and not errors:
        return None
    return f"{len(records)} records and {len(errors)} errors for {count} photos"


def is_there(folder: Path, pattern: str) -> None:
    """For a peer that may leave its result out and still exit with 0."""
    if not list(folder.glob(pattern)):
        raise PeerFailed("it wrote no depth")


def vertices(path: Path) -> numpy.ndarray:
    """Coordinates and colors of a binary PLY: x, y, z, red, green, blue of a point in a row, in file order."""
    with open(path, "rb") as file:
        names, count = [], 0
        while (line := file.readline().split()) != [b"end_header"]:
            if line[:2] == [b"element", b"vertex"]:
                count = int(line[2])
            elif line[:1] == [b"property"]:
                kinds = {b"float": "<f4", b"double": "<f8", b"uchar": "u1"}
                names.append((line[2].decode(), kinds[line[1]]))
        points = numpy.fromfile(file, dtype=names, count=count)
    return numpy.stack([points[name].astype(float) for name in ["x", "y", "z", "red", "green", "blue"]], 1)


def same_cloud(ours: Path, theirs: Path) -> str | None:
    """The same points in the same order, in whichever axes; Float32 rounds products in different order."""
    left, right = vertices(ours), vertices(theirs)
    if len(left) != len(right):
        return f"{len(left)} points and {len(right)}"
    # Open3D's y goes down and its z forward.
    difference = abs(abs(left) - abs(right)).max()
    return f"points differ by up to {difference:.2g}" if difference > 1e-4 else None


def no_further_off_walls(ours: Path, theirs: Path) -> str | None:
    """The RMS distance of points from the walls of the room that `recording_peers.py room` makes; both are reported."""
    errors = []
    for path in [ours, theirs]:
        points = vertices(path)[:, :3]
        distance = numpy.abs(numpy.abs(points) - [2, 1.5, 2]).min(-1) * 1000
        errors.append((numpy.sqrt((distance**2).mean()), numpy.median(distance), len(points)))
    text = "; ".join(f"RMS {rms:.2f} mm, median {median:.2f} mm, {count} points" for rms, median, count in errors)
    print(f"bench: distance from the walls, isobath and Open3D: {text}", file=sys.stderr)
    return None if errors[0][0] <= errors[1][0] else f"further from the walls: {text}"
