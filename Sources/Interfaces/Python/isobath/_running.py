"""The verbs of the command, as a function."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from ._errors import Error, error_of
from ._files import installed

Verb: TypeAlias = Literal[
    "info", "extract", "composite", "blur", "cloud", "embed", "convert", "view", "animate", "follow", "detect"
]
_Word: TypeAlias = "str | int | float | os.PathLike[str]"
Value: TypeAlias = "_Word | bool | None | tuple[_Word, ...] | list[_Word | tuple[_Word, ...]]"


def run(
    verb: Verb, *inputs: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, **flags: Value
) -> list[dict[str, Any]]:
    """Runs a verb of the command on files, in a separate process, and returns what it prints with `--json`: for most
    verbs one record for each input.

        isobath.run("embed", "edited.jpg", depth="portrait.heic", output="with-depth.jpg")
        isobath.run("view", "portrait.heic", output="portrait.html")

    Args:
        verb: As on the command line; `isobath help VERB` has its flags.
        inputs: Files, recordings, or folders where the verb takes them.
        output: A file, or a folder with a slash at its end.
        flags: The flags without their dashes: `near=0.5`, `fill_holes=True`, `focus=(0.3, 0.5)`. True sets a flag
            without a value; False and None omit it. A list repeats the flag.

    Raises:
        ValueError: The verb, a flag or a value does not exist, or has no effect on the input.
        Error: An input could not be used, or an output not written: the first error, of the class that `isobath.open`
            raises. `records` of the error has what was printed for all inputs.
    """
    if output == "-" or "-" in inputs:
        raise ValueError("standard input and output are not passed on; name files")
    words = [installed("bin", "isobath"), verb, *_flags(flags), "--json"]
    if output is not None:
        words += ["-o", os.fspath(output)]
    words += ["--", *(os.fspath(path) for path in inputs)]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 64:
        raise ValueError(message.removeprefix("isobath: error: "))
    records = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0:
        raise _failure(records, message)
    return records


def _flags(flags: dict[str, Value]) -> Iterator[str]:
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            yield flag
        elif value is not None and value is not False:
            for item in value if isinstance(value, list) else [value]:
                words = item if isinstance(item, tuple) else (item,)
                yield f"{flag}={','.join(map(_text, words))}"


def _text(word: _Word) -> str:
    return os.fspath(word) if isinstance(word, os.PathLike) else str(word)


def _failure(records: list[dict[str, Any]], message: str) -> Error:
    failed = next((record for record in records if record.get("errors")), None)
    if failed is None:
        failure = Error(message.removeprefix("isobath: ") or "the command ended without a message")
    else:
        error, path = failed["errors"][0], failed.get("path", failed.get("input"))
        failure = error_of(error["code"])(error["message"], error["code"], error["where"], error["offset"], path)
    failure.records = records
    return failure
