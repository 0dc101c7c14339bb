"""Spark: a table of paths becomes Parquet of planes, one row for each photo.

    spark-submit --py-files ../worker/plane_rows.py planes.py paths.txt planes.parquet

`paths.txt` has one path, tar shard or URL a line; a shard is unpacked where it is read. Run it again to go on where it
stopped: photos with a row are skipped, members of a shard each for itself. Each executor's task keeps one worker of
`isobath.worker` for its partition. With --pipe, `RDD.pipe` runs the worker, and the rows are lines of JSON from `info`:
no Python between the lines and the worker. The package isobath-depth must be installed where executors run.
"""

import argparse
import json
import pathlib
import shlex

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.functions import collect_list, explode, udf


def planes(command, options):
    """A function for `mapInArrow`."""

    def convert(batches):
        from isobath.worker import Pool
        from plane_rows import tables

        with Pool(1, isolate=True, command=command) as pool:
            for batch in batches:
                pairs = zip(batch.column("path").to_pylist(), batch.column("done").to_pylist())
                for table in tables(pool, pairs, options):
                    yield from table.to_batches()

    return convert


def remaining(spark, paths, output):
    """Paths without a row, and shards with the names of their members that have one."""
    from plane_rows import COLUMNS, shards_of

    try:
        done = spark.read.schema(COLUMNS).parquet(output).select("path")
    except AnalysisException:  # The first run: there is no such folder.
        done = spark.createDataFrame([], "path string")
    shards = done.select("path", explode(udf(shards_of, "array<string>")("path")).alias("shard"))
    members = shards.groupBy("shard").agg(collect_list("path").alias("done")).withColumnRenamed("shard", "path")
    return paths.join(done, "path", "left_anti").join(members, "path", "left")


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
    parser.add_argument("--isobath", help="another command than that of the package")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--chunk", type=int, default=100_000, help="paths that are committed together")
    parser.add_argument("--pipe", action="store_true")
    arguments = parser.parse_args()

    builder = SparkSession.builder.appName("isobath")
    if arguments.master:
        builder = builder.master(arguments.master)
    spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 256).getOrCreate()
    spark.sparkContext.addPyFile(str(pathlib.Path(__file__).resolve().parent.parent / "worker" / "plane_rows.py"))

    paths = spark.read.text(arguments.paths).withColumnRenamed("value", "path").distinct()
    if arguments.pipe:
        if not paths.where(paths.path.endswith(".tar")).isEmpty():
            parser.error("--pipe takes photos; run without it for tar shards")
        lines = pipe(spark, paths.repartition(arguments.partitions), arguments.isobath or "isobath")
        lines.saveAsTextFile(arguments.output)
        return
    from plane_rows import COLUMNS

    # The rows of a chunk appear when all of it is done, so that a run that is stopped loses one chunk at most.
    left = [(row.path, row.done) for row in remaining(spark, paths, arguments.output).collect()]
    for start in range(0, len(left), arguments.chunk):
        chunk = left[start:start + arguments.chunk]
        table = spark.createDataFrame(chunk, "path string, done array<string>").repartition(arguments.partitions)

        table.mapInArrow(planes(arguments.isobath, arguments.options), COLUMNS).write.mode("append").parquet(
            arguments.output
        )
    spark.stop()


if __name__ == "__main__":
    main()
