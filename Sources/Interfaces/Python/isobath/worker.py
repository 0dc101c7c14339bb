"""A pool of `isobath worker` processes: many photos, of which none can end the program.

    from isobath.worker import Pool, Request

    requests = (Request("extract", path, options={"format": "npy"}) for path in paths)
    with Pool(4, isolate=True) as pool:
        for reply in pool.map(requests):
            print(reply.request.source, reply.status, reply.error or reply.array().shape)
        print(pool.counters)

Needs the command, and NumPy for `Reply.array` only. The article Formats describes the protocol of workers.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import io
import json
import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from ._errors import Error, error_of
from ._files import installed
from ._source import RangeReader, reader_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from . import _numpy as np

__all__ = ["Counters", "Pool", "Reply", "Request", "WorkerError"]

_LONGEST_LINE = 1 << 20


class WorkerError(Error):
    """The worker ended while it worked on this photo, such as by a crash, or because memory was exhausted. The pool
    goes on with another worker."""


@dataclasses.dataclass(frozen=True)
class Request:
    """One verb for one photo.

    Attributes:
        verb: As on the command line.
        source: A path, the bytes of a file, or an object that is read in ranges as far as needed: a seekable binary
            file object, a file of fsspec, or a `RangeReader`.
        options: The flags of the verb without their dashes: `{"as": "depth", "fill-holes": True}`. `limits` has the
            limits of this request: `{"limits": {"pixels": 20_000_000}}`.
        output: A path, whose extension names the format, or for `extract` an existing folder with a slash at its end.
            None returns the output in the reply, in the format of the option `format`.
        name: The name in results and messages of a source that is not a path.
    """

    verb: Literal["info", "extract", "composite", "blur", "cloud"]
    source: str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | BinaryIO | RangeReader
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    output: str | os.PathLike[str] | None = None
    name: str | None = None

    @property
    def _path(self) -> str | None:
        """What errors name."""
        return os.fsdecode(self.source) if isinstance(self.source, (str, os.PathLike)) else self.name

    @property
    def _content(self) -> bytes | bytearray | memoryview:
        """The bytes that are sent with the request."""
        return self.source if isinstance(self.source, (bytes, bytearray, memoryview)) else b""

    def _line(self) -> bytes:
        """Raises ValueError for what a worker cannot read, which would end it."""
        fields: dict[str, Any] = {"id": 0, "verb": self.verb}
        if isinstance(self.source, (str, os.PathLike)):
            fields["path"] = _absolute(self.source)
        elif isinstance(self.source, (bytes, bytearray, memoryview)):
            fields["bytes"] = memoryview(self.source).nbytes
        else:
            fields["source"] = "ranged"
        if self.options:
            fields["options"] = {name.replace("_", "-"): value for name, value in self.options.items()}
        if self.output is not None:
            fields["output"] = _absolute(self.output)
        if self.name is not None:
            fields["name"] = self.name
        line = json.dumps(fields, allow_nan=False).encode() + b"\n"
        if len(line) > _LONGEST_LINE:
            raise ValueError(f"the request has {len(line)} bytes without its photo, and the most is 1 MiB")
        return line


@dataclasses.dataclass(frozen=True)
class Reply:
    """What became of a request.

    Attributes:
        request: The request.
        status: `ok`; `no-plane`: the photo is fine and has no such plane; `failed`: it could not be read, or the
            output not written; `refused`: a limit, or a request that does not exist.
        error: Unless the status is `ok`: the error, of the class that `isobath.open` raises, or a `WorkerError`.
        result: The record that the verb prints with `--json`; empty if missing.
        outputs: The outputs of a request without `output`, in the order of `result["outputs"]`.
    """

    request: Request
    status: Literal["ok", "no-plane", "failed", "refused"]
    error: Error | None = None
    result: dict[str, Any] = dataclasses.field(default_factory=dict)
    outputs: list[bytes] = dataclasses.field(default_factory=list)

    def array(self, index: int = 0) -> NDArray[Any]:
        """An output in the format `npy` as an array. Raises the error of a request that has one."""
        if self.error is not None:
            raise self.error
        array: NDArray[Any] = np.load(io.BytesIO(self.outputs[index]), allow_pickle=False)
        return array


@dataclasses.dataclass
class Counters:
    """What a pool has done."""

    done: int = 0
    """Requests with the status `ok`."""
    failed: int = 0
    """Requests with another status."""
    restarted: int = 0
    """Workers that ended by themselves and were replaced."""
    bytes_sent: int = 0
    """Bytes of photos that were sent to workers; workers read files themselves."""
    bytes_received: int = 0
    """Bytes of outputs."""
    seconds: float = 0
    """The time that requests took, added up over all workers."""


class Pool:
    """Workers that answer requests, each one at a time. A worker starts with the first request that needs it, and is
    replaced if it ends.

    Several threads may use one pool. After a fork, the child starts workers of its own; a pool that is sent to another
    process by pickling starts its own there as well, and counts from 0.

    Args:
        size: The number of workers; None is one for each core.
        isolate: Whether each photo is decoded in an isolated process, with bounded memory, time and rights: for files
            that you do not trust.
        limits: Limits of all requests, with the names of `isobath.Limits`.
        command: The command to run; None is the one of this package.
    """

    def __init__(
        self,
        size: int | None = None,
        *,
        isolate: bool = False,
        limits: Mapping[str, int] | None = None,
        command: str | os.PathLike[str] | None = None,
    ) -> None:
        if size is not None and size < 1:
            raise ValueError(f"size must be 1 or more, not {size}")
        self._arguments = {"size": size, "isolate": isolate, "limits": limits, "command": command}
        self._size = size or len(os.sched_getaffinity(0))
        flags = [f"--limit={name.replace('_', '-')}={value}" for name, value in (limits or {}).items()]
        self._words = ["worker", "--jobs=1", *(["--isolate"] if isolate else []), *flags]
        self._command = command
        self._begin()
        _pools.add(self)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._counters = Counters()
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._is_closed = False
        # Threads start with the requests that need them.
        self._threads = ThreadPoolExecutor(self._size, "isobath-worker")

    @property
    def counters(self) -> Counters:
        """What the pool has done so far."""
        with self._lock:
            return dataclasses.replace(self._counters)

    def ask(self, request: Request) -> Reply:
        """The reply to one request; it waits for an idle worker."""
        return self._submit(request).result()

    def map(self, requests: Iterable[Request], *, ordered: bool = True) -> Iterator[Reply]:
        """The replies to requests, which are taken as workers become idle, so that any number of them needs little
        memory.

        Args:
            ordered: Replies in the order of the requests; otherwise each as soon as it is there.

        Raises:
            ValueError: A request does not fit into a line of the protocol, such as one with a nan.
            OSError: The command cannot be started.
        """
        pending: collections.deque[Future[Reply]] = collections.deque()
        try:
            for request in requests:
                pending.append(self._submit(request))
                if len(pending) >= 2 * self._size:
                    yield self._next(pending, ordered)
            while pending:
                yield self._next(pending, ordered)
        finally:
            for future in pending:
                future.cancel()

    @staticmethod
    def _next(pending: collections.deque[Future[Reply]], ordered: bool) -> Reply:
        if ordered:
            return pending.popleft().result()
        done, _ = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
        first = next(future for future in pending if future in done)
        pending.remove(first)
        return first.result()

    def _submit(self, request: Request) -> Future[Reply]:
        if self._is_closed:
            raise ValueError("the pool is closed")
        return self._threads.submit(self._answer, request, request._line())

    def _answer(self, request: Request, line: bytes) -> Reply:
        worker, start = self._idle_worker(), time.monotonic()
        sent = worker.sent
        try:
            reply = worker.answer(request, line)
        except _Ended as ended:
            message = f"the worker ended {ended} while it worked on this photo"
            reply = Reply(request, "failed", WorkerError(message, "worker-ended", path=request._path))
        with self._lock:
            counters = self._counters
            counters.done += reply.error is None
            counters.failed += reply.error is not None
            counters.restarted += worker.has_ended
            counters.bytes_sent += worker.sent - sent
            counters.bytes_received += sum(map(len, reply.outputs))
            counters.seconds += time.monotonic() - start
            if worker.has_ended:
                self._workers.remove(worker)
            else:
                self._idle.append(worker)
        return reply

    def _idle_worker(self) -> _Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.is_running:
                    return worker
                self._workers.remove(worker)
                self._counters.restarted += 1
        worker = _Worker([os.fspath(self._command or installed("bin", "isobath")), *self._words])
        with self._lock:
            self._workers.add(worker)
        return worker

    def close(self) -> None:
        """Completes the requests in progress, and ends the workers."""
        self._is_closed = True
        self._threads.shutdown(cancel_futures=True)
        self._idle.clear()
        while self._workers:
            self._workers.pop().close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Without waiting: this may run in any thread.
        for worker in self.__dict__.get("_workers", ()):
            worker.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._arguments,))

    def __repr__(self) -> str:
        return f"<isobath.worker.Pool of {self._size}: {self.counters}>"

    def _forget(self) -> None:
        """In a forked child, which has neither the threads nor the workers."""
        workers, is_closed = self._workers, self._is_closed
        self._begin()
        self._is_closed = is_closed
        for worker in workers:
            worker.disconnect()


class _Ended(Exception):
    """How a worker ended that should not have."""


class _Worker:
    """A process, for one thread at a time."""

    def __init__(self, words: list[str]) -> None:
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self.sent = 0
        self.has_ended = False
        greeting = self._replies.readline()
        if not greeting.startswith(b'{"schema": "isobath.worker/1"'):
            self.close()
            raise OSError(f"{' '.join(words)!r} is not a worker: it ended with status {self._process.returncode}")

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def answer(self, request: Request, line: bytes) -> Reply:
        try:
            self._send(line, request._content)
            fields = self._received()
            while "need" in fields:
                cause = self._supply(fields["need"], request.source)
                fields = self._received()
                if cause is not None:
                    return _reply(request, fields, cause)
            outputs = [self._read(payload["bytes"]) for payload in fields.get("payloads", ())]
        except (OSError, EOFError, json.JSONDecodeError) as error:
            self.has_ended = True
            self.close()
            raise _Ended(_ending(self._process.returncode)) from error
        return _reply(request, fields, outputs=outputs)

    def _supply(self, ranges: list[list[int]], source: Any) -> Exception | None:
        """Sends ranges of the source, or why it cannot be read: an error that is returned."""
        try:
            reader = reader_of(source)
            size = int(reader.size)
            wanted = [(offset, min(offset + length, size)) for offset, length in ranges]
            parts = [memoryview(part).cast("B") for part in reader.read_ranges(wanted)]
            have = [[offset, len(part)] for (offset, _), part in zip(ranges, parts)]
            if [len(part) for part in parts] != [end - start for start, end in wanted]:
                raise EOFError(f"{have} was returned, not {ranges}")
            line, payload = {"id": 0, "have": have, "size": size, "bytes": sum(map(len, parts))}, b"".join(parts)
        except Exception as error:
            self._send(_encoded({"id": 0, "error": str(error) or repr(error)}))
            return error
        self._send(_encoded(line), payload)
        return None

    def _send(self, line: bytes, payload: bytes | bytearray | memoryview = b"") -> None:
        self._requests.write(line)
        self._requests.write(payload)
        self._requests.flush()
        self.sent += memoryview(payload).nbytes

    def _received(self) -> dict[str, Any]:
        line = self._replies.readline()
        if not line:
            raise EOFError
        fields: dict[str, Any] = json.loads(line)
        return fields

    def _read(self, count: int) -> bytes:
        data = self._replies.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def release(self) -> None:
        """Ends the process without waiting for it."""
        if self.is_running:
            self._process.terminate()

    def close(self) -> None:
        # A process that was forked meanwhile may hold the pipe as well, so its end is not enough.
        self.release()
        self._process.wait()
        for pipe in (self._requests, self._replies):
            with contextlib.suppress(OSError):  # what could not be written is lost with the process
                pipe.close()

    def disconnect(self) -> None:
        """In a forked child: gives up the pipes, whose buffers and locks another thread may have held."""
        null = os.open(os.devnull, os.O_RDWR)
        for pipe in (self._requests, self._replies):
            os.dup2(null, pipe.fileno(), inheritable=False)
        os.close(null)


def _reply(
    request: Request, fields: dict[str, Any], cause: Exception | None = None, outputs: list[bytes] | None = None
) -> Reply:
    error, result = None, fields.get("result", {})
    if "error" in fields:
        known = fields["error"]
        error = error_of(known["code"])(known["message"], known["code"], known["where"], known["offset"], request._path)
        error.__cause__ = cause
    return Reply(request, fields["status"], error, result, outputs or [])


def _ending(status: int) -> str:
    if status >= 0:
        return f"with status {status}"
    try:
        return f"by {signal.Signals(-status).name}"
    except ValueError:
        return f"by signal {-status}"


def _encoded(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _absolute(path: str | os.PathLike[str] | os.PathLike[bytes]) -> str:
    """A path that means the same in a worker that was started from another folder. A byte that is not UTF-8 is the
    character U+10FF00 + byte, as in the article Batches."""
    absolute = os.path.join(os.getcwd(), os.fsdecode(path))
    return "".join(chr(ord(each) - 0xDC00 + 0x10FF00) if "\udc80" <= each <= "\udcff" else each for each in absolute)


def _restored(arguments: dict[str, Any]) -> Pool:
    return Pool(**arguments)


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _forget_all() -> None:
    for pool in list(_pools):
        pool._forget()


os.register_at_fork(after_in_child=_forget_all)
