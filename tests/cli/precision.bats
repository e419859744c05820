#!/usr/bin/env bats
# precision.bats - training and translating with products of rounded factors, where the CPU has them.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

small=(--no-holdout --hidden 32 --embedding 32 --vocabulary 150 --batch 14 --steps 100 --learning-rate 0.01 --dropout 0
    --dropout-embedding 0 --patience 0 --threads 1 --quiet)

# learn PRECISION - NAME.safetensors and NAME.log of that name.
learn() {
    attn train "$PAIRS" "${small[@]}" --precision "$1" -o "$1.safetensors" --log "$1.log" --log-every 1
}

last_loss() {
    jq -s 'map(select(.loss))[-1].loss' "$1.log"
}

@test "bf16 learns the same by heart as float, with losses of its own, or says what it needs" {
    learn float
    if ! learn bf16 2> refusal; then
        [ "$(head -n 1 refusal)" = "attn: error: --precision bf16 needs a CPU with AVX512_BF16, and an attn that was \
built for it (make, without PORTABLE=1); take --precision float" ]
        skip "no bf16 here"
    fi
    [ "$(last_loss float)" != "$(last_loss bf16)" ]
    sources | attn translate -m bf16.safetensors > bf16.out
    targets | diff - bf16.out
}

# refused COMMAND... - whether it says that bf16 can't be had here.
refused() {
    run -2 --separate-stderr "$@"
    [[ ${stderr_lines[0]} == "attn: error: --precision bf16 needs a CPU with AVX512_BF16"* ]]
}

@test "bf16 translates what float does, with scores of its own, or says what it needs" {
    learn float
    if ! attn train "$PAIRS" "${small[@]}" --precision bf16 --steps 1 -o tried.safetensors 2> refusal; then
        refused attn translate -m float.safetensors --precision bf16
        refused attn eval -m float.safetensors --precision bf16 "$PAIRS"
        skip "no bf16 here"
    fi
    sources | attn translate -m float.safetensors --precision bf16 | diff - <(targets)
    attn translate -m float.safetensors --score "$PAIRS" > exact
    attn translate -m float.safetensors --score --precision bf16 "$PAIRS" > rounded
    run -1 cmp -s exact rounded
    attn translate -m float.safetensors --score --precision bf16 --batch 1 --threads 3 "$PAIRS" | cmp - rounded
    attn eval -m float.safetensors --precision bf16 --part all --quiet "$PAIRS" | grep -q "100.00"
}
