#!/usr/bin/env bash
# A short tour of the command on bundled programs; `make demo` builds what it needs first.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

step() {
    printf '\n== %s\n$ %s\n' "$1" "neumann ${*:2}"
    build/neumann "${@:2}" 2>&1
}

programs() {
    step "Is the program well formed?" check examples/03_family.nm
    step "How probable is what it asks? Step by step, and what the answer depends on" \
        reason examples/03_family.nm --query 'resembles(dan,ada)' --history --gradients inputs,weights
    step "Why is dan a descendant of ada?" explain examples/03_family.nm --atom 'ancestor(ada,dan)'

    sed '0,/parent(X, Y), parent/s//parnet(X, Y), parent/' examples/03_family.nm > "$folder/mistyped.nm"
    step "A typing mistake (this one is meant to fail)" check "$folder/mistyped.nm" || true

    step "Learning a rule from examples of who is whose grandparent, …" \
        learn examples/classic/grandparent.nm --train examples/classic/grandparent.train.jsonl \
        --test examples/classic/grandparent.test.jsonl --out "$folder/grandparent.nm"
    step "… a recursive one, from even and odd numbers, …" \
        learn examples/classic/even.nm --train examples/classic/even.train.jsonl --test examples/classic/even.test.jsonl
    step "… and using what was learned" reason "$folder/grandparent.nm" --examples examples/classic/grandparent.test.jsonl \
        --query 'grandparent(X,Y)' --top 2

    step "Questions about scenes nobody was shown: which colour is the 2nd after deleting the gray one, …" \
        reason examples/behind_the_scenes/all.nm --examples examples/behind_the_scenes/questions.jsonl
    step "Why is that the answer? What was seen, what follows from it, and in words" \
        explain examples/behind_the_scenes/all.nm --examples examples/behind_the_scenes/questions.jsonl --example 0 --html build/why.html
    step "How large that program is: 1.1 million ground clauses, as the paper counts, …" \
        ground examples/behind_the_scenes/all.nm --mode full | grep -E '^(==|\$|[0-9,]+ terms|graph )'
    step "… and what its questions need" ground examples/behind_the_scenes/all.nm | grep -E '^(==|\$|[0-9,]+ terms|graph )'
    step "Reasoning as a picture, atoms across and steps down" \
        reason examples/02_graph.nm --steps 5 --query 'edge(X,Y)' 'cyclic(X)' --top 3 --history-picture build/history.svg
    step "Scenes of our own, to learn from and to look at, …" \
        generate clevr-hans -n 3 --split test --images --size 240x160 -o "$folder/hans"
    step "… one of them, drawn larger" scene show "$folder/hans/test/scenes.json" -n 2 -o build/scene.png
    printf '\nTo look at: build/why.html build/history.svg build/scene.png\n'
}

images() {
    step "From pixels: a scene that was drawn just now, …" \
        generate behind-the-scenes -n 1 --seed 3 --split test --images -o "$folder/row"
    local images=("$folder"/row/test/images/*.png)
    cp "${images[0]}" build/row.png
    step "… the objects that a network sees in it, …" perceive build/row.png --annotate build/seen.svg
    step "… a question about what is not in the picture: the 2nd colour, once the row is sorted, …" \
        reason examples/behind_the_scenes/questions.nm --images build/row.png --ask 'query2(q,q_sort,2nd)' --query 'answer(C)'
    step "… and all questions that came with the scene, with their answers" \
        reason examples/behind_the_scenes/questions.nm --images "$folder/row/test" --top 1
    printf '\nTo look at: build/row.png build/seen.svg\n'
}

programs
images
