"""Reading from objects of Python: files, and what behaves like them."""

from __future__ import annotations

import ctypes
import io
import itertools
import threading
from typing import Any

from ._library import ReadFunction, ReleaseFunction, Source


class FileSource:
    """A binary file object that can seek, while the library reads it. Any thread of the library may ask for bytes."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = threading.Lock()
        self.byte_count = int(file.seek(0, io.SEEK_END))
        self.error: BaseException | None = None
        self._key = next(_keys)

    def opened(self) -> Source:
        """The structure to open it with; the library releases it."""
        _sources[self._key] = self
        return Source(ctypes.sizeof(Source), self._key, self.byte_count, _read, _release)

    def fill(self, offset: int, target: memoryview) -> None:
        """Reads bytes from an offset on, as many as there is room for."""
        with self._lock:
            self._file.seek(offset)
            filled = 0
            while filled < len(target):
                part = self._file.read(len(target) - filled)
                if not part:
                    raise EOFError(f"the file object ends at byte {offset + filled}, not at {self.byte_count}")
                target[filled : filled + len(part)] = part
                filled += len(part)


_keys = itertools.count(1)
_sources: dict[int, FileSource] = {}


def _read_bytes(context: int, offset: int, buffer: int, count: int) -> int:
    source = _sources[context]
    try:
        source.fill(offset, memoryview((ctypes.c_char * count).from_address(buffer)).cast("B"))
    except BaseException as error:  # raised again where the library reports the failure
        source.error = error
        return 1
    return 0


def _release_source(context: int) -> None:
    _sources.pop(context, None)


# Two functions for all sources: making one for each would cost more than reading.
_read = ReadFunction(_read_bytes)
_release = ReleaseFunction(_release_source)
