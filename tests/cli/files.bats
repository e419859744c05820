#!/usr/bin/env bats
# files.bats - the files that commands write: none that is there is replaced unasked, none is left half written.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"      # bats has files of its own in the folder above
    cd "$BATS_TEST_TMPDIR/work" || return
    cp "$BATS_FILE_TMPDIR/model" model
}

# holds FILE... - the folder has these files and no other.
holds() {
    [ "$(ls -A)" = "$(printf '%s\n' "$@")" ]
}

# ---- Half-written files ----

# waiting - a translation in the background, in $run, that has begun its files and waits for more lines; it writes what
# it has to its standard output's file.
waiting() {
    mkfifo lines
    "$ATTN" translate -m model --quiet --heatmap drawn.svg -o translated lines &
    run=$!
    exec 5> lines
    echo "Thank you." >&5
    until [ "$(ls -A | grep -c tmp)" -eq 2 ]; do kill -0 $run; sleep 0.01; done
}

# ended - leaves in $status what the run ended with.
ended() {
    status=0
    wait $run || status=$?
    exec 5>&-
    rm lines
}

@test "a signal ends a translation and leaves nothing" {
    for signal in INT:130 TERM:143 HUP:129 QUIT:131 PIPE:141; do
        set -m              # else a run in the background ignores SIGINT and SIGQUIT
        waiting
        set +m
        kill -"${signal%:*}" $run
        ended
        rm -f core*
        [ "$status" -eq "${signal#*:}" ]
        holds model
    done
}

@test "a signal that is ignored ends nothing" {
    trap '' HUP
    waiting
    trap - HUP
    kill -HUP $run
    exec 5>&-
    wait $run
    holds drawn.svg lines model translated
}

@test "what a killed translation leaves is removed by the next one of the same name, and no other's" {
    waiting
    kill -KILL $run
    ended
    [ "$(ls -A | grep -c 'tmp$')" -eq 2 ]
    attn translate -m model --heatmap other.svg -o other <<< "Thank you."
    [ "$(ls -A | grep -c 'tmp$')" -eq 2 ]
    attn translate -m model --heatmap drawn.svg -o translated <<< "Thank you."
    holds drawn.svg model other other.svg translated
}

@test "two that write one file notice each other" {
    waiting
    fails "translated: another process is writing this file; wait for its end, or name another one" \
        attn translate -m model -o translated <<< "Good night!"
    exec 5>&-
    wait $run
    [ "$(cat translated)" = "Merci." ]
    holds drawn.svg lines model translated
}

@test "a reader who leaves, and a full standard output, leave nothing of a picture" {
    repeated 3000 sources > many
    attn translate -m model --quiet --beam 1 --heatmap drawn.svg many | head -n 1 > first
    holds first many model
    [ -c /dev/full ] || skip "no /dev/full here"
    run -1 bash -c "'$ATTN' translate -m model --heatmap drawn.svg <<< 'Thank you.' > /dev/full"
    holds first many model
}
