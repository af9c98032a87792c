#!/usr/bin/env bash
# Fuzzes every reader: scripts/fuzz.sh [SECONDS for each, default 30] [TARGET...]
# The corpus starts with fuzz/TARGET, which the repository keeps, and grows in build-fuzz/corpus from run to run; inputs
# that fail land in build-fuzz/findings. Each run has a new seed, which is printed; FUZZ_SEED=N repeats one.
#     scripts/fuzz.sh --keep    adds what covers more to fuzz/TARGET, minimised, files up to 4 KiB
set -euo pipefail
cd "$(dirname "$0")/.."

all_targets=(fuzz_program fuzz_interchange fuzz_graph_file fuzz_examples fuzz_tensor_file fuzz_picture fuzz_http_request
    fuzz_learning_task fuzz_table fuzz_resolution fuzz_evidence fuzz_conversation fuzz_journal fuzz_jpeg)
# Their seeds are programs and pictures that are elsewhere in the repository.
derived=" fuzz_program fuzz_interchange fuzz_graph_file fuzz_examples fuzz_tensor_file fuzz_picture fuzz_jpeg "

if [ "${1:-}" = --keep ]; then
    for target in "${all_targets[@]}"; do
        [[ $derived != *" $target "* ]] && [ -d "build-fuzz/corpus/$target" ] || continue
        kept=fuzz/${target#fuzz_}
        mkdir -p "$kept" "build-fuzz/kept/$target"
        "build-fuzz/$target" -merge=1 -max_len=4096 "build-fuzz/kept/$target" "$kept" "build-fuzz/corpus/$target"
        cp "build-fuzz/kept/$target"/* "$kept"/
    done
    exit
fi

seconds=${1:-30}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "fuzz.sh: SECONDS must be a positive number, not '$seconds'" >&2
    exit 2
fi

targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=("${all_targets[@]}")
seed=${FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
echo "fuzz.sh: FUZZ_SEED=$seed"

cmake --preset fuzz -DNEUMANN_UNITY="${UNITY:-ON}"
cmake --build --preset fuzz -j2

corpus=build-fuzz/corpus
findings=build-fuzz/findings
mkdir -p "$corpus"/{fuzz_program,fuzz_interchange,fuzz_graph_file,fuzz_examples} "$findings"
build-fuzz/make_seeds "$corpus"

# Seeds: small programs as they are, and, where the command is built, the graphs it saves for them.
while IFS= read -r -d '' program; do
    name=${program//\//_}
    cp "$program" "$corpus/fuzz_program/$name"
    cp "$program" "$corpus/fuzz_graph_file/$name"
    if [ -x build/neumann ]; then
        graph=$corpus/fuzz_graph_file/$name.nmg
        timeout 5 build/neumann graph "$program" -o "$graph" >/dev/null 2>&1 || rm -f "$graph"
        exact=$corpus/fuzz_graph_file/$name.exact.nmg
        timeout 5 build/neumann graph "$program" --semantics exact -o "$exact" >/dev/null 2>&1 || rm -f "$exact"
    fi
done < <(find examples tests/golden -name '*.nm' -size -64k -print0 2>/dev/null)
while IFS= read -r -d '' program; do
    cp "$program" "$corpus/fuzz_interchange/${program//\//_}"
done < <(find tests/golden/convert tests/clingo/programs -type f -name '*.*' -size -64k -print0)
find examples tests/golden -name '*.jsonl' -size -64k -exec cp {} "$corpus/fuzz_examples/" \;
for target in "${all_targets[@]}"; do
    kept=fuzz/${target#fuzz_}
    mkdir -p "$corpus/$target"
    [ ! -d "$kept" ] || cp "$kept"/* "$corpus/$target/"
done
find tests/golden examples -name '*.pl' -size -64k -exec cp {} "$corpus/fuzz_resolution/" \;
# Tasks of Popper and Aleph, their files one after the other.
mkdir -p "$corpus/fuzz_learning_task"
join_files() {
    local to=$1 between=""
    shift
    : >"$to"
    for file in "$@"; do
        printf '%s' "$between" >>"$to"
        cat "$file" >>"$to"
        between=$'\n----\n'
    done
}
for bias in tests/golden/learn/popper/*/bias.pl; do
    task=${bias%/bias.pl}
    [ -f "$task/bk.pl" ] || continue
    join_files "$corpus/fuzz_learning_task/popper_${task##*/}" "$task"/{bias,bk,exs}.pl
done
for background in tests/golden/learn/aleph/*.b; do
    task=${background%.b}
    files=("$background")
    for labels in "$task.f" "$task.n"; do [ ! -f "$labels" ] || files+=("$labels"); done
    join_files "$corpus/fuzz_learning_task/aleph_${task##*/}" "${files[@]}"
done
cp tests/golden/learn/aleph/*.pl "$corpus/fuzz_learning_task/"
find "$corpus/fuzz_graph_file" -name '*.nmg' -size +256k -delete

# Debian's clang comes without llvm-symbolizer; addr2line makes the stack traces readable.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allow_addr2line=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1:allow_addr2line=1}

status=0
for target in "${targets[@]}"; do
    echo "-- $target: $seconds s"
    dictionary=()
    [ -f "fuzz/${target#fuzz_}.dict" ] && dictionary=("-dict=fuzz/${target#fuzz_}.dict")
    "build-fuzz/$target" "${dictionary[@]}" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=262144 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix="$findings/$target-" "$corpus/$target" || status=1
done
if [ $status -ne 0 ]; then
    echo "fuzz.sh: found something; replay it with build-fuzz/TARGET FILE:" >&2
    ls -t "$findings" >&2
fi
exit $status
