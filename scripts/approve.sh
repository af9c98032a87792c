#!/usr/bin/env bash
# Rewrites the expected files of the golden tests with what the command prints now. Review the diff before
# committing it. Further arguments go to ctest, e.g. scripts/approve.sh -R unknown_predicate
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh training test
[ -e build/CMakeCache.txt ] || make build  # a build that is there keeps its configuration
cmake --build --preset release -j2 --target command neumann_published
NEUMANN_APPROVE=1 ctest --preset release -L golden "$@"
git status --short -- tests/golden
