"""Bytes, file objects and paths of any kind give the same."""

import io
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import isobath
from conftest import IMAGES

NAMES = ["portrait.heic", "portrait.jpg", "depth.avif", "depth.jxl", "depth.dng", "dynamic-depth.jpg"]


class Counting(io.BytesIO):
    """A file that records what was read."""

    def __init__(self, content):
        super().__init__(content)
        self.reads = []

    def read(self, size=-1):
        start = self.tell()
        part = super().read(size)
        self.reads.append((start, len(part)))
        return part


@pytest.mark.parametrize("name", NAMES)
def test_bytes_and_files_are_as_good_as_paths(name):
    path = IMAGES / name
    content = path.read_bytes()
    with isobath.open(path) as photo:
        depth, image, info = photo.depth(), photo.image(), photo.info
    for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        other = isobath.open(source, name=str(path))
        np.testing.assert_array_equal(other.depth(), depth)
        np.testing.assert_array_equal(other.image(), image)
        assert other.info == info
    with open(path, "rb") as file:
        other = isobath.open(file)
        np.testing.assert_array_equal(other.depth(), depth)
        assert other.info == info


def test_only_what_is_needed_is_read():
    content = (IMAGES / "portrait.heic").read_bytes()
    padding = b"\0\0\0\0" + b"free" + bytes(1 << 22)
    padding = len(padding).to_bytes(4, "big") + padding[4:]
    file = Counting(content + padding)
    isobath.open(file).depth()
    assert sum(count for _, count in file.reads) < len(content) + (1 << 17)


class Remote:
    """A store of one object that counts requests."""

    def __init__(self, content):
        self.content, self.requests = content, []

    @property
    def size(self):
        return len(self.content)

    def read_ranges(self, ranges):
        self.requests.append(ranges)
        return [self.content[start:end] for start, end in ranges]


@pytest.mark.parametrize("name", NAMES)
def test_a_range_reader_gives_the_same(name):
    path = IMAGES / name
    remote = Remote(path.read_bytes())
    assert isinstance(remote, isobath.RangeReader)
    photo = isobath.open(remote, name=str(path))
    np.testing.assert_array_equal(photo.depth(), isobath.open(path).depth())
    assert all(0 <= start < end <= remote.size for ranges in remote.requests for start, end in ranges)


REMOTE = [
    ("apple-heic/iphone13pro-pug-depth-gainmap.heic", 0.06),
    ("apple-jpeg/iphonex-depth-sampler.jpg", 0.10),
]


@pytest.mark.parametrize("name, share", REMOTE)
def test_depth_of_a_far_photo_takes_two_requests(name, share):
    samples = os.environ.get("ISOBATH_SAMPLES")
    if not samples:
        pytest.skip("ISOBATH_SAMPLES names no photos")
    content = Path(samples, name).read_bytes()
    remote = Remote(content)
    photo = isobath.open(remote)
    depth = photo.depth()
    ranges = [part for call in remote.requests for part in call]
    print(name, ranges)
    assert len(ranges) <= 2
    assert sum(end - start for start, end in ranges) <= share * len(content)
    np.testing.assert_array_equal(depth, isobath.open(content).depth())
    # Everything that was read is available.
    photo.depth(), photo.info
    assert len(remote.requests) <= 2


def test_a_range_reader_that_gives_too_little_is_unreadable():
    class Short(Remote):
        def read_ranges(self, ranges):
            return [part[:-1] for part in super().read_ranges(ranges)]

    with pytest.raises(isobath.UnreadableError) as raised:
        isobath.open(Short((IMAGES / "portrait.heic").read_bytes()))
    assert isinstance(raised.value.__cause__, EOFError)


def test_files_of_fsspec_are_read_without_reading_ahead():
    fsspec = pytest.importorskip("fsspec")
    content = (IMAGES / "portrait.heic").read_bytes()
    system = fsspec.filesystem("memory")
    system.pipe("/photos/portrait.heic", content)
    with system.open("/photos/portrait.heic") as file:
        np.testing.assert_array_equal(isobath.open(file).depth(), isobath.open(content).depth())

    requests = []

    class Store(fsspec.AbstractFileSystem):
        protocol = "counted"

        def info(self, path, **kwargs):
            return {"name": path, "size": len(content), "type": "file"}

        def cat_file(self, path, start=None, end=None, **kwargs):
            requests.append((start, end))
            return content[start:end]

        def _open(self, path, mode="rb", **kwargs):
            return fsspec.spec.AbstractBufferedFile(self, path, mode, size=len(content), **kwargs)

    with Store(skip_instance_cache=True).open("/portrait.heic") as file:
        np.testing.assert_array_equal(isobath.open(file).depth(), isobath.open(content).depth())
    assert requests and max(end - start for start, end in requests) <= 1 << 16


def test_paths_may_have_any_bytes(tmp_path):
    place = os.fsencode(tmp_path) + b"/\xff\xfe caf\xc3\xa9.heic"
    shutil.copy(IMAGES / "portrait.heic", place)
    for path in (os.fsdecode(place), os.fsencode(tmp_path / "x").replace(b"x", b"") and os.fsdecode(place)):
        assert isobath.open(path).planes[0] == "disparity"


def test_a_file_that_fails_says_why():
    class Failing(io.BytesIO):
        def read(self, size=-1):
            if self.tell() > 0 or size > 100_000:
                raise ConnectionError("the store is gone")
            return super().read(size)

    with pytest.raises(isobath.UnreadableError) as raised:
        isobath.open(Failing((IMAGES / "portrait.heic").read_bytes())).depth()
    assert isinstance(raised.value.__cause__, ConnectionError)


def test_an_interrupt_stays_one():
    class Interrupted(Remote):
        def read_ranges(self, ranges):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        isobath.open(Interrupted(b"\0" * 100))


def test_a_file_that_became_shorter_is_unreadable():
    class Short(io.BytesIO):
        def seek(self, offset, whence=0):
            return super().seek(offset, whence) + (1000 if whence == io.SEEK_END else 0)

    with pytest.raises(isobath.Error):
        photo = isobath.open(Short((IMAGES / "portrait.jpg").read_bytes()[:30_000]))
        photo.depth()


def test_other_things_are_refused():
    for source in (None, 5, object()):
        with pytest.raises(TypeError):
            isobath.open(source)
    with pytest.raises(ValueError):
        isobath.open("a\0b")


def test_a_closed_photo_says_so_and_its_arrays_stay():
    photo = isobath.open(IMAGES / "portrait.heic")
    depth = photo.depth()
    copy = depth.copy()
    photo.close()
    photo.close()
    with pytest.raises(ValueError, match="closed"):
        photo.depth()
    np.testing.assert_array_equal(depth, copy)
    assert "closed" in repr(photo)


def test_a_name_says_which_eye_is_first():
    content = (IMAGES / "stereo-crosseyed.jps").read_bytes()
    assert isobath.open(content).info["stereo"] is None
    assert isobath.open(content, name="a.jps").info["stereo"]["source"] == "jps-name"
