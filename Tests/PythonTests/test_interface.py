"""The C interface, from C: the header, the library and isobath.pc of the wheel."""

import shutil
import subprocess

import pytest

from conftest import IMAGES, ROOT, installed

NEEDED = ["cc", "pkg-config"]


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason=f"needs {' and '.join(NEEDED)}")
@pytest.mark.parametrize("language", [["-std=c11"], ["-x", "c++", "-std=c++11", "-fsyntax-only"]])
def test_c_programs_can_use_it(language, tmp_path):
    (settings,) = installed("lib/pkgconfig", "isobath.pc")
    command = ["pkg-config", "--cflags", "--libs", str(settings)]
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
    made = ["-D_POSIX_C_SOURCE=200809L", "-o", str(program), str(source), *flags, "-lm", "-lpthread"]
    subprocess.run([*common, *made], check=True)
    run = subprocess.run([str(program), str(IMAGES), str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
