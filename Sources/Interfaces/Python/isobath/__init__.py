"""Depth maps, mattes and point clouds from photos, as NumPy arrays in real units.

    import isobath

    photo = isobath.open("portrait.heic")   # reads the structure only
    depth = photo.depth()                   # float32 (rows, columns), meters, upright, nan where unknown
    hair = photo.matte("hair")              # uint8 (rows, columns), 0 background to 255 subject
    depth.write("depth.exr")
    photo.composite((255, 255, 255)).write("white.jpg")

    for frame in isobath.open_recording("capture.r3d"):
        print(frame.time, frame.pose, frame.depth().shape)

Everything is upright. Pixel coordinates have (0, 0) at the center of the top-left pixel. Each call returns new arrays,
which you own and may write to. Calls release the interpreter lock and share all cores; `set_thread_limit` changes
that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import worker
from ._camera import Camera, Distortion
from ._cloud import Cloud
from ._errors import (
    DamagedError,
    Error,
    LimitError,
    MissingFileError,
    NotWrittenError,
    PlaneNotFoundError,
    ScaleWarning,
    UnreadableError,
    UnrecognizedError,
    UnsuitableError,
    UnsupportedError,
)
from ._library import set_thread_limit, version as _version
from ._limits import Limits
from ._photo import Alignment, Photo, align, open
from ._recording import Frame, FrameArrays, Recording, open_recording
from ._running import run
from ._source import RangeReader

if TYPE_CHECKING:
    from ._results import Map, Matte, Picture

__version__: str
__all__ = [
    "Alignment",
    "Camera",
    "Cloud",
    "DamagedError",
    "Distortion",
    "Error",
    "Frame",
    "FrameArrays",
    "LimitError",
    "Limits",
    "Map",
    "Matte",
    "MissingFileError",
    "NotWrittenError",
    "Photo",
    "Picture",
    "PlaneNotFoundError",
    "RangeReader",
    "Recording",
    "ScaleWarning",
    "UnreadableError",
    "UnrecognizedError",
    "UnsuitableError",
    "UnsupportedError",
    "align",
    "open",
    "open_recording",
    "run",
    "set_thread_limit",
    "worker",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    # The classes of arrays need NumPy, which `info` does not.
    if name in ("Map", "Matte", "Picture"):
        from . import _results

        return getattr(_results, name)
    raise AttributeError(f"module 'isobath' has no attribute {name!r}")
