"""Ray Data: a table of paths becomes Parquet of planes, one row for each photo.

    python planes.py paths.txt planes.parquet

`paths.txt` has one path, tar shard or URL a line. Run it again to go on where it stopped: paths with a row are left
out. Each actor keeps one `isobath worker --isolate` for its life, and gets batches, because Ray's cost for each row is
high.
"""

import argparse
import json
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet
import ray

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "worker"))
HELPERS = str(pathlib.Path(__file__).resolve().parent.parent / "worker")


class Planes:
    """An actor for `map_batches`."""

    def __init__(self, command, options):
        from isobath_worker import Worker

        self.options = options
        self.worker = Worker("--isolate", "--jobs", "1", command=command)

    def __call__(self, batch):
        from plane_rows import SCHEMA, tables

        made = list(tables(self.worker, batch.column("path").to_pylist(), self.options))
        return pa.concat_tables(made) if made else SCHEMA.empty_table()


def finished(output):
    """Paths that have a row. A file that was being written when a run was stopped has no end, and is removed."""
    done = set()
    for file in output.glob("*.parquet"):
        try:
            done.update(pyarrow.parquet.read_table(file, columns=["path"]).column("path").to_pylist())
        except pa.ArrowInvalid:
            file.unlink()
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paths")
    parser.add_argument("output")
    parser.add_argument("--isobath", default="isobath")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--chunk", type=int, default=100_000, help="paths that are worked on before more are begun")
    arguments = parser.parse_args()

    # On one machine: a core for each actor, and one for the tasks that write.
    ray.init(num_cpus=arguments.actors + 1, object_store_memory=500_000_000, include_dashboard=False,
             runtime_env={"env_vars": {"PYTHONPATH": HELPERS}})
    paths = list(dict.fromkeys(pathlib.Path(arguments.paths).read_text().splitlines()))
    output = pathlib.Path(arguments.output)
    done = finished(output)
    paths = [path for path in paths if path not in done]
    for start in range(0, len(paths), arguments.chunk):
        chunk = paths[start:start + arguments.chunk]
        blocks = [pa.table({"path": chunk[at:at + arguments.batch]}) for at in range(0, len(chunk), arguments.batch)]
        # Ray starts an actor again that was killed, and repeats its batch.
        ray.data.from_arrow(blocks).map_batches(
            Planes, fn_constructor_args=(arguments.isobath, arguments.options), batch_format="pyarrow",
            batch_size=arguments.batch, compute=ray.data.ActorPoolStrategy(size=arguments.actors), num_cpus=1,
        ).write_parquet(str(output), mode="append")


if __name__ == "__main__":
    main()
