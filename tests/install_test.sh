#!/usr/bin/env bash
# The library as its users meet it: installed, found by find_package, linked by the examples, whose output is compared
# with what they are expected to print. CXX, CXXFLAGS and CMAKE_GENERATOR are those of the build.
#   install_test.sh BUILD EXAMPLES
set -euo pipefail
build=$1 examples=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/installed"

# Each public header compiles alone, without warnings.
for header in "$folder"/installed/include/neumann/*.h; do
    "$CXX" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$folder/installed/include" -include "$header" -x c++ /dev/null
done

cmake -S "$examples" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/installed"
cmake --build "$folder/build"
for expected in "$examples"/*.expected; do
    example=$(basename "$expected" .expected)
    "$folder/build/$example" | diff -u "$expected" -
    echo "$example prints what it should"
done
