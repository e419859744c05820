#!/usr/bin/env bats
# ensemble.bats - `attn train --ensemble`: several networks in one model, which translate together.

load helper
load training

@test "an ensemble is what the networks of its seeds are together" {
    local options=(--steps 60 --learning-rate 0.01)
    learn "${options[@]}" -q --ensemble 3 -o all --seed 5
    for seed in 5 6 7; do learn "${options[@]}" -q -o $seed --seed $seed; done
    attn translate -q -m all --json --nbest 3 <(sources) | sed 's/,"seconds".*//' > together
    attn translate -q -m 5 -m 6 -m 7 --json --nbest 3 <(sources) | sed 's/,"seconds".*//' > apart
    cmp together apart
    attn eval -m all "$PAIRS" > together
    attn eval -m 5 -m 6 -m 7 "$PAIRS" > apart
    cmp together apart
    attn translate -q -m all <(sources) > together
    attn translate -q -m 5 <(sources) > one
    run -1 cmp -s together one
}

# Targets of other sources: the more is learned by heart, the worse.
@test "each network of an ensemble has its best weights, not its last" {
    paste <(sources) <(targets | tac) > valid.tsv
    local options=(--valid valid.tsv --early-stop loss --validate-every 5 --steps 60 --learning-rate 0.01 -q)
    learn "${options[@]}" --ensemble 2 -o all
    for seed in 1 2; do learn "${options[@]}" -o $seed --seed $seed; done
    attn info --json all | jq -e '[.training.networks[].steps] | max < 60'
    attn translate -q -m all --json <(sources) | sed 's/,"seconds".*//' > together
    attn translate -q -m 1 -m 2 --json <(sources) | sed 's/,"seconds".*//' > apart
    cmp together apart
}

@test "each network reports its validations, the log names it, and the model has the scores of all" {
    learn --valid "$PAIRS" --validate-every 10 --ensemble 2 --log log -o model 2> errors
    grep -q '^network     2 of [0-9,]* parameters each, one after the other; 1 worker' errors
    [ "$(grep -c '^network 1 of 2  epoch' errors)" -eq 2 ]
    [ "$(grep -c '^network 2 of 2  epoch' errors)" -eq 2 ]
    grep -q '^2 networks together  BLEU [0-9.]*  chrF [0-9.]*$' errors
    [ "$(grep -c '^network [12] of 2: all steps are done after 20 steps' errors)" -eq 2 ]
    [ "$(grep -c '^next ' errors)" -eq 1 ]
    [ "$(grep -c '"network":1,' log)" -eq 2 ]
    [ "$(grep -c '"network":2,' log)" -eq 2 ]
    jq -se 'map(.seconds | numbers) | . == sort' log
    attn info --json model > info
    jq -e '.networks == 2 and (.training.networks | length) == 2 and .training.valid_bleu >= 0' info
    jq -e '[.training.networks[] | .steps == 20 and .valid_loss > 0] | all' info
}

@test "a single network has none of these words" {
    learn --valid "$PAIRS" --validate-every 10 --log log -o model 2> errors
    run -1 grep -E 'networks|network [0-9]| each,' errors log
    attn info --json model > info
    run -1 grep networks info
}

# size_of_ensemble OPTION... - what follows from the options for the corpus.
size_of_ensemble() {
    attn train --dump-config "$@" "$PAIRS" | jq .training.ensemble
}

@test "every ten minutes of --time-limit are a network, up to three; few pairs without a limit are learned by two" {
    [ "$(size_of_ensemble)" -eq 2 ]
    [ "$(size_of_ensemble --epochs 30)" -eq 1 ]
    [ "$(size_of_ensemble --steps 30)" -eq 1 ]
    [ "$(size_of_ensemble --preset bench)" -eq 1 ]
    [ "$(size_of_ensemble --time-limit 19m)" -eq 1 ]
    [ "$(size_of_ensemble --time-limit 20m)" -eq 2 ]
    [ "$(size_of_ensemble --time-limit 30m)" -eq 3 ]
    [ "$(size_of_ensemble --time-limit 2h)" -eq 3 ]
    [ "$(size_of_ensemble --time-limit 2h --ensemble 5)" -eq 5 ]
    [ "$(size_of_ensemble --time-limit 2h --preset hybrid)" -eq 1 ]
}

@test "--time-limit is the time of all networks" {
    learn --steps 0 --time-limit 2 --ensemble 4 --log log -o model 2> errors
    [ "$(grep -c 'the time is up after' errors)" -eq 4 ]
    jq -se 'map(.seconds | numbers) | max < 2.5' log
}

@test "an ensemble in 8 bits translates as one" {
    learn -q --steps 100 --learning-rate 0.01 --ensemble 2 -o model
    attn convert -q -o small model
    [ "$(attn info --json small | jq -c '[.networks, .precision]')" = '[2,"int8"]' ]
    attn convert -q --precision float -o large small
    attn translate -q -m small <(sources) > of_small
    attn translate -q -m large <(sources) > of_large
    cmp of_small of_large
    [ "$(paste of_small <(attn translate -q -m model <(sources)) | awk -F '\t' '$1 == $2' | wc -l)" -ge 12 ]
}

@test "--init goes on from each network of an ensemble" {
    learn -q --steps 60 --learning-rate 0.01 --ensemble 2 -o base
    for seed in 1 2; do learn -q --steps 60 --learning-rate 0.01 --seed $seed -o base$seed; done
    local on=(train "$PAIRS" --no-holdout --batch 5 --epochs 4 --threads 1 --both-directions 0 -q)
    attn "${on[@]}" --init base -o model
    for seed in 1 2; do attn "${on[@]}" --init base$seed --seed $seed -o model$seed; done
    attn translate -q -m model --json <(sources) | sed 's/,"seconds".*//' > together
    attn translate -q -m model1 -m model2 --json <(sources) | sed 's/,"seconds".*//' > apart
    cmp together apart
}

@test "an impossible number of networks is refused" {
    refuses "--ensemble: '0' is not a whole number from 1 to 8, or auto" attn train --ensemble 0 "$PAIRS"
    refuses "--ensemble: '9' is not a whole number from 1 to 8, or auto" attn train --ensemble 9 "$PAIRS"
}
