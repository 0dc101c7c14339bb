"""Rows of a table from photos: what the Spark and the Ray example have in common.

A photo is a path, a member of a tar shard, or a URL that fsspec reads, of which only the needed ranges are fetched.
Each gives exactly one row, whatever is wrong with it. The row names it in `path`: a member as SHARD.tar/MEMBER. So the
rows that a former run wrote show which members of a shard are done.
"""

import functools
import itertools
import json
import re
import tarfile

import pyarrow as pa

from isobath.worker import Request

SCHEMA = pa.schema([
    ("path", pa.string()), ("status", pa.string()), ("error", pa.string()), ("kind", pa.string()),
    ("unit", pa.string()), ("width", pa.int32()), ("height", pa.int32()), ("plane", pa.string()),
    ("values", pa.list_(pa.float32())),
])
COLUMNS = ("path string, status string, error string, kind string, unit string, width int, height int, plane string, "
           "values array<float>")


def shards_of(name):
    """What may be the shard of a photo that a row names: the folders in its path whose names end in .tar."""
    return [name[:mark.start() + len(".tar")] for mark in re.finditer(r"\.tar/", name)]


class Remote:
    """A URL that fsspec reads, for `isobath.worker`."""

    def __init__(self, url):
        self.url = url

    @functools.cached_property
    def system(self):
        import fsspec

        return fsspec.core.url_to_fs(self.url)

    @functools.cached_property
    def size(self):  # one request more; a table with a column of sizes saves it
        system, name = self.system
        return system.size(name)

    def read_ranges(self, ranges):
        system, name = self.system
        starts, ends = zip(*ranges)
        return system.cat_ranges([name] * len(ranges), list(starts), list(ends), on_error="raise")


def requests(path, options, done=()):
    """A request for a path, for a URL, or for each photo in a tar shard whose name is not in `done`."""
    options = {"format": "npy", **options}
    if path.endswith(".tar"):
        done = set(done)
        with tarfile.open(path) as shard:
            # Of members with one name, tar unpacks the last one.
            members = {f"{path}/{member.name}": member for member in shard if member.isfile()}
            for name, member in members.items():
                if name not in done and name.lower().endswith((".heic", ".heif", ".jpg", ".jpeg", ".avif", ".dng")):
                    yield Request("extract", shard.extractfile(member).read(), options, name=name)
    elif "://" in path:
        yield Request("extract", Remote(path), options, name=path)
    else:
        yield Request("extract", path, options)


def tables(pool, paths, options, size=64):
    """Arrow tables of rows for (path, done) pairs, `size` photos at a time; `done` as for `requests`."""
    asked = (request for path, done in paths for request in requests(path, options, done or ()))
    rows = map(row, pool.map(asked, ordered=False))
    while group := list(itertools.islice(rows, size)):
        yield pa.Table.from_pylist(group, schema=SCHEMA)


def row(reply):
    outputs = reply.result.get("outputs") or [{}]
    plane = outputs[0].get("plane") or {}
    values = reply.array() if reply.outputs else None
    return {
        "path": reply.request.name or reply.request.source, "status": reply.status,
        "error": reply.error and reply.error.message, "kind": outputs[0].get("kind"), "unit": plane.get("unit"),
        "width": None if values is None else values.shape[1], "height": None if values is None else values.shape[0],
        "plane": json.dumps(plane) if plane else None, "values": None if values is None else values.ravel(),
    }
