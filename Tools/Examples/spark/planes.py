"""Spark: a table of paths becomes Parquet of planes, one row for each photo.

    spark-submit --py-files ../worker/isobath_worker.py,../worker/plane_rows.py planes.py paths.txt planes.parquet

`paths.txt` has one path, tar shard or URL a line. Run it again to go on where it stopped: paths with a row are left
out. Each executor's task keeps one `isobath worker --isolate` for its partition. With --pipe, `RDD.pipe` runs the
worker, and the rows are lines of JSON from `info`: no Python between the lines and the worker.
"""

import argparse
import json
import pathlib
import shlex

from pyspark.sql import SparkSession


def planes(command, options):
    """A function for `mapInArrow`."""

    def convert(batches):
        from isobath_worker import Worker
        from plane_rows import tables

        worker = Worker("--isolate", "--jobs", "1", command=command)
        try:
            for batch in batches:
                for table in tables(worker, batch.column("path").to_pylist(), options):
                    yield from table.to_batches()
        finally:
            worker.close()

    return convert


def pipe(spark, paths, command):
    """Lines of `isobath.info/1` in the reply of each path, by `RDD.pipe`: it needs one line out for one in, and exit
    0."""
    requests = paths.rdd.map(lambda row: json.dumps({"id": row.path, "verb": "info", "path": row.path}))
    replies = requests.pipe(f"{shlex.quote(command)} worker --isolate --jobs 1", checkCode=True)
    return replies.filter(lambda line: '"isobath.worker/1"' not in line[:40])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paths")
    parser.add_argument("output")
    parser.add_argument("--master", default=None)
    parser.add_argument("--isobath", default="isobath")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--chunk", type=int, default=100_000, help="paths that are committed together")
    parser.add_argument("--pipe", action="store_true")
    arguments = parser.parse_args()

    builder = SparkSession.builder.appName("isobath")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 256).getOrCreate()
    for name in ("isobath_worker.py", "plane_rows.py"):
        spark.sparkContext.addPyFile(str(pathlib.Path(__file__).resolve().parent.parent / "worker" / name))

    paths = spark.read.text(arguments.paths).withColumnRenamed("value", "path").distinct()
    if arguments.pipe:
        pipe(spark, paths.repartition(arguments.partitions), arguments.isobath).saveAsTextFile(arguments.output)
        return
    if (pathlib.Path(arguments.output) / "_SUCCESS").exists():
        done = spark.read.parquet(arguments.output).select("path")
        paths = paths.join(done, "path", "left_anti")
    # A chunk appears whole or not at all, so that a run that is stopped loses one chunk at most.
    left = [row.path for row in paths.collect()]
    for start in range(0, len(left), arguments.chunk):
        chunk = [(path,) for path in left[start:start + arguments.chunk]]
        table = spark.createDataFrame(chunk, "path string").repartition(arguments.partitions)
        from plane_rows import COLUMNS

        table.mapInArrow(planes(arguments.isobath, arguments.options), COLUMNS).write.mode("append").parquet(
            arguments.output
        )
    spark.stop()


if __name__ == "__main__":
    main()
