"""`isobath worker` as a Python object, for one thread at a time; the article Formats describes the protocol."""
import json
import subprocess
import threading


class Worker:
    def __init__(self, *flags, command="isobath"):
        self.process = subprocess.Popen([command, "worker", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello, self.lock = json.loads(self.process.stdout.readline()), threading.Lock()

    def ask(self, requests):
        """Yields (index, reply, bytes) for each request, in any order: a dict as in the article, without `id`; `data`
        has the bytes of a photo, `read` is a function from a list of [offset, length] to (list of bytes, size of the
        file). Raises ValueError for a request that has no line, before it sends any, and EOFError where the worker
        ended."""
        lines = [self._line(number, request) for number, request in enumerate(requests)]
        room, left, why = threading.Semaphore(self.hello["window"]), len(requests), ""
        threading.Thread(target=self._feed, args=(lines, requests, room), daemon=True).start()
        while left and (line := self.process.stdout.readline()):
            reply = json.loads(line)
            if reply.get("error", {}).get("code") == "out-of-step":
                why = f": {reply['error']['message']}"
            elif "need" in reply:
                self._supply(reply["id"], reply["need"], requests[reply["id"]]["read"])
            else:
                left -= 1
                room.release()
                yield reply["id"], reply, self.process.stdout.read(reply.get("bytes", 0))
        if left:
            raise EOFError(f"the worker ended, status {self.process.wait()}{why}")

    def _line(self, number, request):
        fields = {"id": number, **{name: request[name] for name in request if name not in ("data", "read")}}
        fields |= {"bytes": len(request["data"])} if "data" in request else {}
        fields |= {"source": "ranged"} if "read" in request else {}
        line = json.dumps(fields, allow_nan=False).encode()  # NaN is not JSON: the worker would end
        if len(line) > 1 << 20:
            raise ValueError(f"the line of request {number} has {len(line)} bytes, and the most is 1 MiB")
        return line

    def _feed(self, lines, requests, room):
        try:
            for line, request in zip(lines, requests):
                room.acquire()
                self._send(line, request.get("data", b""))
        except OSError:
            pass  # the worker ended: `ask` says so

    def _supply(self, number, ranges, read):
        try:
            parts, size = read(ranges)
            have = [[offset, len(part)] for (offset, _), part in zip(ranges, parts)]
            fields, payload = {"have": have, "size": size, "bytes": sum(map(len, parts))}, b"".join(parts)
        except Exception as error:  # what it is goes into the reply to the request
            fields, payload = {"error": str(error) or repr(error)}, b""
        self._send(json.dumps({"id": number, **fields}).encode(), payload)

    def _send(self, line, payload):
        with self.lock:
            self.process.stdin.write(line + b"\n" + payload)
            self.process.stdin.flush()

    def close(self):
        self.process.communicate()
        return self.process.returncode
