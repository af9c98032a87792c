#!/usr/bin/env bash
# Tries a release in bare Debian systems, as someone has them who never built it: the tarball in each, the Debian package
# in the one it was built for, wheels where Python's version fits. Needs root, debootstrap and a Debian mirror.
#   scripts/try_release.sh FOLDER [SUITE, default: bookworm trixie]…
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] && [ -d "$1" ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
release=$(cd "$1" && pwd)
suites=("${@:2}")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
[ "$(id -u)" -eq 0 ] || { echo "try_release.sh: chroot needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "try_release.sh: there is no debootstrap; apt-get install debootstrap" >&2; exit 1; }
built_for=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

folder=$(mktemp -d)
mounted=()
clean() {
    for mount in "${mounted[@]}"; do umount "$mount" || true; done
    rm -rf --one-file-system "$folder"
}
trap clean EXIT

in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# The program's answers, an explanation, and what the shipped networks see in an image that is drawn for it.
try_command() {
    local command=$1
    in_root "$command" --version
    in_root "$command" reason /try/03_family.nm >"$folder/answers"
    diff -u "$folder/expected" "$folder/answers"
    in_root "$command" explain /try/03_family.nm --atom 'ancestor(ada,dan)' | grep -q '^Proof'
    in_root "$command" generate behind-the-scenes -n 1 --seed 3 --split test --images -o /try/row >/dev/null 2>&1
    in_root bash -c "$command perceive /try/row/test/images/*.png" | grep -q .
    in_root rm -rf /try/row
}

tarball=$(echo "$release"/neumann-*-linux-*.tar.gz)
for suite in "${suites[@]}"; do
    echo "-- $suite"
    root=$folder/$suite
    debootstrap --variant=minbase "$suite" "$root" >"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
    mount -t proc proc "$root/proc"
    mounted+=("$root/proc")
    mkdir "$root/try"
    cp examples/03_family.nm "$root/try/"
    tar -xzf "$tarball" -C "$root/opt"
    in_root sh -c '/opt/neumann-*/bin/neumann reason /try/03_family.nm' >"$folder/expected"
    grep -q 'ancestor(ada,dan)' "$folder/expected"
    before=$(in_root dpkg-query -W | wc -l)
    try_command "$(cd "$root" && echo opt/neumann-*/bin/neumann | sed 's#^#/#')"
    echo "$suite: the tarball runs, $before packages in the system, none added"

    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    if [ "$suite" = "$built_for" ] && compgen -G "$release/neumann_*.deb" >/dev/null; then
        cp "$release"/neumann_*.deb "$root/try/"
        in_root sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends /try/neumann_*.deb' >"$folder/log" 2>&1 ||
            { tail -n 20 "$folder/log"; exit 1; }
        try_command /usr/bin/neumann
        echo "$suite: the Debian package runs, with $(($(in_root dpkg-query -W | wc -l) - before)) packages"
    fi

    compgen -G "$release/*.whl" >/dev/null || continue
    in_root sh -c 'apt-get update -q && apt-get install -y -q --no-install-recommends python3-venv ca-certificates' >"$folder/log" 2>&1 ||
        { tail -n 20 "$folder/log"; exit 1; }
    tag=$(in_root python3 -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
    for wheel in "$release"/*-"$tag"-*.whl "$release"/*-abi3-*.whl; do
        [ -e "$wheel" ] || continue
        # NumPy comes from this machine, with its settings of pip; the bare system needs neither.
        python3 -m pip download -q --no-deps --only-binary :all: --python-version "${tag#cp}" -d "$root/try/wheels" numpy
        cp "$wheel" "$root/try/wheels/"
        in_root sh -c 'python3 -m venv /try/venv && /try/venv/bin/pip install -q --no-index /try/wheels/*.whl'
        in_root /try/venv/bin/python -c 'import neumann
answers = neumann.Program(text="0.5::p. q :- p. :- query(q).").reason(semantics="exact")
assert answers[0]["q"] == 0.5, answers' ||
            { echo "$suite: the wheel does not run"; exit 1; }
        echo "$suite: $(basename "$wheel") runs with $(in_root python3 --version)"
    done
done
