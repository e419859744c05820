#!/usr/bin/env bats
# info.bats - what is in a model file.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

@test "info tells sizes, network, text and training" {
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

@test "--merges writes the codes of one side, and nothing else" {
    run -0 --separate-stderr attn info --merges model
    [ -z "$stderr" ]
    [ "${lines[0]}" = "#version: 0.1" ]
    attn info --merges --side source model > source.codes
    diff <(echo "$output") source.codes
    attn info --merges --side target model > target.codes
    run -1 cmp -s source.codes target.codes
    run -1 grep -vE '^(#version: 0.1|[^ ]+ [^ ]+)$' source.codes target.codes
}

@test "merges of a model that has none are an error" {
    attn train "$PAIRS" --tokens char --steps 1 --hidden 4 --embedding 4 --quiet --no-holdout -o characters
    fails "characters: has no merges: its tokens are whole words or characters (attn train --tokens bpe learns some)" \
        attn info --merges characters
    [ -z "$output" ]
    refuses "--merges writes a file of its own form; --json and --tensors don't go with it" \
        attn info --merges --json model
    refuses "--side is for --merges" attn info --side source model
}

@test "what is no model is one clear error" {
    fails "nothing: cannot be opened: No such file or directory" attn info nothing
    [[ ${stderr_lines[1]} == *"attn train CORPUS"* ]]
    head -c 1000 model > short
    run -1 --separate-stderr attn info short
    [[ $stderr == "attn: error: short: is truncated"* ]]
    run -1 --separate-stderr attn info "$PAIRS"
    [[ $stderr == "attn: error: $PAIRS: is not a safetensors file"* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "control characters of a foreign file do not reach the terminal" {
    cp "$PAIRS" $'pairs\e[2J\u9b.tsv'
    attn train $'pairs\e[2J\u9b.tsv' --steps 1 --hidden 4 --embedding 4 --quiet --no-holdout -o foreign
    run -0 attn info foreign
    grep -qE '^ *corpus +pairs\?\[2J\?\.tsv$' <<< "$output"
    run -1 grep $'\e' <<< "$output"
    fails "no?[2Jsuch: cannot be opened: No such file or directory" attn info $'no\e[2Jsuch'
    refuses "'?[2J' is not a command" attn $'\e[2J'
}

@test "more than one model is refused" {
    refuses "one model at a time: 'b' is one too many" attn info a b
}
