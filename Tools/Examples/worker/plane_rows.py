"""Rows of a table from photos: what the Spark and the Ray example have in common.

A photo is a path, a member of a tar shard, or a URL that fsspec reads, of which only the needed ranges are fetched.
Each gives exactly one row, whatever is wrong with it. The row names it in `path`: a member as SHARD.tar/MEMBER. So the
rows that a former run wrote show which members of a shard are done.
"""

import io
import json
import re
import tarfile

import numpy as np
import pyarrow as pa

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


def requests(path, options, done=()):
    """(name, request) for a path, for a URL, or for each photo in a tar shard whose name is not in `done`."""
    common = {"verb": "extract", "options": {"format": "npy", **options}}
    if path.endswith(".tar"):
        done = set(done)
        with tarfile.open(path) as shard:
            # Of members with one name, tar unpacks the last one.
            members = {f"{path}/{member.name}": member for member in shard if member.isfile()}
            for name, member in members.items():
                if name not in done and name.lower().endswith((".heic", ".heif", ".jpg", ".jpeg", ".avif", ".dng")):
                    data = shard.extractfile(member).read()
                    yield name, {**common, "name": member.name, "data": data}
    elif "://" in path:
        import fsspec

        system, name = fsspec.core.url_to_fs(path)
        size = []  # one request more; a table with a column of sizes saves it

        def read(ranges):
            size[:] = size or [system.size(name)]
            starts, ends = zip(*((offset, min(offset + length, size[0])) for offset, length in ranges))
            return system.cat_ranges([name] * len(ranges), list(starts), list(ends)), size[0]

        yield path, {**common, "name": path, "read": read}
    else:
        yield path, {**common, "path": path}


def tables(worker, paths, options, size=64):
    """Arrow tables of rows for (path, done) pairs, `size` photos at a time; `done` as for `requests`."""
    waiting = []
    for path, done in paths:
        for item in requests(path, options, done or ()):
            waiting.append(item)
            if len(waiting) == size:
                yield table(worker, waiting)
                waiting = []
    if waiting:
        yield table(worker, waiting)


def table(worker, items):
    rows = [None] * len(items)
    for number, reply, payload in worker.ask([request for _, request in items]):
        rows[number] = row(items[number][0], reply, payload)
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def row(path, reply, payload):
    outputs = reply.get("result", {}).get("outputs") or [{}]
    plane = outputs[0].get("plane") or {}
    values = np.load(io.BytesIO(payload)) if payload else None
    return {
        "path": path, "status": reply["status"], "error": reply.get("error", {}).get("message"),
        "kind": outputs[0].get("kind"), "unit": plane.get("unit"),
        "width": None if values is None else values.shape[1], "height": None if values is None else values.shape[0],
        "plane": json.dumps(plane) if plane else None, "values": None if values is None else values.ravel(),
    }
