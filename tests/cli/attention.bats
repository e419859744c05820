#!/usr/bin/env bats
# attention.bats - self-attention and hard attention: train, go on, translate, and what makes no sense is refused.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# interrupted FILE OPTION... - a training that a signal stops while it waits for room in its log, on its way.
interrupted() (
    local run reader
    mkfifo log
    exec 5<> log 6< log
    head -c 60000 /dev/zero >&5         # of the 64 KB that a pipe holds
    # shellcheck disable=SC2317  # learn_by_heart calls it
    learner() { exec "${LEARNER:-$ATTN}" "$@"; }
    learn_by_heart "$@" 5<&- 6<&- &
    run=$!
    await $run sleeps $run
    kill -TERM $run
    cat <&6 > rest 5<&- &
    reader=$!
    wait $run || [ $? -eq 143 ]
    exec 5<&- 6<&-
    wait $reader
    rm log rest
)

# Trains to the end, and once more in two parts: the same bytes. Then the model knows its sentences.
learns_and_resumes() {
    set -- --steps 300 --log log --log-every 1 "$@"
    mkdir parts
    learn_by_heart model "$@"
    cd parts || return
    interrupted model "$@" 2> /dev/null
    learn_by_heart model "$@" --resume
    cmp model ../model
    sources | attn translate -m model --beam 2 > out
    [ "$(diff out <(targets) | grep -c '^<')" -le "$MAY_FAIL" ]
    echo "I am calm." | attn translate -m model --heatmap | grep -q '<eos>'
}

@test "self-attention runs on top of a recurrent encoder" {
    MAY_FAIL=1 learns_and_resumes --encoder-attention-layers 1 --heads 4 --dropout-attention 0.05
}

@test "self-attention is the encoder, and reads the words written so far" {
    MAY_FAIL=1 learns_and_resumes --encoder self-attention --encoder-attention-layers 2 --decoder-attention-layers 1
}

@test "hard attention learns straight through" {
    MAY_FAIL=1 learns_and_resumes --hard-attention top --hard-positions 2
}

@test "hard attention learns from what it draws, with a baseline that goes on" {
    MAY_FAIL=5 learns_and_resumes --hard-attention sampled --hard-positions 2 --hard-gradient reinforce
}

@test "hard attention looks at as many positions in translation as in training, whatever the threads" {
    learn_by_heart top --steps 50 --hard-attention top
    echo "I am calm." | attn translate -m top --beam 1 --json > out
    jq -e '.attention | all(.[]; add == 1 and max == 1)' out
    learn_by_heart sampled --steps 50 --hard-attention sampled --hard-positions 3
    sources | attn translate -m sampled --threads 1 > one
    sources | attn translate -m sampled --threads 2 --batch 3 > two
    cmp one two
    learn_by_heart both --steps 50 --hard-attention sampled --hard-positions 3 --ensemble 2
    sources | attn translate -m both --threads 1 > one
    sources | attn translate -m both --threads 2 --batch 3 > two
    cmp one two
    echo "I am calm." | attn translate -m sampled --beam 1 --json > out
    jq -e '.attention | all(.[]; all(.[]; . * 3 - (. * 3 | round) | . < 1e-3 and . > -1e-3))' out
    jq -e '[.attention[][]] | any(.[]; . > 0 and . < 0.9)' out
}

@test "the attention of a model without attention can't be shown" {
    learn_by_heart model --steps 2 --attention none
    for option in "--alignment" "--heatmap" "--heatmap=a.svg" "--replace-unknown"; do
        name=${option%%=*}
        refuses "$name needs attention, and the model was trained with --attention none; leave it out" \
            attn translate -m model "$option"
    done
    [ ! -e a.svg ]
    learn_by_heart other --steps 2
    echo "Thank you." | attn translate -m model -m other --heatmap > out
    needs_terminal
    printf '%s\n' "Thank you." ":attention" ":save a.svg" :quit | on_terminal "'$ATTN' translate -m model" > screen
    message="There is no attention to show: the model was trained with --attention none."
    [ "$(grep -cxF "$message" screen)" -eq 2 ]
    [ ! -e a.svg ]
}

# Each line: options, a tab, the message.
@test "options of attention that make no sense are refused before any work" {
    while IFS=$'\t' read -r options message <&3; do
        # shellcheck disable=SC2086  # several words
        refuses "$message" attn train "$PAIRS" $options
    done 3<< 'END'
--encoder-attention-layers 1 --heads 5	--heads 5 does not divide the width 512 of the encoder's self-attention; take 4 or 8
--decoder-attention-layers 1 --heads 3	--heads 3 does not divide the width 256 of the decoder's self-attention; take 2 or 4
--encoder self-attention	--encoder self-attention has no layers; give it some, for example --encoder-attention-layers 2
--encoder self-attention --encoder-attention-layers 1 --start last --no-bidirectional	--start last copies the encoder's last recurrent state, and --encoder self-attention has none; use --start project
--encoder self-attention --encoder-attention-layers 1 --attention none	--attention none takes the encoder's last recurrent state, and --encoder self-attention has none; use another score
--hard-gradient reinforce --hard-attention top	--hard-gradient reinforce learns from sampled positions; it needs --hard-attention sampled
--attention none --hard-attention top	--attention none has no weights that --hard-attention could choose from; take another score
--decoder self-attention	--decoder self-attention has no layers; give it some, for example --decoder-attention-layers 2
--decoder self-attention --decoder-attention-layers 2 --attention general	--decoder self-attention attends by the scaled dot products of its --heads and has no place for --attention general; leave it out
--decoder self-attention --decoder-attention-layers 2 --hard-attention top	--hard-attention chooses from one weight a position, and --decoder self-attention has one of each head and layer; leave it out
--decoder self-attention --decoder-attention-layers 2 --readout deep	--readout deep reads a context that --decoder self-attention has added to its state; use --readout simple
--decoder self-attention --decoder-attention-layers 2 --start last --no-bidirectional	--start last sets the first state of a recurrent decoder, and --decoder self-attention has none; leave it out
--decoder self-attention --decoder-attention-layers 2 --positions learned	--positions learned needs --attention-positions N, how many: as many as the longest sentence has tokens
--attention linear	--attention linear learns a score for each position and needs --attention-positions N, the longest source it can see to its end (subwords and <eos>)
END
    # shellcheck disable=SC2154  # bats sets stderr
    run -2 --separate-stderr attn train "$PAIRS" --hard-attention top --hard-positions 0
    [[ $stderr == *hard-positions* ]]
}

# A network without recurrence, as small as the others.
transformer=(--encoder self-attention --encoder-attention-layers 1 --decoder self-attention
    --decoder-attention-layers 2 --heads 2)

@test "a decoder without recurrence learns, goes on and translates" {
    MAY_FAIL=1 learns_and_resumes "${transformer[@]}" --dropout 0.05 --dropout-attention 0.05
}

@test "a decoder without recurrence reads a recurrent encoder, with pre-norm and learned positions" {
    MAY_FAIL=1 learns_and_resumes --decoder self-attention --decoder-attention-layers 1 --norm pre \
        --positions learned --attention-positions 20
}

@test "a decoder without recurrence does what others do" {
    learn_by_heart model "${transformer[@]}"
    learn_by_heart other --steps 50
    sources | attn translate -m model > one
    for how in "--threads 1" "--threads 2 --batch 3"; do
        # shellcheck disable=SC2086  # several words
        sources | attn translate -m model $how | cmp - one
    done
    paste <(sources) one | attn translate -m model --score > scores
    sources | attn translate -m model --nbest 2 > nbest
    [ "$(cut -d ' ' -f 1 nbest | uniq | wc -l)" -eq 14 ]
    [ "$(wc -l < nbest)" -gt 20 ]                           # no two of a source are alike
    [ -z "$(sed 's,|||[^|]*$,,' nbest | uniq -d)" ]
    head -n 1 one | cut -d ' ' -f 1 > prefix
    sources | head -n 1 | attn translate -m model --prefixes prefix | cmp - <(head -n 1 one)
    for precision in bf16 int8; do
        run attn translate -m model --precision $precision <(sources)
        [ "$status" -eq 0 ] || [[ $output == *"have no such products"* ]]
    done
    sources | attn translate -m model -m other > ensemble
    echo "I am calm." | attn translate -m model --json > out
    jq -e '.attention | all(.[]; add > 0.999 and add < 1.001)' out
    attn eval -m model "$PAIRS" > score
    attn train "$PAIRS" --no-holdout -o shared "${transformer[@]}" --embedding 16 --heads 4 --vocabulary 150 --steps 3 \
        --threads 2 --quiet
    attn translate -m shared <(sources) > out
}

@test "scores of positions from the state and the previous word, and of the memory alone" {
    learn_by_heart linear --attention linear --attention-positions 20 --steps 150
    sources | attn translate -m linear --beam 2 > out
    [ "$(diff out <(targets) | grep -c '^<')" -le 1 ]
    learn_by_heart flat --attention concat-linear --steps 20
    echo "I am calm." | attn translate -m flat --json > out       # the same weights in each step
    jq -e '[.attention[] | map(. * 1000 | round)] | unique | length == 1' out
}

@test "each head of a network without recurrence can be drawn" {
    learn_by_heart model "${transformer[@]}"
    draw() { echo "I am calm." | attn translate -m model --heatmap "$@"; }
    draw > mean
    for of in cross source target; do
        draw --heatmap-of $of > "$of"
        draw --heatmap-of $of --heatmap-layer 1 --heatmap-head 2 > "$of.head"
        run -1 cmp -s "$of" "$of.head"
    done
    cmp mean cross
    grep -q '<bos>' target
    run -1 grep -q '<bos>' cross source
    echo "I am calm." | attn translate -m model --heatmap heads.svg --heatmap-of source --heatmap-head 1 > out
    grep -q '<svg' heads.svg
    refuses "--heatmap-layer 2: the model's encoder has 1 self-attention layer" \
        attn translate -m model --heatmap --heatmap-of source --heatmap-layer 2
    refuses "--heatmap-head 3: the model's layers have 2 heads" attn translate -m model --heatmap --heatmap-head 3
    learn_by_heart other --steps 2
    refuses "--heatmap-layer and --heatmap-head choose among the heads of --decoder self-attention, and the model attends \
to the source in one place; leave them out" attn translate -m other --heatmap --heatmap-head 1
    refuses "--heatmap-of, --heatmap-layer and --heatmap-head look into one model; give one --model" \
        attn translate -m model -m model --heatmap --heatmap-head 1
    refuses "--heatmap-head says what --heatmap draws; add --heatmap" \
        attn translate -m model --heatmap-head 1 "$PAIRS"
}
