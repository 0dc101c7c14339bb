"""The Spark and the Ray example on thousands of photos, half of them in tar shards: counted, killed, resumed."""

import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

import numpy as np
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parent.parent
ISOBATH = sys.argv[1]
COUNT = int(os.environ.get("ENGINE_PHOTOS", "3000"))
SHARDS = 4
passed = failed = 0


def check(name, run):
    """Counts one check; `run` raises where it fails, and may return what to say."""
    global passed, failed
    if os.environ.get("ENGINE_ONLY", "") not in name:
        return
    start = time.monotonic()
    try:
        note = run()
        passed += 1
        print(f"{name}: {note or 'ok'}, {time.monotonic() - start:.0f} s", flush=True)
    except Exception as error:  # Every failure is one line.
        failed += 1
        print(f"FAILED {name}: {error}", flush=True)


def photos(folder):
    """Copies of the project's pictures, one in fifty of them damaged; what is expected of each, by its path."""
    images = ROOT.parent / "TestImages"
    kinds = ["portrait.heic", "portrait.jpg", "absolute-depth.heic", "absolute-depth.jpg", "plain.jpg"]
    expected = {}
    for number in range(COUNT):
        source = images / kinds[number % len(kinds)]
        path = folder / f"{number:06}{source.suffix}"
        if number % 50 == 7:
            path.write_bytes(source.read_bytes()[:900 + number])
            expected[str(path)] = "failed"
        else:
            path.write_bytes(source.read_bytes())
            expected[str(path)] = "no-plane" if "plain" in source.name else "ok"
    return expected


def packed(folder, expected):
    """Moves half of the photos into tar shards; the inputs for the examples, and what is expected of each photo."""
    inputs, found = [], {}
    names = sorted(expected)
    loose = names[:len(names) // 2]
    for name in loose:
        inputs.append(name)
        found[name] = expected[name]
    for number in range(SHARDS):
        shard = folder / f"{number:02}.tar"
        with tarfile.open(shard, "w") as archive:
            for name in names[len(loose) + number::SHARDS]:
                archive.add(name, arcname=os.path.basename(name))
                found[f"{shard}/{os.path.basename(name)}"] = expected[name]
        inputs.append(str(shard))
    return inputs, found


def unpacked(name):
    """A file with the bytes of a photo: the photo itself, or a copy of the member of a shard."""
    shard, mark, member = name.rpartition(".tar/")
    if not mark:
        return pathlib.Path(name)
    copy = pathlib.Path(shard).parent / f"member-{member}"
    with tarfile.open(shard + ".tar") as archive:
        copy.write_bytes(archive.extractfile(member).read())
    return copy


def start(script, paths, output, *flags):
    command = [sys.executable, str(ROOT / "Examples" / script), str(paths), str(output), "--isobath", ISOBATH, *flags]
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT.parent / "Sources/Interfaces/Python", ROOT / "Examples/worker"))),
        "RAY_DEDUP_LOGS": "1",
    }
    with open(output.parent / f"{output.name}.log", "ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment, start_new_session=True)


def finish(process, output, seconds=900):
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"it took more than {seconds} s") from None
    if status != 0:
        log = (output.parent / f"{output.name}.log").read_text(errors="replace").splitlines()
        raise AssertionError(f"status {status}: " + " | ".join(log[-12:]))


def check_rows(output, expected):
    """Exactly one row for each photo, with the status and the values that it should have."""
    table = pyarrow.dataset.dataset(output, format="parquet").to_table()
    counts = collections.Counter(table.column("path").to_pylist())
    twice = [path for path, count in counts.items() if count > 1]
    assert not twice, f"{len(twice)} photos have several rows, such as {twice[0]}"
    missing = expected.keys() - counts.keys()
    assert not missing, f"{len(missing)} of {len(expected)} photos have no row"
    assert counts.keys() == expected.keys(), "there are rows of other photos"
    statuses = dict(zip(table.column("path").to_pylist(), table.column("status").to_pylist()))
    wrong = [path for path, status in expected.items() if statuses[path] != status]
    assert not wrong, f"{wrong[0]} is {statuses[wrong[0]]}, not {expected[wrong[0]]}"
    errors = table.filter(pyarrow.compute.equal(table.column("status"), "failed")).column("error").to_pylist()
    assert all(errors), "a row of a bad file has no error"
    reference = {}
    for row in table.select(["path", "status"]).to_pylist():
        kind = (".tar/" in row["path"], pathlib.Path(row["path"]).suffix)
        if row["status"] == "ok" and kind not in reference:
            row = table.filter(pyarrow.compute.equal(table.column("path"), row["path"])).to_pylist()[0]
            name = unpacked(row["path"])
            alone = name.parent / "alone.npy"
            subprocess.run([ISOBATH, "extract", str(name), "-o", str(alone), "--force", "--quiet"], check=True)
            values = np.array(row["values"], np.float32).reshape(row["height"], row["width"])
            assert np.array_equal(np.load(alone), values, equal_nan=True), f"{name} has other values"
            reference[kind] = True
    assert len(reference) == 4, f"values were compared for {sorted(reference)} only"
    kinds = collections.Counter(statuses.values())
    return f"{table.num_rows} rows, " + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))


def descendants(process):
    """Ids and command lines of all that a process started."""
    parents, lines = collections.defaultdict(list), {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = pathlib.Path(f"/proc/{name}/stat").read_text()
                lines[int(name)] = (
                    pathlib.Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
                parents[int(stat.rsplit(")", 1)[1].split()[1])].append(int(name))
            except OSError:
                continue
    found, left = {}, [process]
    while left:
        for child in parents[left.pop()]:
            found[child] = lines.get(child, "")
            left.append(child)
    return found


def kill_midway(process, matches, done, seconds=900):
    """Kills a process below that matches, once a part of the rows is written and while a worker below it has a photo in
    hand.

    `done` is a function that counts the rows written. Returns the killed process's id, and how many rows there were."""
    deadline, most = time.monotonic() + seconds, 0
    while time.monotonic() < deadline and process.poll() is None:
        most = done()
        if most:
            for pid, line in descendants(process.pid).items():
                if matches(line) and any("isobath-isolated" in below for below in descendants(pid).values()):
                    os.kill(pid, signal.SIGKILL)
                    return pid, most
        time.sleep(0.05)
    ended = "ended" if process.poll() is not None else f"went on for {seconds} s"
    raise AssertionError(f"the run {ended}, with {most} rows written when last seen, and nothing to kill was found")


def rows(files):
    """The rows of Parquet files; one that is being written has none yet."""
    count = 0
    for file in files:
        try:
            count += pyarrow.parquet.read_metadata(file).num_rows
        except (OSError, pyarrow.ArrowInvalid):
            continue
    return count


def chunk(paths):
    """A flag for a quarter of the inputs in a chunk."""
    return ["--chunk", str(max(1, len(paths.read_text().splitlines()) // 4))]


def run_again(script, paths, output, expected, *flags):
    """Runs an example over its finished output, and once more after a file with rows was lost."""
    before = rows(output.glob("*.parquet"))
    finish(start(script, paths, output, *flags), output)
    check_rows(output, expected)
    # The smallest one: a shard has rows in others, too.
    lost = min((file for file in output.glob("*.parquet") if rows([file])), key=lambda file: rows([file]))
    number = rows([lost])
    assert 0 < number < before, f"{lost.name} has {number} of {before} rows"
    lost.unlink()
    finish(start(script, paths, output, *flags), output)
    check_rows(output, expected)
    return f"run again, and again without {number} of the rows"


def spark(folder, paths, expected):
    cluster = ["--master", "local-cluster[2,1,1024]", "--partitions", "8"]

    def plain():
        output = folder / "spark.parquet"
        finish(start("spark/planes.py", paths, output, *cluster), output)
        return check_rows(output, expected)

    def pipe():
        output = folder / "spark-pipe"
        loose = {path: status for path, status in expected.items() if ".tar/" not in path}
        names = folder / "loose.txt"
        names.write_text("\n".join(loose) + "\n")
        finish(start("spark/planes.py", names, output, *cluster, "--pipe"), output)
        lines = [json.loads(line) for part in sorted(output.glob("part-*")) for line in part.read_text().splitlines()]
        assert collections.Counter(line["id"] for line in lines) == collections.Counter(loose.keys())
        # What is cut off behind its structure is described all the same, and `info` fails for it as well.
        cut = [path for path, status in loose.items() if status == "failed"]
        alone = [subprocess.run([ISOBATH, "info", path], capture_output=True).returncode for path in cut]
        bad = sum(line["status"] == "failed" for line in lines)
        assert bad == sum(status == 1 for status in alone) > 0, bad
        return f"{len(lines)} lines, {bad} failed"

    def killed():
        output = folder / "spark-killed.parquet"
        process = start("spark/planes.py", paths, output, *cluster)
        # What a task committed stands in `_temporary/0/task_*` until the job commits.
        pid, before = kill_midway(
            process,
            lambda line: "CoarseGrainedExecutorBackend" in line,
            lambda: rows(output.glob("_temporary/0/task_*/*.parquet")),
        )
        finish(process, output)
        result = check_rows(output, expected)
        again = run_again("spark/planes.py", paths, output, expected, *cluster)
        return f"{result}, executor {pid} killed when {before} rows were written, {again}"

    def resumed():
        output = folder / "spark-resumed.parquet"
        flags = [*cluster, *chunk(paths)]
        process = start("spark/planes.py", paths, output, *flags)
        deadline = time.monotonic() + 900
        while not (output / "_SUCCESS").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        before = pyarrow.dataset.dataset(output, format="parquet").count_rows()
        assert 0 < before < len(expected), before
        finish(start("spark/planes.py", paths, output, *flags), output)
        return f"{before} rows before, {check_rows(output, expected)}"

    check("Spark mapInArrow, local-cluster[2,1,1024]", plain)
    check("Spark pipe", pipe)
    check("Spark with an executor killed midway", killed)
    check("Spark stopped and run again", resumed)


def ray(folder, paths, expected):
    def plain():
        output = folder / "ray.parquet"
        finish(start("ray/planes.py", paths, output), output)
        return check_rows(output, expected)

    def killed():
        output = folder / "ray-killed.parquet"
        flags = ["--batch", str(max(1, COUNT // 40))]
        process = start("ray/planes.py", paths, output, *flags)
        pid, before = kill_midway(
            process, lambda line: line.startswith("ray::") and "Planes" in line, lambda: rows(output.glob("*.parquet")))
        finish(process, output)
        result = check_rows(output, expected)
        again = run_again("ray/planes.py", paths, output, expected, *flags)
        return f"{result}, actor {pid} killed when {before} rows were written, {again}"

    def resumed():
        output = folder / "ray-resumed.parquet"
        flags = chunk(paths)
        process = start("ray/planes.py", paths, output, *flags)
        deadline = time.monotonic() + 900
        while not rows(output.glob("*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        children = descendants(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        before = rows(output.glob("*.parquet"))
        assert 0 < before < len(expected), before
        finish(start("ray/planes.py", paths, output, *flags), output)
        return f"{before} rows before, {check_rows(output, expected)}"

    check("Ray Data, two actors", plain)
    check("Ray Data with an actor killed midway", killed)
    check("Ray Data stopped and run again", resumed)


def main():
    with tempfile.TemporaryDirectory(prefix="isobath-engines-") as name:
        folder = pathlib.Path(name)
        (folder / "photos").mkdir()
        inputs, expected = packed(folder, photos(folder / "photos"))
        paths = folder / "paths.txt"
        paths.write_text("\n".join(inputs) + "\n")
        for engine in sys.argv[2:]:
            {"spark": spark, "ray": ray}[engine](folder, paths, expected)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
