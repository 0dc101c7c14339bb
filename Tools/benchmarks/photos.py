"""The photos that the jobs work on, and which of their planes hold depth."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from pillow_heif import open_heif

SUFFIXES = {".heic", ".jpg", ".jpeg"}
SAMPLE_FOLDERS = ["apple-heic", "apple-jpeg", "apple-spatial", "gainmap"]


@dataclass(frozen=True)
class Photos:
    """Photos to work on, and a line on where they come from."""

    origin: str
    paths: list[Path]

    @property
    def heic(self) -> list[Path]:
        return [path for path in self.paths if path.suffix.lower() == ".heic"]

    @property
    def jpeg(self) -> list[Path]:
        return [path for path in self.paths if path.suffix.lower() != ".heic"]

    def copies(self, count: int, folder: Path) -> list[Path]:
        """Fills a new folder with numbered copies of all photos in turn. Links would share cached pages."""
        folder.mkdir()
        turns = enumerate(islice(cycle(self.paths), count))
        paths = [Path(shutil.copyfile(path, folder / f"{n:03}-{path.name}")) for n, path in turns]
        os.sync()  # or the disk would be busy while we measure
        return paths


def find_photos(root: Path) -> Photos:
    """Those of ISOBATH_SAMPLES when it is set, otherwise the repository's own."""
    samples = os.environ.get("ISOBATH_SAMPLES")
    if not samples:
        return _some("TestImages/, rendered by us", _photos_in(root / "TestImages"))
    in_folders = [path for name in SAMPLE_FOLDERS for path in _photos_in(Path(samples) / name)]
    iphone = [path for path in in_folders if "iphone" in path.name.lower()]
    return _some("real iPhone files (ISOBATH_SAMPLES)", iphone or _photos_in(Path(samples)))


def _some(origin: str, paths: list[Path]) -> Photos:
    if not paths:
        raise SystemExit(f"bench: no photos in {origin}")
    kinds = Photos(origin, paths)
    return Photos(f"{origin}: {len(kinds.heic)} HEIC, {len(kinds.jpeg)} JPEG", paths)


def _photos_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in SUFFIXES)


def has_heic_depth(path: Path) -> bool:
    return bool(open_heif(path).info.get("depth_images"))


def heic_size(path: Path) -> tuple[int, int]:
    return open_heif(path).size


def is_12_megapixels(path: Path) -> bool:
    width, height = heic_size(path)
    return 11e6 < width * height < 13e6


def disparity_tag(path: Path) -> str | None:
    """The exiftool tag that holds a JPEG's disparity: the second image or, after a gain map, the third."""
    for tag in ["MPImage2", "MPImage3", "MPImage4"]:
        try:
            image = subprocess.run(["exiftool", "-b", f"-{tag}", path], capture_output=True).stdout
        except FileNotFoundError:
            return "MPImage2"
        if b"disparity" in image[:65536].lower():
            return tag
    return None
