"""Ranges of a file on an HTTP server, for `isobath.open` and `isobath.worker`: nothing but Python's library.

For object stores use fsspec's `cat_ranges` or obstore's `get_ranges` in the same place: they bring credentials and
retries.
"""

import http.client
import urllib.parse


class RangedFile:
    """A file that is read in ranges and must not change meanwhile. Its beginning is read with its size."""

    HEAD = 49152

    def __init__(self, url, timeout=20):
        self.url, self.timeout = urllib.parse.urlsplit(url), timeout
        self._size = self.tag = self.connection = None
        self.head = b""

    @property
    def size(self):
        if self._size is None:
            self.head = self.read(0, self.HEAD)
        return self._size

    def read_ranges(self, ranges):
        return [self.head[start:end] if end <= len(self.head) else self.read(start, end - start)
                for start, end in ranges]

    def read(self, offset, length):
        if self.connection is None:
            kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
            self.connection = kind(self.url.netloc, timeout=self.timeout)
        headers = {"Range": f"bytes={offset}-{offset + length - 1}"}
        if self.tag:
            headers["If-Match"] = self.tag
        target = urllib.parse.urlunsplit(("", "", self.url.path, self.url.query, ""))
        self.connection.request("GET", target, headers=headers)
        answer = self.connection.getresponse()
        if answer.status == 412 or self.tag and answer.getheader("ETag") not in (None, self.tag):
            raise OSError("the file changed on the server while it was read")
        if answer.status == 200:
            raise OSError("the server sends whole files only; download it, and send it as 'data'")
        if answer.status != 206:
            raise OSError(f"the server answered {answer.status} {answer.reason}")
        # bytes 0-1023/146515
        span, _, total = answer.getheader("Content-Range", "").removeprefix("bytes ").partition("/")
        first, _, last = span.partition("-")
        if not (first.isdigit() and last.isdigit() and total.isdigit()) or int(first) != offset:
            raise OSError("the server sent another range than was asked for")
        if self._size not in (None, int(total)):
            raise OSError("the file changed on the server while it was read")
        data = answer.read()
        if len(data) != min(length, int(total) - offset):
            raise OSError(f"the server sent {len(data)} of {min(length, int(total) - offset)} bytes")
        self._size, self.tag = int(total), self.tag or answer.getheader("ETag")
        return data

    def close(self):
        if self.connection:
            self.connection.close()
