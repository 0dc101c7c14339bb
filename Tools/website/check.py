"""Opens every page of the site in Chromium, and checks what it shows and where its links lead. See Tools/site."""

import asyncio
import json
import shutil
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from playwright.async_api import Error, async_playwright

SITE, BASE, PICTURES = Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
# Narrower than what makes DocC draw its list of all symbols, which takes most of the time of a page.
API_SIZE = (980, 900)
TABS = 4

GO = "url => { history.pushState({}, '', url); dispatchEvent(new PopStateEvent('popstate')); }"
HAS_TITLE = "title => document.querySelector('main h1')?.textContent.trim() === title"
# What is in a page once it is drawn. DocC's list of all symbols has links to those in view only; check_links reads it.
READ = """() => ({
    title: document.querySelector("h1")?.textContent ?? "",
    length: document.querySelector("main")?.innerText.length ?? 0,
    links: [document, document.querySelector("custom-header")?.shadowRoot]
        .flatMap(tree => [...(tree?.querySelectorAll("a[href]") ?? [])])
        .filter(link => !link.closest(".sidebar .card-body")).map(link => link.href),
    anchors: [...document.querySelectorAll("[id]")].map(element => element.id),
    images: [...document.images].filter(image => image.getClientRects().length)
        .map(image => [image.currentSrc || image.src, image.complete && image.naturalWidth > 0]),
    wide: document.documentElement.scrollWidth - innerWidth,
    dashes: document.querySelector("main")?.innerText.match(/(?<![\\p{L}\\p{N}])[–—][a-z][a-z-]*/gu) ?? [],
})"""


class Handler(SimpleHTTPRequestHandler):
    """Serves the site below its base, and nothing beside it."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path):
        path = unquote(urlsplit(path).path)
        if not path.startswith(BASE):
            return str(SITE / "outside")
        return str(SITE / path[len(BASE):]) + ("/" if path.endswith("/") else "")

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def data_path(path):
    return f"data/{path.rstrip('/')}.json"


def data(path):
    """What DocC shows in a page; None where the page is our own, or this is missing."""
    file = SITE / data_path(path)
    return json.loads(file.read_text()) if path.startswith("documentation/") and file.exists() else None


def listed(value):
    """The paths in DocC's list of all symbols."""
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from listed(child)
    if isinstance(value, dict) and value.get("path", "").startswith("/documentation/"):
        yield value["path"]


class Checks:
    passed, failures = 0, []

    def check(self, is_right, text):
        if is_right:
            self.passed += 1
        elif text not in self.failures:
            self.failures.append(text)
            print(f"FAILED: {text}")


class Site:
    def __init__(self, origin):
        self.origin, self.pages, self.checks = origin, {}, Checks()

    def url(self, file):
        path = str(file.relative_to(SITE))
        return self.origin + BASE + path.removesuffix("index.html")

    async def visit(self, tab, url, size):
        """Opens a page, and records what is in it."""
        problems = []

        def note(is_wrong, text):
            if is_wrong:
                problems.append(text)

        inside = (self.origin + BASE, "data:")
        listeners = {
            "console": lambda message: note(message.type in ("error", "warning"), message.text),
            "pageerror": lambda error: note(True, str(error)),
            "response": lambda response: note(response.status >= 400, f"{response.status} {response.url}"),
            "request": lambda request: note(not request.url.startswith(inside), f"request {request.url}"),
        }
        for event, listener in listeners.items():
            tab.on(event, listener)
        path = url.removeprefix(self.origin + BASE)
        document = data(path)
        title = document["metadata"]["title"] if document else ""
        try:
            page = await asyncio.wait_for(self.read(tab, url, title), 60)
        except (Error, asyncio.TimeoutError) as error:
            self.checks.check(False, f"/{path} ({size}): {str(error).splitlines()[:1] or 'no answer'} {problems[:3]}")
            return
        finally:
            for event, listener in listeners.items():
                tab.remove_listener(event, listener)
        check = self.checks.check
        check(not problems, f"/{path} ({size}): {problems[:3]}")
        check(page["title"].strip(), f"/{path} ({size}) has no title")
        check(page["length"] > len(page["title"]) + 5, f"/{path} ({size}) is empty: {page['length']} characters")
        check(not page["dashes"], f"/{path} ({size}) shows flags with dashes of another kind: {page['dashes'][:5]}")
        for image, is_shown in page["images"]:
            check(is_shown, f"/{path} ({size}) does not show {image}")
        if size in SIZES:
            check(page["wide"] <= 0, f"/{path} ({size}) is {page['wide']} pixels wider than the window")
        known = self.pages.setdefault(url, {"links": set(), "anchors": set(), "images": set()})
        known["links"].update(page["links"])
        known["anchors"].update(page["anchors"])
        known["images"].update(image for image, _ in page["images"])

    async def read(self, tab, url, title):
        """Opens a page and returns what is in it.

        From one page of DocC, its router goes to the next, which takes a third of the time.
        """
        if title and tab.url.startswith(self.origin + BASE + "documentation/") and tab.url != url:
            file = data_path(url.removeprefix(self.origin + BASE))
            async with tab.expect_response(lambda response: response.url.endswith(file)):
                await tab.evaluate(GO, url)
        else:
            await tab.goto(url, wait_until="load")
        if title:
            await tab.wait_for_function(HAS_TITLE, arg=title, timeout=20_000)
        # Lazy images are loaded when they come into view.
        await tab.evaluate("() => { for (const image of document.images) image.loading = 'eager'; }")
        await tab.wait_for_function("() => [...document.images].every(image => image.complete)", timeout=20_000)
        return await tab.evaluate(READ)

    def check_links(self):
        """Links within the site lead to pages and anchors; returns their number, and that of links to elsewhere."""
        inside, outside, reached = 0, set(), set()
        for path in listed(json.loads((SITE / "index/index.json").read_text())):
            inside += 1
            is_there = self.origin + BASE + path.lstrip("/") + "/" in self.pages
            self.checks.check(is_there, f"the list of symbols has {path}, which is missing")
        for url, page in sorted(self.pages.items()):
            for link in sorted(page["links"]):
                if not link.startswith(self.origin):
                    outside.add(link)
                    continue
                inside += 1
                target, fragment = urldefrag(link)
                path = url.removeprefix(self.origin)
                target = next((name for name in (target, target + "/") if name in self.pages), None)
                if target is None:
                    name = unquote(urlsplit(link).path).removeprefix(BASE)
                    is_there = urlsplit(link).path.startswith(BASE) and (SITE / name).is_file()
                    self.checks.check(is_there, f"{path} links to {link}, which is missing")
                    continue
                reached.add(target)
                anchors = self.pages[target]["anchors"]
                is_there = not fragment or unquote(fragment) in anchors
                self.checks.check(is_there, f"{path} links to {link}, which has no such anchor")
        for url in sorted(set(self.pages) - reached):
            self.checks.check(False, f"no page links to {url.removeprefix(self.origin)}")
        return inside, outside


async def main():
    began = time.monotonic()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = Site(f"http://127.0.0.1:{server.server_port}")
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    files = sorted(SITE.rglob("*.html"))
    queue = asyncio.Queue()
    # The pages of DocC are one page; its script looks at the path.
    shell = {file.read_bytes() for file in files if file.is_relative_to(SITE / "documentation")}
    site.checks.check(len(shell) == 1, "pages below documentation/ differ")
    for file in files:
        name = str(file.relative_to(SITE))
        document = data(name.removesuffix("/index.html"))
        # Articles are the pages that people read on phones.
        is_symbol = document and document["kind"] == "symbol" and name != "documentation/isobath/index.html"
        for size in ["api"] if is_symbol else SIZES:
            queue.put_nowait((size, site.url(file), None if is_symbol else name))

    async def work(browser):
        tabs = {}
        for size, (width, height) in {**SIZES, "api": API_SIZE}.items():
            scheme = "dark" if size == "phone" else "light"
            context = await browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            tabs[size] = await context.new_page()
        while not queue.empty():
            size, url, name = queue.get_nowait()
            await site.visit(tabs[size], url, size)
            if name:
                stem = name.removesuffix(".html").removesuffix("/index").removeprefix("documentation/isobath/")
                await tabs[size].screenshot(path=PICTURES / f"{stem.replace('/', '-')}-{size}.png")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        await asyncio.gather(*(work(browser) for _ in range(TABS)))
        await browser.close()
    server.shutdown()
    inside, outside = site.check_links()
    images = len(set().union(*(page["images"] for page in site.pages.values())))
    print(f"{len(site.pages)} pages, {inside} links within the site, {len(outside)} to elsewhere (not followed), "
          f"{images} images, {time.monotonic() - began:.0f} s")
    print(f"{site.checks.passed} passed, {len(site.checks.failures)} failed")
    sys.exit(1 if site.checks.failures else 0)


asyncio.run(main())
