"""The camera of a photo."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ._library import CameraRecord, call, library

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from . import _numpy as np


@dataclass(frozen=True, eq=False)
class Distortion:
    """The radial distortion of a lens, as in Apple's files.

    A radius of r millimeters on the sensor grows by the fraction 0.01 · Σ c[k] · r^k.
    """

    coefficients: NDArray[np.float64]
    """From rectified to distorted positions, float64 (up to 8,), percent."""
    inverse_coefficients: NDArray[np.float64]
    """From distorted to rectified positions."""
    center: tuple[float, float]
    """Column and row of the center, in pixels of the camera's grid."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera on a grid of `width` × `height` pixels, x right, y down, z forward.

    A point at X, Y, Z is seen at column fx · X / Z + cx and row fy · Y / Z + cy, before the lens distorts it; (0, 0) is
    the center of the top-left pixel, as in OpenCV and Open3D.
    """

    K: NDArray[np.float64]
    """The intrinsics, float64 (3, 3): [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], in pixels of the grid."""
    width: int
    height: int
    source: str
    """Its origin: `given`, `file`, `focalLength35mm`, or `assumed` (a usual field of view)."""
    pixel_size: float | None
    """The width of a pixel of the grid on the sensor, in millimeters."""
    distortion: Distortion | None
    """The lens, if the file describes it."""
    rotation: NDArray[np.float64] | None
    """From this camera to the reference camera, float64 (3, 3), if the file has it."""
    translation: NDArray[np.float64] | None
    """The translation to the reference camera, float64 (3,), in meters."""

    def scaled(self, width: int, height: int) -> Camera:
        """The camera of the same picture on a grid of another size, such as the photo's. A coordinate c becomes (c +
        0.5) · s − 0.5.
        """
        x, y = width / self.width, height / self.height
        K = self.K.copy()
        K[0, 0], K[1, 1] = K[0, 0] * x, K[1, 1] * y
        K[0, 2], K[1, 2] = (K[0, 2] + 0.5) * x - 0.5, (K[1, 2] + 0.5) * y - 0.5
        lens = self.distortion
        if lens is not None:
            center = ((lens.center[0] + 0.5) * x - 0.5, (lens.center[1] + 0.5) * y - 0.5)
            lens = replace(lens, center=center)
        pixel_size = None if self.pixel_size is None else self.pixel_size / x
        return replace(self, K=K, width=width, height=height, distortion=lens, pixel_size=pixel_size)


def record_of(camera: Camera) -> CameraRecord:
    """The camera for the library. It refers to arrays that the record keeps."""
    record = CameraRecord(
        fx=camera.K[0, 0],
        fy=camera.K[1, 1],
        cx=camera.K[0, 2],
        cy=camera.K[1, 2],
        width=camera.width,
        height=camera.height,
        pixel_size=math.nan if camera.pixel_size is None else camera.pixel_size,
    )
    lens = camera.distortion
    if lens is not None:
        record.coefficients, record.coefficient_count = _doubles(lens.coefficients)
        record.inverse_coefficients, record.inverse_coefficient_count = _doubles(lens.inverse_coefficients)
        record.distortion_center_x, record.distortion_center_y = lens.center
    return record


def _doubles(numbers: Any) -> tuple[Any, int]:
    return (ctypes.c_double * len(numbers))(*numbers), len(numbers)


def camera_of(handle: Any, path: str | None) -> Camera:
    """The camera of an open photo."""
    record = ctypes.POINTER(CameraRecord)()
    call(library.isobath_photo_camera, handle, ctypes.byref(record), path=path)
    try:
        return _camera(record.contents)
    finally:
        library.isobath_camera_free(record)


def _camera(record: CameraRecord) -> Camera:
    def numbers(pointer: Any, count: int) -> NDArray[np.float64]:
        return np.array(pointer[:count], dtype=np.float64)

    lens = None
    if record.coefficients or record.inverse_coefficients:
        lens = Distortion(
            coefficients=numbers(record.coefficients, record.coefficient_count),
            inverse_coefficients=numbers(record.inverse_coefficients, record.inverse_coefficient_count),
            center=(record.distortion_center_x, record.distortion_center_y),
        )
    return Camera(
        K=np.array([[record.fx, 0, record.cx], [0, record.fy, record.cy], [0, 0, 1]], dtype=np.float64),
        width=record.width,
        height=record.height,
        source=record.source.decode(),
        pixel_size=None if math.isnan(record.pixel_size) else record.pixel_size,
        distortion=lens,
        rotation=numbers(record.rotation, 9).reshape(3, 3) if record.rotation else None,
        translation=numbers(record.translation, 3) if record.translation else None,
    )
