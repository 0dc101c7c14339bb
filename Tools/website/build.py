"""Makes a site of DocC's output: a root page, pages of repository files, and links between them. See Tools/site."""

import html
import json
import os
import re
import shutil
import string
import sys
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag

from markdown_it import MarkdownIt

SITE, BASE, REPOSITORY = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CATALOG = "Sources/Interfaces/Isobath/Documentation.docc"
DATA = SITE / "data/documentation/isobath"

# Every article is in one of these; each line of the root page is its title and its abstract.
GROUPS = {
    "Start here": ["Install", "DepthInTenMinutes", "PhonesAndFormats", "NumbersMean"],
    "Make something": ["CutoutsAndBackgrounds", "CloudsInViewers", "RecordingsAndPipes", "MattesInEditors", "Pages"],
    "Look it up": ["CommandLine", "Formats", "Recordings", "Transcoding", "Networks", "UntrustedInput"],
    "Write programs": ["GettingStarted", "Examples", "Python", "Batches", "Workers"],
    "Behind it": ["Architecture", "Dependencies", "Scale", "Scaling"],
}
PICTURES = {".jpg", ".jpeg", ".png", ".svg"}


def slug(heading):
    """The anchor that GitHub gives a heading, which links in our Markdown use."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def nodes(value):
    """All objects in a JSON document."""
    if isinstance(value, dict):
        yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from nodes(child)


class Articles:
    """What DocC made of the Markdown files in its catalog."""

    def __init__(self):
        self.documents = {}
        for file in sorted((ROOT / CATALOG).glob("*.md")):
            path = DATA.with_suffix(".json") if file.stem == "Isobath" else DATA / f"{file.stem.lower()}.json"
            self.documents[file.stem] = json.loads(path.read_text())

    def url(self, name, fragment):
        page = "documentation/isobath/" if name == "Isobath" else f"documentation/isobath/{name.lower()}/"
        if not fragment:
            return page
        for node in nodes(self.documents[name]):
            if node.get("type") == "heading" and slug(node["text"]) == fragment:
                return f"{page}#{node['anchor']}"
        sys.exit(f"{name}.md has no heading #{fragment}")

    def summary(self, name):
        document = self.documents[name]
        parts = document["abstract"]
        if any(part["type"] == "reference" for part in parts):
            sys.exit(f"{name}.md: DocC omits links in the first paragraph of an article")
        return document["metadata"]["title"], "".join(part.get("text", part.get("code", "")) for part in parts)


class Files:
    """Pages of files in the repository that other pages link to."""

    def __init__(self, articles):
        self.articles = articles
        self.wanted, self.done = [], set()

    def url(self, link, source):
        """The path in the site of what a file of the repository links to."""
        path, fragment = urldefrag(link)
        if not path:
            path = Path(source)
        else:
            path = Path(os.path.normpath(Path(source).parent / unquote(path)))
            if (ROOT / path).is_dir() and (ROOT / path / "README.md").exists():
                path /= "README.md"
        if not (ROOT / path).is_file():
            sys.exit(f"{source}: {link} is not a file of the repository")
        if path.suffix == ".md" and str(path.parent) == CATALOG:
            return self.articles.url(path.stem, fragment)
        if path not in self.done:
            self.done.add(path)
            self.wanted.append(path)
        return quote(str(self.page(path))) + (f"#{fragment}" if fragment else "")

    @staticmethod
    def page(path):
        if path.suffix in PICTURES:
            return "repository" / path
        return ("repository" / path).with_name((path.stem if path.suffix == ".md" else path.name) + ".html")

    def write(self):
        while self.wanted:
            path = self.wanted.pop()
            target = SITE / self.page(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in PICTURES:
                shutil.copy(ROOT / path, target)
                continue
            text = (ROOT / path).read_text()
            if path.suffix == ".md":
                content = self.markdown(text, path)
            else:
                content = f"<h1>{path}</h1><pre>{html.escape(text)}</pre>"
            target.write_text(template("page.html", title=html.escape(str(path)), base=BASE, content=content))

    def markdown(self, text, path):
        parser = MarkdownIt("commonmark", {"html": True}).enable("table")
        tokens, seen = parser.parse(text), {}
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                heading = tokens[index + 1].children or []
                anchor = slug("".join(part.content for part in heading if part.type in ("text", "code_inline")))
                seen[anchor] = seen.get(anchor, 0) + 1
                token.attrSet("id", anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor] - 1}")
            for part in token.children or []:
                for name in ("href", "src"):
                    link = part.attrGet(name)
                    if link and not re.match(r"[a-z]+:", link):
                        part.attrSet(name, link if link.startswith("#") else BASE + self.url(link, path))
        rendered = parser.renderer.render(tokens, parser.options, {})
        return rendered.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def template(name, **values):
    return string.Template((HERE / name).read_text()).substitute(values)


def mend_links(articles, files):
    """Links of articles to files of the repository, which DocC writes as they are in Markdown."""
    names = {file.stem.lower(): file.stem for file in (ROOT / CATALOG).glob("*.md")}
    for file in sorted(SITE.glob("data/documentation/**/*.json")):
        document = json.loads(file.read_text())
        links = [reference for reference in document.get("references", {}).values()
                 if reference.get("type") == "link" and not re.match(r"[a-z]+:", reference["url"])]
        if not links:
            continue
        name = names.get(file.stem)
        if not name or file.parent not in (DATA, DATA.parent):
            sys.exit(f"{file}: only articles may link to files: {links[0]['url']}")
        for link in links:
            url = files.url(link["url"], f"{CATALOG}/{name}.md")
            # DocC's pages add the base to the paths of other such pages only.
            link["url"] = "/" + url if url.startswith("documentation/") else BASE + url
        file.write_text(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


def add_header():
    """A line at the top of DocC's pages that leads back to the root page."""
    header = template("header.html", base=BASE)
    body = '<body data-color-scheme="auto">'
    for page in SITE.glob("documentation/**/index.html"):
        page.write_text(page.read_text().replace(body, body + header, 1))


def write_root(articles, files):
    listed = [name for group in GROUPS.values() for name in group]
    if sorted([*listed, "Isobath"]) != sorted(articles.documents):
        different = ", ".join(sorted({*listed, "Isobath"} ^ set(articles.documents)))
        sys.exit(f"GROUPS in Tools/website/build.py does not match the articles: {different}")
    sections = []
    for group, names in GROUPS.items():
        items = []
        for name in names:
            title, abstract = map(html.escape, articles.summary(name))
            items.append(f'<li><a href="{articles.url(name, "")}">{title}</a> <span>{abstract}</span></li>')
        sections.append(f"<section><h2>{group}</h2><ul>{''.join(items)}</ul></section>")
    version = re.search(r'isobathVersion = "(.+)"', (ROOT / "Sources/Scenes/Scenes/Version.swift").read_text())[1]
    source = f'<a href="{html.escape(REPOSITORY)}">Source</a>' if REPOSITORY else ""
    links = {"readme": "README.md", "changelog": "CHANGELOG.md", "security": "SECURITY.md", "license": "LICENSE",
             "contributing": "CONTRIBUTING.md", "picture": "TestImages/Pictures/planes.jpg"}
    (SITE / "index.html").write_text(template(
        "index.html", version=version, sections="\n".join(sections), source=source,
        **{name: files.url(path, "README.md") for name, path in links.items()}))


def main():
    articles = Articles()
    files = Files(articles)
    mend_links(articles, files)
    write_root(articles, files)
    files.write()
    add_header()
    shutil.copy(HERE / "style.css", SITE / "style.css")
    # DocC's pages ask for it.
    (SITE / "theme-settings.json").write_text("{}\n")
    print(f"{SITE}: {len(list(SITE.rglob('*.html')))} pages, {len(files.done)} files of the repository")


main()
