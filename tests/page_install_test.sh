#!/usr/bin/env bash
# The page as it is installed: the command finds it where it is put, and serves it.
#   page_install_test.sh BUILD
set -euo pipefail
build=$1

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cmake --install "$build" --component command --prefix "$folder/installed" >"$folder/log"
diff -r "$build/page" "$folder/installed/share/neumann/page"

"$folder/installed/bin/neumann" page >"$folder/address" &
server=$!
for _ in {1..100}; do
    [ -s "$folder/address" ] && break
    sleep 0.1
done
python3 - "$(cat "$folder/address")" "$build/page" <<'CHECK'
import pathlib
import sys
import urllib.parse
import urllib.request

address, page = urllib.parse.urlsplit(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in ("style.css", "js/main.js", "neumann.wasm", "examples.json"):
    served = urllib.request.urlopen(f"http://{address.netloc}/{name}", timeout=60).read()
    assert served == (page / name).read_bytes(), name
assert b"neumann-token" in urllib.request.urlopen(sys.argv[1], timeout=60).read()
CHECK
echo "the installed command serves the page that was installed with it"
