#!/usr/bin/env bats
# info.bats - what is in a model file.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model" --no-shared-vocabulary
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

@test "info prints sizes, network, text and training" {
    run -0 --separate-stderr attn info model
    [ -z "$stderr" ]
    grep -qE '^model +model$' <<< "$output"
    grep -qE "^bytes +$(stat -c %s model | sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta')$" <<< "$output"
    grep -qE '^parameters +[0-9]+,[0-9]{3}$' <<< "$output"
    grep -qE '^  hidden +32$' <<< "$output"
    grep -qE '^  bidirectional +true$' <<< "$output"
    grep -qE '^  tokens +bpe$' <<< "$output"
    grep -qE '^    learning-rate +0.01$' <<< "$output"
    [[ $output != *weight_ih* ]]
}

@test "info without a model shows the default one" {
    ATTN_MODEL=model run -0 attn info
    [[ ${lines[0]} =~ ^model\ +model$ ]]
}

@test "--tensors lists every tensor with its shape" {
    run -0 attn info --tensors model
    grep -qE '^  encoder.rnn.weight_ih_l0 +\[96,32\]$' <<< "$output"
    grep -qE '^  readout.output.bias +\[[0-9]+\]$' <<< "$output"
}

@test "--json is one object with the same facts, and the shapes add up to the parameters" {
    attn info --json --tensors model > info.json
    [ "$(jq -r .model info.json)" = model ]
    [ "$(jq .network.hidden info.json)" = 32 ]
    [ "$(jq .bytes info.json)" = "$(stat -c %s model)" ]
    jq -e '([.tensors[] | reduce .[] as $n (1; . * $n)] | add) == .parameters' info.json
    jq -e '.tensors["encoder.embedding.weight"][0] == .source_vocabulary' info.json
    jq -e '.training.corpus == "pairs.tsv"' info.json
}

@test "a file that is no model is one clear error" {
    local hint="'attn train CORPUS' makes a model, -m FILE or ATTN_MODEL=FILE names another"
    fails "./nothing: cannot be opened: No such file or directory; $hint" attn info ./nothing
    head -c 1000 model > short
    run -1 --separate-stderr attn info short
    [[ $stderr == "attn: error: short: is truncated"* ]]
    run -1 --separate-stderr attn info "$PAIRS"
    [[ $stderr == "attn: error: $PAIRS: is not a safetensors file"* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "control characters of a foreign file, and what turns or hides its text, do not reach the terminal" {
    cp "$PAIRS" $'pairs\e[2J\u9b\u202e.tsv'
    attn train $'pairs\e[2J\u9b\u202e.tsv' --steps 1 --hidden 4 --embedding 4 --quiet --no-holdout -o foreign
    run -0 attn info foreign
    grep -qE '^ *corpus +pairs\?\[2J\?\?\.tsv$' <<< "$output"
    run -1 grep $'[\e\u202e]' <<< "$output"
    run -1 --separate-stderr attn info $'./no\e[2J\u2066such'
    [[ $stderr == "attn: error: ./no?[2J?such: cannot be opened: No such file or directory; "* ]]
    refuses "'?[2J' is not a command" attn $'\e[2J'
    ATTN_MODEL=$'\e[2J' run -0 attn help translate
    [[ $output == *"[?[2J]"* ]]
    attn info --json foreign | jq -e '.training.corpus == "pairs\u001b[2J\u009b\u202e.tsv"'
    run -1 grep $'[\e\u9b\u202e]' <(attn info --json foreign)
}

@test "a full disk is an error, and a closed pipe ends quietly" {
    for form in "" --json --tensors; do
        run --separate-stderr bash -c "'$ATTN' info $form model | true"
        [ -z "$stderr" ]
        [ -w /dev/full ] || continue
        run -1 --separate-stderr bash -c "'$ATTN' info $form model > /dev/full"
        [ "$stderr" = "attn: error: cannot write standard output: No space left on device" ]
    done
}

# crafted NAME SED - a copy of the model with its header changed by an expression; the length follows.
crafted() {
    local length
    length=$(od -An -t u8 -N 8 model)
    tail -c +9 model | head -c "$length" | sed -E "$2" > header
    cmp -s header <(tail -c +9 model | head -c "$length") && return 1
    length=$(stat -c %s header)
    { for shift in 0 8 16 24 32 40 48 56; do printf "\\x$(printf %02x $((length >> shift & 255)))"; done
      cat header
      tail -c +$((9 + $(od -An -t u8 -N 8 model))) model; } > "$1"
}

@test "a crafted model is one line of error, for info and for translate" {
    local bias='"bridge.bias":\{"dtype":"F32","shape":\[32\],"data_offsets":\[[0-9]+,[0-9]+\]'
    local start='"bridge.bias":{"dtype":"F32","shape":[32],"data_offsets":'
    crafted overlap "s/$bias/$start[0,128]/"
    crafted beyond "s/$bias/$start[1000000000,1000000128]/"
    crafted huge 's/"shape":\[32\]/"shape":[4294967296,4294967296,2]/'
    crafted type 's/"F32"/"I64"/'
    crafted deep "s/^\{/{\"deep\":$(printf '[%.0s' {1..2000}),/"
    crafted twice 's/"bridge\.bias"/"bridge.weight"/'
    crafted vocabulary 's/"<eos>\\"/&,\\"more\\"/'
    crafted words 's/8>\\"/&,\\"more\\"/4'
    crafted gigabytes 's/(hidden\\":)32/\116384/'
    { head -c -4 model; printf '\0\0\xc0\x7f'; } > nan
    while IFS=' ' read -r name message; do
        for command in info "translate -m"; do
            # shellcheck disable=SC2086
            run -1 --separate-stderr attn $command "$name" < /dev/null
            [[ $stderr == "attn: error: $name: "$message ]]
            [ "${#stderr_lines[@]}" -eq 1 ]
            [ -z "$output" ]
        done
    done << 'END'
overlap tensor "*": it begins at byte * of the data, not at *, where the one before ends
beyond tensor "bridge.bias": it ends at byte 1000000128 of the data, of which * are there: truncated\?
huge tensor "*": its shape is too large for any memory
type tensor "*": its type "I64" is not one of F32, I8, U8, F16, BF16
deep the header: line 1: not valid JSON
twice the key "bridge.weight" occurs twice
vocabulary metadata "source_tokenizer": pieces: entry 4 is not the placeholder '<number*'
words tensor "encoder.embedding.weight" has the shape *, not *
gigabytes tensor "encoder.rnn.weight_ih_l0" has the shape *, not \[49152, 32\]
nan tensor "readout.output.bias" holds a value that is not finite (nan, number *)
END
}

@test "more than one model is refused" {
    refuses "one model at a time: 'b' is one too many" attn info a b
}

@test "numbers have only significant digits, in text and JSON" {
    attn train "$PAIRS" --no-holdout --valid "$PAIRS" --quiet --hidden 8 --embedding 8 --steps 31 --batch 3 \
        --threads 1 --log-every 1 --validate-every 7 --schedule inverse-sqrt --warmup 7 -o odd --log log
    head -n 5 "$PAIRS" > some.tsv
    for command in "cat log" "attn info odd" "attn info --json odd" "attn eval -m odd --json some.tsv" \
        "attn eval -m odd some.tsv" "attn translate -m odd --score --json some.tsv" \
        "attn translate -m odd --nbest 2 --json --alternatives 2 some.tsv" \
        "attn train some.tsv --no-holdout --dry-run --quiet"; do
        $command > told
        [ -s told ]
        run -1 grep -E '\.0*[1-9][0-9]{6,}' told
    done
}
