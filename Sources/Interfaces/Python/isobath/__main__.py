"""`python -m isobath` runs the command of the same name."""

from __future__ import annotations

import os
import sys

from ._files import installed


def main() -> None:
    try:
        command = installed("bin", "isobath")
    except ImportError as error:
        sys.exit(f"python -m isobath: {error}")
    os.execv(command, ["isobath", *sys.argv[1:]])


if __name__ == "__main__":
    main()
