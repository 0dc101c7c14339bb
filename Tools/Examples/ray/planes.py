"""Ray Data: a table of paths becomes Parquet of planes, one row for each photo.

    python planes.py paths.txt planes.parquet

`paths.txt` has one path, tar shard or URL a line; a shard is unpacked where it is read. Run it again to go on where it
stopped: photos with a row are skipped, members of a shard each for itself. Each actor keeps one worker of
`isobath.worker` for its life, and gets batches, because Ray's cost for each row is high. The package isobath-depth must
be installed where actors run.
"""

import argparse
import collections
import json
import os
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet
import ray

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "worker"))
HELPERS = str(pathlib.Path(__file__).resolve().parent.parent / "worker")
# A path, a shard or a URL, and the names of the members of the shard that have a row.
REQUESTS = pa.schema([("path", pa.string()), ("done", pa.list_(pa.string()))])


class Planes:
    """An actor for `map_batches`."""

    def __init__(self, command, options):
        from isobath.worker import Pool

        self.options = options
        self.pool = Pool(1, isolate=True, command=command)

    def __call__(self, batch):
        from plane_rows import SCHEMA, tables

        # One table after the other: the planes of a shard need not fit into memory together.
        yield SCHEMA.empty_table()
        yield from tables(
            self.pool, zip(batch.column("path").to_pylist(), batch.column("done").to_pylist()), self.options)


def finished(output):
    """Photos that have a row. A file that was being written when a run was stopped has no end, and is removed."""
    done = set()
    for file in output.glob("*.parquet"):
        try:
            done.update(pyarrow.parquet.read_table(file, columns=["path"]).column("path").to_pylist())
        except pa.ArrowInvalid:
            file.unlink()
    return done


def batches(paths, size):
    """Lists of `size` photos, and each shard alone."""
    loose = [path for path in paths if not path.endswith(".tar")]
    shards = [[path] for path in paths if path.endswith(".tar")]
    return shards + [loose[at:at + size] for at in range(0, len(loose), size)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paths")
    parser.add_argument("output")
    parser.add_argument("--isobath", help="another command than that of the package")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--chunk", type=int, default=100_000, help="paths that are worked on before more are begun")
    arguments = parser.parse_args()

    # On one machine: a core for each actor, and one for the tasks that write.
    ray.init(num_cpus=arguments.actors + 1, object_store_memory=500_000_000, include_dashboard=False,
             runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([HELPERS, os.environ.get("PYTHONPATH", "")])}})
    paths = list(dict.fromkeys(pathlib.Path(arguments.paths).read_text().splitlines()))
    output = pathlib.Path(arguments.output)
    from plane_rows import shards_of

    done = finished(output)
    members = collections.defaultdict(list)
    for name in done:
        for shard in shards_of(name):
            members[shard].append(name)
    paths = [path for path in paths if path not in done]
    for start in range(0, len(paths), arguments.chunk):
        chunk = paths[start:start + arguments.chunk]
        blocks = [pa.table({"path": batch, "done": [members[path] for path in batch]}, schema=REQUESTS)
                  for batch in batches(chunk, arguments.batch)]
        # Ray starts an actor again that was killed, and repeats its batch.
        ray.data.from_arrow(blocks).map_batches(
            Planes, fn_constructor_args=(arguments.isobath, arguments.options), batch_format="pyarrow",
            batch_size=None, compute=ray.data.ActorPoolStrategy(size=arguments.actors), num_cpus=1,
        ).write_parquet(str(output), mode="append")


if __name__ == "__main__":
    main()
