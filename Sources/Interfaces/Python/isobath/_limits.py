"""Limits on the work that a file may cause in decoders."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from ._library import call, library, take_text


class Limits:
    """Limits on the work that a file may cause in parsers and decoders. Every limit is finite by default; photos of
    real phones need less than half of each.

        isobath.open("upload.heic", limits=isobath.Limits(pixels=50_000_000, memory_bytes=1 << 30))

    Names are those of the command line tool's flags, with `_` for `-`: `pixels`, `memory_bytes`, `input_bytes`,
    `coded_bytes`, `metadata_bytes`, `items`, `tiles`, … Values are also attributes: `Limits().pixels`. Raises TypeError
    for a name that does not exist, ValueError for a negative value.

    Args:
        changes_process: Whether decoders may change state of the process. If so, they fill libde265's buffers with a
            pattern, which reveals damage that libde265 does not report, and redirect C's `stderr` while they decode a
            JPEG XL image.
    """

    def __init__(self, *, changes_process: bool = True, **values: int) -> None:
        self._arguments: dict[str, Any] = {"changes_process": changes_process, **values}
        self._handle = library.isobath_limits_create()
        library.isobath_limits_set_changes_process(self._handle, changes_process)
        for name, value in values.items():
            if name not in Limits.names():
                raise TypeError(f"there is no limit named {name!r}")
            call(library.isobath_limits_set, self._handle, _flag(name), min(value, 2**63 - 1))

    def __del__(self, _library: Any = library) -> None:
        _library.isobath_limits_free(self.__dict__.get("_handle"))

    def __getattr__(self, name: str) -> int:
        handle = self.__dict__.get("_handle")
        value: int = library.isobath_limits_get(handle, _flag(name)) if handle else -1
        if value < 0:
            raise AttributeError(name)
        return value

    @staticmethod
    def names() -> list[str]:
        """The names of all limits."""
        global _names
        if not _names:
            _names = [
                name.replace("-", "_") for name in json.loads(take_text(ctypes.c_void_p(library.isobath_limit_names())))
            ]
        return list(_names)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._arguments,))

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value!r}' for name, value in self._arguments.items())})"


_names: list[str] = []


def _flag(name: str) -> bytes:
    return name.replace("_", "-").encode()


def _restored(arguments: dict[str, Any]) -> Limits:
    return Limits(**arguments)
