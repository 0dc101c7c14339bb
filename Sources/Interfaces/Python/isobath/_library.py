"""The shared library behind the package, declared as in isobath.h."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_void_p
from typing import Any, NoReturn

from ._errors import error_of
from ._files import installed

_ABI_VERSION = 2


class Range(ctypes.Structure):
    _fields_ = [("offset", c_int64), ("size", c_int64), ("buffer", c_void_p)]


ReadFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(Range), c_size_t)
ReleaseFunction = ctypes.CFUNCTYPE(None, c_void_p)


class ErrorRecord(ctypes.Structure):
    _fields_ = [
        ("status", c_int32),
        ("code", c_char_p),
        ("message", c_char_p),
        ("where", c_char_p),
        ("offset", c_int64),
    ]


class Source(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("context", c_void_p),
        ("byte_count", c_int64),
        ("read", ReadFunction),
        ("release", ReleaseFunction),
    ]


class OpenOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("limits", c_char_p),
        ("keeps_process", c_int32),
        ("bytes", c_char_p),
        ("byte_count", c_size_t),
        ("source", POINTER(Source)),
        ("name", c_char_p),
        ("quantity", c_char_p),
        ("scale", c_double),
        ("camera", c_char_p),
        ("baseline", c_double),
        ("color_path", c_char_p),
        ("array_name", c_char_p),
        ("no_data", c_char_p),
        ("right_path", c_char_p),
        ("is_rectified", c_int32),
        ("topics", POINTER(c_char_p)),
        ("topic_count", c_size_t),
        ("poses_path", c_char_p),
        ("pose_convention", c_char_p),
        ("range_near", c_double),
        ("range_far", c_double),
    ]


class CameraRecord(ctypes.Structure):
    _fields_ = [
        ("owner", c_void_p),
        ("fx", c_double),
        ("fy", c_double),
        ("cx", c_double),
        ("cy", c_double),
        ("width", c_int64),
        ("height", c_int64),
        ("source", c_char_p),
        ("pixel_size", c_double),
        ("coefficients", POINTER(c_double)),
        ("coefficient_count", c_int64),
        ("inverse_coefficients", POINTER(c_double)),
        ("inverse_coefficient_count", c_int64),
        ("distortion_center_x", c_double),
        ("distortion_center_y", c_double),
        ("rotation", POINTER(c_double)),
        ("translation", POINTER(c_double)),
    ]


class ArrayRecord(ctypes.Structure):
    _fields_ = [
        ("owner", c_void_p),
        ("data", c_void_p),
        ("type", c_int32),
        ("dimension_count", c_int32),
        ("shape", c_int64 * 3),
        ("bit_depth", c_int32),
        ("scale", c_char_p),
        ("color_profile", POINTER(c_char)),
        ("color_profile_size", c_size_t),
    ]


class CloudOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("stride", c_int32),
        ("near_distance", c_float),
        ("far_distance", c_float),
        ("voxel_size", c_float),
        ("maximum_count", c_int64),
        ("maximum_triangles", c_int64),
    ]


class CloudRecord(ctypes.Structure):
    _fields_ = [
        ("owner", c_void_p),
        ("point_count", c_int64),
        ("positions", c_void_p),
        ("colors", c_void_p),
        ("normals", c_void_p),
        ("confidences", c_void_p),
        ("scale", c_char_p),
        ("triangle_count", c_int64),
        ("triangles", c_void_p),
    ]


class DeriveOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("minimum_confidence", c_int32),
        ("model", c_char_p),
        ("model_profile", c_char_p),
        ("depth", POINTER(ArrayRecord)),
        ("quantity", c_char_p),
        ("reference", c_void_p),
        ("anchors", POINTER(c_double)),
        ("anchor_count", c_size_t),
    ]


class BlurOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("f_number", c_float),
        ("focus_distance", c_float),
        ("focus_x", c_double),
        ("focus_y", c_double),
    ]


class FusionOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("voxel_size", c_float),
        ("near_distance", c_float),
        ("far_distance", c_float),
        ("step", c_int32),
        ("start", c_double),
        ("end", c_double),
        ("flags", c_uint32),
        ("maximum_triangles", c_int64),
    ]


class DataSetOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("step", c_int32),
        ("start", c_double),
        ("end", c_double),
        ("maximum_frames", c_int64),
        ("quality", c_int32),
    ]


class WriteOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("quality", c_int32),
        ("quantity", c_char_p),
        ("camera", POINTER(CameraRecord)),
    ]


class CompositeOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("background", c_int32),
        ("flags", c_uint32),
        ("color", c_uint8 * 3),
        ("pixels", c_void_p),
        ("pixel_type", c_int32),
        ("width", c_int64),
        ("height", c_int64),
        ("color_profile", c_char_p),
        ("color_profile_size", c_size_t),
        ("fit", c_char_p),
        ("matte", c_char_p),
        ("near_distance", c_float),
        ("far_distance", c_float),
        ("softness", c_float),
    ]


def _load() -> dict[str, Any]:
    """The functions by their names."""
    library = ctypes.CDLL(installed("libexec/isobath", f"libisobath.so.{_ABI_VERSION}"))
    error = POINTER(POINTER(ErrorRecord))
    photo, array = c_void_p, POINTER(POINTER(ArrayRecord))
    handle, text = POINTER(c_void_p), POINTER(c_void_p)
    functions: dict[str, Any] = {}

    def declare(name: str, result: Any, *arguments: Any) -> None:
        function = functions[f"isobath_{name}"] = getattr(library, f"isobath_{name}")
        function.restype, function.argtypes = result, arguments

    declare("abi_version", c_uint32)
    declare("version", c_char_p)
    declare("error_free", None, POINTER(ErrorRecord))
    declare("string_free", None, c_void_p)
    declare("limits", c_void_p)
    declare("set_thread_limit", None, c_int32)
    declare("open", c_int32, c_char_p, POINTER(OpenOptions), handle, error)
    declare("photo_free", None, photo)
    declare("photo_json", c_int32, photo, c_char_p, text, error)
    declare("photo_camera", c_int32, photo, POINTER(POINTER(CameraRecord)), error)
    declare("camera_free", None, POINTER(CameraRecord))
    declare("photo_array", c_int32, photo, c_char_p, c_uint32, array, error)
    declare("photo_derive", c_int32, photo, POINTER(DeriveOptions), handle, error)
    declare("array_free", None, POINTER(ArrayRecord))
    declare("photo_cloud", c_int32, photo, POINTER(CloudOptions), POINTER(POINTER(CloudRecord)), error)
    declare("cloud_free", None, POINTER(CloudRecord))
    declare("color", c_int32, c_char_p, c_uint8 * 3)
    declare("photo_composite", c_int32, photo, POINTER(CompositeOptions), array, error)
    declare("photo_blur", c_int32, photo, POINTER(BlurOptions), array, error)
    declare("write_array", c_int32, POINTER(ArrayRecord), c_char_p, POINTER(WriteOptions), error)
    declare("write_cloud", c_int32, POINTER(CloudRecord), c_char_p, POINTER(WriteOptions), error)
    declare("open_recording", c_int32, c_char_p, POINTER(OpenOptions), handle, error)
    declare("recording_free", None, c_void_p)
    declare("recording_json", c_int32, c_void_p, c_char_p, text, error)
    declare("recording_frame", c_int32, c_void_p, c_int64, handle, error)
    declare("recording_follow", c_int32, c_void_p, c_uint32, handle, error)
    declare("recording_fuse", c_int32, c_void_p, POINTER(FusionOptions), POINTER(POINTER(CloudRecord)), error)
    data_set_options = POINTER(DataSetOptions)
    declare("recording_write_data_set", c_int32, c_void_p, c_char_p, c_char_p, data_set_options, text, error)
    found = functions["isobath_abi_version"]()
    if found != _ABI_VERSION:
        raise ImportError(f"libisobath has the interface {found}, not {_ABI_VERSION}")
    return functions


class _Library:
    """Loads the library with the first function that is used: `isobath.worker` and `isobath.run` use none."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("isobath_"):
            raise AttributeError(name)
        self.__dict__.update(_load())
        return self.__dict__[name]


library = _Library()


def call(function: Any, *arguments: Any, path: str | None = None) -> None:
    """Calls a function whose last argument receives an error, and raises that error."""
    error = POINTER(ErrorRecord)()
    status = function(*arguments, ctypes.byref(error))
    if status:
        _fail(error, path)


def _fail(error: Any, path: str | None) -> NoReturn:
    record = error.contents
    message, code, where = (text.decode() for text in (record.message, record.code, record.where))
    offset = record.offset if record.offset >= 0 else None
    library.isobath_error_free(error)
    raise ValueError(message) if code == "invalid-argument" else error_of(code)(message, code, where, offset, path)


def take_text(place: c_void_p) -> str:
    """The text that a function returned here. Frees the original."""
    text = ctypes.string_at(place.value or 0).decode()
    library.isobath_string_free(place)
    return text


def version() -> str:
    """The version of Isobath."""
    return library.isobath_version().decode()  # type: ignore[no-any-return]


def set_thread_limit(limit: int | None) -> None:
    """Sets how many threads one call may use, including the calling one: 1 uses no other. None (the default) divides
    the cores among concurrent calls. Results do not depend on it. Applies to the process; 1 is best for a pool with
    one process per core.
    """
    if limit is not None and limit < 1:
        raise ValueError("a thread limit is at least 1")
    library.isobath_set_thread_limit(min(limit or 0, 1 << 16))
