"""Errors by kind: each calls for another response."""

from __future__ import annotations

import errno
import os
from typing import Any

# The system's messages end those of the library.
_CODES = {os.strerror(code): code for code in errno.errorcode}


class Error(Exception):
    """Why a photo cannot be read or used as asked. The classes below are the kinds.

    Attributes:
        message: What is wrong, without a place.
        code: A stable word for scripts, as in the JSON of the command line tool: `truncated`, `limit-exceeded`, …
        where: The enclosing structure in the file, such as `meta/iprp/ipco/auxC`; empty where there is none.
        offset: The byte in the file; None where there is none to point to.
        path: The file, or None for bytes and file objects without a name.
    """

    def __init__(
        self, message: str, code: str = "", where: str = "", offset: int | None = None, path: str | None = None
    ) -> None:
        place = " ".join(part for part in (where, "" if offset is None else f"at byte {offset}") if part)
        super().__init__((f"{path}: " if path else "") + message + (f" ({place})" if place else ""))
        self.message = message
        self.code = code
        self.where = where
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.code, self.where, self.offset, self.path))


class UnreadableError(Error, OSError):
    """The system could not open or read the file, or the file object failed (see `__cause__`).

    `errno` and `strerror` are the system's, where it gave a reason, and `filename` is the path.
    """

    def __init__(self, message: str, *arguments: Any, **named: Any) -> None:
        super().__init__(message, *arguments, **named)
        self.filename = self.path
        reason = message.rpartition(": ")[2]
        if reason in _CODES:
            self.errno, self.strerror = _CODES[reason], reason


class MissingFileError(UnreadableError, FileNotFoundError):
    """There is no such file."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.errno, self.strerror = errno.ENOENT, os.strerror(errno.ENOENT)


class UnrecognizedError(Error, ValueError):
    """The bytes are neither a photo nor a depth raster."""


class DamagedError(Error, ValueError):
    """The file is truncated, breaks a rule of its format, or its coded samples are damaged."""


class UnsupportedError(Error, NotImplementedError):
    """The file is valid as far as seen, and uses a feature that is not implemented."""


class LimitError(Error, ValueError):
    """A limit of `Limits` would be passed."""


class PlaneNotFoundError(Error, LookupError):
    """The file is fine and has no such plane."""


class UnsuitableError(Error, ValueError):
    """The file is fine and cannot be used as asked, such as meters of a map without a unit."""


class ScaleWarning(UserWarning):
    """Values that are returned as depth or disparity are not exact meters: they have no unit, and only their order means
    something, or their scale may be off by tens of percent."""
