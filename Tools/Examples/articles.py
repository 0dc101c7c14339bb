"""Writes the Swift code of the README and of all articles into Sources/Articles, as a program that runs it.

    articles.py TARGET

Each block becomes a function. The program runs those of a document one after the other, in the folder of its name in
the folder that the program is given; the names are printed. Blocks that open a network are compiled only, because they
need its file. Manifests are not part of the program: each becomes
TARGET/../Manifests/N/Package.swift. Code that extends Isobath uses names that the package keeps to itself: it must be
that of the tests of extending, which are compiled with the package.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOG = ROOT / "Sources/Interfaces/Isobath/Documentation.docc"
EXTENDING = ROOT / "Tests/Interfaces/CommandsTests/Extending"


def blocks():
    """(Document, number, code) of each block of Swift."""
    for document in [ROOT / "README.md", *sorted(CATALOG.glob("*.md"))]:
        for number, code in enumerate(re.findall(r"^```swift\n(.*?)^```", document.read_text(), re.S | re.M), 1):
            yield document.stem.lower(), number, code


def stripped(code):
    return "\n".join(line.strip() for line in code.strip().splitlines())


def main():
    target = pathlib.Path(sys.argv[1])
    tested = "\n".join(stripped(path.read_text()) for path in sorted(EXTENDING.glob("*.swift")))
    functions, calls = [], {}
    for document, number, code in blocks():
        name = f"{document}{number}"
        if "PackageDescription" in code:
            folder = target.parent.parent / "Manifests" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "Package.swift").write_text(code)
        elif "FrameEffect" in code:
            assert stripped(code) in tested, f"{name}: {EXTENDING} does not have this code:\n{code}"
        else:
            body = "".join(f"    {line}\n" for line in code.splitlines() if not line.startswith("import "))
            functions.append(f"func {name}() throws {{\n{body}}}\n")
            if "Network(" not in code:
                calls.setdefault(document, []).append(f"try {name}()\n")
    assert len(functions) > 12, f"{len(functions)} blocks were found"
    target.mkdir(parents=True, exist_ok=True)
    (target / "Articles.swift").write_text("import Isobath\n\n" + "\n".join(functions))
    program = "import Glibc\n\nlet folder = CommandLine.arguments[1]\n"
    for document, lines in calls.items():
        program += f'guard chdir("\\(folder)/{document}") == 0 else {{ exit(1) }}\n'
        program += "".join(lines) + f'print("{document} ended")\n'
    (target / "main.swift").write_text(program)
    print("\n".join(calls))


main()
