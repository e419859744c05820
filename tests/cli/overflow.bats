#!/usr/bin/env bats
# overflow.bats - models with finite weights that are too large to compute with: the results are no numbers.

load helper

# overflowing MODEL TENSOR COPY [COUNT] - a copy with a tensor that holds 3e38 everywhere, or in its first COUNT places.
overflowing() {
    local header begin end
    header=$(od -An -tu8 -N8 "$1" | tr -d ' ')
    read -r begin end < <(tail -c +9 "$1" | head -c "$header" | jq -r --arg name "$2" '.[$name].data_offsets | @tsv')
    [ -z "${4:-}" ] || end=$((begin + 4 * $4))
    head -c $((8 + header + begin)) "$1" > "$3"
    # shellcheck disable=SC2046
    printf '\xe6\xb1\x61\x7f%.0s' $(seq $(((end - begin) / 4))) >> "$3"
    tail -c +$((8 + header + end + 1)) "$1" >> "$3"
}

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/sound"
    overflowing "$BATS_FILE_TMPDIR/sound" encoder.embedding.weight "$BATS_FILE_TMPDIR/large"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$BATS_FILE_TMPDIR/large" "$BATS_FILE_TMPDIR/sound" .
}

no_number="computes of this line is no number: its weights are too large; train it again with a lower --learning-rate"

@test "translating is an error that names line and model, after the answers before it" {
    sources > text
    for options in "" "--beam 1" "--sample" "--json" "--json --alternatives 2" "--nbest 2" "--heatmap=a.svg" "-o out"; do
        # shellcheck disable=SC2086
        fails "text:1: what large $no_number" attn translate -m large $options text
        [ -z "$output" ]
    done
    [ ! -e out ] && [ ! -e a.svg ]
    { echo; sources; } > lines
    fails "lines:2: what large $no_number" attn translate -m large --json lines
    [ "${#lines[@]}" -eq 1 ]
    jq -e '.source == ""' <<< "$output"
    fails "$PAIRS:1: what large $no_number" attn translate -m large --score "$PAIRS"
    fails "text:1: what an ensemble $no_number" attn translate -m sound -m large text
}

@test "scoring is an error that names line and model, and leaves no file" {
    for options in "" --json --sentence-level "--save out"; do
        # shellcheck disable=SC2086
        fails "'I am calm.': what large $no_number" attn eval -m large $options "$PAIRS"
        [ -z "$output" ]
    done
    [ ! -e out ]
}

@test "a loss is an error, too, if its perplexity is no number" {
    overflowing sound readout.output.bias biased 1
    fails "'I am calm.': what biased $no_number" attn eval --quiet -m biased "$PAIRS"
}

@test "at the prompt it is a message, and the conversation goes on" {
    command -v script > /dev/null || skip "no script here"
    printf '%s\n' "Thank you." ":score Thank you. ||| Merci." ":beam 3" :quit |
        on_terminal "'$ATTN' translate -m large" > screen
    [ "$(grep -cx "what the model computes of this is no number: its weights are too large" screen)" -eq 2 ]
    grep -qx "beam 3, nbest 1" screen
}
