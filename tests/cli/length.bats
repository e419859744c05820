#!/usr/bin/env bats
# length.bats - the exponent of the length that `attn train` finds, and what uses it.

load helper
load training

# Sentences that are longer than the network's translations of them, so that the exponent is above 1.
validation() {
    awk -F '\t' '!s[$1]++' "$ROOT/data/eng-fra.train.tsv" | head -"$1" > valid.tsv
}

short=(--steps 60 --learning-rate 0.01 --validate-every 60)

@test "a model keeps the exponent that makes translations of 500 validation sentences or more as long as their references" {
    validation 510
    learn --valid valid.tsv "${short[@]}" -o model 2> errors
    local exponent
    exponent=$(attn info --json model | jq .normalize)
    grep -q "^length      translations of the validation part have 0\.[0-9]* of the words of their references; so the model \
keeps --normalize $exponent" errors
    jq -ne "$exponent > 1 and $exponent <= 1.6"
    attn info model | grep -qx "normalize  *$exponent"
    head -50 valid.tsv | cut -f 1 > sources
    attn translate -q -m model --json sources | jq -c .score > kept
    attn translate -q -m model --json --normalize "$exponent" sources | jq -c .score > given
    cmp kept given
    attn translate -q -m model --json --normalize 1 sources | jq -c .score > usual
    run -1 cmp -s kept usual
    attn eval -m model --normalize "$exponent" valid.tsv > given
    attn eval -m model valid.tsv | cmp - given
}

@test "the exponent is below 1 where translations are longer than their references" {
    validation 510
    awk -F '\t' -v OFS='\t' '{ sub(/ .*/, "", $2); print }' valid.tsv > short.tsv
    learn -q --valid short.tsv "${short[@]}" -o model
    attn info --json model | jq -e '.normalize < 1 and .normalize >= 0.4'
}

@test "of fewer sentences nothing is concluded, and a search then has the exponent 1" {
    validation 499
    learn --valid valid.tsv "${short[@]}" -o model 2> errors
    run -1 grep '^length' errors
    attn info --json model | jq -e '.normalize == null'
    attn translate -q -m model --json <(sources) | jq -c .score > kept
    attn translate -q -m model --json --normalize 1 <(sources) | jq -c .score | cmp - kept
}

@test "another precision keeps the exponent, --init goes on with it, and models together have the mean" {
    validation 510
    learn -q --valid valid.tsv "${short[@]}" -o model
    learn -q "${short[@]}" -o plain
    local exponent
    exponent=$(attn info --json model | jq .normalize)
    attn convert -q -o small model
    attn info --json small | jq -e ".normalize == $exponent"
    attn train "$PAIRS" --no-holdout --threads 1 --epochs 1 --batch 5 --both-directions 0 -q --init model -o further
    attn info --json further | jq -e ".normalize == $exponent"
    attn translate -q -m model -m plain --json <(sources) | jq -c .score > kept
    attn translate -q -m model -m plain --json --normalize "$(jq -n "(1 + $exponent) / 2")" <(sources) | jq -c .score | cmp - kept
}
