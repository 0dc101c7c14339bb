"""Opens pages of `isobath view` in Chromium, and checks what they show. See Tools/pages."""

import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageCms, ImageFilter
from playwright.sync_api import Error, sync_playwright

TOOL, OUTPUT, MORE = sys.argv[1], Path(sys.argv[2]), [name for name in sys.argv[3:] if not name.startswith("--")]
ONLY, RECORDS = ("--only" in sys.argv[3:], "--record" in sys.argv[3:])
ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES, GOLDEN = ROOT / "TestImages", ROOT / "Tests/JavaScriptTests/Golden"
RECORDINGS = {".bag", ".mkv", ".mov", ".mp4", ".r3d", ".sens"}
SIZES = {"desktop": (1400, 900), "phone": (390, 844), "turned": (844, 390)}
passed, failures = 0, []


def check(is_right, text):
    global passed
    if is_right:
        passed += 1
    else:
        failures.append(text)
        print(f"FAILED: {text}")


def isobath(*arguments):
    return subprocess.run([TOOL, *map(str, arguments), "--force"], capture_output=True, text=True)


def samples():
    """Names and arguments: one of each kind of page, and those that were named."""
    if not ONLY:
        yield from own_samples()
    for path in map(Path, MORE):
        if path.suffix in RECORDINGS or is_recording(path):
            continue
        for file in sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]:
            yield str(file.relative_to(path.parent)) if path.is_dir() else file.name, [file]


def is_recording(path):
    """Whether a folder is one recording, and not a collection of photos."""
    run = subprocess.run([TOOL, "info", "--json", path], capture_output=True, text=True) if path.is_dir() else None
    if not run or run.returncode != 0 or '"isobath.recording/' not in run.stdout:
        return False
    # One depth image with its picture makes an album.
    return '"layout": "depth-and-picture"' not in run.stdout


def own_samples():
    for name in [
        "portrait.heic",
        "portrait-rotated.jpg",
        "absolute-depth.jpg",
        "gdepth-lens-blur.jpg",
        "gdepth-portrait.jpg",
        "dynamic-depth.jpg",
        "depth.avif",
        "depth.dng",
        "side-by-side.jpg",
        "samsung-dualshot.jpg",
        "spatial.heic",
        "plain.jpg",
        "leia-lif.jpg",
    ]:
        yield name, [IMAGES / name]
    yield "pair_depth.png", [IMAGES / "pair_depth.png", "--color", IMAGES / "pair.jpg"]
    yield "pair_depth alone", [IMAGES / "pair_depth.png"]


OWN = {name for name, _ in own_samples()}
# Pages have one layout on phones in landscape, so these are checked: one page with all tabs, and three without some.
TURNED = {"portrait.heic", "spatial.heic", "dynamic-depth.jpg", "pair_depth alone"}


class Visit:
    """A page in the browser, with everything that goes wrong in it."""

    def __init__(self, browser, path, size="desktop", address="", **context):
        width, height = SIZES[size]
        # Nothing moves by itself, unless a check wants it to.
        context = {"reduced_motion": "reduce", **context}
        self.context = browser.new_context(viewport={"width": width, "height": height}, **context)
        self.page = self.context.new_page()
        # Rendered by one or two cores that others use, too.
        self.page.set_default_timeout(180_000)
        self.problems, self.requests = [], []
        self.page.on(
            "console",
            lambda message: self.problems.append(message.text) if message.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append("dialog: " + dialog.message), dialog.dismiss()))
        self.url = Path(path).resolve().as_uri() + address
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(self.url)
        # The policy of pages forbids to evaluate text, which waiting for a function would do.
        self.page.wait_for_selector("html[data-state]", timeout=180_000)

    @property
    def outside(self):
        return [url for url in self.requests if url != self.url and not url.startswith(("data:", "blob:"))]

    def show(self, view):
        # The surface of a recording is complete once its pictures are decoded.
        self.page.evaluate("""async name => {
            isobath.show(name);
            await isobath.view(name).ready;
            isobath.drawNow(false);
        }""", view)

    def picture(self):
        """The pixels of the canvas that is shown."""
        width, height, pixels = self.page.evaluate("""() => {
            const { canvas } = isobath;
            const copy = document.createElement("canvas");
            [copy.width, copy.height] = [canvas.width, canvas.height];
            copy.getContext("2d").drawImage(canvas, 0, 0);
            const { data } = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height);
            let text = "";
            for (let index = 0; index < data.length; index += 8192) {
                text += String.fromCharCode(...data.subarray(index, index + 8192));
            }
            return [copy.width, copy.height, btoa(text)];
        }""")
        import base64
        return np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height, width, 4)[..., :3].astype(float)

    def has_plain_photo(self):
        """Whether the photo has one color, as the first picture of an animation may, so that views of it have one,
        too."""
        return self.page.evaluate("""() => {
            const copy = document.createElement("canvas");
            [copy.width, copy.height] = [64, 64];
            const context = copy.getContext("2d");
            context.drawImage(document.getElementById("photo"), 0, 0, 64, 64);
            const { data } = context.getImageData(0, 0, 64, 64);
            return data.every((value, index) => Math.abs(value - data[index % 4]) <= 2);
        }""")

    def close(self):
        self.context.close()


def similarity(first, second):
    """Structural similarity (Wang et al. 2004) of two gray pictures, with windows of 8 x 8."""
    def windows(picture):
        rows, columns = (side // 8 * 8 for side in picture.shape)
        return picture[:rows, :columns].reshape(rows // 8, 8, columns // 8, 8).swapaxes(1, 2).reshape(-1, 64)
    a, b = windows(first), windows(second)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    covariance = ((a - a.mean(1, keepdims=True)) * (b - b.mean(1, keepdims=True))).mean(1)
    ssim = (2 * a.mean(1) * b.mean(1) + c1) * (2 * covariance + c2)
    return ssim / ((a.mean(1) ** 2 + b.mean(1) ** 2 + c1) * (a.var(1) + b.var(1) + c2))


def check_values(visit, name, arguments, folder):
    """Values under fixed points are those of `extract`, to half a step of the codes."""
    quantity = visit.page.evaluate("isobath.depth.record.quantity")
    file = folder / "values.npy"
    run = isobath("extract", *arguments, "-o", file, "--as", quantity) if "spatial" not in name else None
    if run is None or run.returncode != 0:
        return
    expected = np.load(file)
    step = visit.page.evaluate("isobath.depth.record.step")
    height, width = expected.shape
    # A thinned map has every n-th sample.
    columns, rows = visit.page.evaluate("[isobath.depth.width, isobath.depth.height]")
    points = [((i + 0.5) / 9, (j + 0.5) / 9) for j in range(9) for i in range(9)]
    values = visit.page.evaluate("""points => points.map(([x, y]) => {
        const value = isobath.depth.value(x, y);
        return value === value ? value : null;
    })""", points)
    worst = 0
    for (x, y), value in zip(points, values):
        true = expected[int((int(y * rows) + 0.5) * height / rows), int((int(x * columns) + 0.5) * width / columns)]
        if value is None or not np.isfinite(true):
            check(value is None and not np.isfinite(true), f"{name}: {value} at {x}, {y} is {true}")
        else:
            worst = max(worst, abs(value - true))
    check(worst <= step / 2 * 1.001 + 1e-7, f"{name}: values differ by {worst}, half a step is {step / 2}")


def check_focus(visit, name):
    """What is in focus keeps its pixels; what is far from it does not."""
    visit.page.evaluate("isobath.show('focus')")
    disparity = np.array(visit.page.evaluate("Array.from(isobath.depth.disparity)"))
    # The photo as it is drawn without any blur.
    visit.page.evaluate("isobath.view('focus').lens.fNumber = 1e6; isobath.drawNow(false)")
    sharp = visit.picture().mean(2)
    for share in (75, 30):
        focus = float(np.percentile(disparity, share))
        radius = visit.page.evaluate("""focus => {
            const { depth, graphics, canvas } = isobath, { lens } = isobath.view("focus");
            lens.focus = focus; lens.fNumber = 2; isobath.drawNow(false);
            const diagonal = Math.hypot(canvas.width, canvas.height);
            const f = lens.focalLength * canvas.width / graphics.photoSize[0];
            const factor = f * (f * 43.2666 / diagonal / 2 / 1000) / 2;
            return Array.from(depth.disparity, value => (value - focus) * factor);
        }""", focus)
        width, height = visit.page.evaluate("[isobath.depth.width, isobath.depth.height]")
        radius = np.array(radius).reshape(height, width)
        blurred = visit.picture().mean(2)
        ssim = similarity(sharp, blurred).reshape(sharp.shape[0] // 8, sharp.shape[1] // 8)
        # The least and the most radius around each window.
        rows = ((np.arange(ssim.shape[0]) + 0.5) * 8 / sharp.shape[0] * height).astype(int)
        columns = ((np.arange(ssim.shape[1]) + 0.5) * 8 / sharp.shape[1] * width).astype(int)
        reach = max(2, int(0.04 * np.hypot(width, height)))
        inside, outside = [], []
        for j, row in enumerate(rows):
            for i, column in enumerate(columns):
                near = radius[max(row - reach, 0):row + reach + 1, max(column - reach, 0):column + reach + 1]
                here = radius[max(row - 2, 0):row + 3, max(column - 2, 0):column + 3]
                # In focus, and nothing that is nearer spreads over it; what is farther may be anywhere.
                if np.abs(here).max() < 0.6 and near.max() < 1:
                    inside.append(ssim[j, i])
                elif np.abs(here).min() > 2.5 and sharp[8 * j:8 * j + 8, 8 * i:8 * i + 8].var() > 30:
                    outside.append(ssim[j, i])
        if len(inside) > 20:
            check(np.mean(inside) >= 0.98, f"{name}: in focus at {share} % the similarity is {np.mean(inside):.3f}")
        if len(outside) > 20:
            check(
                np.mean(outside) < 0.97, f"{name}: out of focus at {share} % the similarity is {np.mean(outside):.3f}"
            )
        print(f"    focus at {share} %: similarity {np.mean(inside or [np.nan]):.3f} in focus ({len(inside)} windows), "
              f"{np.mean(outside or [np.nan]):.3f} out of it ({len(outside)})")


def check_blur(visit, name, arguments, folder):
    """Focus shows what `isobath blur` makes, in the mean to four codes."""
    file = folder / "blur.png"
    run = isobath("blur", *arguments, "-o", file, "--focus", "0.5,0.6", "--aperture", 2)
    if run.returncode != 0:
        return
    visit.page.evaluate("""() => {
        isobath.show("focus");
        const { lens } = isobath.view("focus");
        [lens.focus, lens.fNumber, isobath.stage.isFullSize] = [isobath.depth.focus(0.5, 0.6), 2, true];
        isobath.drawNow(false);
        isobath.stage.isFullSize = false;
    }""")
    shown = visit.picture()
    with Image.open(file) as picture:
        expected = picture.convert("RGB")
        if profile := picture.info.get("icc_profile"):
            expected = ImageCms.profileToProfile(
                expected, ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB"))
        expected = expected.resize(shown.shape[1::-1], Image.Resampling.LANCZOS)
    change = np.abs(shown - np.asarray(expected, float)).mean(2)
    print(f"    from isobath blur: mean {change.mean():.2f} codes, 95th percentile {np.percentile(change, 95):.2f}")
    check(change.mean() <= 4, f"{name}: differs from isobath blur by {change.mean():.2f} codes")


def check_motion(browser, name, page):
    """A photo moves by itself when its page is opened, and not if less motion is preferred."""
    for motion in ("no-preference", "reduce"):
        visit = Visit(browser, page, reduced_motion=motion)
        check(visit.page.evaluate("isobath.stage.current") == "move", f"{name}: it does not open in Move")
        # The movement swings to and fro, so that two pictures alone may show the same place.
        pictures = []
        for _ in range(4):
            pictures.append(visit.picture())
            visit.page.wait_for_timeout(700)
        # A device that is too slow for large pictures gets smaller ones: all are compared at the size of the smallest.
        size = min(picture.shape for picture in pictures)[1::-1]
        pictures = [np.asarray(Image.fromarray(picture.astype(np.uint8)).resize(size), float) for picture in pictures]
        moves = max(np.abs(picture - pictures[0]).mean() for picture in pictures) > 0.2
        check(moves == (motion == "no-preference"), f"{name}: with {motion} it {'moves' if moves else 'stands still'}")
        visit.close()


def check_fits(visit, name):
    """Everything is visible without scrolling: the picture, the tabs, the controls and the buttons."""
    hidden = visit.page.evaluate("""() => {
        const parts = "#stage, h1, [role=tab], .panels :is(input, select, button, output), .actions button";
        return [...document.querySelectorAll(parts)].filter(part => part.checkVisibility()).filter(part => {
            const { left, top, right, bottom } = part.getBoundingClientRect();
            return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        }).map(part => part.id || part.tagName);
    }""")
    check(not hidden, f"{name}: outside of the window: {hidden}")


def check_saving(visit, name, folder):
    """Every tab saves a file of what it shows; a movie can be decoded."""
    for view in visit.page.evaluate("isobath.tabs"):
        if view == "record":
            continue
        visit.page.click(f"#tab-{view}")
        with visit.page.expect_download() as download:
            visit.page.click("#save")
        file = folder / download.value.suggested_filename
        download.value.save_as(file)
        with Image.open(file) as picture:
            check(max(picture.size) >= 192, f"{name}: {view} is saved with {picture.size}")
    visit.page.click("#tab-background")
    visit.page.select_option("#backdrop", "none")
    with visit.page.expect_download() as download:
        visit.page.click("#save")
    download.value.save_as(folder / "cutout.png")
    alpha = np.asarray(Image.open(folder / "cutout.png").convert("RGBA"))[..., 3]
    check(alpha.min() == 0 and alpha.max() == 255, f"{name}: the cut-out's opacity is {alpha.min()} to {alpha.max()}")
    visit.page.click("#tab-move")
    with visit.page.expect_download() as download:
        visit.page.click("#save-movie")
    movie = folder / download.value.suggested_filename
    download.value.save_as(movie)
    if movie.suffix == ".webp":
        with Image.open(movie) as picture:
            check(picture.n_frames == 60, f"{name}: the movie has {picture.n_frames} frames")
    check(movie.stat().st_size > 20_000, f"{name}: the movie has {movie.stat().st_size} bytes")


def check_keys(visit, name):
    """A walk with the keyboard: arrow keys go through all tabs, and Tab reaches the picture and every control."""
    views = visit.page.evaluate("isobath.tabs")
    visit.page.click(f"#tab-{views[0]}")
    for view in [*views[1:], views[0]]:
        visit.page.keyboard.press("ArrowRight")
        current = visit.page.evaluate("[isobath.stage.current, document.activeElement.id, location.hash]")
        check(current == [view, f"tab-{view}", f"#{view}"], f"{name}: right of the tab is {current}, not {view}")
    for view in views:
        visit.page.click(f"#tab-{view}")
        visit.page.evaluate("document.activeElement.blur()")
        reached = set()
        for _ in range(24):
            visit.page.keyboard.press("Tab")
            reached.add(visit.page.evaluate("document.activeElement.id"))
        wanted = visit.page.evaluate("""() => [
            ...document.querySelectorAll("#stage[tabindex='0'], #tabs button, .side :is(input, select, button)"),
        ].filter(part => part.checkVisibility() && !part.disabled && part.tabIndex >= 0).map(part => part.id)""")
        check(set(wanted) <= reached, f"{name}: Tab does not reach {set(wanted) - reached} in {view}")


def frame_times(visit, views):
    """Milliseconds for a complete frame, until its pixels can be read."""
    times = {}
    for view in views:
        visit.show(view)
        times[view] = visit.page.evaluate("""() => {
            const times = [];
            for (let index = 0; index < 3; index++) {
                const began = performance.now();
                isobath.drawNow(false);
                const gl = isobath.graphics.gl;
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
                times.push(performance.now() - began);
            }
            return times.sort((a, b) => a - b)[1];
        }""")
    return times


def check_accessible(visit, name):
    """axe-core finds nothing."""
    for violation in Axe().run(visit.page).response["violations"]:
        nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
        check(False, f"{name}: axe {violation['id']}: {violation['help']}: {nodes}")
    check(True, "")


def check_media(visit, name, stem):
    """Dark colors are legible, too; on paper stand the photo and the record; arrow keys read values."""
    visit.page.emulate_media(color_scheme="dark")
    visit.show("depth")
    check_accessible(visit, f"{name} (dark)")
    visit.page.screenshot(path=OUTPUT / f"{stem}-dark.png")
    visit.page.emulate_media(color_scheme="light", media="print")
    visit.page.screenshot(path=OUTPUT / f"{stem}-print.png", full_page=True)
    for part in ("#photo", "#panel-record table"):
        check(visit.page.locator(part).first.is_visible(), f"{name}: on paper there is no {part}")
    visit.page.emulate_media(media="screen")
    visit.show("depth")
    visit.page.focus("#stage")
    texts = set()
    for key in ("ArrowLeft", "ArrowUp", "ArrowUp"):
        visit.page.keyboard.press(key)
        visit.page.wait_for_timeout(100)
        texts.add(visit.page.inner_text("#readout"))
    check(any(character.isdigit() for text in texts for character in text), f"{name}: arrow keys read {texts}")


def check_page(browser, name, arguments, folder):
    page = folder / "page.html"
    run = isobath("view", *arguments, "-o", page)
    if name not in OWN and run.returncode == 1 and run.stderr.count("\n") == 1:
        # Files of a collection need not be photos; what is wrong is one line.
        return print(f"no page: {run.stderr.strip()}")
    check(run.returncode == 0, f"{name}: {run.stderr}")
    if run.returncode != 0:
        return
    print(f"{name}: {page.stat().st_size / 1000:.0f} KB")
    check(page.stat().st_size <= 1_500_000, f"{name}: {page.stat().st_size} bytes")
    stem = "".join(character if character.isalnum() else "-" for character in name)
    for size in SIZES:
        if size == "turned" and name in OWN - TURNED:
            continue
        visit = Visit(browser, page, size)
        state = visit.page.evaluate("document.documentElement.dataset.state")
        check(state == "ready", f"{name}: the script ended as {state}")
        if state == "ready":
            bars = set()
            for view in visit.page.evaluate("isobath.tabs"):
                visit.show(view)
                bars.add(visit.page.evaluate("JSON.stringify(document.querySelector('#tabs').getBoundingClientRect())"))
                if view == "3d":
                    visit.page.evaluate("isobath.view('3d').turn(0.35, 0.1); isobath.drawNow(false)")
                if view == "move":
                    visit.page.evaluate("isobath.view('move').look({ x: 0.8, y: -0.4 }); isobath.drawNow(false)")
                if visit.page.evaluate("Boolean(isobath.view(isobath.stage.current).surface)"):
                    picture = visit.picture()
                    check(picture.std() > 2 or visit.has_plain_photo(), f"{name}: {view} is blank")
                visit.page.screenshot(path=OUTPUT / f"{stem}-{view}-{size}.png", full_page=view == "record")
                check_fits(visit, f"{name}: {view} ({size})")
                wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                check(wide <= 0, f"{name}: {view} is {wide} pixels wider than the window ({size})")
            facts = visit.page.evaluate("document.querySelector('#facts').textContent")
            has = visit.page.evaluate("isobath.tabs.includes('3d') || !isobath.tabs.includes('move')")
            check(has or "no 3D view" in facts, f"{name}: no 3D, and no reason: {facts}")
            tops = visit.page.evaluate("[...document.querySelectorAll('#tabs button')].map(tab => tab.offsetTop)")
            rows = len(set(tops))
            check(len(bars) == 1 and rows <= 2, f"{name}: tabs in {rows} rows, at {bars} ({size})")
            if size == "desktop" and visit.page.evaluate("Boolean(isobath.depth)"):
                check_values(visit, name, arguments, folder)
                views = visit.page.evaluate("isobath.tabs")
                if "focus" in views:
                    check_focus(visit, name)
                    if name in OWN:
                        check_blur(visit, name, arguments, folder)
                if "3d" in views and name in OWN:
                    times = frame_times(
                        visit, [view for view in views if view in ("focus", "background", "move", "3d")]
                    )
                    count = visit.page.evaluate("2 * isobath.mesh.count / 3")
                    check(count <= 300_000, f"{name}: {count} triangles")
                    size_text = visit.page.evaluate("`${isobath.canvas.width} x ${isobath.canvas.height}`")
                    print(f"    {count:.0f} triangles; ms a frame at {size_text}: "
                          + ", ".join(f"{view} {time:.0f}" for view, time in times.items()))
            visit.show(visit.page.evaluate("isobath.tabs[isobath.tabs.length - 1]"))
            check_accessible(visit, f"{name} ({size})")
            if name == "portrait.heic" and size == "desktop":
                check_media(visit, name, stem)
                check_saving(visit, name, folder)
                check_keys(visit, name)
                check_motion(browser, name, page)
        check(not visit.problems, f"{name} ({size}): {visit.problems}")
        check(not visit.outside, f"{name} ({size}): requests {visit.outside}")
        visit.close()
    if name == "portrait.heic":
        check_address(browser, name, page)
    # Without scripts the photo and the record are there.
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    plain = context.new_page()
    plain.goto(page.resolve().as_uri())
    photo = plain.locator("#photo")
    least = min(50, int(photo.get_attribute("width")))
    check(photo.bounding_box()["width"] >= least, f"{name}: without scripts there is no photo")
    context.close()


def check_address(browser, name, page):
    """After the # of an address, anything that is not a tab is ignored."""
    for address in ("#%", "#%E0%A4%A", "#\u202e", "#tabs", "#record"):
        visit = Visit(browser, page, address=address)
        state, shown = visit.page.evaluate("[document.documentElement.dataset.state, isobath.stage.current]")
        check(state == "ready" and (shown == "record") == (address == "#record"), f"{name}{address}: shows {shown}")
        check(not visit.problems, f"{name}{address}: {visit.problems}")
        visit.close()


HOSTILE = [
    "<script>alert(1)<",
    "<img src=x onerror=alert(1)>.jpg",
    '"><svg onload=alert(1)>.jpg',
    "'-alert(1)-'.jpg",
    "</title><script>alert(1)<",
    "\u202egpj.exe.jpg",
    "a\nb\tc.jpg",
    "{{script}}{{data}}.jpg",
    "&lt;b&gt;.jpg",
    "]]>--><!--.jpg",
    "x" * 240 + ".jpg",
    "\u2028.jpg",
]


def check_hostile(browser, folder):
    """Names full of markup, and such metadata, are shown and do nothing."""
    for number, name in enumerate(HOSTILE):
        path = folder / name.replace("/", "\u2044")
        shutil.copy(IMAGES / "portrait.jpg", path)
        page = folder / f"hostile-{number}.html"
        run = isobath("view", path, "-o", page)
        check(run.returncode == 0, f"{name!r}: {run.stderr}")
        visit = Visit(browser, page)
        check(not visit.problems and not visit.outside, f"{name!r}: {visit.problems} {visit.outside}")
        check(visit.page.evaluate("document.documentElement.dataset.state") == "ready", f"{name!r}: the script failed")
        check(visit.page.evaluate("document.scripts.length - document.querySelectorAll('script[id]').length") == 1,
              f"{name!r}: there is another script")
        check(
            visit.page.evaluate("document.querySelectorAll('svg, img:not(#photo)').length") == 0,
            f"{name!r}: there is other markup",
        )
        shown = visit.page.inner_text("h1")
        plain = all(character.isprintable() and character not in "\u202e\u2028" for character in shown)
        check(plain, f"{name!r}: shown as {shown!r}")
        if number == 0:
            record = visit.page.text_content("#panel-record td")
            check(record == name, f"{name!r}: shown as {record!r}")
        visit.close()
    # 10 KB of markup as camera model, written by Pillow.
    picture = Image.open(IMAGES / "portrait.jpg")
    exif = picture.getexif()
    exif[0x0110] = "</script><script>alert(1)</script>" * 300
    exif[0x010F] = "\u202e<b>&amp;"
    picture.save(folder / "model.jpg", exif=exif)
    page = folder / "model.html"
    run = isobath("view", folder / "model.jpg", "-o", page)
    check(run.returncode == 0, f"a model of 10 KB: {run.stderr}")
    visit = Visit(browser, page, "phone")
    check(not visit.problems and not visit.outside, f"a model of 10 KB: {visit.problems}")
    check(
        visit.page.evaluate("document.scripts.length - document.querySelectorAll('script[id]').length") == 1,
        "a model made a script",
    )
    check(
        visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        "a model of 10 KB makes the page too wide",
    )
    visit.page.screenshot(path=OUTPUT / "hostile-phone.png", full_page=True)
    visit.close()


def check_album_pictures(visit, name):
    """The depth of a photo appears under the pointer; captions appear on request; arrow keys go from photo to photo."""
    image = visit.page.locator("img[data-depth]").first
    source = image.get_attribute("src")
    image.hover()
    visit.page.wait_for_timeout(300)
    check(image.get_attribute("src") == image.get_attribute("data-depth"), f"{name}: no depth under the pointer")
    check(image.evaluate("image => image.naturalWidth > 0"), f"{name}: the depth is not loaded")
    visit.page.hover("h1")
    check(image.get_attribute("src") == source, f"{name}: the photo does not come back")
    caption = visit.page.locator("#photos .name").first
    check(caption.bounding_box()["width"] <= 1, f"{name}: captions are shown unasked")
    visit.page.check("#captions")
    check(caption.bounding_box()["width"] > 20, f"{name}: captions are not shown")
    visit.page.locator("#photos a").first.focus()
    visit.page.keyboard.press("ArrowRight")
    second = visit.page.evaluate("[...document.querySelectorAll('#photos a')].indexOf(document.activeElement)")
    check(second == 1, f"{name}: the right arrow key reaches photo {second}")


def check_album(browser, folder):
    """An album shows its thumbnails, filters and sorts, and its pages lead back."""
    photos = folder / "photos"
    (photos / "sub").mkdir(parents=True)
    for name, copy in [
        ("portrait.heic", "b.heic"),
        ("absolute-depth.jpg", "a 10%.jpg"),
        ("plain.jpg", "sub/<b>#?.jpg"),
    ]:
        shutil.copy(IMAGES / name, photos / copy)
    run = isobath("view", photos, "-o", f"{folder}/album/")
    check(run.returncode == 0, f"album: {run.stderr}")
    for size in SIZES:
        visit = Visit(browser, folder / "album/index.html", size)
        root = visit.url.rsplit("/", 1)[0]
        visit.page.wait_for_timeout(500)
        loaded = visit.page.evaluate("[...document.images].filter(image => image.naturalWidth > 0).length")
        check(loaded == 3, f"album ({size}): {loaded} of 3 thumbnails are shown")
        check(not visit.problems, f"album ({size}): {visit.problems}")
        check(all(url.startswith(root) for url in visit.requests), f"album ({size}): requests {visit.requests}")
        visit.page.select_option("#kind", "mattes")
        check(visit.page.locator("#photos li:visible").count() == 1, f"album ({size}): filtering by mattes")
        visit.page.select_option("#kind", "")
        visit.page.fill("#text", "A 10")
        check(visit.page.inner_text("#count") == "1 of 3 photos", f"album ({size}): {visit.page.inner_text('#count')}")
        visit.page.fill("#text", "")
        check_accessible(visit, f"album ({size})")
        check_album_pictures(visit, f"album ({size})")
        visit.page.screenshot(path=OUTPUT / f"album-{size}.png", full_page=True)
        for index in range(3):
            visit.page.locator("#photos a").nth(index).click()
            visit.page.wait_for_selector("html[data-state=ready] #stage", timeout=60000)
            visit.page.click("nav a")
            visit.page.wait_for_selector("#photos li")
        visit.close()


def write_recording(folder):
    """Six frames of a slanted wall with a pattern, in the layout of 7-Scenes, whose camera goes to the right and
    turns."""
    folder.mkdir()
    rows, columns = np.mgrid[0:60, 0:80]
    for index in range(6):
        millimeters = (1500 + 10 * columns + 2 * rows + 20 * index).astype(np.uint16)
        millimeters[:5, :5] = 0
        Image.fromarray(millimeters).save(folder / f"frame-{index:06}.depth.png")
        shade = np.stack([columns * 3, rows * 4, (columns // 8 + rows // 8) % 2 * 160 + 40], -1).astype(np.uint8)
        Image.fromarray(shade).resize((320, 240), Image.NEAREST).save(folder / f"frame-{index:06}.color.png")
        angle = 0.02 * index
        c, s = np.cos(angle), np.sin(angle)
        pose = np.array([[c, 0, s, 0.05 * index], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]])
        np.savetxt(folder / f"frame-{index:06}.pose.txt", pose)
    np.savetxt(folder / "camera-intrinsics.txt", [[80, 0, 39.5], [0, 80, 29.5], [0, 0, 1]])


def check_recording(browser, folder):
    """A recording's page goes from frame to frame, reads the depth that is stored, and shows the cloud."""
    recording = folder / "recording <b>"
    write_recording(recording)
    page = folder / "recording.html"
    run = isobath("view", recording, "-o", page)
    check(run.returncode == 0, f"recording: {run.stderr}")
    for size in SIZES:
        visit = Visit(browser, page, size)
        check(
            visit.page.evaluate("isobath.tabs") == ["picture", "depth", "background", "3d", "record"],
            f"recording ({size}): {visit.page.evaluate('isobath.tabs')}",
        )
        for index in (0, 5, 2):
            visit.page.evaluate("index => isobath.go(index)", index)
            for x, y in [(0.5, 0.5), (0.99, 0.2), (0.3, 0.9)]:
                found = visit.page.evaluate("([x, y]) => isobath.depth.value(x, y)", [x, y])
                true = (1500 + 10 * int(x * 80) + 2 * int(y * 60) + 20 * index) / 1000
                check(
                    abs(found - true) <= 0.0005, f"recording ({size}): {found} at {x}, {y} of frame {index} is {true}"
                )
        unknown = visit.page.evaluate("Number.isNaN(isobath.depth.value(0.01, 0.01))")
        check(unknown, "recording: what is unknown has a value")
        for view in ("picture", "depth", "background", "3d"):
            visit.show(view)
            if view != "picture":
                picture = visit.picture()
                check(picture.std() > 2, f"recording ({size}): {view} is blank")
            check_fits(visit, f"recording: {view} ({size})")
            visit.page.screenshot(path=OUTPUT / f"recording-{view}-{size}.png")
            wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"recording: {view} is {wide} pixels wider than the window ({size})")
        visit.page.select_option("#shape", "points")
        visit.page.evaluate("isobath.drawNow()")
        points = visit.picture()
        change = np.abs(points - picture).mean()
        check(points.std() > 2 and change > 0.02, f"recording ({size}): points differ by {change} from the surface")
        visit.page.select_option("#shape", "surface")
        visit.page.evaluate("isobath.view('3d').rotate(0.6, 0.2); isobath.drawNow()")
        check(np.abs(visit.picture() - picture).mean() > 0.5, f"recording ({size}): the cloud does not turn")
        visit.page.evaluate("isobath.view('3d').looksThrough = true; isobath.drawNow()")
        check(visit.picture().std() > 20, f"recording ({size}): there is nothing to see through the camera")
        visit.page.screenshot(path=OUTPUT / f"recording-through-{size}.png")
        visit.page.click("#play")
        places = set()
        for _ in range(8):
            visit.page.wait_for_timeout(130)
            places.add(visit.page.evaluate("isobath.index"))
        check(len(places) > 2, f"recording ({size}): it does not play")
        visit.page.click("#play")
        check_accessible(visit, f"recording ({size})")
        visit.show("picture")
        with visit.page.expect_download() as download:
            visit.page.click("#save-movie")
        movie = folder / download.value.suggested_filename
        download.value.save_as(movie)
        check(movie.stat().st_size > 2_000, f"recording ({size}): the movie has {movie.stat().st_size} bytes")
        check(not visit.problems and not visit.outside, f"recording ({size}): {visit.problems} {visit.outside}")
        visit.close()
    check_address(browser, "recording", page)


def check_real_recording(browser, path, folder):
    """The page of any recording: every view shows something, and nothing goes wrong."""
    page = folder / "recording.html"
    run = isobath("view", path, "-o", page)
    if run.returncode == 1 and run.stderr.strip().count("\n") == 0:
        return print(f"no page: {run.stderr.strip()}")
    check(run.returncode == 0, f"{path}: {run.stderr}")
    if run.returncode != 0:
        return
    check(page.stat().st_size <= 6_000_000, f"{path}: {page.stat().st_size} bytes")
    stem = "".join(character if character.isalnum() else "-" for character in path.name)
    for size in SIZES:
        visit = Visit(browser, page, size)
        state = visit.page.evaluate("document.documentElement.dataset.state")
        check(state == "ready", f"{path}: the script ended as {state}")
        views, count = visit.page.evaluate("[isobath.tabs, isobath.frames.length]")
        if size == "desktop":
            print(f"{path.name}: {page.stat().st_size / 1000:.0f} KB, {count} frames, {', '.join(views)}")
        for index in sorted({0, count // 2, count - 1}):
            visit.page.evaluate("index => isobath.go(index)", index)
        for view in views:
            visit.show(view)
            check(view in ("picture", "record") or visit.picture().std() > 2, f"{path} ({size}): {view} is blank")
            visit.page.screenshot(path=OUTPUT / f"{stem}-{view}-{size}.png")
            wide = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{path}: {view} is {wide} pixels wider than the window ({size})")
        check_accessible(visit, f"{path} ({size})")
        check(not visit.problems and not visit.outside, f"{path} ({size}): {visit.problems} {visit.outside}")
        visit.close()


def without_details(picture):
    """A screenshot without what fonts and versions of browsers draw differently."""
    return np.asarray(picture.filter(ImageFilter.GaussianBlur(5)).resize((80, 37)), float)


def check_golden(visit, name):
    """A view looks as in its golden: without details, they differ by 2 codes in the mean, and 99 % of pixels by 16."""
    picture = Image.open(BytesIO(visit.page.screenshot())).convert("RGB").resize((400, 185), Image.Resampling.LANCZOS)
    file = GOLDEN / f"{name}.jpg"
    if RECORDS:
        picture.save(file, quality=75, optimize=True)
        return check(False, f"{file.relative_to(ROOT)} is recorded; look at it, and run without --record")
    picture.save(OUTPUT / file.name, quality=75)
    with Image.open(file) as golden:
        change = np.abs(without_details(picture) - without_details(golden)).mean(2)
    mean, most = change.mean(), np.percentile(change, 99)
    text = f"{mean:.2f} codes in the mean, {most:.1f} in 99 %"
    check(mean <= 2 and most <= 16, f"{OUTPUT / file.name} differs from {file.relative_to(ROOT)}: {text}")


def check_goldens(browser, folder):
    """Each tab of a photo and of a recording looks as it did."""
    for name, source in [("portrait", IMAGES / "portrait.heic"), ("recording", folder / "recording <b>")]:
        page = folder / f"{name}.html"
        isobath("view", source, "-o", page)
        visit = Visit(browser, page, "turned")
        for view in visit.page.evaluate("isobath.tabs"):
            visit.show(view)
            if (name, view) == ("portrait", "3d"):
                visit.page.evaluate("isobath.view('3d').rotate(0.3, 0.1); isobath.drawNow()")
            if view == "move":
                visit.page.evaluate("isobath.view('move').look({ x: 0.8, y: -0.4 }); isobath.drawNow()")
            check_golden(visit, f"{name}-{view}")
        visit.close()


def main():
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--disable-gpu-watchdog"])
        for name, arguments in samples():
            try:
                check_page(browser, name, arguments, Path(folder))
            except Error as error:
                check(False, f"{name}: {error}")
        for path in map(Path, MORE):
            if path.suffix in RECORDINGS or is_recording(path):
                check_real_recording(browser, path, Path(folder))
        if ONLY:
            return finish(browser)
        check_album(browser, Path(folder))
        check_recording(browser, Path(folder))
        check_goldens(browser, Path(folder))
        check_hostile(browser, Path(folder))
        finish(browser)


def finish(browser):
    browser.close()
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
