#!/usr/bin/env bash
# Makes a tarball of the command that runs wherever it is unpacked: its libraries are in it, but for those of the C and
# C++ compilers. With it come a list of what is in it (SPDX) and the copyright notices of the libraries.
#   scripts/tarball.sh [BUILD, default build] [FOLDER, default BUILD/release]
set -euo pipefail
sources=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-build}" && pwd)
mkdir -p "${2:-$build/release}"
release=$(cd "${2:-$build/release}" && pwd)

for tool in patchelf strip ldd dpkg-query python3; do
    command -v "$tool" >/dev/null || { echo "tarball.sh: there is no $tool here; scripts/setup.sh package installs it" >&2; exit 1; }
done
[ -x "$build/neumann" ] || { echo "tarball.sh: there is no $build/neumann; run make build first" >&2; exit 1; }

version=$("$build/neumann" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
name=neumann-$version-linux-$(uname -m)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/$name

cmake --install "$build" --prefix "$root" --component command --strip >/dev/null
cp "$sources"/{LICENSE,README.md,CHANGELOG.md} "$root"/

# Libraries that every system with a C++ program has, and that must be the system's own.
system='^(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so'
mkdir -p "$root/lib"
while read -r library path; do
    [[ $library =~ $system ]] && continue
    cp -L "$path" "$root/lib/$library"
    chmod 644 "$root/lib/$library"
    patchelf --set-rpath "\$ORIGIN" "$root/lib/$library"
    # A path of a merged /usr: packages may know the file by either name.
    package=$( (dpkg-query -S "$path" "/usr$path" "$(readlink -f "$path")" 2>/dev/null || true) | sed -n '1s/:.*//p')
    [ -n "$package" ] || { echo "tarball.sh: no package has $path, so its licence is not known" >&2; exit 1; }
    printf '%s\t%s\t%s\n' "lib/$library" "$package" "$(dpkg-query -W -f='${source:Package}\t${source:Version}' "$package")"
    mkdir -p "$root/share/doc/neumann/licenses"
    cp "/usr/share/doc/$package/copyright" "$root/share/doc/neumann/licenses/$package"
done < <(ldd "$root/bin/neumann" | awk '$3 ~ /^\// {print $1, $3}' | sort) >"$folder/libraries.tsv"
patchelf --set-rpath "\$ORIGIN/../lib" "$root/bin/neumann"

python3 "$sources/scripts/spdx.py" "$root" "$folder/libraries.tsv" "$version" >"$release/$name.spdx.json"
cp "$release/$name.spdx.json" "$root/share/doc/neumann/neumann.spdx.json"

# The same bytes for the same contents.
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -cf - "$name" |
    gzip -n9 >"$release/$name.tar.gz"
echo "$release/$name.tar.gz"
