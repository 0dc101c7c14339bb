"""Limits on the work that a file may cause in decoders."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from ._library import library, take_text


class Limits:
    """Limits on the work that a file may cause in parsers and decoders. Every limit is finite by default; photos of
    real phones need less than half of each.

        isobath.open("upload.heic", limits=isobath.Limits(pixels=50_000_000, memory_bytes=1 << 30))

    Names are those of the command line tool's flags, with `_` for `-`: `pixels`, `memory_bytes`, `input_bytes`,
    `coded_bytes`, `metadata_bytes`, `items`, `tiles`, … Values are also attributes: `Limits().pixels`. Raises TypeError
    for a name that does not exist, ValueError for a negative value; opening a file raises it for one that is too large.

    Args:
        changes_process: Whether decoders may change state of the process. If so, they fill libde265's buffers with a
            pattern, which reveals damage that libde265 does not report, and redirect C's `stderr` while they decode a
            JPEG XL image.
    """

    def __init__(self, *, changes_process: bool = True, **values: int) -> None:
        for name, value in values.items():
            if name not in _defaults():
                raise TypeError(f"there is no limit named {name!r}")
            if value < 0:
                raise ValueError(f"the limit {name} must not be negative: {value}")
        self._changes_process, self._values = changes_process, values

    @property
    def _text(self) -> bytes:
        """The limits for the library."""
        return ",".join(f"{name.replace('_', '-')}={value}" for name, value in self._values.items()).encode()

    def __getattr__(self, name: str) -> int:
        value = self.__dict__.get("_values", {}).get(name)
        if value is None and (name.startswith("_") or (value := _defaults().get(name)) is None):
            raise AttributeError(name)
        return int(value)

    @staticmethod
    def names() -> list[str]:
        """The names of all limits."""
        return list(_defaults())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._changes_process, self._values))

    def __repr__(self) -> str:
        given = {"changes_process": self._changes_process, **self._values}
        return f"Limits({', '.join(f'{name}={value!r}' for name, value in given.items())})"


_known: dict[str, int] = {}


def _defaults() -> dict[str, int]:
    if not _known:
        defaults = json.loads(take_text(ctypes.c_void_p(library.isobath_limits())))
        _known.update({name.replace("-", "_"): value for name, value in defaults.items()})
    return _known


def _restored(changes_process: bool, values: dict[str, int]) -> Limits:
    return Limits(changes_process=changes_process, **values)
