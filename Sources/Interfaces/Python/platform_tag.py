"""Marks the wheel as containing machine code that any version of Python can load."""

import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformTag(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["pure_python"] = False
        # It needs the C library of the machine that builds it, or a newer one.
        build_data["tag"] = f"py3-none-manylinux_{platform.libc_ver()[1].replace('.', '_')}_x86_64"
