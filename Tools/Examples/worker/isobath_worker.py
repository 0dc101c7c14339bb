"""`isobath worker` as a Python object; the article Workers describes the protocol."""
import json
import subprocess
import threading


class Worker:
    """One worker process, for one thread at a time; it ends with `close()` or with this process."""

    def __init__(self, *flags, command="isobath"):
        self.process = subprocess.Popen([command, "worker", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello, self.lock = json.loads(self.process.stdout.readline()), threading.Lock()

    def ask(self, requests):
        """Yields (index, reply, bytes) for each request, in any order. A request is a dict as in the article, without `id`; `data`
        has the bytes of a photo, `read` is a function from a list of [offset, length] to (list of bytes, size of the file)."""
        room, left = threading.Semaphore(self.hello["window"]), len(requests)
        threading.Thread(target=self._feed, args=(requests, room), daemon=True).start()
        while left:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"the worker ended, status {self.process.wait()}")
            reply = json.loads(line)
            payload = self.process.stdout.read(reply.get("bytes", 0))
            if "need" in reply:
                self._supply(reply, requests[reply["id"]]["read"])
            else:
                left -= 1
                room.release()
                yield reply["id"], reply, payload

    def _feed(self, requests, room):
        for number, request in enumerate(requests):
            room.acquire()
            fields = {"id": number, **{name: request[name] for name in request if name not in ("data", "read")}}
            fields |= {"bytes": len(request["data"])} if "data" in request else {}
            self._send(fields | ({"source": "ranged"} if "read" in request else {}), request.get("data", b""))

    def _supply(self, reply, read):
        try:
            parts, size = read(reply["need"])
            have = [[offset, len(part)] for (offset, _), part in zip(reply["need"], parts)]
            self._send({"id": reply["id"], "have": have, "size": size, "bytes": sum(map(len, parts))}, b"".join(parts))
        except Exception as error:  # what it is goes into the reply to the request
            self._send({"id": reply["id"], "error": str(error) or repr(error)})

    def _send(self, fields, payload=b""):
        with self.lock:
            self.process.stdin.write(json.dumps(fields).encode() + b"\n" + payload)
            self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()
