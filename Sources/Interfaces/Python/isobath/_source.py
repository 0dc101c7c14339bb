"""Reading from Python objects: files and range readers."""

from __future__ import annotations

import ctypes
import io
import itertools
import sys
import threading
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ._library import ReadFunction, ReleaseFunction, Source


@runtime_checkable
class RangeReader(Protocol):
    """Remote bytes, such as an object in a store. `isobath.open` accepts any object with these two members."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    def read_ranges(self, ranges: list[tuple[int, int]]) -> Sequence[Any]:
        """Returns the bytes of each range (start, end), in order; it may fetch them concurrently. Called from any
        thread, one at a time. An exception becomes the `__cause__` of the photo's error."""


class _File:
    """A seekable binary file object."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.size = int(file.seek(0, io.SEEK_END))

    def read_ranges(self, ranges: list[tuple[int, int]]) -> list[bytes]:
        return [self._read(start, end) for start, end in ranges]

    def _read(self, start: int, end: int) -> bytes:
        self._file.seek(start)
        parts, count = [], 0
        while start + count < end:
            part = self._file.read(end - start - count)
            if not part:
                raise EOFError(f"the file object ends at byte {start + count}, not at {self.size}")
            parts.append(part)
            count += len(part)
        return b"".join(parts)


class _FileSystemFile:
    """A file of fsspec, without its read-ahead, whose blocks are larger than a photo's depth needs."""

    def __init__(self, file: Any) -> None:
        self._system, self._path = file.fs, file.path
        self.size = int(file.size)

    def read_ranges(self, ranges: list[tuple[int, int]]) -> list[bytes]:
        starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
        return self._system.cat_ranges([self._path] * len(ranges), starts, ends, on_error="raise")  # type: ignore[no-any-return]


def reader_of(source: Any) -> Any:
    spec = sys.modules.get("fsspec.spec")
    if spec is not None and isinstance(source, spec.AbstractBufferedFile) and source.size is not None:
        return _FileSystemFile(source)
    return source if isinstance(source, RangeReader) else _File(source)


class ByteSource:
    """A file object or range reader in use by the library. Any thread of the library may request bytes."""

    def __init__(self, source: Any) -> None:
        self._reader = reader_of(source)
        self._lock = threading.Lock()
        self.error: BaseException | None = None
        self._key = next(_keys)

    def structure(self) -> Source:
        """The structure to open it with; the library releases it."""
        _sources[self._key] = self
        return Source(ctypes.sizeof(Source), self._key, self._reader.size, _read, _release)

    def fill(self, ranges: Any, count: int) -> None:
        """Reads ranges of bytes into their buffers."""
        wanted = [(ranges[index].offset, ranges[index].offset + ranges[index].size) for index in range(count)]
        with self._lock:
            parts = self._reader.read_ranges(wanted)
        if len(parts) != count:
            raise EOFError(f"{len(parts)} ranges were returned, not {count}")
        for index, part in enumerate(parts):
            content = memoryview(part).cast("B")
            if len(content) != ranges[index].size:
                raise EOFError(
                    f"{len(content)} bytes were returned from byte {wanted[index][0]} on, not {ranges[index].size}"
                )
            target = (ctypes.c_char * len(content)).from_address(ranges[index].buffer)
            memoryview(target).cast("B")[:] = content


_keys = itertools.count(1)
_sources: dict[int, ByteSource] = {}


def _read_ranges(context: int, ranges: Any, count: int) -> int:
    source = _sources[context]
    try:
        source.fill(ranges, count)
    except BaseException as error:  # raised again when the library reports the failure
        source.error = error
        return 1
    return 0


def _release_source(context: int) -> None:
    _sources.pop(context, None)


# Two functions serve all sources: creating them for each would cost more than reading.
_read = ReadFunction(_read_ranges)
_release = ReleaseFunction(_release_source)
