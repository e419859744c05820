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

# ---- Half-written files ----

# has_begun - whether both files are there, under their temporary names.
has_begun() {
    [ "$(ls -A | grep -c tmp)" -eq 2 ]
}

# waiting - a translation in the background, in $run, that has begun its files and waits for more lines; it writes what
# it has to its standard output's file.
waiting() {
    mkfifo lines
    "$ATTN" translate -m model --quiet --heatmap drawn.svg -o translated lines &
    run=$!
    exec 5> lines
    echo "Thank you." >&5
    await $run has_begun
}

# ended - leaves in $status what the run ended with.
ended() {
    status=0
    wait $run || status=$?
    exec 5>&-
    rm lines
}

@test "a signal ends a translation and leaves nothing" {
    for signal in INT TERM HUP QUIT PIPE USR1 USR2 XCPU; do
        set -m              # else a run in the background ignores SIGINT and SIGQUIT
        waiting
        set +m
        kill -$signal $run
        ended
        rm -f core*
        [ "$status" -eq $((128 + $(kill -l $signal))) ]
        holds model
    done
}

@test "a reader that closes the pipe, and a full standard output, leave nothing of a picture" {
    repeated 3000 sources > many
    attn translate -m model --quiet --beam 1 --heatmap drawn.svg many | head -n 1 > first
    holds first many model
    [ -c /dev/full ] || skip "no /dev/full here"
    run -1 bash -c "'$ATTN' translate -m model --heatmap drawn.svg <<< 'Thank you.' > /dev/full"
    holds first many model
}

# ---- Files that are there ----

tiny=(--no-holdout --hidden 4 --embedding 4 --vocabulary 60 --batch 14 --steps 2 --patience 0 --threads 1 --quiet)

# keeps FILE MESSAGE COMMAND... - fails with this message, and the file is as before.
keeps() {
    cp "$1" "$BATS_TEST_TMPDIR/before"
    fails "${@:2}"
    cmp "$1" "$BATS_TEST_TMPDIR/before"
}

@test "a training refuses to replace a model before it reads its corpus" {
    attn train "$PAIRS" "${tiny[@]}" --valid "$PAIRS" -o first
    keeps first "first: a model is there already; --force replaces it, -o names another" attn train none -o first
    attn train "$PAIRS" "${tiny[@]}" --hidden 8 -o first --force
    [ "$(attn info --json first | jq .network.hidden)" -eq 8 ]
}

@test "a model replaces no file of another kind, even with --force" {
    echo "What I remember." > notes.txt
    cp "$PAIRS" pairs.safetensors
    head -c 1000 model > damaged
    ln -s notes.txt link
    for file in notes.txt pairs.safetensors damaged link; do
        for force in --force --no-force; do
            keeps $file "$file: is there already and is no model that attn train has written, so it is not replaced; name \
another with -o" attn train "$PAIRS" "${tiny[@]}" -o $file $force
        done
    done
    echo "What I did." > new.state
    keeps new.state "new.state: is there already and is no training state of this version, so it is not replaced; move it \
away, or name another model with -o" attn train "$PAIRS" "${tiny[@]}" -o new --force
    : > empty
    attn train "$PAIRS" "${tiny[@]}" -o empty
    attn info empty > info
}

@test "existing logs, pages, pictures and translations are not replaced without --force" {
    sources > lines
    local there="is there already; --force replaces it"
    for file in log page.html drawn.svg out saved; do echo old > $file; done
    keeps log "log: $there, --log names another file" attn train "$PAIRS" "${tiny[@]}" -o new --log log
    keeps page.html "page.html: $there, --curves names another file" \
        attn train "$PAIRS" "${tiny[@]}" -o new --log other --curves page.html
    keeps drawn.svg "drawn.svg: $there, --heatmap names another file" attn translate -m model --heatmap drawn.svg none
    keeps out "out: $there, -o names another file" attn translate -m model -o out none
    keeps saved "saved: $there, --save names another file" attn eval -m model --save saved none
    attn translate -m model --heatmap drawn.svg -o out lines --force
    attn eval -m model --quiet --save saved --force "$PAIRS"
    cmp out saved
    attn train "$PAIRS" "${tiny[@]}" -o new --log log --curves page.html --force
    [ "$(cat log page.html drawn.svg out | grep -c '^old$')" -eq 0 ]
}

@test "an input file is never written, under any name and with --force" {
    cp "$PAIRS" c.tsv
    ln -s c.tsv link
    mkdir sub
    local read="is read: it cannot be written too"
    keeps c.tsv "'c.tsv' $read" attn eval -m model --save c.tsv c.tsv --force
    keeps c.tsv "'link' $read" attn eval -m model --save link c.tsv --force
    keeps model "'model' $read" attn eval -m model --save model c.tsv --force
    keeps model "'model' $read" attn translate -m model -o model --force c.tsv
    keeps model "'model' $read" attn translate -m ./other -m ./model -o model --force c.tsv
    keeps c.tsv "'sub/../c.tsv' $read" attn translate -m model -o sub/../c.tsv --force c.tsv
    keeps c.tsv "'c.tsv' $read" attn translate -m model -o c.tsv --force - < c.tsv
    keeps c.tsv "'c.tsv' $read" attn translate -m model -o c.tsv --force < c.tsv
    keeps c.tsv "'c.tsv' $read" attn translate -m model -o c.tsv --prefixes c.tsv --force model
    keeps c.tsv "'c.tsv' $read" attn train "$PAIRS" "${tiny[@]}" --valid c.tsv --log c.tsv -o new --force
    fails "'./a.svg' cannot be the pictures and the translations too" \
        attn translate -m model -o a.svg --heatmap ./a.svg c.tsv
    holds c.tsv link model sub
}

@test "a picture of a conversation does not replace a file" {
    needs_terminal
    echo mine > a.svg
    printf '%s\n' "Thank you." ":save a.svg" ":save b.svg" ":save b.svg" ":save --force a.svg" |
        at_prompt "'$ATTN' translate -m model --quiet" > screen
    grep -q "^a.svg: is there already; :save --force a.svg replaces it" screen
    grep -q "^b.svg: is there already; :save --force b.svg replaces it" screen
    grep -q "^The picture is in a.svg" screen
    run -1 grep mine a.svg
}
