"""Every kind of error, and limits."""

import contextlib
import errno
import os
import pickle

import pytest

import isobath
from conftest import IMAGES, malformed


def test_a_missing_file_is_a_missing_file(tmp_path):
    for kind in (FileNotFoundError, OSError, isobath.UnreadableError, isobath.Error):
        with pytest.raises(kind, match="none.heic"):
            isobath.open(tmp_path / "none.heic")
    with pytest.raises(isobath.UnreadableError) as raised:
        isobath.open(tmp_path)
    assert not isinstance(raised.value, FileNotFoundError)
    assert raised.value.filename == str(tmp_path)


def test_errors_of_the_system_have_its_number(tmp_path):
    path = tmp_path / "none.heic"
    with pytest.raises(FileNotFoundError) as raised:
        isobath.open(path)
    error = raised.value
    assert (error.errno, error.filename) == (errno.ENOENT, str(path)) and str(error).startswith(f"{path}: ")
    assert error.strerror == os.strerror(errno.ENOENT)
    other = pickle.loads(pickle.dumps(error))
    assert (other.errno, other.filename, str(other)) == (error.errno, error.filename, str(error))
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(isobath.UnreadableError) as raised:
        isobath.open(loop)
    assert raised.value.errno == errno.ELOOP


def test_other_files_are_not_recognized(tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    for source in (tmp_path / "a.txt", b"", b"hello"):
        with pytest.raises(isobath.UnrecognizedError) as raised:
            isobath.open(source)
        assert raised.value.code == "unrecognized"


def test_a_truncated_file_says_where():
    content = (IMAGES / "portrait.heic").read_bytes()
    with pytest.raises(isobath.DamagedError) as raised:
        isobath.open(content[:300], name="cut.heic")
    assert raised.value.code == "truncated" and raised.value.offset < 300
    assert str(raised.value).startswith("cut.heic: ") and f"at byte {raised.value.offset}" in str(raised.value)


def test_missing_planes_are_named():
    photo = isobath.open(IMAGES / "portrait.jpg")
    with pytest.raises(isobath.PlaneNotFoundError, match="no hair plane; the file has disparity, matte") as raised:
        photo.matte("hair")
    assert raised.value.code == "no-plane" and raised.value.offset is None


@pytest.mark.parametrize("call", [
    lambda photo: photo.matte("beard"),
    lambda photo: photo.matte("depth"),
    lambda photo: photo.samples(""),
    lambda photo: photo.cloud(axes="maya"),
    lambda photo: photo.cloud(stride=-1),
    lambda photo: photo.cloud(near=float("nan")),
    lambda photo: photo.composite(fit="fill"),
    lambda photo: photo.composite((1, 2)),
    lambda photo: photo.composite((1, 2, 300)),
    lambda photo: photo.composite(matte="matte", far=2),
    lambda photo: photo.composite(softness=0),
    lambda photo: photo.composite(matte="depth", softness=0.1),
    lambda photo: photo.composite(matte="depth", far=2, softness=-1),
    lambda photo: photo.composite(matte="depth", far=2, softness=float("nan")),
    lambda photo: isobath.set_thread_limit(0),
    lambda photo: isobath.open(IMAGES / "plain.jpg", quantity="color"),
    lambda photo: isobath.open(IMAGES / "plain.jpg", scale=0),
])
def test_wrong_arguments_are_value_errors(call):
    with pytest.raises(ValueError) as raised:
        call(isobath.open(IMAGES / "portrait.heic"))
    assert not isinstance(raised.value, isobath.Error)


def test_a_background_that_is_nothing_is_explained():
    with pytest.raises(isobath.MissingFileError, match="lightblue: neither a file nor a color.*'white'"):
        isobath.open(IMAGES / "portrait.heic").composite("lightblue")


def test_errors_can_be_pickled():
    for error in (
        isobath.DamagedError("m", "truncated", "meta", 5, "a.heic"),
        isobath.MissingFileError("m", "unreadable", "", None, "b"),
    ):
        other = pickle.loads(pickle.dumps(error))
        assert type(other) is type(error) and str(other) == str(error) and vars(other) == vars(error)


def test_limits_are_kept():
    path = IMAGES / "portrait.heic"
    limits = isobath.Limits(pixels=10_000)
    assert limits.pixels == 10_000 and limits.tiles == 4096
    with pytest.raises(isobath.LimitError, match="691200 pixels exceed the limit of 10000"):
        isobath.open(path, limits=limits)
    with pytest.raises(isobath.LimitError):
        isobath.open(path, limits=isobath.Limits(memory_bytes=1000)).depth()
    with pytest.raises(isobath.LimitError):
        isobath.open(path.read_bytes(), limits=isobath.Limits(input_bytes=1000))
    with pytest.raises(TypeError):
        isobath.Limits(pixel=5)
    with pytest.raises(ValueError):
        isobath.Limits(pixels=-5)
    with pytest.raises(AttributeError):
        limits.pixel
    assert pickle.loads(pickle.dumps(limits)).pixels == 10_000
    assert {"pixels", "memory_bytes", "input_bytes"} <= set(isobath.Limits.names())
    quiet = isobath.open(path, limits=isobath.Limits(changes_process=False))
    assert quiet.depth().shape == (144, 192)


@pytest.mark.parametrize("path", malformed(), ids=lambda path: path.name)
def test_broken_files_cost_an_error_and_no_more(path):
    for source in (path, path.read_bytes()):
        try:
            photo = isobath.open(source)
        except isobath.Error:
            continue
        for function in (photo.depth, photo.disparity, photo.image, photo.cloud, photo.composite, lambda: photo.info):
            with contextlib.suppress(isobath.Error):
                function()
