#!/usr/bin/env bats
# init.bats - attn train --init: what goes on from a model, what it gets, and what is refused.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/known"
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    KNOWN=$BATS_FILE_TMPDIR/known
    printf '%s\n' $'I am blue.\tJe suis bleu.' $'Żaba is here.\tŻaba est ici.' $'I see maïs.\tJe vois le maïs.' > new.tsv
}

# go_on [CORPUS] OPTION... - from the known model, with the rate at which it was learned.
go_on() {
    attn train --no-holdout --init "$KNOWN" --quiet --force --threads 1 --learning-rate 0.01 --patience 0 \
        --dropout 0 --dropout-embedding 0 --precision float -o next "$@"
}

fact() {
    attn info --json "$1" | jq -r "$2"
}

@test "a run goes on from the weights: one step at no rate changes no translation" {
    go_on "$PAIRS" --steps 1 --learning-rate 1e-9
    sources | attn translate -m next | diff - <(sources | attn translate -m "$KNOWN")
    [ "$(fact next .training.init)" = known ]
    [ "$(fact next .training.replay)" = null ]
    for part in .network .text .source_vocabulary; do
        [ "$(fact next $part)" = "$(fact "$KNOWN" $part)" ]
    done
}

@test "without options of its own it has a lower rate and fewer epochs" {
    attn train "$PAIRS" --no-holdout --init "$KNOWN" --dump-config > known.json
    attn train "$PAIRS" --no-holdout --dump-config > new.json
    jq -e --slurpfile new new.json '.training["learning-rate"] < $new[0].training["learning-rate"]
        and .training.epochs < $new[0].training.epochs' known.json
    [ "$(jq .network.hidden known.json)" = 32 ]
    [ "$(jq .text.vocabulary known.json)" = 150 ]
    attn train "$PAIRS" --no-holdout --init "$KNOWN" --epochs 7 --learning-rate 0.003 --dump-config > asked.json
    jq -e '.training["learning-rate"] == 0.003 and .training.epochs == 7' asked.json
    jq -e '.training["both-directions"] == 0' known.json
    go_on "$PAIRS" --steps 1 --both-directions 0.5
}

@test "a new corpus is learned, with characters that the model lacked, and --replay keeps the old one" {
    repeated 5 cat new.tsv > often.tsv
    go_on often.tsv --no-skip-duplicates --translations all --replay "$PAIRS" --epochs 150 --batch 14
    cut -f1 new.tsv | attn translate -m next | diff - <(cut -f2 new.tsv)
    [ "$(fact next .source_vocabulary)" -gt "$(fact "$KNOWN" .source_vocabulary)" ]
    [ "$(fact next .training.replay)" = pairs.tsv ]
    [ "$(fact next .training.replayed_pairs)" -gt 0 ]
    [ "$(sources | attn translate -m next | diff - <(targets) | grep -c '^<')" -le 3 ]
}

@test "whole words that the model lacks extend its vocabularies" {
    learn_by_heart words --tokens word --no-shared-vocabulary
    refuses "--both-directions needs one vocabulary for both sides: the model of --init has two; leave it out" \
        attn train new.tsv --init words --both-directions 0.5
    attn train new.tsv --no-holdout --init words --steps 1 --quiet -o next
    [ "$(fact next .source_vocabulary)" -eq "$(($(fact words .source_vocabulary) + 3))" ]
}

@test "another text pipeline or network than the model's is refused, the same one is not" {
    local keeps="--init: a model keeps its text pipeline and network; $KNOWN was trained with"
    refuses "$keeps --hidden 32, not 64" attn train new.tsv --init "$KNOWN" --hidden 64
    refuses "$keeps --decoder bahdanau, not conditional" attn train new.tsv --init "$KNOWN" --decoder conditional
    refuses "$keeps --tokens bpe, not char" attn train new.tsv --init "$KNOWN" --tokens char
    refuses "$keeps --truecase on, not off" attn train new.tsv --init "$KNOWN" --no-truecase
    echo '{"network": {"cell": "lstm"}}' > lstm.json
    refuses "$keeps --cell gru, not lstm" attn train new.tsv --init "$KNOWN" --config lstm.json
    go_on new.tsv --hidden 32 --decoder bahdanau --tokens bpe --vocabulary 150 --layers auto --steps 1
}

@test "--replay needs --init, a file that can be read twice, and pairs" {
    refuses "--replay is for a model that has learned before; name it with --init, or add FILE to the corpus" \
        attn train new.tsv --replay "$PAIRS"
    refuses "--replay is read twice, which standard input cannot be; name a file" \
        attn train new.tsv --init "$KNOWN" --replay -
    fails "none: cannot be opened: No such file or directory" go_on new.tsv --replay none
    : > empty
    fails "empty: is empty: a sentence pair a line is needed" go_on new.tsv --replay empty
}

@test "inputs are not written, and a model that is none is refused" {
    cp "$KNOWN" model
    fails "'model' is read: it cannot be written too" attn train new.tsv --init model -o model --force
    fails "'replay' is read: it cannot be written too" \
        attn train new.tsv --init model --replay replay -o replay --force
    cmp model "$KNOWN"
    run -1 --separate-stderr attn train new.tsv --init new.tsv -o next
    [[ $stderr == "attn: error: new.tsv: is not a safetensors file"* ]]
    fails "./none: cannot be opened: No such file or directory" attn train new.tsv --init ./none -o next
    [ ! -e next ]
}

# endless - without a cooldown, the rate does not depend on the limit of steps.
endless=(train new.tsv --no-holdout --quiet --threads 1 --precision float --patience 0 --cooldown 0 --save-every 0
    --epochs 1000000 -o next)

# interrupted OPTION... - begins an endless run, and stops it once it has a state.
interrupted() {
    "$ATTN" "${endless[@]}" --init "$KNOWN" "$@" &
    await $! test -e next.state
    kill -TERM $!
    wait $! || [ $? -eq 143 ]
}

@test "a stopped run goes on from its state alone, to the same bytes" {
    interrupted --replay "$PAIRS"
    run -1 attn train --resume --quiet -o next --steps 1
    [[ $output =~ "all steps are done, at step "([0-9]+) ]]
    local steps=$((BASH_REMATCH[1] + 20))
    attn train --resume --quiet -o next --steps $steps
    mv next resumed
    attn "${endless[@]}" --init "$KNOWN" --replay "$PAIRS" --steps $steps
    cmp next resumed
}

@test "a run with another text to replay is not resumed" {
    head -9 "$PAIRS" > old.tsv
    interrupted --replay old.tsv
    head -8 "$PAIRS" > old.tsv
    run -1 --separate-stderr attn train --resume --quiet -o next
    [[ $stderr == "attn: error: cannot resume from 'next.state': the text of the corpus, or of --replay, is not the same "* ]]
}
