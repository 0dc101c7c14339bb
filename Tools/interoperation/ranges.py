"""Photos on an HTTP server: what `isobath worker` reads of them, and what it makes of servers that misbehave.

The server is one of the loopback interface. Alone, `ranges.py ISOBATH FILE…` prints requests and bytes for each file.
"""

import contextlib
import http.server
import pathlib
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "Examples" / "worker"), str(ROOT.parent / "Sources/Interfaces/Python")]

from http_ranges import RangedFile  # noqa: E402
from isobath.worker import Pool, Request  # noqa: E402


class Server(http.server.ThreadingHTTPServer):
    """Serves some files under /NAME/MODE, and counts requests and bytes of their content."""

    daemon_threads = True

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.requests, self.sent = files, 0, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Nothing: clients may go away."""

    def url(self, name, mode="honest"):
        return f"http://127.0.0.1:{self.server_port}/{name}/{mode}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        _, name, mode = self.path.split("/")
        data = self.server.files[name].read_bytes()
        self.server.requests += 1
        tag = f'"{len(data)}-{self.server.requests if mode == "changing" else 0}"'
        if mode == "failing":
            return self.answer(503, b"", {})
        if self.headers.get("If-Match", tag) != tag:
            return self.answer(412, b"", {"ETag": tag})
        if mode == "ignoring":
            return self.answer(200, data, {"ETag": tag})
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        part = data[first:last + 1]
        fields = {"ETag": tag, "Content-Range": f"bytes {first}-{first + len(part) - 1}/{len(data)}"}
        if mode == "stalling":
            time.sleep(3)
        if mode == "shifting":
            fields["Content-Range"] = f"bytes {first + 1}-{first + len(part)}/{len(data)}"
        if mode == "growing":
            fields["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(data) + self.server.requests}"
        self.answer(206, part, fields, cut=mode == "truncating")

    def answer(self, status, body, fields, cut=False):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        sent = body[:len(body) // 2] if cut else body
        self.server.sent += len(sent)
        with contextlib.suppress(OSError):
            self.wfile.write(sent)
        self.close_connection = self.close_connection or cut


def read(pool, server, name, mode="honest", verb="extract", options=None, timeout=20):
    """(reply, requests, bytes) for a file on the server."""
    server.requests = server.sent = 0
    with contextlib.closing(RangedFile(server.url(name, mode), timeout=timeout)) as file:
        reply = pool.ask(Request(verb, file, {} if verb == "info" else options or {"format": "npy"}, name=name))
    return reply, server.requests, server.sent


def photos(isobath, check):
    """Counted checks with the project's own pictures; `check` is that of check.py."""
    images = ROOT.parent / "TestImages"
    names = ["portrait.heic", "portrait.jpg", "depth.dng", "depth.avif", "samsung-dualshot.jpg"]
    server = Server({name: images / name for name in names})
    for isolate in (False, True):
        pool, how = Pool(1, isolate=isolate, command=isobath), "isolated" if isolate else ""
        for name in names:
            def same(name=name, pool=pool):
                plain = pool.ask(Request("extract", images / name, {"format": "npy"}))
                reply, requests, _ = read(pool, server, name)
                assert reply.status == plain.status == "ok", reply
                assert reply.outputs == plain.outputs, "other bytes than of the file"
                assert requests <= 6, f"{requests} requests"

            check(f"ranges of {name} {how}", same)
        for mode, words in [
            ("ignoring", "whole files only"), ("truncating", "IncompleteRead"), ("stalling", "timed out"),
            ("changing", "changed on the server"), ("growing", "changed on the server"), ("shifting", "another range"),
            ("failing", "503"),
        ]:
            def refused(mode=mode, words=words, pool=pool):
                # Large enough that one request does not do.
                reply, _, _ = read(pool, server, "samsung-dualshot.jpg", mode, timeout=0.5)
                if mode in ("changing", "growing") and reply.status == "ok":
                    raise AssertionError("the change was not seen")
                assert reply.status == "failed" and words in reply.error.message, reply

            check(f"a server that is {mode} {how}", refused)

        def goes_on(pool=pool):
            reply, _, _ = read(pool, server, "portrait.heic")
            assert reply.status == "ok" and pool.counters.restarted == 0, reply
            pool.close()

        check(f"a worker goes on after errors of servers {how}", goes_on)
    server.shutdown()


def main():
    isobath, *paths = sys.argv[1:]
    files = {f"{number}-{pathlib.Path(path).name}": pathlib.Path(path) for number, path in enumerate(paths)}
    server, pool = Server(files), Pool(1, command=isobath)
    print("| file | bytes | info | | extract | |\n|---|--:|--:|--:|--:|--:|")
    for name, path in files.items():
        row = [path.name, f"{path.stat().st_size:,}"]
        for verb in ("info", "extract"):
            reply, requests, sent = read(pool, server, name, verb=verb)
            row += [
                f"{requests}",
                f"{100 * sent / path.stat().st_size:.1f} %"
                + ("" if reply.status == "ok" else f" ({reply.status})"),
            ]
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
