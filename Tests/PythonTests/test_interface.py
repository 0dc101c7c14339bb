"""The C interface, from C."""

import os
import shutil
import subprocess

import pytest

from conftest import IMAGES, ROOT

LIBRARY = ROOT / ".build/wheel/library"


@pytest.mark.skipif(
    not (shutil.which("cc") and LIBRARY.exists()), reason="no C compiler, or no library but the wheel's"
)
@pytest.mark.parametrize("language", [["-std=c11"], ["-x", "c++", "-std=c++11", "-fsyntax-only"]])
def test_c_programs_can_use_it(language, tmp_path):
    text = (LIBRARY / "lib/pkgconfig/isobath.pc").read_text()
    assert f"prefix={LIBRARY}" in text and "-lisobath" in text
    flags = [f"-I{LIBRARY}/include", f"-L{LIBRARY}/lib", "-lisobath"]
    if shutil.which("pkg-config"):
        command = ["pkg-config", "--cflags", "--libs", str(LIBRARY / "lib/pkgconfig/isobath.pc")]
        flags = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    source = ROOT / "Tests/PythonTests/interface.c"
    if "c++" in language:
        (tmp_path / "header.h").write_text("#include <isobath.h>\n")
        source = tmp_path / "header.h"
    common = ["cc", *language, "-O1", "-Wall", "-Wextra", "-Werror"]
    if "c++" in language:
        subprocess.run([*common, str(source), *flags[:1]], check=True)
        return
    program = tmp_path / "interface"
    subprocess.run(
        [*common, "-D_POSIX_C_SOURCE=200809L", "-o", str(program), str(source), *flags, "-lm", "-lpthread"], check=True
    )
    environment = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY / "lib")}
    run = subprocess.run([str(program), str(IMAGES)], capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stderr
