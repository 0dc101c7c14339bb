"""Depth and mattes that a photo does not store: networks, the caller's own maps, and samples in the stored frame."""

import functools
import math
import pickle

import numpy as np
import pytest

import isobath
from conftest import IMAGES

ABSOLUTE = IMAGES / "absolute-depth.heic"


def coarse(photo):
    """Every third sample of the disparity of a photo."""
    return np.asarray(photo.disparity())[1::3, 1::3]


def test_disparity_of_unknown_scale_and_shift_becomes_meters():
    photo = isobath.open(ABSOLUTE)
    known = coarse(photo)
    values = (known - 0.1) / 2
    values[:6] = 5  # an eighth of them is wrong
    depth = isobath.align(values, to=photo, quantity="disparity")
    assert isinstance(depth, isobath.Map) and depth.shape == (48, 64)
    assert (depth.quantity, depth.scale) == ("depth", "absolute")
    np.testing.assert_allclose(1 / np.asarray(depth)[6:], known[6:], atol=0.003)
    fit = depth.alignment
    assert math.isclose(fit.factor, 2, rel_tol=0.02) and math.isclose(fit.offset, 0.1, abs_tol=0.01)
    assert fit.residual < 0.01 and 0.5 < fit.inliers < 1 and fit.samples > 20_000
    assert photo.alignment is None and photo.depth().alignment is None


def test_depth_of_another_scale_becomes_meters_and_other_sizes_are_fine(tmp_path):
    photo = isobath.open(ABSOLUTE)
    for size, step in (((144, 192), 1), ((24, 32), 6)):
        meters = np.asarray(photo.depth())[step // 2 :: step, step // 2 :: step]
        assert meters.shape == size
        depth = isobath.align(meters * 7, to=photo)
        np.testing.assert_allclose(depth, meters, rtol=0.02)
    as_map = isobath.Map((coarse(photo) - 0.1) / 2, quantity="disparity", scale="affine")
    np.testing.assert_allclose(1 / np.asarray(isobath.align(as_map, to=photo)), coarse(photo), atol=0.003)
    depth.write(tmp_path / "aligned.exr")
    assert isobath.open(tmp_path / "aligned.exr").scale == "absolute"


def test_effects_use_depth_of_the_caller():
    photo = isobath.open(ABSOLUTE)
    flat = isobath.Map(np.full((36, 48), 2, np.float32), scale="absolute")
    moved = photo.with_depth(flat, align=False)
    assert np.asarray(moved.depth()).max() == 2 and moved.scale == "absolute" and moved.depth_size == (48, 36)
    points = moved.cloud().positions
    assert len(points) > 1000 and np.allclose(points[:, 2], -2, atol=1e-3)
    near = photo.with_depth(np.asarray(photo.depth()) * 3, anchors={(0.5, 0.9): 1, (0.5, 0.1): 4})
    assert near.alignment.samples == 2
    assert any(note["code"] == "computed-depth" for note in near.diagnostics)
    other = pickle.loads(pickle.dumps(moved))
    np.testing.assert_array_equal(other.depth(), moved.depth())


def test_what_cannot_be_aligned_is_refused():
    photo = isobath.open(ABSOLUTE)
    with pytest.raises(isobath.UnsuitableError, match="perhaps it is disparity"):
        isobath.align(1 / coarse(photo), to=photo, quantity="disparity")
    with pytest.raises(isobath.UnsuitableError, match="same everywhere"):
        isobath.align(np.ones((5, 5), np.float32), to=photo)
    with pytest.raises(isobath.UnsuitableError, match="0 samples"):
        isobath.align(np.full((5, 5), np.nan, np.float32), to=photo)
    with pytest.raises(isobath.PlaneNotFoundError):
        isobath.align(coarse(photo), to=isobath.open(IMAGES / "plain.jpg"))
    for values, named in ((np.ones(5), None), (np.ones((0, 5)), None), (np.ones((5, 5)), "meters")):
        with pytest.raises(ValueError, match="depth must be|quantity must be"):
            isobath.align(values, to=photo, quantity=named)
    with pytest.raises(ValueError, match="exclude"):
        photo.with_depth(coarse(photo), align=False, anchors={(0.5, 0.5): 1})
    with pytest.raises(ValueError, match="fractions"):
        photo.with_depth(coarse(photo), anchors={(5, 5): 1})


def network(path, profile, shape, values):
    """Writes a network that answers every picture with these values: `onnx.proto`, field by field."""

    def varint(value):
        rest = bytearray()
        while value >= 0x80:
            rest.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes(rest) + bytes([value])

    def integer(field, value):
        return varint(field << 3) + varint(value)

    def message(field, content):
        content = content.encode() if isinstance(content, str) else content
        return varint(field << 3 | 2) + varint(len(content)) + content

    def port(name, sides):
        sides = b"".join(message(1, integer(1, side)) for side in sides)
        return message(1, name) + message(2, message(1, integer(1, 1) + message(2, sides)))

    values = np.ascontiguousarray(values, np.float32)
    tensor = b"".join(integer(1, side) for side in values.shape) + integer(2, 1) + message(9, values.tobytes())
    attribute = message(1, "value") + message(5, tensor) + integer(20, 4)
    node = message(2, "answer") + message(4, "Constant") + message(5, attribute)
    graph = message(11, port("images", shape)) + message(1, node) + message(12, port("answer", values.shape))
    metadata = message(14, message(1, "isobath.profile") + message(2, profile))
    content = integer(1, 8) + message(7, graph + message(2, "graph")) + message(8, integer(2, 13)) + metadata
    path.write_bytes(content)
    return path


def test_depth_of_a_network_is_aligned_to_the_stored_depth(tmp_path):
    photo = isobath.open(ABSOLUTE)
    known = coarse(photo)
    model = network(tmp_path / "depth.onnx", "depth-anything", [1, 3, 48, 64], [(known - 0.1) / 2])
    computed = photo.with_model(model)
    assert computed.scale == "absolute" and computed.alignment.factor == pytest.approx(2, rel=0.02)
    np.testing.assert_allclose(np.asarray(computed.disparity()), known, atol=0.003)
    assert np.isfinite(computed.cloud().positions).all() and computed.blur().shape == photo.image().shape
    plain = isobath.open(IMAGES / "plain.jpg")
    with pytest.warns(isobath.ScaleWarning, match="no unit"):
        assert plain.with_model(model).disparity().scale == "affine"
    with pytest.raises(isobath.UnsuitableError):
        plain.with_model(model).depth()
    aligned = plain.with_model(model, align=photo)
    np.testing.assert_allclose(np.asarray(aligned.disparity()), known, atol=0.003)
    assert photo.with_model(model, align=False).scale == "affine"
    kept = pickle.loads(pickle.dumps(computed))
    np.testing.assert_array_equal(kept.depth(), computed.depth())


def test_a_matte_of_a_network_replaces_the_stored_one(tmp_path):
    answer = np.zeros((1, 1, 32, 32), np.float32)
    answer[..., 8:24] = 1
    photo = isobath.open(IMAGES / "plain.jpg").with_model(network(tmp_path / "m.onnx", "u2net", [1, 3, 32, 32], answer))
    matte = photo.matte()
    assert matte[0, 0] == 0 and matte[matte.shape[0] // 2, matte.shape[1] // 2] == 255
    assert photo.composite("lime").shape == photo.image().shape and photo.alignment is None


def test_networks_that_cannot_be_used_name_their_file(tmp_path):
    photo = isobath.open(ABSOLUTE)
    with pytest.raises(isobath.UnreadableError, match="none.onnx"):
        photo.with_model(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("hello")
    with pytest.raises(isobath.Error, match="text.onnx"):
        photo.with_model(tmp_path / "text.onnx")
    model = network(tmp_path / "boxes.onnx", "yolo", [1, 3, 64, 64], np.zeros((1, 84, 10)))
    with pytest.raises(isobath.UnsuitableError, match="neither depth nor a matte"):
        photo.with_model(model)


@pytest.mark.parametrize("name", ["portrait-rotated.heic", "portrait-rotated.jpg", "portrait.heic"])
def test_samples_as_they_are_stored_are_those_upright_turned(name):
    photo = isobath.open(IMAGES / name)
    codes = functools.partial(photo.samples, "disparity")
    for read in (photo.depth, photo.disparity, photo.matte, photo.image, codes):
        upright, stored = np.asarray(read()), np.asarray(read(upright=False))
        turns = [turn for turn in range(4) if np.array_equal(np.rot90(stored, turn), upright, equal_nan=True)]
        assert turns in ([[0]] if name == "portrait.heic" else [[1], [3]])
    assert photo.depth(upright=False).camera is None and photo.depth().camera is not None


def test_only_a_photo_as_it_was_opened_has_a_stored_frame():
    photo = isobath.open(IMAGES / "portrait-rotated.heic")
    for call in (
        lambda: photo.treated(smooth=True).depth(upright=False), lambda: photo.depth(upright=False, upsample=True)
    ):
        with pytest.raises(ValueError, match="stored frame|exclude"):
            call()
