#!/usr/bin/env bash
# Installs the Debian packages that are missing; does nothing, and needs no network, when none are.
#   scripts/setup.sh SET…    what building the command needs, and further sets:
#       training      LibTorch, half a gigabyte: what trains networks (only if NEUMANN_TRAINING=ON)
#       test          what tests use; a browser looks at the pages that explain --html writes
#       python        what the Python package is built from and tested with
#       bench         what benchmarks compare with
#       experiments   what draws the results of experiments
#       site          what makes pages of the documentation
#       package       what makes Debian packages and the tarball
#       page          what the page in the browser is built from and tested with
#       fuzz, format  clang and its tools
set -euo pipefail

packages=(
    make g++ cmake ninja-build ccache python3                       # tools
    libcli11-dev nlohmann-json3-dev libfmt-dev libxxhash-dev        # libraries
    libxsimd-dev libsimdjson-dev zlib1g-dev libpng-dev libjpeg-dev libedit-dev
    libcpp-httplib-dev pkg-config
)
for set in "$@"; do
    case $set in
        # Without OpenBLAS it is 47 times slower.
        training) [ "${NEUMANN_TRAINING:-OFF}" != ON ] || packages+=(libtorch-dev libopenblas0-pthread) ;;
        test) packages+=(libgtest-dev git chromium chromium-driver gringo python3-markdown python3-yaml doxygen) ;;
        python) packages+=(python3-dev pybind11-dev python3-pybind11 python3-pip python3-venv
                           python3-numpy python3-torch python3-pandas python3-pytest python3-nbclient python3-ipykernel python3-matplotlib mypy) ;;
        bench) packages+=(gringo) ;;
        experiments) packages+=(python3-matplotlib git gringo) ;;
        package) packages+=(dpkg-dev file patchelf) ;;
        site) packages+=(python3-markdown git doxygen) ;;
        page) packages+=(emscripten nodejs libjs-codemirror chromium chromium-driver) ;;
        fuzz) packages+=(clang libclang-rt-14-dev) ;;
        format) packages+=(clang-format clang-tidy git) ;;
        *) echo "setup.sh: unknown set of packages '$set' (known: training, test, python, bench, experiments, site, package, page, fuzz, format)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup.sh: not a Debian system; nothing installed. Needed: ${packages[*]}" >&2
    exit 0
fi

# dpkg-query exits with 1 when it does not know one of the names: that is an answer, not a failure.
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: neither root nor sudo; ask an administrator for: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "setup.sh: installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"; }
apt update -q
apt install -qy --no-install-recommends "${missing[@]}"
