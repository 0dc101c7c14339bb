"""Errors by kind: each needs a different response."""

from __future__ import annotations

import errno
import os
from typing import Any

# The library's messages end with the system's.
_CODES = {os.strerror(code): code for code in errno.errorcode}


class Error(Exception):
    """Why a photo cannot be read or used. The subclasses are the kinds.

    Attributes:
        message: What is wrong, without a location.
        code: A stable identifier for scripts, as in the command line tool's JSON: `truncated`, `limit-exceeded`, …
        where: The enclosing structure in the file, such as `meta/iprp/ipco/auxC`; empty if unknown.
        offset: The byte offset in the file; None if unknown.
        path: The file, or None for bytes and file objects without a name.
        records: What `isobath.run` had printed until then; empty otherwise.
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
        self.records: list[dict[str, Any]] = []

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.code, self.where, self.offset, self.path))


class _SystemError(Error, OSError):
    """An error of the system: `errno` and `strerror` are its reason, if it gave one; `filename` is the path."""

    def __init__(self, message: str, *arguments: Any, **named: Any) -> None:
        super().__init__(message, *arguments, **named)
        self.filename = self.path
        reason = message.rpartition(": ")[2]
        if reason in _CODES:
            self.errno, self.strerror = _CODES[reason], reason


class UnreadableError(_SystemError):
    """The system could not open or read the file, or the file object failed (see `__cause__`).

    `errno` and `strerror` are the system's, if it gave a reason; `filename` is the path.
    """


class MissingFileError(UnreadableError, FileNotFoundError):
    """The file does not exist."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.errno, self.strerror = errno.ENOENT, os.strerror(errno.ENOENT)


class UnrecognizedError(Error, ValueError):
    """The bytes are neither a photo nor a depth raster."""


class DamagedError(Error, ValueError):
    """The file is truncated, breaks a rule of its format, or its coded samples are damaged."""


class UnsupportedError(Error, NotImplementedError):
    """The file seems valid, but uses a feature that is not implemented."""


class LimitError(Error, ValueError):
    """A limit of `Limits` would be exceeded."""


class PlaneNotFoundError(Error, LookupError):
    """The file is valid, but has no such plane."""


class UnsuitableError(Error, ValueError):
    """The file is valid, but not suitable for the request, such as meters of a map without a unit."""


class NotWrittenError(_SystemError):
    """The output exists and is not to be replaced, or the system could not write it.

    `errno` and `strerror` are the system's, if it gave a reason; `filename` is the path of the output.
    """


_CLASSES: dict[str, type[Error]] = {
    "unreadable": UnreadableError,
    "unrecognized": UnrecognizedError,
    "truncated": DamagedError,
    "overflow": DamagedError,
    "malformed": DamagedError,
    "damaged": DamagedError,
    "unsupported": UnsupportedError,
    "limit-exceeded": LimitError,
    "no-plane": PlaneNotFoundError,
    "not-written": NotWrittenError,
}


def error_of(code: str) -> type[Error]:
    """The class of an error with this code."""
    return _CLASSES.get(code, UnsuitableError)


class ScaleWarning(UserWarning):
    """Returned depth or disparity is not in exact meters: either it has no unit and only the order of its values is
    meaningful, or its scale may be off by tens of percent."""
