"""The pool of workers."""

import io
import multiprocessing
import os
import pickle
import signal
import stat
import threading
import time

import numpy as np
import pytest

import isobath
from conftest import IMAGES, installed
from isobath.worker import Counters, Pool, Reply, Request, WorkerError

PORTRAIT, ABSOLUTE, PLAIN = IMAGES / "portrait.heic", IMAGES / "absolute-depth.heic", IMAGES / "plain.jpg"
NPY = {"format": "npy"}


@pytest.fixture
def fragile(tmp_path):
    """A command that crashes for a photo named crash.heic, and hangs for one named hang.heic."""
    (command,) = installed("bin", "isobath")
    script = tmp_path / "fragile"
    script.write_text(
        "#!/bin/sh\n"
        f"{command} \"$@\" < /dev/null | head -n 1\n"  # the greeting
        "while IFS= read -r line; do\n"
        "  case $line in *crash.heic*) kill -SEGV $$ ;; *hang.heic*) exec sleep 600 ;; esac\n"
        f"  printf '%s\\n' \"$line\" | {command} \"$@\" | tail -n +2\n"
        "done\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def wanted(path):
    return np.asarray(isobath.open(path).disparity())


def test_replies_have_arrays_records_and_errors(tmp_path):
    (tmp_path / "cut.heic").write_bytes(PORTRAIT.read_bytes()[:2000])
    with Pool(2) as pool:
        good, none, cut, missing, wrong = pool.map([
            Request("extract", PORTRAIT, NPY),
            Request("extract", PLAIN, NPY),
            Request("extract", tmp_path / "cut.heic", NPY),
            Request("info", tmp_path / "missing.heic"),
            Request("extract", PORTRAIT, {"no_such_flag": True}),
        ])
        np.testing.assert_array_equal(good.array(), wanted(PORTRAIT))
        assert good.error is None and good.result["outputs"][0]["kind"] == "disparity"
        assert none.status == "no-plane" and isinstance(none.error, isobath.PlaneNotFoundError)
        assert cut.status == "failed" and isinstance(cut.error, isobath.DamagedError)
        assert cut.error.path == str(tmp_path / "cut.heic")
        assert isinstance(missing.error, isobath.UnreadableError) and missing.error.errno == 2
        assert wrong.status == "refused" and "no-such-flag" in wrong.error.message
        with pytest.raises(isobath.PlaneNotFoundError):
            none.array()
        counters = pool.counters
        assert (counters.done, counters.failed, counters.restarted) == (1, 4, 0)
        assert counters.bytes_sent == 0 and counters.bytes_received == len(good.outputs[0]) and counters.seconds > 0


def test_sources_are_those_of_open(tmp_path):
    class Remote:
        size = PORTRAIT.stat().st_size
        wanted = []

        def read_ranges(self, ranges):
            self.wanted += ranges
            return [PORTRAIT.read_bytes()[start:end] for start, end in ranges]

    class Broken(Remote):
        def read_ranges(self, ranges):
            raise PermissionError("the token has expired")

    content = PORTRAIT.read_bytes()
    with Pool(1) as pool:
        for source in (str(PORTRAIT), os.fsencode(PORTRAIT).decode(), content, memoryview(content), Remote()):
            np.testing.assert_array_equal(pool.ask(Request("extract", source, NPY)).array(), wanted(PORTRAIT))
        with open(PORTRAIT, "rb") as file:
            np.testing.assert_array_equal(pool.ask(Request("extract", file, NPY)).array(), wanted(PORTRAIT))
        assert len(content) < pool.counters.bytes_sent < 4 * len(content)
        failed = pool.ask(Request("extract", Broken(), NPY, name="remote.heic"))
        assert "the token has expired" in str(failed.error) and isinstance(failed.error.__cause__, PermissionError)
        assert failed.status == "failed" and failed.error.path == "remote.heic"
        assert pool.ask(Request("info", io.BytesIO(content))).status == "ok"
        assert pool.counters.restarted == 0


def test_paths_are_those_of_the_caller(tmp_path, monkeypatch):
    name = b"caf\xe9.heic"
    with Pool(1) as pool:
        pool.ask(Request("info", PORTRAIT))  # the worker's folder is another one
        monkeypatch.chdir(tmp_path)
        (tmp_path / os.fsdecode(name)).write_bytes(PORTRAIT.read_bytes())
        (tmp_path / "made").mkdir()
        reply = pool.ask(Request("extract", os.fsdecode(name), output="made/"))
        assert reply.status == "ok" and reply.outputs == [] and len(os.listdir(tmp_path / "made")) == 1


def test_order_is_that_of_requests_or_of_completion(fragile, tmp_path):
    requests = [Request("extract", path, NPY) for path in (PORTRAIT, ABSOLUTE, PLAIN) * 6]
    with Pool(3) as pool:
        assert [reply.request for reply in pool.map(requests)] == requests
        found = [id(reply.request) for reply in pool.map(requests, ordered=False)]
        assert sorted(found) == sorted(map(id, requests))
        assert list(pool.map([])) == []
    with Pool(2, command=fragile) as pool:
        replies = pool.map([Request("info", tmp_path / "hang.heic"), Request("info", PORTRAIT)], ordered=False)
        assert next(replies).request.source == PORTRAIT
        [worker] = pool._workers - set(pool._idle)
        os.kill(worker._process.pid, signal.SIGKILL)
        assert isinstance(next(replies).error, WorkerError)


def test_requests_are_taken_as_workers_become_idle():
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield Request("info", PORTRAIT)

    with Pool(2) as pool:
        for number, reply in enumerate(pool.map(endless()), 1):
            assert reply.status == "ok" and taken <= number + 4
            if number == 10:
                break


def test_a_worker_that_dies_is_replaced_and_its_photo_reported(fragile, tmp_path):
    bad = tmp_path / "crash.heic"
    bad.write_bytes(PORTRAIT.read_bytes())
    requests = [Request("info", path) for path in (PORTRAIT, bad, ABSOLUTE, bad, PORTRAIT, ABSOLUTE)]
    with Pool(2, command=fragile) as pool:
        replies = list(pool.map(requests))
        assert [reply.status for reply in replies] == ["ok", "failed", "ok", "failed", "ok", "ok"]
        for reply in (replies[1], replies[3]):
            assert isinstance(reply.error, WorkerError) and reply.error.code == "worker-ended"
            assert str(bad) in str(reply.error) and "SIGSEGV" in str(reply.error)
        counters = pool.counters
        assert (counters.done, counters.failed, counters.restarted) == (4, 2, 2)


def test_a_worker_that_was_killed_while_idle_costs_no_photo():
    with Pool(1) as pool:
        for killed in range(3):
            assert pool.ask(Request("info", PORTRAIT)).status == "ok"
            [worker] = pool._workers
            os.kill(worker._process.pid, signal.SIGKILL)
            worker._process.wait()
            assert pool.counters.restarted == killed


def test_what_no_line_can_carry_is_refused_before_it_is_sent():
    with Pool(1) as pool:
        for options, message in (({"scale": float("nan")}, "not JSON compliant"), ({"as": "x" * (1 << 20)}, "1 MiB")):
            with pytest.raises(ValueError, match=message):
                pool.ask(Request("extract", PORTRAIT, options))
        assert pool.ask(Request("info", PORTRAIT)).status == "ok" and pool.counters.restarted == 0


def test_arguments_reach_the_workers(tmp_path, capfd):
    with Pool(1, isolate=True, limits={"pixels": 100}) as pool:
        reply = pool.ask(Request("extract", PORTRAIT, NPY))
        assert isinstance(reply.error, isobath.LimitError) and reply.status == "refused"
        allowed = Request("extract", PORTRAIT, {**NPY, "limits": {"pixels": 10_000_000}})
        assert pool.ask(allowed).status == "ok"
    with Pool(1, limits={"pixles": 100}) as pool, pytest.raises(OSError, match="status 64"):
        pool.ask(Request("info", PORTRAIT))
    assert "pixles" in capfd.readouterr().err
    with Pool(1, command=tmp_path / "nothing") as pool, pytest.raises(FileNotFoundError):
        pool.ask(Request("info", PORTRAIT))
    with pytest.raises(ValueError, match="size"):
        Pool(0)
    with pytest.raises(ValueError, match="closed"):
        pool.ask(Request("info", PORTRAIT))


def test_nothing_is_left_behind():
    def children():
        pids = [name for name in os.listdir("/proc") if name.isdigit()]
        return sum(f"\nPPid:\t{os.getpid()}\n" in open(f"/proc/{pid}/status").read() for pid in pids)

    threads, before, files = threading.active_count(), children(), len(os.listdir("/proc/self/fd"))
    Pool(8)  # starts nothing
    assert threading.active_count() == threads and children() == before
    for _ in range(10):
        with Pool(2) as pool:
            assert all(reply.status == "ok" for reply in pool.map([Request("info", PORTRAIT)] * 4))
    assert threading.active_count() == threads and children() == before
    assert len(os.listdir("/proc/self/fd")) == files


def test_threads_share_a_pool():
    with Pool(2) as pool:
        found = []
        threads = [
            threading.Thread(target=lambda: found.append(pool.ask(Request("extract", PORTRAIT, NPY)).array().sum()))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8 and len(set(found)) == 1 and pool.counters.done == 8


def test_a_forked_child_has_workers_of_its_own():
    with Pool(2) as pool:
        list(pool.map([Request("info", PORTRAIT)] * 4))
        workers = {worker._process.pid for worker in pool._workers}
        stop = threading.Event()
        busy = threading.Thread(target=lambda: [pool.ask(Request("info", PORTRAIT)) for _ in iter(stop.is_set, True)])
        busy.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    status = 1
                    try:
                        signal.alarm(60)
                        replies = list(pool.map([Request("extract", PORTRAIT, NPY)] * 3))
                        own = {worker._process.pid for worker in pool._workers}
                        is_right = all((reply.array() == wanted(PORTRAIT)).all() for reply in replies)
                        status = 0 if is_right and pool.counters.done == 3 and not own & workers else 2
                        pool.close()
                    finally:
                        os._exit(status)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            stop.set()
            busy.join()
        assert pool.ask(Request("info", PORTRAIT)).status == "ok" and pool.counters.restarted == 0


def test_a_child_does_not_keep_the_parents_workers_alive():
    with Pool(1) as pool:
        pool.ask(Request("info", PORTRAIT))
        [worker] = pool._workers
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        try:
            worker._requests.close()
            assert worker._process.wait(timeout=20) == 0
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def shape(pool_and_path):
    pool, path = pool_and_path
    return pool.ask(Request("extract", path, NPY)).array().shape


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_can_be_sent_to_other_processes(method):
    with Pool(1, limits={"pixels": 50_000_000}) as pool:
        pool.ask(Request("info", PORTRAIT))
        with multiprocessing.get_context(method).Pool(2) as processes:
            assert processes.map(shape, [(pool, PORTRAIT)] * 4) == [(144, 192)] * 4
        assert pool.counters.done == 1


def test_requests_replies_and_pools_can_be_pickled():
    with Pool(1) as pool:
        request = Request("extract", PORTRAIT, NPY)
        reply = pool.ask(request)
        failed = pool.ask(Request("extract", PLAIN, NPY))
        assert pickle.loads(pickle.dumps(request)) == request
        again = pickle.loads(pickle.dumps(reply))
        assert isinstance(again, Reply) and (again.array() == reply.array()).all()
        assert str(pickle.loads(pickle.dumps(failed)).error) == str(failed.error)
        with pickle.loads(pickle.dumps(pool)) as copy:
            assert copy.counters == Counters() and copy.ask(request).outputs == reply.outputs
        assert repr(pool).startswith("<isobath.worker.Pool of 1: Counters(done=1, failed=1")
