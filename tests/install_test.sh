#!/usr/bin/env bash
# The library as its users meet it: installed, found by find_package, linked by the examples, whose output is compared
# with what they are expected to print. CXX, CXXFLAGS and CMAKE_GENERATOR are those of the build.
#   install_test.sh BUILD EXAMPLES
set -euo pipefail
build=$1 examples=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/installed"
# The component with the published algorithms is for experiments alone.
if find "$folder/installed" -name 'libneumann_published*' | grep .; then exit 1; fi

# Each public header compiles alone, without warnings.
for header in "$folder"/installed/include/neumann/*.h; do
    "$CXX" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$folder/installed/include" -include "$header" -x c++ /dev/null
done

# As an archive and as a shared library.
for shared in OFF ON; do
    cmake -S "$examples" -B "$folder/build-$shared" -DCMAKE_PREFIX_PATH="$folder/installed" -DBUILD_SHARED_LIBS=$shared
    cmake --build "$folder/build-$shared"
    for expected in "$examples"/*.expected; do
        example=$(basename "$expected" .expected)
        "$folder/build-$shared/$example" | diff -u "$expected" -
        echo "$example prints what it should (shared: $shared)"
    done
done
# Not through a pipe: grep is done before ldd is, which then fails.
linked=$(ldd "$folder/build-ON/reason")
grep -q "$folder/installed/.*libneumann.so" <<<"$linked"

# Without CMake.
if command -v pkg-config >/dev/null; then
    libraries=$(dirname "$(find "$folder/installed" -name libneumann.so)")
    read -ra flags <<<"${CXXFLAGS:-} $(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs neumann)"
    "$CXX" "$examples/reason.cpp" "${flags[@]}" -o "$folder/by_hand"
    LD_LIBRARY_PATH=$libraries "$folder/by_hand" | diff -u "$examples/reason.expected" -
    echo "reason prints what it should (pkg-config)"
fi
