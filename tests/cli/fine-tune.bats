#!/usr/bin/env bats
# fine-tune.bats - a transformer becomes another program's file and attn's again: the same words and numbers; then it goes on
# to other pairs, and keeps what it knew.

load helper

# What Marian's networks are.
marian=(--encoder self-attention --encoder-attention-layers 2 --decoder self-attention --decoder-attention-layers 2 --heads 4
    --embedding 32 --feed-forward 64 --positions marian --norm-epsilon 1e-6 --zero-start --activation swish
    --alignment-layer 2 --alignment-head 1)
quick=(--no-holdout --batch 14 --threads 1 --patience 0 --dropout 0 --dropout-embedding 0 --precision float --quiet --force)

# known MODEL OPTION... - a transformer that knows the 14 pairs by heart. Its vocabulary has all tokens that attn's networks
# have: bytes.spm, and <pad> and <s> besides.
known() {
    { cat "$ROOT/tests/data/sentencepiece/bytes.spm" && printf '\n\t\n\5<pad>\30\3\n\7\n\3<s>\30\3'; } > vocab.spm
    learner train "$PAIRS" "${marian[@]}" "${quick[@]}" --vocabulary-file vocab.spm --steps 120 --learning-rate 0.01 \
        --ensemble 1 --both-directions 0 -o "$@"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# told MODEL - its translations of the 14 sources, and how probable each of their tokens is.
told() {
    sources | attn translate -m "$1" --precision float --beam 5 --beam-threshold 2 --repeats 3 --quiet --json |
        jq -c '[.translation, .target_tokens, .log_probabilities, .attention]'
}

# near FILE FILE - whether they are the same but for the last of six digits of numbers.
near() {
    python3 -c '
import json, sys

def compare(one, other):
    if isinstance(one, list):
        assert len(one) == len(other), (one, other)
        for pair in zip(one, other):
            compare(*pair)
    elif isinstance(one, float):
        assert abs(one - other) <= 2e-6, (one, other)
    else:
        assert one == other, (one, other)

files = [open(name).read().splitlines() for name in sys.argv[1:]]
assert len(files[0]) == len(files[1]) == 14
for lines in zip(*files):
    compare(*map(json.loads, lines))' "$@"
}

@test "a transformer that becomes Marian's and attn's again has the same words and numbers, and goes on" {
    known own
    "$ROOT/scripts/to-marian" own folder
    attn convert -q -o back.safetensors folder
    told own > own.json
    [ "$(jq -r '.[0]' own.json | diff - <(targets) | grep -c '^<')" -le 1 ]
    told back.safetensors > back.json
    near own.json back.json
    printf '%s\n' $'A cat is here.\tUn chat est là.' $'A dog is here.\tUn chien est là.' $'I see a cat.\tJe vois un chat.' \
        $'I see a dog.\tJe vois un chien.' > new.tsv
    attn train new.tsv "${quick[@]}" --init back.safetensors --replay "$PAIRS" --epochs 40 --learning-rate 0.003 \
        --log log --log-every 1 -o next
    jq -s -e 'map(.loss | numbers) | max > 4 * last' log > /dev/null
    cut -f 1 new.tsv | attn translate -m next | diff - <(cut -f 2 new.tsv)
    [ "$(sources | attn translate -m next | diff - <(targets) | grep -c '^<')" -le 2 ]
    # it reads and writes what it could before, and its search is still that of the other program
    for field in .trained_length .search; do
        [ "$(attn info --json next | jq -c $field)" = "$(attn info --json back.safetensors | jq -c $field)" ]
    done
    grep -q '"length_limit"' own
    run -1 grep -q '"length_limit"' next
}

@test "networks with other parts go the same way: SSRU, gelu, normalised words, weights of their own" {
    known own --decoder-recurrence ssru --activation gelu-sigmoid --embedding-norm --tie none
    "$ROOT/scripts/to-marian" own folder
    attn convert -q -o back.safetensors folder
    told own > own.json
    told back.safetensors > back.json
    near own.json back.json
}

@test "what a transformer takes is said before it goes on, and how to take less" {
    known own --steps 1
    run -0 attn train "$PAIRS" --no-holdout --init own --steps 1 -o next
    grep -qE '^memory +[0-9]+ MB for weights, moments and gradients, [0-9]+ MB for the largest batches$' <<< "$output"
    [ "$(attn train "$PAIRS" --no-holdout --init own --dump-config | jq '.training["learning-rate"]')" = 0.0008 ]
}

@test "scripts/to-marian refuses what Marian's networks are not" {
    to_marian() {
        run -1 --separate-stderr "$ROOT/scripts/to-marian" "$1" folder
        [ "$stderr" = "to-marian: error: $2" ]
        [ ! -e folder ]
    }
    known own --steps 1 --no-zero-start
    to_marian own "Marian's networks are those of --zero-start; here it is False"
    learn_by_heart gru --steps 1
    to_marian gru "Marian's networks are those of --encoder self-attention; here it is recurrent"
    known own --steps 1
    attn convert -q -o short.safetensors own
    to_marian short.safetensors "its weights are not in 32 bits; name the model that attn train has written"
    to_marian "$PAIRS" "$PAIRS: is no model of attn"
    to_marian nothing "nothing: No such file or directory"
}
