"""`isobath worker` as a Python object, for one thread at a time; the article Workers describes the protocol."""
import json
import subprocess
import threading


class Worker:
    def __init__(self, *flags, command="isobath"):
        self.process = subprocess.Popen([command, "worker", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello, self.lock = json.loads(self.process.stdout.readline()), threading.Lock()

    def ask(self, requests):
        """Yields (index, reply, bytes) for each request, in any order: a dict as in the article, without `id`; `data` has the
        bytes of a photo, `read` is a function from a list of [offset, length] to (list of bytes, size of the file)."""
        room, left = threading.Semaphore(self.hello["window"]), len(requests)
        threading.Thread(target=self._feed, args=(requests, room), daemon=True).start()
        while left and (line := self.process.stdout.readline()):
            reply = json.loads(line)
            if "need" in reply:
                self._supply(reply["id"], reply["need"], requests[reply["id"]]["read"])
            else:
                left -= 1
                room.release()
                yield reply["id"], reply, self.process.stdout.read(reply.get("bytes", 0))
        if left:
            raise EOFError(f"the worker ended, status {self.process.wait()}")

    def _feed(self, requests, room):
        for number, request in enumerate(requests):
            room.acquire()
            fields = {"id": number, **{name: request[name] for name in request if name not in ("data", "read")}}
            fields |= {"bytes": len(request["data"])} if "data" in request else {}
            self._send(fields | ({"source": "ranged"} if "read" in request else {}), request.get("data", b""))

    def _supply(self, number, ranges, read):
        try:
            parts, size = read(ranges)
            have = [[offset, len(part)] for (offset, _), part in zip(ranges, parts)]
            self._send({"id": number, "have": have, "size": size, "bytes": sum(map(len, parts))}, b"".join(parts))
        except Exception as error:  # what it is goes into the reply to the request
            self._send({"id": number, "error": str(error) or repr(error)})

    def _send(self, fields, payload=b""):
        with self.lock:
            self.process.stdin.write(json.dumps(fields).encode() + b"\n" + payload)
            self.process.stdin.flush()

    def close(self):
        self.process.communicate()
        return self.process.returncode
