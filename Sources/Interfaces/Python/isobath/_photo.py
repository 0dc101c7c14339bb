"""Photos with depth."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, byref, c_char_p, c_void_p
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

from ._camera import Camera, camera_of
from ._cloud import Cloud, cloud_of
from ._errors import MissingFileError, PlaneNotFoundError, ScaleWarning, UnreadableError
from ._files import encoded
from ._library import (
    ArrayRecord,
    BlurOptions,
    CloudOptions,
    CloudRecord,
    CompositeOptions,
    DeriveOptions,
    OpenOptions,
    call,
    library,
    take_text,
)
from ._limits import Limits
from ._memory import Samples
from ._source import ByteSource, RangeReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._results import Map, Matte, Picture

    Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
    Background: TypeAlias = (
        "tuple[int, int, int] | NDArray[np.uint8] | NDArray[np.uint16] | Photo | str | os.PathLike[str] | None"
    )
else:
    from . import _numpy as np

_COMPUTE_STEREO, _NATIVE_COLOR, _ORIGINAL, _UPSAMPLE, _STORED_VALUES, _STORED_FRAME = 1, 2, 4, 8, 16, 32
_DEQUANTIZE, _FILL_HOLES, _SMOOTH, _UNALIGNED = 1, 2, 4, 8
_PIXEL_TYPES = {"uint8": 1, "uint16": 2}


def open(
    source: str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryIO | RangeReader,
    *,
    name: str | None = None,
    limits: Limits | None = None,
    quantity: Literal["depth", "disparity", "distance"] | None = None,
    scale: float | None = None,
    range: tuple[float, float] | None = None,
    camera: float | Sequence[float] | str | os.PathLike[str] | None = None,
    baseline: float | None = None,
    color: str | os.PathLike[str] | None = None,
    array: str | None = None,
    no_data: float | Literal["none"] | None = None,
    right: str | os.PathLike[str] | None = None,
    rectified: bool = False,
) -> Photo:
    """Opens a photo or a plain depth raster, recognized by its bytes, and reads its structure. Decodes nothing.

    Args:
        source: A path, the bytes of a file, or an object that is read on demand: a seekable binary file object, a file
            of fsspec, or a `RangeReader`.
        name: For bytes and file objects: the name in `info` and errors.
        limits: Limits on the work that the file may cause in decoders.

    The other arguments describe a plain raster that does not describe itself; photos need none of them.

    Args:
        quantity: The measured quantity; "distance" is measured along the rays, and converted with the camera.
        scale: The divisor of stored values: units per meter for depth (1000 for millimeters), units per 1/m for
            disparity.
        range: The distances in meters of the nearest and the farthest code of an 8- or 16-bit raster: codes from 1 to
            the greatest are linear in `quantity`, and 0 is unknown. The second may be infinite.
        camera: Numbers in pixels of the depth, from the center of the first: a focal length, (f, cx, cy) or
            (fx, fy, cx, cy). Or a file: the calibration of a stereo pair (`calib.txt` of Middlebury, ETH3D or KITTI), a
            line of `isobath extract --json`, `camera_intrinsic.json` of Open3D, `cameras.txt` of COLMAP,
            `transforms.json` of nerfstudio.
        baseline: The distance of the two cameras in meters. If given, disparity is in pixels.
        color: The picture that belongs to the raster.
        array: The array of an NPZ file, or the channel of an OpenEXR file.
        no_data: The stored value that means unknown, or "none" for no such value. None: the value that the file
            declares, negative and non-finite values are unknown, 0 except in disparity of floating point, and in depth
            the greatest value of the type, and 1e9 or more, if it is at least twice the next greatest one.
        right: The right picture of a stereo pair; the source is the left one. Depth is computed from both.
        rectified: The rows of a stereo pair match as they are: they are neither rectified nor aligned.

    Raises:
        UnreadableError: The system cannot read it (MissingFileError: it does not exist).
        UnrecognizedError: It is neither a photo nor a depth raster.
        DamagedError, UnsupportedError, LimitError: Its structure cannot be read.
        UnsuitableError: The arguments that describe a raster do not fit it.
    """
    return Photo(
        source,
        name=name,
        limits=limits,
        quantity=quantity,
        scale=scale,
        range=range,
        camera=camera,
        baseline=baseline,
        color=color,
        array=array,
        no_data=no_data,
        right=right,
        rectified=rectified or None,
    )


class Handle:
    """A photo of the library. It is freed after its last use, so that a photo can be closed while another thread
    decodes it."""

    __slots__ = ("value",)

    def __init__(self, value: c_void_p) -> None:
        self.value = value

    def __del__(self, _library: Any = library) -> None:
        _library.isobath_photo_free(self.value)


class Photo:
    """A photo with its planes, or a plain depth raster: made by `isobath.open`.

    It caches the structure of the file and no samples: each method decodes only its result. Several threads may use
    one photo at a time. It keeps its file open until it is closed or collected, works as a context manager, and can be
    pickled if it was opened from a path or from bytes.
    """

    def __init__(self, source: Any, **arguments: Any) -> None:
        self._source = source
        self._arguments = {key: value for key, value in arguments.items() if value is not None}
        self._file: ByteSource | None = None
        self._path: str | None = arguments.get("name")
        self._handle: Handle | None = self._opened()

    # Opening

    def _opened(self) -> Handle:
        options = open_options(self._arguments)
        handle, path, source = c_void_p(), None, self._source
        if isinstance(source, (bytes, bytearray, memoryview)):
            content = source if isinstance(source, bytes) else bytes(source)
            options.bytes, options.byte_count = content, len(content)
        elif isinstance(source, (str, os.PathLike)):
            path = encoded(os.fspath(source))
            self._path = os.fsdecode(path)
        elif isinstance(source, RangeReader) or (hasattr(source, "read") and hasattr(source, "seek")):
            if self._path is None and isinstance(getattr(source, "name", None), str):
                self._path = source.name
                options.name = os.fsencode(source.name)
            self._file = ByteSource(source)
            options.source = ctypes.pointer(self._file.structure())
        else:
            raise TypeError(
                f"source must be a path, bytes, a seekable binary file object or a RangeReader, not {type(source)}"
            )
        try:
            self._call(library.isobath_open, path, byref(options), byref(handle))
        except UnreadableError as error:
            if path is None or os.path.lexists(path):
                raise
            raise MissingFileError(*error.__reduce__()[1]) from None
        return Handle(handle)

    def _call(self, function: Any, *arguments: Any) -> None:
        try:
            call(function, *arguments, path=self._path)
        except UnreadableError as error:
            cause = self._file.error if self._file is not None else None
            if cause is not None and not isinstance(cause, Exception):
                raise cause from error  # an interrupt, not an error of the source
            raise error from cause

    @property
    def _open_handle(self) -> Handle:
        if self._handle is None:
            raise ValueError("the photo is closed")
        return self._handle

    def close(self) -> None:
        """Closes the file. Arrays remain valid."""
        self._handle = None

    def __enter__(self) -> Photo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._file is not None:
            raise TypeError(
                "a photo that was opened from a file object cannot be pickled; open it from a path or bytes"
            )
        return (_reopened, (self._source, self._arguments))

    def __repr__(self) -> str:
        name = f"isobath.{type(self).__name__.strip('_')} {self._path or 'in memory'!r}"
        return f"<closed {name}>" if self._handle is None else f"<{name}: {self._contents}>"

    @property
    def _contents(self) -> str:
        """The picture's size and the planes, with the depth's size and scale."""
        description = self._json("view")
        picture, depth, parts = description["picture"], description["depth"], []
        if picture:
            parts.append(f"picture {picture['width']} × {picture['height']}")
        if depth:
            parts.append(f"depth {depth['width']} × {depth['height']} {depth['scale']}")
        others = [plane for plane in description["planes"] if plane not in ("depth", "disparity")]
        return ", ".join(parts + others) or "no planes"

    # What is known without decoding

    def _json(self, what: str) -> Any:
        handle, text = self._open_handle, c_void_p()
        self._call(library.isobath_photo_json, handle.value, what.encode(), byref(text))
        return json.loads(take_text(text))

    @property
    def info(self) -> dict[str, Any]:
        """The photo and its planes, in the schema `isobath.info/1` of `isobath info --json`. Its sizes and calibration
        are as stored, not turned upright."""
        return self._json("info")  # type: ignore[no-any-return]

    @property
    def planes(self) -> list[str]:
        """The kinds of planes that can be read, in file order: `depth`, `disparity`, `matte`, `hair`, `gain-map`, …"""
        return self._json("view")["planes"]  # type: ignore[no-any-return]

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the picture, upright; None for a raster without a picture."""
        picture = self._json("view")["picture"]
        return (picture["width"], picture["height"]) if picture else None

    @property
    def depth_size(self) -> tuple[int, int] | None:
        """Width and height of the depth, upright; None without depth."""
        depth = self._json("view")["depth"]
        return (depth["width"], depth["height"]) if depth else None

    @property
    def scale(self) -> str | None:
        """The accuracy of the depth; None without depth.

        `absolute`: meters. `relative`: meters whose scale may be off by tens of percent, as from most dual cameras.
        `unknown`: treated as meters because the file names no unit. `affine`: scale and shift are unknown. `unitless`:
        only the order of distances is meaningful.
        """
        depth = self._json("view")["depth"]
        return depth["scale"] if depth else None

    @property
    def camera(self) -> Camera:
        """The camera on the grid of the depth, or of the picture if there is no depth. `Camera.scaled` converts it to
        another grid."""
        return camera_of(self._open_handle.value, self._path)

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """Errors in the file and assumptions about it so far: dicts of severity (`note` or `warning`), code, message
        and offset. Decoding may add some."""
        return self._json("diagnostics")  # type: ignore[no-any-return]

    # Samples

    def _samples(self, function: Any, *arguments: Any) -> Samples:
        handle, record = self._open_handle, POINTER(ArrayRecord)()
        self._call(function, handle.value, *arguments, byref(record))
        return Samples(record)

    def _array(self, kind: str, flags: int = 0) -> Samples:
        return self._samples(library.isobath_photo_array, kind.encode(), flags)

    def depth(self, *, stereo: bool = False, upsample: bool = False, upright: bool = True) -> Map:
        """The distance along the optical axis, from stored depth or disparity: float32 (rows, columns), meters,
        infinity at infinite distance, nan where unknown. Not a copy.

        Warns (ScaleWarning) if the values have no unit, or if their scale may be off by tens of percent; see `scale`.

        Args:
            stereo: Computes the depth of a stereo pair that stores none from its two pictures, which takes seconds.
            upsample: Upsamples the depth to the size of the picture, aligned to its edges. Fill holes first with
                `treated`.
            upright: Whether to turn the samples upright; otherwise they are as the file stores them, and the map has no
                camera.

        Raises:
            PlaneNotFoundError: There is neither depth nor disparity; for `upsample`, no picture.
            UnsuitableError: The stored values have no reciprocal, because their scale and shift are unknown; for
                `upsample`, the picture shows another view.
            ValueError: Not upright is requested with `upsample`, or of anything but a photo as it was opened.
        """
        depth = self._map("depth", stereo, upsample, upright)
        self._warn_of_unit(depth.scale)
        return depth

    def disparity(self, *, stereo: bool = False, upsample: bool = False, upright: bool = True) -> Map:
        """The reciprocal distance, from stored depth or disparity: float32 (rows, columns), 1/meters, 0 at
        infinity, nan where unknown. Otherwise as `depth`."""
        disparity = self._map("disparity", stereo, upsample, upright)
        self._warn_of_unit(disparity.scale)
        return disparity

    def _map(
        self,
        quantity: Literal["depth", "disparity"],
        stereo: bool = False,
        upsample: bool = False,
        upright: bool = True,
    ) -> Map:
        from ._results import Map

        flags = (_COMPUTE_STEREO if stereo else 0) | (_UPSAMPLE if upsample else 0)
        try:
            samples = self._array(quantity, flags | _frame(upright))
        except PlaneNotFoundError as error:
            if stereo or not self._json("view")["stereo"]:
                raise
            message = f"{error.message}; stereo=True computes it from the two pictures"
            raise PlaneNotFoundError(message, error.code, path=self._path) from None
        height, width = samples.array.shape
        try:
            known = self.camera if upright else None
        except PlaneNotFoundError:
            known = None
        camera = None if known is None or known.source == "assumed" else known.scaled(width, height)
        return Map(samples.array, quantity=quantity, scale=samples.scale, camera=camera)

    def _warn_of_unit(self, scale: str) -> None:
        if scale in ("unitless", "affine"):
            message = f"{self._path or 'the photo'}: values have no unit ({scale}); only their order is meaningful"
            warnings.warn(message, ScaleWarning, stacklevel=3)
        elif scale == "relative":
            message = f"{self._path or 'the photo'}: meters are relative: their scale may be off by tens of percent"
            warnings.warn(message, ScaleWarning, stacklevel=3)

    def matte(self, kind: str = "portrait", *, upright: bool = True) -> Matte:
        """A matte at its own size: uint8 (rows, columns), linear coverage, 0 background to 255 subject.

        Args:
            kind: `portrait` (all people), `skin`, `hair`, `teeth`, `glasses` or `sky`.
            upright: As in `depth`.

        Raises:
            PlaneNotFoundError: The photo has no such matte.
            ValueError: The kind does not exist.
        """
        from ._results import Matte

        if kind in ("depth", "disparity", "image"):
            raise ValueError(f"{kind!r} is not a kind of matte")
        return self._array(kind, _frame(upright)).array.view(Matte)

    def samples(self, kind: str, *, upright: bool = True) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """The stored samples of a plane: uint8 or uint16 (rows, columns), without a unit.

        Args:
            kind: `confidence`, `gain-map`, `alpha`, or any other of `planes`.
            upright: As in `depth`.
        """
        return self._array(kind, _STORED_VALUES | _frame(upright)).array

    def image(self, *, original: bool = False, upright: bool = True) -> Picture:
        """The picture, converted to sRGB: (rows, columns, 3), uint8, or uint16 if it has more than 8 bits.

        Args:
            original: Whether to use the picture before the camera rendered an effect into it, if the file has it.
            upright: As in `depth`.
        """
        return self._array("image", (_ORIGINAL if original else 0) | _frame(upright)).picture

    def native_image(self, *, original: bool = False, upright: bool = True) -> tuple[Picture, bytes]:
        """The picture in its own color space, and its ICC profile; empty bytes mean sRGB. Otherwise as `image`."""
        picture = self._array("image", _NATIVE_COLOR | (_ORIGINAL if original else 0) | _frame(upright)).picture
        return picture, picture.color_profile

    # Other depth and mattes

    def treated(
        self,
        *,
        minimum_confidence: int = 0,
        dequantize: bool = False,
        fill_holes: bool = False,
        smooth: bool = False,
    ) -> Photo:
        """The photo with its depth treated before every use, in this order. Decodes nothing.

        Args:
            minimum_confidence: Samples with a lower stored value in the confidence plane become unknown.
            dequantize: Removes the steps of 8-bit quantization; no sample moves by more than half a step.
            fill_holes: Fills unknown samples from behind, along the photo's edges.
            smooth: Smooths noise within surfaces.

        Reading its depth raises UnsuitableError if there is no confidence plane, or no quantization to remove.
        """
        flags = (_DEQUANTIZE if dequantize else 0) | (_FILL_HOLES if fill_holes else 0) | (_SMOOTH if smooth else 0)
        return _DerivedPhoto(self, flags=flags, minimum_confidence=minimum_confidence)

    def with_model(
        self,
        model: str | os.PathLike[str],
        *,
        profile: str | os.PathLike[str] | None = None,
        align: bool | Photo = True,
        anchors: Mapping[tuple[float, float], float] | None = None,
    ) -> Photo:
        """The photo with the depth or the matte of a network in an ONNX file, for all methods. The network runs when
        that plane is first read. It needs ONNX Runtime: `pip install 'isobath-depth[networks]'`.

        Depth without a unit is aligned: robust least squares find the factor and the offset of its disparity.

        Args:
            profile: What the network expects and gives: a name, or a JSON file. None: as the file declares.
            align: True aligns depth to what the photo stores, if that is in meters; a photo, or a raster that was
                opened, to its depth of the same view; False not at all.
            anchors: Aligns depth to known distances: {(x, y): meters}, with fractions of width and height.

        Raises:
            UnsuitableError: The network cannot be used, or its depth cannot be aligned.
            UnreadableError: The file of the network cannot be read.
        """
        given = {"model": os.fspath(model), "profile": None if profile is None else os.fspath(profile)}
        return _DerivedPhoto(self, **given, align=align, anchors=anchors)

    def with_depth(
        self,
        depth: NDArray[Any],
        *,
        quantity: Literal["depth", "disparity"] | None = None,
        align: bool | Photo = True,
        anchors: Mapping[tuple[float, float], float] | None = None,
    ) -> Photo:
        """The photo with depth of yours, for all methods.

        Args:
            depth: Values of the complete upright picture in any size: (rows, columns), nan where unknown. Depth must be
                proportional to distance; disparity may have any factor and offset.
            quantity: What the values are; None takes it from a `Map`, and otherwise means depth.
            align, anchors: As in `with_model`; False keeps the values, with the scale of a `Map`.

        Raises:
            PlaneNotFoundError: The photo has no depth to align to.
            UnsuitableError: Its depth has no unit. Reading the depth raises it if the values cannot be aligned.
        """
        from ._results import Map

        values = np.ascontiguousarray(np.asarray(depth), dtype=np.float32)
        if values.ndim != 2 or 0 in values.shape:
            raise ValueError(f"depth must be (rows, columns), not {values.shape}")
        known = depth if isinstance(depth, Map) else None
        named = quantity or (known.quantity if known is not None else "depth")
        if named not in ("depth", "disparity"):
            raise ValueError(f"quantity must be 'depth' or 'disparity', not {quantity!r}")
        scale = known.scale if known is not None else "affine"
        return _DerivedPhoto(self, depth=values, scale=scale, quantity=named, align=align, anchors=anchors)

    @property
    def alignment(self) -> Alignment | None:
        """How the depth of `with_model` or `with_depth` was aligned, which computes it; None for other depth."""
        found = self._json("alignment")
        return None if found is None else Alignment(**found)

    # Effects

    def blur(
        self,
        *,
        focus: tuple[float, float] | None = None,
        focus_distance: float | None = None,
        f_number: float | None = None,
        original: bool = True,
    ) -> Picture:
        """The picture with another aperture or focus, in sRGB: (rows, columns, 3), uint8, or uint16 if it has more
        than 8 bits.

        Args:
            focus: The position in focus, as fractions of width and height; (0, 0) is the top-left corner. None: where
                the camera focused, otherwise the subject.
            focus_distance: The distance in focus, in meters; needs depth with a unit. Takes precedence over `focus`.
            f_number: The full-frame f-number. None: that of the file's portrait effect, or 4.5 if it has none.
            original: Whether to use the picture before the camera's own blur, if the file has it.

        Raises:
            PlaneNotFoundError: There is no depth or no picture.
            UnsuitableError: A distance is given, but the depth has no unit.
        """
        options = BlurOptions(
            struct_size=ctypes.sizeof(BlurOptions),
            flags=(0 if original else 1) | (0 if focus is None else 2),
            f_number=f_number or 0,
            focus_distance=focus_distance or 0,
        )
        if focus is not None:
            options.focus_x, options.focus_y = focus
        return self._samples(library.isobath_photo_blur, byref(options)).picture

    def cloud(
        self,
        *,
        near: float | None = None,
        far: float | None = None,
        stride: int = 1,
        maximum_count: int | None = None,
        voxel_size: float | None = None,
        axes: Literal["opengl", "opencv"] = "opengl",
        normals: bool = False,
        photo_resolution: bool = False,
        keep_edges: bool = False,
        keep_lens: bool = False,
        keep_steps: bool = False,
        remove_outliers: bool = False,
        mesh: bool = False,
        maximum_triangles: int | None = None,
    ) -> Cloud:
        """The depth as points or as a mesh, calibrated and corrected for the lens, with the picture's colors.

        Args:
            near, far: The range of distances along the axis whose samples become points, in meters.
            stride: Uses every n-th sample of every n-th row.
            maximum_count: The most points, spread evenly.
            voxel_size: One point for each cube of this edge, in meters.
            axes: `opengl` (x right, y up, z backward) or `opencv` (x right, y down, z forward).
            normals: Whether to compute normals.
            photo_resolution: One point for each pixel of the photo rather than each sample of the depth.
            keep_edges: Keeps flying samples between two surfaces.
            keep_lens: Keeps the distortion of the lens.
            keep_steps: Keeps the steps of 8-bit quantization.
            remove_outliers: Removes outliers.
            mesh: Makes the surface of triangles, without those across the edges of objects. It needs the grid, so it
                excludes `maximum_count`, `voxel_size` and `remove_outliers`.
            maximum_triangles: The most triangles of a mesh; None is 500,000.

        Raises:
            PlaneNotFoundError: There is no depth.
            UnsuitableError: The camera is invalid, or no point remains.
        """
        if axes not in ("opengl", "opencv"):
            raise ValueError(f"axes must be 'opengl' or 'opencv', not {axes!r}")
        is_opencv = axes == "opencv"
        switches = (keep_edges, keep_lens, keep_steps, normals, remove_outliers, photo_resolution, is_opencv, mesh)
        options = CloudOptions(
            struct_size=ctypes.sizeof(CloudOptions),
            flags=sum(1 << bit for bit, is_set in enumerate(switches) if is_set),
            stride=stride,
            near_distance=near or 0,
            far_distance=far or 0,
            voxel_size=voxel_size or 0,
            maximum_count=maximum_count or 0,
            maximum_triangles=maximum_triangles or 0,
        )
        handle, record = self._open_handle, POINTER(CloudRecord)()
        self._call(library.isobath_photo_cloud, handle.value, byref(options), byref(record))
        return cloud_of(record)

    def composite(
        self,
        background: Background = None,
        *,
        matte: str | None = None,
        near: float | None = None,
        far: float | None = None,
        softness: float | None = None,
        fit: Literal["cover", "contain", "stretch"] = "cover",
        refine: bool = True,
    ) -> Picture:
        """The subject over another background, at the picture's size, in sRGB: (rows, columns, 3), or (rows, columns,
        4) with straight alpha if there is no background; uint8, or uint16 if the picture has more than 8 bits.

        Args:
            background: None for a transparent one, a color ("white", "#ff8000", or three numbers from 0 to 255), a
                picture as uint8 or uint16 (rows, columns, 3) in sRGB, or a photo or path of one.
            matte: The subject: mattes of the file joined by `+`, such as `hair+skin`, or `depth` for a mask cut from
                the depth. None is the portrait matte, otherwise the mask.
            near, far: The range of the mask, in meters.
            softness: The width of the ramp at either cut, in meters: None means 0.05, 0 a hard cut. Needs `near` or
                `far`.
            fit: How a picture fills the frame.
            refine: Whether to align the matte to the picture's edges, and to remove the old background's color from
                hair and soft edges.

        Raises:
            PlaneNotFoundError: The photo has neither such a matte nor depth.
        """
        options = CompositeOptions(
            struct_size=ctypes.sizeof(CompositeOptions),
            flags=(0 if refine else 1) | (0 if softness is None else 2),
            fit=fit.encode(),
            matte=None if matte is None else matte.encode(),
            near_distance=near or 0,
            far_distance=far or 0,
            softness=softness or 0,
        )
        pixels = _set_background(options, background)
        result = self._samples(library.isobath_photo_composite, byref(options)).picture
        del pixels  # the library reads them up to here
        return result


class _DerivedPhoto(Photo):
    """A photo with other depth or another matte: made by methods of `Photo`."""

    def __init__(self, photo: Photo, **given: Any) -> None:
        self._photo, self._given = photo, given
        super().__init__(None, name=photo._path)
        self._file = photo._file

    def _opened(self) -> Handle:
        given = self._given
        options = DeriveOptions(
            struct_size=ctypes.sizeof(DeriveOptions),
            flags=given.get("flags", 0),
            minimum_confidence=given.get("minimum_confidence", 0),
        )
        if given.get("model") is not None:
            options.model = encoded(given["model"])
        if given.get("profile") is not None:
            options.model_profile = encoded(given["profile"])
        if "depth" in given:
            values = given["depth"]
            record = ArrayRecord(data=values.ctypes.data, type=3, dimension_count=2, scale=given["scale"].encode())
            record.shape[:2] = values.shape
            options.depth, options.quantity = ctypes.pointer(record), given["quantity"].encode()
        align, anchors = given.get("align", True), given.get("anchors")
        reference = align._open_handle if isinstance(align, Photo) else None
        if reference is not None:
            options.reference = reference.value
        elif not align:
            options.flags |= _UNALIGNED
        if anchors:
            numbers = [number for (x, y), meters in anchors.items() for number in (x, y, meters)]
            options.anchors, options.anchor_count = (ctypes.c_double * len(numbers))(*numbers), len(anchors)
        base, handle = self._photo._open_handle, c_void_p()
        self._call(library.isobath_photo_derive, base.value, byref(options), byref(handle))
        return Handle(handle)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_derived, (self._photo, self._given))


@dataclasses.dataclass(frozen=True)
class Alignment:
    """How depth was aligned: reciprocal meters are `factor` · value + `offset`, where value is disparity, or the
    reciprocal of depth."""

    factor: float
    offset: float
    residual: float
    """The median of what remains, in 1/meters."""
    inliers: float
    """The fraction of samples that fit."""
    samples: int
    """How many samples were compared."""


def align(
    depth: NDArray[Any],
    *,
    to: Photo,
    quantity: Literal["depth", "disparity"] | None = None,
    anchors: Mapping[tuple[float, float], float] | None = None,
) -> Map:
    """Depth of yours in meters, aligned to the depth of a photo: robust least squares find the factor and the offset of
    its disparity, and up to half of the samples may be wrong. Its `alignment` describes the fit.

        meters = isobath.align(network_output, to=photo, quantity="disparity")

    Args:
        depth, quantity, anchors: As in `Photo.with_depth`.
        to: The photo, whose depth is in meters unless there are anchors.

    Raises:
        PlaneNotFoundError: The photo has no depth.
        UnsuitableError: Its depth has no unit, or the values cannot be aligned: too few are known, they are the same
            everywhere, or they fall where distances rise.
    """
    aligned = to.with_depth(depth, quantity=quantity, anchors=anchors)
    result = aligned._map("depth")
    result.alignment = aligned.alignment
    return result


def _frame(upright: bool) -> int:
    return 0 if upright else _STORED_FRAME


def _derived(photo: Photo, given: dict[str, Any]) -> Photo:
    return _DerivedPhoto(photo, **given)


def _reopened(source: Any, arguments: dict[str, Any]) -> Photo:
    return Photo(source, **arguments)


def open_options(arguments: dict[str, Any]) -> OpenOptions:
    options = OpenOptions(struct_size=ctypes.sizeof(OpenOptions))
    for key in ("scale", "baseline"):
        if key in arguments:
            if not arguments[key] > 0:
                raise ValueError(f"{key} must be a positive number, not {arguments[key]}")
            setattr(options, key, arguments[key])
    if "range" in arguments:
        options.range_near, options.range_far = arguments["range"]
    if "camera" in arguments:
        options.camera = _camera(arguments["camera"])
    paths = {"name": "name", "color": "color_path", "right": "right_path", "poses": "poses_path"}
    for key, member in paths.items():
        if key in arguments:
            setattr(options, member, encoded(arguments[key]))
    options.is_rectified = arguments.get("rectified", False)
    for key, member in (("quantity", "quantity"), ("array", "array_name"), ("pose_convention", "pose_convention")):
        if key in arguments:
            setattr(options, member, arguments[key].encode())
    if "no_data" in arguments:
        options.no_data = str(arguments["no_data"]).encode()
    if "topics" in arguments:
        names = [name.encode() for name in arguments["topics"]]
        options.topics, options.topic_count = (c_char_p * len(names))(*names), len(names)
    if "limits" in arguments:
        options.limits = arguments["limits"]._text or None
        options.keeps_process = not arguments["limits"]._changes_process
    return options


def _camera(camera: Any) -> bytes:
    if isinstance(camera, (str, bytes, os.PathLike)):
        return encoded(camera)
    numbers = [float(number) for number in (camera if isinstance(camera, Iterable) else (camera,))]
    if len(numbers) not in (1, 3, 4) or not all(number > 0 for number in numbers[: max(1, len(numbers) - 2)]):
        raise ValueError(f"camera must be a positive number, (f, cx, cy) or (fx, fy, cx, cy), not {camera}")
    return ",".join(map(repr, numbers)).encode()


def _set_background(options: CompositeOptions, background: Any) -> Any:
    """Describes a background. Returns the object that must exist until the library has read it."""
    if background is None:
        options.background = 0
        return None
    if isinstance(background, str):
        color = (ctypes.c_uint8 * 3)()
        if library.isobath_color(background.encode(errors="replace"), color):
            background = tuple(color)
        elif background.startswith("#"):
            raise ValueError(f"{background!r} is not a color; write '#rrggbb' or './{background}' for a file")
    if isinstance(background, (str, os.PathLike)):
        try:
            background = open(background)
        except MissingFileError as error:
            message = "neither a file nor a color: colors are the basic ones of CSS, such as 'white', or '#rrggbb'"
            raise MissingFileError(message, error.code, path=os.fspath(background)) from None
    profile = b""
    if isinstance(background, Photo):
        background, profile = background.native_image()
    if isinstance(background, tuple):
        if len(background) != 3 or not all(0 <= value <= 255 for value in background):
            raise ValueError("a color must be three numbers from 0 to 255")
        options.background, options.color = 1, tuple(int(value) for value in background)
        return None
    pixels = np.ascontiguousarray(background)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype.name not in _PIXEL_TYPES or 0 in pixels.shape:
        raise ValueError(
            f"a background picture must be uint8 or uint16 (rows, columns, 3), not {pixels.dtype} {pixels.shape}"
        )
    options.background = 2
    options.pixels, options.pixel_type = pixels.ctypes.data, _PIXEL_TYPES[pixels.dtype.name]
    options.height, options.width = pixels.shape[:2]
    options.color_profile, options.color_profile_size = profile or None, len(profile)
    return pixels
