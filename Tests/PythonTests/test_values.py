"""Arrays hold what the test images are made of."""

import pickle
import random
import struct
import warnings
import zlib

import numpy as np
import pytest

import isobath
from conftest import IMAGES

APPLE = [f"{name}{turn}.{ending}" for name, turn in [("portrait", ""), ("portrait", "-rotated"), ("absolute-depth", "")]
         for ending in ("heic", "jpg")]


def exact(plane):
    return [pixel for pixel in plane["pixels"] if pixel["tolerance"] == 0]


@pytest.mark.parametrize("name", APPLE)
def test_depth_and_disparity_are_in_meters_and_upright(name, expected):
    photo = isobath.open(IMAGES / name)
    plane = expected["files"][name]["planes"][0]
    depth, disparity = photo.depth(), photo.disparity()
    assert depth.dtype == disparity.dtype == np.float32
    assert depth.shape == disparity.shape == (144, 192)
    assert depth.flags.c_contiguous and depth.flags.writeable
    for pixel in exact(plane):
        x, y = pixel["upright"]
        assert depth[y, x] == pytest.approx(pixel["meters"], rel=1e-6)
        assert disparity[y, x] == pytest.approx(1 / pixel["meters"], rel=1e-6)


@pytest.mark.parametrize("name", APPLE)
def test_mattes_hold_their_codes(name, expected):
    photo = isobath.open(IMAGES / name)
    for plane in expected["files"][name]["planes"]:
        if plane["kind"] in ("depth", "disparity", "gain-map"):
            continue
        matte = photo.matte(plane["kind"])
        assert matte.dtype == np.uint8 and matte.shape == (360, 480)
        for pixel in plane["pixels"]:
            x, y = pixel["upright"]
            assert abs(int(matte[y, x]) - pixel["code"]) <= pixel["tolerance"]


def test_samples_are_codes(expected):
    gain = isobath.open(IMAGES / "portrait.heic").samples("gain-map")
    plane = next(plane for plane in expected["files"]["portrait.heic"]["planes"] if plane["kind"] == "gain-map")
    for pixel in plane["pixels"]:
        x, y = pixel["upright"]
        assert abs(int(gain[y, x]) - pixel["code"]) <= pixel["tolerance"]


@pytest.mark.parametrize("name", APPLE)
def test_pictures_show_the_scene(name, expected):
    # The probes are codes of the photo, whose profile is Display P3.
    image, profile = isobath.open(IMAGES / name).native_image()
    assert image.dtype == np.uint8 and image.shape == (720, 960, 3)
    assert len(profile) == 540 and profile[36:40] == b"acsp"
    probes = expected["photoProbes"]
    for pixel in probes["pixels"]:
        x, y = pixel["upright"]
        assert np.abs(image[y, x].astype(int) - pixel["rgb"]).max() <= probes["tolerance"], pixel["name"]


def test_pictures_are_converted_to_srgb():
    photo = isobath.open(IMAGES / "portrait.heic")
    image, (native, _) = photo.image(), photo.native_image()
    # Colors of Display P3 spread out in sRGB: gray stays, and saturated red gets more red and less green.
    gray = np.ptp(native.astype(int), axis=2) <= 1
    assert np.abs(image[gray].astype(int) - native[gray]).max() <= 2
    red = (native[..., 0].astype(int) - native[..., 1:].max(axis=2)) > 60
    assert red.any()
    change = (image[red].astype(int) - native[red]).mean(axis=0)
    assert change[0] > 0 > change[1]


def test_the_camera_is_on_the_grid_of_the_depth():
    # f 1200, corner-based principal point 486, 356 of 960 × 720: (c + 0.5) · s − 0.5 with s = 1/5 and c 0.5 less.
    camera = isobath.open(IMAGES / "portrait.heic").camera
    assert (camera.width, camera.height, camera.source) == (192, 144, "file")
    np.testing.assert_allclose(camera.K, [[240, 0, 96.7], [0, 240, 70.7], [0, 0, 1]], rtol=1e-12)
    assert camera.pixel_size == pytest.approx(0.025)
    assert camera.distortion.center == pytest.approx((95.9, 71.1))
    assert camera.distortion.coefficients[2] == pytest.approx(-0.059985)
    np.testing.assert_array_equal(camera.rotation, np.eye(3))
    photo = camera.scaled(960, 720)
    np.testing.assert_allclose(photo.K, [[1200, 0, 485.5], [0, 1200, 355.5], [0, 0, 1]], rtol=1e-12)
    assert photo.pixel_size == pytest.approx(0.005)
    assert photo.distortion.center == pytest.approx((481.5, 357.5))


def test_a_cloud_is_the_depth_unprojected():
    photo = isobath.open(IMAGES / "absolute-depth.heic")
    cloud = photo.cloud(axes="opencv", keep_edges=True, keep_lens=True, keep_steps=True)
    depth, K = photo.depth().astype(np.float64), photo.camera.K
    rows, columns = np.mgrid[: depth.shape[0], : depth.shape[1]]
    rays = np.stack([(columns - K[0, 2]) / K[0, 0], (rows - K[1, 2]) / K[1, 1], np.ones_like(depth)], axis=-1)
    points = (rays * depth[..., None]).reshape(-1, 3)
    assert cloud.scale == photo.scale == "absolute" and len(cloud) == len(points)
    np.testing.assert_allclose(cloud.positions, points, rtol=1e-5, atol=1e-5)
    assert cloud.colors.shape == cloud.positions.shape and cloud.colors.dtype == np.uint8
    assert cloud.normals is None
    upright = photo.cloud(keep_edges=True, keep_lens=True, keep_steps=True)
    np.testing.assert_array_equal(upright.positions, cloud.positions * [1, -1, -1])


def test_clouds_take_options():
    photo = isobath.open(IMAGES / "absolute-depth.heic")
    near = photo.cloud(near=2, far=5, normals=True)
    assert 2 <= -near.positions[:, 2].max() and -near.positions[:, 2].min() <= 5
    np.testing.assert_allclose(np.linalg.norm(near.normals, axis=1), 1, atol=1e-5)
    assert len(photo.cloud(maximum_count=1000)) == 1000
    assert len(photo.cloud(stride=4)) < len(photo.cloud()) / 12
    assert len(photo.cloud(photo_resolution=True)) > 10 * len(photo.cloud())
    assert len(photo.cloud(voxel_size=1)) < len(photo.cloud(voxel_size=0.5)) < len(photo.cloud()) / 10


def test_composites_keep_the_subject_and_show_the_background():
    photo = isobath.open(IMAGES / "portrait.heic")
    matte = photo.matte()
    mask = matte.repeat(2, axis=0).repeat(2, axis=1)
    image, green = photo.image(), photo.composite((0, 255, 0), refine=False)
    assert green.shape == image.shape
    # The photo is in Display P3, so that the color is rounded on its way there and back.
    assert (np.abs(green[mask == 0].astype(int) - (0, 255, 0)) <= 3).mean() > 0.98
    # At its edge, the matte is interpolated.
    assert (np.abs(green[mask == 255].astype(int) - image[mask == 255]).max(axis=1) <= 3).mean() > 0.98
    clear = photo.composite()
    assert clear.shape == (720, 960, 4) and clear.dtype == np.uint8
    assert clear[mask == 0, 3].mean() < 2 < 250 < clear[mask == 255, 3].mean()
    stripes = np.zeros((720, 960, 3), np.uint8)
    stripes[:, 480:] = 200
    before = photo.composite(stripes)
    empty = mask == 0
    assert before[:, 500:][empty[:, 500:]].mean() > 190 and before[:, :460][empty[:, :460]].mean() < 10
    deep = photo.composite(stripes.astype(np.uint16) * 257)
    assert deep.dtype == np.uint16 and np.abs(deep // 257 - before.astype(int)).max() <= 2
    same = photo.composite(isobath.open(IMAGES / "plain.jpg"))
    np.testing.assert_array_equal(same, photo.composite(IMAGES / "plain.jpg"))
    far = photo.composite((0, 255, 0), matte="depth", far=3)
    assert (np.abs(far.astype(int) - (0, 255, 0)) <= 3).all(axis=2).mean() > 0.3
    # A ramp of 0 m is not the usual one of 0.05 m: fewer pixels are in between.
    partial = [
        ((alpha > 0) & (alpha < 255)).sum()
        for alpha in (
            photo.composite(matte="depth", far=3, softness=softness, refine=False)[..., 3] for softness in (0, None, 1)
        )
    ]
    assert partial[0] < partial[1] < partial[2]


@pytest.mark.parametrize(
    "name, scale",
    [
        ("absolute-depth.heic", "absolute"),
        ("portrait.heic", "relative"),
        ("samsung-dualshot.jpg", "unitless"),
        ("plain.jpg", None),
    ],
)
def test_the_scale_says_what_numbers_mean(name, scale):
    photo = isobath.open(IMAGES / name)
    assert photo.scale == scale
    assert photo.size == ((480, 360) if name == "samsung-dualshot.jpg" else (960, 720))
    assert photo.depth_size == (None if scale is None else (192, 144))


def test_values_without_a_unit_warn():
    with pytest.warns(isobath.ScaleWarning, match="no unit"):
        isobath.open(IMAGES / "samsung-dualshot.jpg").depth()


def test_relative_meters_warn():
    with pytest.warns(isobath.ScaleWarning, match="tens of percent"):
        isobath.open(IMAGES / "portrait.heic").depth()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        isobath.open(IMAGES / "absolute-depth.heic").depth()


def test_depth_is_upsampled_to_the_size_of_the_picture():
    photo = isobath.open(IMAGES / "absolute-depth.heic")
    small, large = photo.depth(), photo.depth(upsample=True)
    assert large.shape == (720, 960) and large.dtype == np.float32
    assert photo.disparity(upsample=True).shape == (720, 960)
    # Upsampling averages samples: nothing is nearer or farther than all of them.
    assert np.nanmin(small) * 0.999 <= np.nanmin(large) and np.nanmax(large) <= np.nanmax(small) * 1.001
    # In the middle of a surface both agree.
    assert np.nanmedian(np.abs(large[2::5, 2::5] / small - 1)) < 0.01


def test_depth_is_treated(tmp_path):
    stored = np.full((40, 40), 2, np.float32)
    stored[10:14, 10:14] = np.nan
    np.save(tmp_path / "depth.npy", stored)
    photo = isobath.open(tmp_path / "depth.npy", no_data="none")
    filled = photo.treated(fill_holes=True)
    assert np.isnan(photo.depth()).sum() == 16
    np.testing.assert_allclose(filled.depth(), 2, rtol=1e-6)
    assert filled.depth_size == (40, 40) and pickle.loads(pickle.dumps(filled)).depth().min() > 1.9
    with pytest.raises(isobath.UnsuitableError):
        photo.treated(minimum_confidence=1).depth()
    with pytest.raises(isobath.UnsuitableError):
        photo.treated(dequantize=True).depth()
    with pytest.raises(ValueError):
        photo.treated(minimum_confidence=-1)
    # 256 codes of 73 mm: dequantization adds values between them.
    coded = isobath.open(IMAGES / "absolute-depth.heic")
    assert len(np.unique(coded.depth())) <= 256 < len(np.unique(coded.treated(dequantize=True).depth()))


def test_a_blurred_picture_is_sharp_where_it_is_focused():
    photo = isobath.open(IMAGES / "portrait.heic")
    image, blurred = photo.image().astype(int), photo.blur(f_number=1.2)
    assert blurred.shape == image.shape and blurred.dtype == np.uint8
    change = np.abs(blurred - image).mean(axis=2)
    mask = photo.matte().repeat(2, axis=0).repeat(2, axis=1)
    assert change[mask == 0].mean() > 2 * change[mask == 255].mean()
    # A closed aperture leaves all as it is.
    assert np.abs(photo.blur(f_number=1000) - image).mean() < 0.5
    assert (photo.blur(f_number=1.2, focus=(0.05, 0.05)) != blurred).any()
    with pytest.raises(ValueError):
        photo.blur(focus=(2, 0))
    with pytest.raises(isobath.PlaneNotFoundError):
        isobath.open(IMAGES / "plain.jpg").blur()


def png(path, samples):
    """Writes uint8 (rows, columns, 3) or uint16 (rows, columns)."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    bits, color = (8, 2) if samples.dtype == np.uint8 else (16, 0)
    rows = samples.astype(samples.dtype.newbyteorder(">"))
    header = struct.pack(">IIBBBBB", samples.shape[1], samples.shape[0], bits, color, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def test_two_pictures_and_a_calibration_are_a_pair_in_meters(tmp_path):
    generator = random.Random(1)
    rows = [generator.randbytes(160) for _ in range(90)]
    for name, shift in ("left.pgm", 0), ("right.pgm", 6):
        pixels = b"".join(row[shift : shift + 150] for row in rows)
        (tmp_path / name).write_bytes(b"P5 150 90 255\n" + pixels)
    (tmp_path / "calib.txt").write_text("cam0=[100 0 75; 0 100 45; 0 0 1]\ndoffs=0\nbaseline=60\n")
    pair = isobath.open(
        tmp_path / "left.pgm", right=tmp_path / "right.pgm", camera=tmp_path / "calib.txt", rectified=True
    )
    # 100 px · 0.06 m / 6 px
    assert np.nanmedian(pair.depth(stereo=True)) == pytest.approx(1, abs=0.02)
    assert pair.info["stereo"]["source"] == "two-files"
    assert isobath.open(tmp_path / "left.pgm").info["stereo"] is None


def test_depth_of_a_stereo_pair_is_computed_when_asked_for():
    photo = isobath.open(IMAGES / "spatial.heic")
    with pytest.raises(isobath.PlaneNotFoundError, match="stereo=True"):
        photo.depth()
    depth = photo.depth(stereo=True)
    assert depth.shape == (360, 480)
    # The scene is between 1.41 and 20 m away (TestImages/README.md); a pixel of disparity off changes the far end most.
    known = depth[np.isfinite(depth)]
    assert known.size > 0.5 * depth.size and 1.3 < np.percentile(known, 5) and np.percentile(known, 50) < 25


def test_the_original_is_the_picture_before_the_effect():
    photo = isobath.open(IMAGES / "samsung-dualshot.jpg")
    assert photo.image(original=True).shape == (360, 480, 3)
    with pytest.raises(isobath.PlaneNotFoundError):
        isobath.open(IMAGES / "plain.jpg").image(original=True)


def test_a_raster_is_read_as_it_is_said_to_be(tmp_path):
    stored = np.array([[1000, 2000, 0], [500, 65535, 4000]], np.uint16)
    np.save(tmp_path / "depth.npy", stored)
    photo = isobath.open(tmp_path / "depth.npy", scale=1000, camera=(2, 1, 0.5))
    np.testing.assert_allclose(photo.depth()[0, :2], [1, 2])
    np.testing.assert_array_equal(photo.camera.K, [[2, 0, 1], [0, 2, 0.5], [0, 0, 1]])
    assert photo.camera.source == "given" and photo.size is None
    disparity = isobath.open(tmp_path / "depth.npy", scale=1000, quantity="disparity").disparity()
    np.testing.assert_allclose(disparity[1, 0], 0.5)
    with pytest.raises(isobath.PlaneNotFoundError):
        photo.image()
    for camera in (0, (1, 1), (2, -1, 0, 0)):
        with pytest.raises(ValueError, match="camera"):
            isobath.open(tmp_path / "depth.npy", camera=camera)
    (tmp_path / "cameras.txt").write_text("# comment\n1 PINHOLE 6 4 4 4 2.5 1.5\n")
    np.testing.assert_array_equal(
        isobath.open(tmp_path / "depth.npy", camera=tmp_path / "cameras.txt").camera.K,
        [[2, 0, 0.75], [0, 2, 0.25], [0, 0, 1]],
    )


def test_zero_and_negative_depth_is_unknown_unless_it_is_kept(tmp_path):
    stored = np.array([[0, -1, np.inf, 2, 3]], np.float32)
    np.save(tmp_path / "depth.npy", stored)
    photo = isobath.open(tmp_path / "depth.npy")
    np.testing.assert_array_equal(photo.depth(), [[np.nan, np.nan, np.nan, 2, 3]])
    assert any(found["code"] == "no-data-samples" for found in photo.diagnostics)
    kept = isobath.open(tmp_path / "depth.npy", no_data="none").depth()
    np.testing.assert_array_equal(kept, stored)
    given = isobath.open(tmp_path / "depth.npy", no_data=3).depth()
    np.testing.assert_array_equal(given, [[np.nan, np.nan, np.nan, 2, np.nan]])
    with pytest.raises(ValueError):
        isobath.open(tmp_path / "depth.npy", no_data="some")


@pytest.mark.parametrize("name", ["depth.avif", "depth.jxl", "depth.dng", "lossless-jpeg-depth.heic", "xdm.jpg"])
def test_every_codec_is_in_the_wheel(name, expected):
    photo = isobath.open(IMAGES / name)
    plane = expected["files"][name]["planes"][0]
    codes = photo.samples(plane["kind"])
    for pixel in plane["pixels"]:
        x, y = pixel["upright"]
        assert abs(int(codes[y, x]) - pixel["code"]) <= pixel["tolerance"]
    assert photo.image().ndim == 3
