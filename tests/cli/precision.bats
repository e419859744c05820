#!/usr/bin/env bats
# precision.bats - training and translating with products of rounded factors, where the CPU has them.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

small=(--no-holdout --hidden 32 --embedding 32 --vocabulary 150 --batch 14 --steps 100 --learning-rate 0.01 --dropout 0
    --dropout-embedding 0 --label-smoothing 0.1 --patience 0 --threads 1 --quiet)

# learn PRECISION - NAME.safetensors and NAME.log of that name.
learn() {
    attn train "$PAIRS" "${small[@]}" --precision "$1" -o "$1.safetensors" --log "$1.log" --log-every 1
}

last_loss() {
    jq -s 'map(select(.loss))[-1].loss' "$1.log"
}

@test "bf16 learns the same by heart as float, with losses of its own" {
    learn float
    learn bf16
    [ "$(last_loss float)" != "$(last_loss bf16)" ]
    sources | attn translate -m bf16.safetensors > bf16.out
    targets | diff - bf16.out
}

# refused PRECISION COMMAND... - whether the command refuses this precision, naming the kernels that lack it.
refused() {
    local kernels
    kernels=$(attn --version | sed -n '3s/ kernels$//p')
    refuses "--precision $1: the $kernels kernels have no such products; choose --precision float" "${@:2}" --precision "$1"
}

# loss_of OPTION... - the loss that `attn eval` finds for the model float.
loss_of() {
    attn eval -m float.safetensors --part all --quiet --json "$@" "$PAIRS" | jq .loss
}

# has_loss_of_its_scores LOSS FILE - whether that is the mean of what --score wrote to FILE, each rounded to four digits.
has_loss_of_its_scores() {
    local tokens
    tokens=$(attn eval -m float.safetensors --part all --quiet --json "$PAIRS" | jq .reference_tokens)
    awk -v tokens="$tokens" -v loss="$1" '
        { sum -= $1; error += 0.00005 }
        END { difference = sum - tokens * loss; exit !(difference <= error && difference >= -error) }' "$2"
}

# translates PRECISION - whether it translates what float does, with scores of its own that don't depend
# on batches and threads, or says what it needs.
translates() {
    learn float
    if ! sources | attn translate -m float.safetensors --precision "$1" > rounded.out 2> /dev/null; then
        refused "$1" attn translate -m float.safetensors
        refused "$1" attn eval -m float.safetensors "$PAIRS"
        skip "no $1 here"
    fi
    targets | diff - rounded.out
    attn translate -m float.safetensors --score "$PAIRS" > exact
    attn translate -m float.safetensors --score --precision "$1" "$PAIRS" > rounded
    run -1 cmp -s exact rounded
    attn translate -m float.safetensors --score --precision "$1" --batch 1 --threads 3 "$PAIRS" | cmp - rounded
    attn eval -m float.safetensors --precision "$1" --part all --quiet "$PAIRS" | grep -q "100.00"
    [ "$(loss_of)" != "$(loss_of --precision "$1")" ]
    has_loss_of_its_scores "$(loss_of --precision "$1")" rounded
    [ "$(loss_of -m float.safetensors)" != "$(loss_of -m float.safetensors --precision "$1")" ]     # an ensemble
}

@test "bf16 gives the translations of float, with scores of its own" {
    translates bf16
}

@test "int8 gives the translations of float, with scores of its own, or names the kernels that lack it" {
    translates int8
}

@test "int8 is for translating, not for learning" {
    refuses "--precision: 'int8' is not one of float, bf16, or auto" attn train "$PAIRS" --precision int8
}
