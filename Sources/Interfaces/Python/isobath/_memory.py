"""Arrays over the library's samples, without a copy."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._library import ArrayRecord, library

if TYPE_CHECKING:
    import numpy as np

    from ._results import Picture
else:
    from . import _numpy as np

_TYPES = {1: "|u1", 2: "<u2", 3: "<f4"}


class _Owner:
    """A structure of the library, freed with the last array that refers to it."""

    __slots__ = ("_record", "_free")

    def __init__(self, record: Any, free: Any) -> None:
        self._record = record
        self._free = free

    def __del__(self) -> None:
        self._free(self._record)


class _Window:
    """Samples for NumPy's array interface. The array keeps this object alive, which keeps the owner alive."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, owner: _Owner, address: int, shape: tuple[int, ...], type_name: str) -> None:
        self._owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, False), "shape": shape, "typestr": type_name}


def window(owner: _Owner, address: int | None, shape: tuple[int, ...], type_name: str) -> np.ndarray[Any, Any]:
    """A writable array of these samples."""
    if not address:
        return np.empty(shape, type_name)
    return np.asarray(_Window(owner, address, shape, type_name))


def owner(record: Any, free: Any) -> _Owner:
    """The owner of a structure that a function returned."""
    return _Owner(record, free)


class Samples:
    """An array of the library, and its description."""

    def __init__(self, record: ctypes._Pointer[ArrayRecord]) -> None:
        contents = record.contents
        held = _Owner(record, library.isobath_array_free)
        shape = tuple(contents.shape[: contents.dimension_count])
        self.array = window(held, contents.data, shape, _TYPES[contents.type])
        self.scale = contents.scale.decode() if contents.scale else ""
        size = contents.color_profile_size
        self.color_profile = ctypes.string_at(contents.color_profile, size) if size else b""

    @property
    def picture(self) -> Picture:
        """The array as a picture with its color profile."""
        from ._results import Picture

        picture = self.array.view(Picture)
        picture.color_profile = self.color_profile
        return picture
