"""Paths: of files that the distribution installs outside of the package, and for the library."""

from __future__ import annotations

import importlib.metadata
import os
from typing import Any

DISTRIBUTION = "isobath-depth"


def installed(folder: str, name: str) -> str:
    """The path of an installed file, such as ("bin", "isobath"). Raises ImportError if it is missing.

    Where files go depends on how the distribution was installed: into an environment, for a user, or into any folder.
    """
    candidates = []
    try:
        for file in importlib.metadata.files(DISTRIBUTION) or []:
            if file.name == name:
                candidates.append(os.path.realpath(str(file.locate())))
    except importlib.metadata.PackageNotFoundError:
        pass
    # `pip install --target` moves files after it has recorded where they are.
    package = os.path.dirname(os.path.abspath(__file__))
    candidates.append(os.path.join(os.path.dirname(package), folder, name))
    for path in candidates:
        if path.endswith(f"/{folder}/{name}") and os.path.isfile(path):
            return path
    raise ImportError(f"{folder}/{name} of {DISTRIBUTION} is missing; install the distribution again")


def encoded(path: Any) -> bytes:
    """A path for the library."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("a path must not contain zero bytes")
    return encoded
