"""NumPy, imported when the first array is made: `info` and the command work without it."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError("arrays need NumPy: pip install 'isobath-depth[arrays]'") from error
    return getattr(numpy, name)
