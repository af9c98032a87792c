#!/usr/bin/env bash
# The Debian packages and the tarball: made, listed, unpacked, and the command run from there. Skipped where they cannot
# be made.
#   package_test.sh BUILD EXAMPLES
set -euo pipefail
build=$1 examples=$2

for tool in cpack dpkg-deb dpkg-shlibdeps file; do
    command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$folder/packages" >"$folder/log" || { cat "$folder/log"; exit 1; }

contains() {  # PACKAGE PATTERN…
    local package list
    package=$(echo "$folder/packages/$1"_*.deb)
    list=$(dpkg-deb -c "$package")
    for pattern in "${@:2}"; do
        grep -qE "$pattern" <<<"$list" || { printf '%s has no %s:\n%s\n' "$package" "$pattern" "$list"; exit 1; }
    done
    dpkg-deb -x "$package" "$folder/unpacked"
    echo "$(basename "$package") has what it should"
}
contains neumann '/usr/bin/neumann$' '/usr/share/neumann/weights/.*\.safetensors$'
[ ! -e "$build/page/index.html" ] || contains neumann '/usr/share/neumann/page/index\.html$' '/usr/share/neumann/page/neumann\.wasm$'
contains libneumann-dev '/usr/include/neumann/neumann\.h$' 'libneumann\.a$' 'libneumann\.so( |$)' 'cmake/neumann/neumannConfig\.cmake$' 'pkgconfig/neumann\.pc$'
if [ -e "$build/libneumann_perception.so" ]; then
    contains neumann-training 'libneumann_perception\.so$'
    grep -q 'neumann (= .*libtorch' <<<"$(dpkg-deb -f "$folder"/packages/neumann-training_*.deb Depends)"
fi
grep -q libfmt <<<"$(dpkg-deb -f "$folder"/packages/neumann_*.deb Depends)"

"$folder/unpacked/usr/bin/neumann" reason "$examples/03_family.nm" >"$folder/unpacked.txt"
"$build/neumann" reason "$examples/03_family.nm" | diff -u - "$folder/unpacked.txt"
echo "the unpacked command reasons as the built one does"

command -v patchelf >/dev/null || { echo "no patchelf here: no tarball"; exit 0; }
tarball=$("$(dirname "$0")/../scripts/tarball.sh" "$build" "$folder/release")
tar -xzf "$tarball" -C "$folder/unpacked"
command=$(echo "$folder"/unpacked/neumann-*/bin/neumann)
env -i "$command" reason "$examples/03_family.nm" >"$folder/tarball.txt"
diff -u "$folder/unpacked.txt" "$folder/tarball.txt"
# Every library but those of the compilers is its own.
if ldd "$command" | grep -vE "$folder|linux-vdso|ld-linux|lib(c|m|stdc\+\+|gcc_s)\.so"; then exit 1; fi
python3 - "${tarball%.tar.gz}.spdx.json" <<'END'
import json, sys
bill = json.load(open(sys.argv[1]))
names = {one["fileName"] for one in bill["files"]}
assert "./bin/neumann" in names and any(name.startswith("./lib/libfmt.so") for name in names), sorted(names)
assert len({one["SPDXID"] for one in bill["packages"] + bill["files"]}) == len(bill["packages"]) + len(bill["files"])
END
echo "the command of the tarball reasons as the built one does, with libraries of its own"
