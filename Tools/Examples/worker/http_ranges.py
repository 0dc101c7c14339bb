"""Ranges of a file on an HTTP server, for requests of `isobath_worker` with `read`: nothing but Python's library.

For object stores use fsspec's `cat_ranges` or obstore's `get_ranges` in the same place: they bring credentials and
retries.
"""

import http.client
import urllib.parse


class RangedFile:
    """A file that is read in ranges and must not change meanwhile."""

    def __init__(self, url, timeout=20):
        self.url, self.timeout = urllib.parse.urlsplit(url), timeout
        self.size = self.tag = self.connection = None

    def __call__(self, ranges):
        """What `read` is called with and returns: (list of bytes, size of the file)."""
        return [self.read(offset, length) for offset, length in ranges], self.size

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
        if self.size not in (None, int(total)):
            raise OSError("the file changed on the server while it was read")
        self.size, self.tag = int(total), self.tag or answer.getheader("ETag")
        data = answer.read()
        if len(data) != min(length, self.size - offset):
            raise OSError(f"the server sent {len(data)} of {min(length, self.size - offset)} bytes")
        return data

    def close(self):
        if self.connection:
            self.connection.close()
