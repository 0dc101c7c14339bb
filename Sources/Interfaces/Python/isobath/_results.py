"""Arrays that know what they hold, and can be written to files. Imported with the first array, as NumPy is."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import TYPE_CHECKING, Any, Literal

from ._camera import Camera, record_of
from ._errors import NotWrittenError
from ._files import encoded
from ._library import ArrayRecord, CloudRecord, WriteOptions, call, library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._photo import Alignment

    Path = str | os.PathLike[str] | os.PathLike[bytes]
else:
    from . import _numpy as np

_TYPES = {"uint8": 1, "uint16": 2, "float32": 3}
_REPLACE, _TEXT = 1, 2


class Result(np.ndarray[Any, np.dtype[Any]]):
    """An array of the library. What NumPy computes of it is a plain array; views and copies remain what they are."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array is self:
            return self
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __array_finalize__(self, source: Any) -> None:
        self.__dict__.update(getattr(source, "__dict__", {}))

    def __reduce__(self) -> Any:
        return (_restored, (type(self), np.asarray(self), self.__dict__))

    def _write(self, path: Path, options: WriteOptions, **members: Any) -> None:
        samples = np.ascontiguousarray(np.asarray(self))
        if samples.dtype.name not in _TYPES:
            raise ValueError(f"samples to write must be uint8, uint16 or float32, not {samples.dtype}")
        record = ArrayRecord(
            data=samples.ctypes.data, type=_TYPES[samples.dtype.name], dimension_count=samples.ndim, **members
        )
        record.shape[: samples.ndim] = samples.shape
        _written(library.isobath_write_array, record, path, options)


class Map(Result):
    """Depth in meters, or disparity in 1/meters: float32 (rows, columns), nan where unknown.

    Your own values become a map by `isobath.Map(values, scale="absolute")`.
    """

    quantity: Literal["depth", "disparity"]
    scale: str
    """What the numbers mean, as `Photo.scale`."""
    camera: Camera | None
    """The camera on the grid of the map; None if unknown."""
    alignment: Alignment | None = None
    """How a map of `isobath.align` was aligned; None for others."""

    def __new__(
        cls,
        values: Any,
        *,
        quantity: Literal["depth", "disparity"] = "depth",
        scale: str = "unknown",
        camera: Camera | None = None,
    ) -> Map:
        """A map of these values, which are not copied if they are float32.

        Args:
            values: (rows, columns), in meters or 1/meters, nan where unknown.
            quantity: `depth` or `disparity`.
            scale: `absolute`, `relative`, `unknown`, `affine` or `unitless`.
            camera: The camera on the grid of the map.
        """
        if quantity not in ("depth", "disparity"):
            raise ValueError(f"quantity must be 'depth' or 'disparity', not {quantity!r}")
        result = np.asarray(values, dtype=np.float32).view(cls)
        result.quantity, result.scale, result.camera = quantity, scale, camera
        return result

    def write(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the map in the format of the name's extension: TIFF, OpenEXR, PFM and NPY hold float32, and PNG 16
        bits over the range of the map. PNG, TIFF and OpenEXR also store quantity, unit and scale, and the camera if
        its size is the map's. The file is complete or missing.

        Raises:
            NotWrittenError: The file exists and `overwrite` is not set, its extension is unknown, or it cannot be
                written.
        """
        options = _options(overwrite)
        options.quantity = self.quantity.encode()
        camera = self.camera
        if camera is not None and (camera.height, camera.width) == self.shape:
            options.camera = ctypes.pointer(record_of(camera))
        self._write(path, options, scale=self.scale.encode())


class Matte(Result):
    """Coverage: uint8 (rows, columns), 0 background to 255 subject."""

    def write(self, path: Path, *, overwrite: bool = False) -> None:
        """Writes the matte as PNG, TIFF or NPY of 8 bits, or as PFM or OpenEXR from 0 to 1.

        Otherwise as `Map.write`.
        """
        self._write(path, _options(overwrite))


class Picture(Result):
    """Colors: uint8 or uint16 (rows, columns, 3), or (rows, columns, 4) with straight alpha.

    Your own pixels become a picture by `pixels.view(isobath.Picture)`.
    """

    color_profile: bytes = b""
    """The ICC profile; empty means sRGB."""

    def write(self, path: Path, *, quality: int = 92, overwrite: bool = False) -> None:
        """Writes the picture as JPEG, PNG or TIFF, by the name's extension. JPEG has 8 bits and no alpha. Otherwise as
        `Map.write`.

        Args:
            quality: Of JPEG, 1 to 100.
        """
        if not 1 <= quality <= 100:
            raise ValueError(f"quality must be 1 to 100, not {quality}")
        options, profile = _options(overwrite), self.color_profile
        options.quality = quality
        buffer = ctypes.create_string_buffer(profile, len(profile)) if profile else None
        address = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_char)) if buffer is not None else None
        self._write(path, options, color_profile=address, color_profile_size=len(profile))


def write_cloud(cloud: Any, path: Path, *, overwrite: bool, text: bool) -> None:
    """Writes a `Cloud`."""
    arrays = [
        None if array is None else np.ascontiguousarray(array, dtype)
        for array, dtype in (
            (cloud.positions, np.float32),
            (cloud.colors, np.uint8),
            (cloud.normals, np.float32),
            (cloud.confidences, np.float32),
            (cloud.triangles, np.uint32),
        )
    ]
    *attributes, triangles = [None if array is None else array.ctypes.data for array in arrays]
    count = 0 if cloud.triangles is None else len(cloud.triangles)
    record = CloudRecord(None, len(cloud), *attributes, cloud.scale.encode(), count, triangles)
    _written(library.isobath_write_cloud, record, path, _options(overwrite, _TEXT if text else 0))


def _options(overwrite: bool, flags: int = 0) -> WriteOptions:
    return WriteOptions(struct_size=ctypes.sizeof(WriteOptions), flags=flags | (_REPLACE if overwrite else 0))


def _written(function: Any, record: Any, path: Path, options: WriteOptions) -> None:
    try:
        call(function, byref(record), encoded(path), byref(options))
    except NotWrittenError as error:
        raise NotWrittenError(*error.__reduce__()[1][:4], os.fsdecode(path)) from None


def _restored(kind: type[Result], array: NDArray[Any], members: dict[str, Any]) -> Result:
    result = array.view(kind)
    result.__dict__.update(members)
    return result
