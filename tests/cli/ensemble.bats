#!/usr/bin/env bats
# ensemble.bats - `attn train --ensemble`: several networks in one model, which translate together.

load helper
load training

@test "an ensemble is what the networks of its seeds are together" {
    local options=(--steps 60 --learning-rate 0.01)
    learn "${options[@]}" -q --ensemble 3 --right-left 0 -o all --seed 5
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
    local options=(--valid valid.tsv --early-stop loss --validate-every 5 --steps 120 --learning-rate 0.01 -q)
    learn "${options[@]}" --ensemble 2 --right-left 0 -o all
    for seed in 1 2; do learn "${options[@]}" -o $seed --seed $seed; done
    attn translate -q -m all --json <(sources) | sed 's/,"seconds".*//' > together
    attn translate -q -m 1 -m 2 --json <(sources) | sed 's/,"seconds".*//' > apart
    cmp together apart
}

@test "each network reports its validations, the log names it, and the model has the scores of all" {
    learn --valid "$PAIRS" --validate-every 10 --ensemble 2 --log log -o model 2> errors
    grep -q '^network     2 of [0-9,]* parameters each, one after the other, the last 1 from right to left; 1 worker' errors
    [ "$(grep -c '^network 1 of 2  epoch' errors)" -eq 2 ]
    [ "$(grep -c '^network 2 of 2  epoch' errors)" -eq 2 ]
    grep -q '^2 networks together  BLEU [0-9.]*  chrF [0-9.]*$' errors
    [ "$(grep -c '^network [12] of 2: all steps are done after 20 steps' errors)" -eq 2 ]
    [ "$(grep -c '^next ' errors)" -eq 1 ]
    [ "$(grep -c '"network":1,' log)" -eq 2 ]
    [ "$(grep -c '"network":2,' log)" -eq 2 ]
    jq -se 'map(.seconds | numbers) | . == sort' log
    attn info --json model > info
    jq -e '.networks == 2 and .training.valid_bleu >= 0' info
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

@test "the number of networks follows from pairs, time and preset, or is asked for" {
    [ "$(size_of_ensemble)" -eq 2 ]
    [ "$(size_of_ensemble --preset bench)" -eq 1 ]
    [ "$(size_of_ensemble --time-limit 30m)" -eq 3 ]
    [ "$(size_of_ensemble --time-limit 2h --ensemble 5)" -eq 5 ]
    [ "$(size_of_ensemble --time-limit 2h --preset hybrid)" -eq 1 ]
    refuses "--ensemble: '9' is not a whole number from 1 to 8, or auto" attn train --ensemble 9 "$PAIRS"
}

@test "--time-limit is the time of all networks" {
    learn --steps 0 --time-limit 2 --ensemble 4 --log log -o model 2> errors
    [ "$(grep -c 'the time is up after' errors)" -eq 4 ]
    # nothing begins after it: the update that it ends, and what follows, is all that may end later
    jq -se 'map(select(has("loss")).seconds) | .[:-1] | all(. < 2)' log
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
    learn -q --steps 60 --learning-rate 0.01 --ensemble 2 --right-left 0 -o base
    for seed in 1 2; do learn -q --steps 60 --learning-rate 0.01 --seed $seed -o base$seed; done
    local on=(train "$PAIRS" --no-holdout --batch 5 --epochs 4 --threads 1 --both-directions 0 -q)
    attn "${on[@]}" --init base -o model
    for seed in 1 2; do attn "${on[@]}" --init base$seed --seed $seed -o model$seed; done
    attn translate -q -m model --json <(sources) | sed 's/,"seconds".*//' > together
    attn translate -q -m model1 -m model2 --json <(sources) | sed 's/,"seconds".*//' > apart
    cmp together apart
}

@test "the last network writes from right to left, and all agree on what each direction finds" {
    local options=(--steps 100 --learning-rate 0.01 -q)
    learn "${options[@]}" --ensemble 3 -o all
    learn "${options[@]}" --ensemble 2 --right-left 0 -o left
    [ "$(attn info --json all | jq -c '[.networks, .right_left]')" = '[3,1]' ]
    attn translate -q -m all --json --nbest 3 <(sources) > chosen
    jq -se 'map(.nbest | map(.score) | length >= 2 and . == (sort | reverse)) | all' chosen
    jq -se 'map(.nbest | map(.log_probability) | . == (sort | reverse)) | all | not' chosen
    run -1 cmp -s <(attn translate -q -m all <(sources)) <(attn translate -q -m left <(sources))
    cmp <(attn translate -q -m all --beam 1 <(sources)) <(attn translate -q -m left --beam 1 <(sources))
    cmp <(attn eval --json -m all "$PAIRS" | jq .loss) <(attn eval --json -m left "$PAIRS" | jq .loss)
    cmp <(attn translate -m all --score "$PAIRS") <(attn translate -m left --score "$PAIRS")
    attn convert -q -o small all
    [ "$(attn info --json small | jq .right_left)" -eq 1 ]
}

@test "what both directions agree on does not depend on whether probabilities are asked for" {
    learn -q --steps 100 --learning-rate 0.01 --ensemble 2 -o two
    cmp <(attn translate -q -m two <(sources)) <(attn translate -q -m two --json <(sources) | jq -r .translation)
}

@test "what was learned by heart is as probable from right to left" {
    learn -q --steps 300 --learning-rate 0.02 --dropout 0 --dropout-embedding 0 --r-drop 0 --label-smoothing 0 \
        --both-directions 0 --valid "$PAIRS" --ensemble 2 -o all --log log
    jq -se 'map(.valid_loss | numbers) | .[-1] < 0.2' log
    attn translate -q --json -m all <(sources) | jq -se 'map(.score > -0.2) | all'
    attn eval --json -m all "$PAIRS" | jq -e '.score > 90'
}

@test "--init goes on from each network in its own direction" {
    learn -q --steps 100 --learning-rate 0.01 --ensemble 3 -o base
    local on=(train "$PAIRS" --no-holdout --valid "$PAIRS" --steps 1 --learning-rate 1e-9 --threads 1 -q --init base)
    attn "${on[@]}" -o same --log same.log
    cmp <(attn translate -q -m same --nbest 3 <(sources)) <(attn translate -q -m base --nbest 3 <(sources))
    attn "${on[@]}" --ensemble 2 -o fewer --log fewer.log
    [ "$(attn info --json fewer | jq -c '[.networks, .right_left]')" = '[2,1]' ]
    jq -s 'map(.valid_loss | numbers * 100 | round)' fewer.log same.log | jq -e '.[:2] == [.[2], .[4]]'
    attn "${on[@]}" --ensemble 1 -o one
    [ "$(attn info --json one | jq .right_left)" = null ]
    attn "${on[@]}" --truncate -o cut
    [ "$(attn info --json cut | jq .right_left)" = null ]
    learn -q --ensemble 2 --right-left 0 -o left
    refuses "--right-left: left, the model of --init, has no network that writes from right to left" \
        attn train --init left --right-left 1 "$PAIRS"
}

@test "--right-left asks for fewer networks than there are, of whole sentences" {
    refuses "--right-left 2: of --ensemble 2 at least one network must write from left to right" \
        attn train --ensemble 2 --right-left 2 "$PAIRS"
    refuses "--truncate cuts off the ends of sentences, with which --right-left begins; choose one of them" \
        attn train --ensemble 2 --truncate --right-left 1 "$PAIRS"
    [ "$(attn train --dump-config --ensemble 2 --truncate "$PAIRS" | jq '.training."right-left"')" -eq 0 ]
    [ "$(attn train --dump-config --ensemble 2 "$PAIRS" | jq '.training."right-left"')" -eq 1 ]
    [ "$(attn train --dump-config --ensemble 1 "$PAIRS" | jq '.training."right-left"')" -eq 0 ]
}
