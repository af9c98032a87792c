#!/usr/bin/env bash
# clang-tidy, two files at a time.
#   scripts/tidy.sh             files that differ from main, or where nothing does those of the last commit; 20 at most
#   scripts/tidy.sh REVISION    files that differ from REVISION; all of them
#   scripts/tidy.sh library     src and app but the networks, in the batches that NEUMANN_UNITY compiles: a few minutes
#   scripts/tidy.sh tests       tests and benchmarks, file by file: a quarter of an hour
set -euo pipefail
cd "$(dirname "$0")/.."

# tidy BUILD_FOLDER FILES… -- OPTIONS…
tidy() {
    local folder=$1 files=()
    while shift && [ "$1" != -- ]; do files+=("$1"); done
    shift
    [ ${#files[@]} -eq 0 ] || printf '%s\0' "${files[@]}" |
        xargs -0 -n 1 -P 2 clang-tidy -p "$folder" --quiet --warnings-as-errors='*' "$@"
}

# Most of the time goes into headers of libraries, which clang-tidy looks at like anything else: ten sources that read them
# together take hardly longer than one.
if [ "${1:-}" = library ]; then
    cmake --preset dev -B build-tidy -DNEUMANN_UNITY=ON -DNEUMANN_TESTS=OFF >/dev/null
    # A source that is generated.
    cmake -DROOT="$PWD" -DVERSION=tidy -DOUTPUT="$PWD/build-tidy/src/published_version.cpp" -P src/learn/published/component.cmake
    mapfile -t batches < <(sed -n 's/.*"file": "\([^"]*\)".*/\1/p' build-tidy/compile_commands.json)
    echo "tidy.sh library: ${#batches[@]} batches"
    tidy build-tidy "${batches[@]}" -- --checks=-bugprone-suspicious-include
    exit
fi

most=20
since=${1:-}
if [ -z "$since" ]; then
    since=$(git merge-base HEAD main 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || true)
    [ -n "$since" ] && ! git diff --quiet "$since" -- || since=HEAD~1
else
    most=100000
fi

if [ "$since" = tests ]; then
    mapfile -t changed < <(git ls-files -- 'tests/*.cpp' 'bench/*.cpp')
else
    git rev-parse --verify -q "$since^{commit}" >/dev/null || { echo "tidy.sh: no revision '$since' here; nothing checked" >&2; exit 0; }
    # A header is looked at through the source that it belongs to.
    mapfile -t changed < <(git diff --name-only --diff-filter=d "$since" -- '*.cpp' '*.h' | sed 's/\.h$/.cpp/' | sort -u)
fi

cmake --preset dev -DNEUMANN_UNITY=OFF -DNEUMANN_BENCH=ON >/dev/null
files=()
for file in "${changed[@]}"; do
    grep -qF "\"file\": \"$PWD/$file\"" build-dev/compile_commands.json && files+=("$file")
done
echo "tidy.sh $since: ${#files[@]} files, of which $((${#files[@]} < most ? ${#files[@]} : most)) are checked"
tidy build-dev "${files[@]:0:most}" --
