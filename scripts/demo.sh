#!/usr/bin/env bash
# A short tour of the command on bundled programs. `make demo` builds it first.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

step() {
    printf '\n== %s\n$ %s\n' "$1" "neumann ${*:2}"
    build/neumann "${@:2}" 2>&1
}

step "Is the program well formed?" check examples/03_family.nm
step "How large does it become?" ground examples/03_family.nm
step "How probable is what it asks? Step by step, and what the answer hangs on" \
    reason examples/03_family.nm --query 'resembles(dan,ada)' --history --gradients inputs,weights
step "The same as a picture, atoms across and steps down" \
    reason examples/02_graph.nm --steps 5 --query 'edge(X,Y)' 'cyclic(X)' --top 3 --history-picture build/history.svg
echo "drawn: build/history.svg"
step "Its forward reasoning graph, for Graphviz" graph examples/03_family.nm -o "$folder/family.dot"
dot -Tsvg "$folder/family.dot" -o build/family.svg && echo "drawn: build/family.svg"

sed 's/parent(X, Y)/parnet(X, Y)/' examples/03_family.nm > "$folder/mistyped.nm"
step "A typing mistake (this one is meant to fail)" check "$folder/mistyped.nm" || true

step "Questions about scenes nobody was shown: which colour is the 2nd after deleting the gray one, …" \
    reason examples/behind_the_scenes/all.nm --examples examples/behind_the_scenes/questions.jsonl
step "Why is that the answer? What was seen, what follows from it, and in words" \
    explain examples/behind_the_scenes/all.nm --examples examples/behind_the_scenes/questions.jsonl --example 0 --html build/why.html
if [ -e build/libneumann_perception.so ]; then
    step "The same from pixels: a scene that was drawn just now, …" \
        generate behind-the-scenes -n 1 --seed 3 --split test --images -o "$folder/row"
    picture=$(ls "$folder"/row/test/images/*.png | head -1)
    cp "$picture" build/row.png
    step "… the objects that a network sees in it, …" perceive build/row.png --annotate build/seen.svg
    echo "drawn: build/row.png and build/seen.svg"
    step "… a question about what is not in the picture: the 2nd colour, once the row is sorted, …" \
        reason examples/behind_the_scenes/questions.nm --images build/row.png --ask 'query2(q,q_sort,2nd)' --query 'answer(C)'
    step "… and all questions that came with the scene, with their answers" \
        reason examples/behind_the_scenes/questions.nm --images "$folder/row/test" --top 1
fi
step "Scenes of our own, to learn from and to look at" generate clevr-hans -n 3 --split test --images --size 240x160 -o "$folder/hans"
step "… one of them, drawn larger" scene show "$folder/hans/test/scenes.json" -n 2 -o build/scene.png
step "Questions about scenes: all that could be said, as the paper counts" \
    ground examples/behind_the_scenes/all.nm --mode full | grep -E '^(==|\$|[0-9,]+ terms|graph )'
step "… and what the questions need" ground examples/behind_the_scenes/all.nm | grep -E '^(==|\$|[0-9,]+ terms|graph )'
step "Saved, it loads in milliseconds" graph examples/behind_the_scenes/all.nm -o "$folder/all.nmg"
step "… and is a program like any other" ground "$folder/all.nmg" | grep -E '^(==|\$|[0-9,]+ terms|graph )'
