#!/usr/bin/env bash
# Rewrites the expected files of the golden tests with what the command prints now. Review the diff before
# committing it. Further arguments go to ctest, e.g. scripts/approve.sh -R unknown_predicate
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh training test
make build
cmake --build --preset release --target neumann_published
NEUMANN_APPROVE=1 ctest --preset release -L golden "$@"
git status --short -- tests/golden
