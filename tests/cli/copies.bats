#!/usr/bin/env bats
# copies.bats - what a translation carries over as it is, whatever the network has learned.

load helper

# The 14 pairs, and sentences whose names and numbers both sides have.
setup_file() {
    export MODEL=$BATS_FILE_TMPDIR/model
    local pairs=$BATS_FILE_TMPDIR/pairs.tsv
    cp "$PAIRS" "$pairs"
    for i in $(seq 11 24); do
        printf 'I am %d.\tJe suis %d.\nK%dva is here.\tK%dva est ici.\n' "$i" "$i" "$i" "$i"
    done >> "$pairs"
    PAIRS=$pairs learn_by_heart "$MODEL" --batch 42 --steps 150
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export ATTN_MODEL=$MODEL
}

# has_all LINE TEXT... - the translation of the line has each text once.
has_all() {
    local out text
    out=$(attn translate <<< "$1")
    for text in "${@:2}"; do
        [ "$(grep -oF -- "$text" <<< "$out" | wc -l)" -eq 1 ] || { echo "$1 -> $out: no $text" >&2; return 1; }
    done
}

@test "names, numbers, addresses and code that training never saw come back, each once" {
    has_all "Zorbax is here." Zorbax
    has_all "I am 241." 241
    has_all "Zorbax McYlly is here." Zorbax McYlly
    has_all "https://a.b/c_d?e=1 is here." "https://a.b/c_d?e=1"
    has_all "foo_bar() is here." "foo_bar()"
}

@test "what is known keeps its translation, in any case" {
    sources | attn translate | diff - <(targets)
    sources | tr '[:lower:]' '[:upper:]' | attn translate > out
    run -1 grep -q '[a-z]' out
}

@test "--no-placeholders and --no-truecase leave them out, --json and --nbest have the copied text" {
    echo "I am 241." | attn translate --json | jq -e '.translation | contains("241")'
    [ "$(echo "I am 241." | attn translate --nbest 3 | grep -c 241)" -ge 1 ]
    learn_by_heart plain --no-placeholders --no-truecase
    sources | attn translate -m plain | diff - <(targets)
}

@test "what the network leaves out is written behind the sentence, with one warning" {
    learn_by_heart untaught --copy-words 0
    printf 'I am 241, Zorbax, 17 and %%s, foo_bar() and %%d.\nThank you.\nI am 12345 and Quux.\n' > in
    attn translate -m untaught in > out 2> warning
    for text in 241 Zorbax 17 %s "foo_bar()" %d; do
        [ "$(grep -owF -- "$text" out | wc -l)" -eq 1 ]
    done
    grep -q "^attn: warning: in:1: left out by the network, and written behind the sentence: '.*' and [0-9] more (2 lines in all)$" warning
    [ "$(grep -c "left out" warning)" -eq 1 ]
}

@test "--truecase and --lowercase contradict each other" {
    refuses "--truecase learns the usual case of words, and --lowercase leaves none: choose one of them" \
        attn train --truecase --lowercase "$PAIRS"
}

@test "code with blanks that a translation lacks leaves a model that translates" {
    cd "$BATS_TEST_TMPDIR" || return
    { cat "$PAIRS"; printf 'type `do it` or {{ my name }} %s\tici {{ mon nom }} %s\n' 1 1 2 2 3 3; } > code.tsv
    attn train --quiet --steps 1 --no-holdout -o code code.tsv
    echo 'type `do it`' | run -0 --separate-stderr attn translate -m code
    run -0 attn info code
}
