#!/usr/bin/env bash
# clang-tidy on what changed; the whole tree takes most of an hour.
#   scripts/tidy.sh             files that differ from main, or where nothing does those of the last commit; 20 at most
#   scripts/tidy.sh REVISION    files that differ from REVISION; all of them
#   scripts/tidy.sh all         every file
set -euo pipefail
cd "$(dirname "$0")/.."

most=20
since=${1:-}
if [ -z "$since" ]; then
    since=$(git merge-base HEAD main 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || true)
    [ -n "$since" ] && ! git diff --quiet "$since" -- || since=HEAD~1
else
    most=100000
fi

if [ "$since" = all ]; then
    mapfile -t changed < <(git ls-files -- 'src/*.cpp' 'app/*.cpp' 'tests/*.cpp' 'bench/*.cpp')
else
    git rev-parse --verify -q "$since^{commit}" >/dev/null || { echo "tidy.sh: no revision '$since' here; nothing checked" >&2; exit 0; }
    # A header is looked at through the source that it belongs to.
    mapfile -t changed < <(git diff --name-only --diff-filter=d "$since" -- '*.cpp' '*.h' | sed 's/\.h$/.cpp/' | sort -u)
fi

cmake --preset dev -DNEUMANN_UNITY=OFF >/dev/null
files=()
for file in "${changed[@]}"; do
    grep -qF "\"file\": \"$PWD/$file\"" build-dev/compile_commands.json && files+=("$file")
done
echo "tidy.sh: ${#files[@]} files since $since, of which $((${#files[@]} < most ? ${#files[@]} : most)) are checked"
[ ${#files[@]} -gt 0 ] || exit 0
printf '%s\0' "${files[@]:0:most}" | xargs -0 -n 1 -P 2 clang-tidy -p build-dev --quiet --warnings-as-errors='*'
