# Functions that scripts share: packages of Debian and Ubuntu, Python environments, ONNX Runtime, the tool to run.
# shellcheck shell=bash
#
#   source "$root/Tools/shared.sh"

has() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# apt-cache succeeds for virtual packages, too, and prints nothing for them.
is_available() { [ -n "$(apt-cache show "$1" 2>/dev/null)" ]; }

# Prints those of these packages that are missing; names are those that install_packages takes.
missing_packages() {
    local names name found
    for names in "$@"; do
        found=
        for name in ${names//[|?]/ }; do
            if is_installed "$name"; then continue 2; fi
            if [ -z "$found" ] && is_available "$name"; then found=$name; fi
        done
        if [[ -n $found || $names != *'?' ]]; then echo "${found:-${names%%|*}}"; fi
    done
}

# Installs those of these packages that are missing, with sudo unless you are root. `A|B` is the first of them that apt
# knows. `A?` is skipped if apt does not know it.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if ! has apt-get; then
        echo "There is no apt-get. Install what these packages of Debian contain: ${missing[*]}" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ] && ! has sudo; then
        echo "There is no sudo. As root, run: apt-get install ${missing[*]}" >&2
        return 1
    fi
    as_root apt-get update -qq >&2 || return
    # apt may know more packages now.
    mapfile -t missing < <(missing_packages "$@")
    echo "Installing ${missing[*]}" >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# Installs Chromium for the Playwright in a virtual environment: the package of Debian, or, on Ubuntu, whose package is a snap that
# does not start in containers, the one that belongs to this version of Playwright.
install_chromium() {
    if has chromium; then return; fi
    if is_available chromium; then install_packages chromium fonts-dejavu-core
    else "$1/bin/playwright" install --with-deps chromium >&2; fi
}

# Whether a Python has exactly the versions that these files pin.
meets_requirements() {
    "$1" - "${@:2}" 2>/dev/null <<'END'
import importlib.metadata, sys
from pip._vendor.packaging.requirements import Requirement

for path in sys.argv[1:]:
    for line in open(path):
        if text := line.partition("#")[0].strip():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate():
                assert importlib.metadata.version(requirement.name) in requirement.specifier
END
}

# Makes a virtual environment unless it exists, and installs the packages that Tools/requirements/NAME.txt pins:
#
#   python_environment FOLDER NAME…
#
# PYTHON names the interpreter, by default python3.
python_environment() {
    local folder=$1 python=${PYTHON:-python3} requirements name files=() arguments=()
    requirements=$(cd "$(dirname "${BASH_SOURCE[0]}")/requirements" && pwd)
    if [ ! -x "$folder/bin/python" ]; then
        "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv || return
        "$python" -m venv "$folder" || return
    fi
    for name in "${@:2}"; do
        files+=("$requirements/$name.txt")
        arguments+=(-r "$requirements/$name.txt")
    done
    if [ "${#files[@]}" -gt 0 ] && ! meets_requirements "$folder/bin/python" "${files[@]}"; then
        echo "Installing the packages of ${files[*]##*/} (in Tools/requirements) into $folder" >&2
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${arguments[@]}" >&2
    fi
}

# Sets ISOBATH to the release of Tools/isobath, built if sources are newer, unless it names another executable.
find_tool() {
    [ -z "${ISOBATH:-}" ] || return 0
    local root
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    "$root/Tools/isobath" --version >/dev/null
    ISOBATH="$root/.build/release/isobath"
}

# Prints where `Tools/install --models` puts the version of ONNX Runtime that Tools/requirements/onnxruntime.txt pins.
onnxruntime_library() {
    local root
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    sed -n "s|^onnxruntime==|$root/.build/onnxruntime/libonnxruntime.so.|p" "$root/Tools/requirements/onnxruntime.txt"
}

# Makes isobath and tests load that ONNX Runtime if it is there, unless ISOBATH_ONNXRUNTIME names another.
use_onnxruntime() {
    local library
    library=$(onnxruntime_library)
    if [ -z "${ISOBATH_ONNXRUNTIME:-}" ] && [ -e "$library" ]; then export ISOBATH_ONNXRUNTIME="$library"; fi
}
