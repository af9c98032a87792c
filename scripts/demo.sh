#!/usr/bin/env bash
# A short tour: check a program, ground it, draw its graph. `make demo` builds the command first.
set -euo pipefail
cd "$(dirname "$0")/.."

program=examples/03_family.nm
picture=$(mktemp --suffix=.dot)
trap 'rm -f "$picture"' EXIT

step() {
    printf '\n== %s\n$ %s\n' "$1" "${*:2}"
    "${@:2}"
}

step "Is the program well formed?" build/neumann check "$program"
step "How large does it become?" build/neumann ground "$program"
step "What does its graph look like?" build/neumann graph "$program" -o "$picture"
head -n 12 "$picture"
