#!/usr/bin/env bats
# prompt.bats - a conversation: `attn translate` at a terminal.

load helper

setup_file() {
    load helper
    cp "$PAIRS" "$BATS_FILE_TMPDIR/eng-fra.tsv"
    PAIRS=$BATS_FILE_TMPDIR/eng-fra.tsv learn_by_heart "$BATS_FILE_TMPDIR/eng-fra.safetensors"
}

setup() {
    needs_terminal
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/eng-fra.safetensors XDG_STATE_HOME=$PWD/state
}

# converse LINE... - types the lines; the file `screen` has what was to be seen.
converse() {
    printf '%s\n' "$@" | at_prompt "'$ATTN' translate" > screen
}

# shows LINE... - each is on the screen, as a whole line.
shows() {
    local line
    for line in "$@"; do grep -qxF -- "$line" screen || { echo "missing: $line"; cat screen; return 1; }; done
}

# see TEXT - waits until it is on the live screen of `converse_live`.
see() {
    await $$ grep -qsF -- "$1" live || { cat live; return 1; } >&2
}

# has_prompts COUNT - whether so many lines were asked for.
has_prompts() {
    [ "$(grep -c '^> ' live)" -ge "$1" ]
}

# converse_live WRITER OPTION... - types what the function writes, which may wait for what the screen shows; the number
# of the process is in `process`.
converse_live() {
    rm -f live process
    "$1" | script -qefc "echo \$\$ > process; exec '$ATTN' translate ${*:2}" live > unread || true
    tr -d '\r' < live > screen
}

@test "it greets with the origin of its model, and --quiet does not" {
    converse
    grep -q 'eng-fra.safetensors: learned from eng-fra.tsv$' screen
    shows "Type a sentence, :help for help, Ctrl-D to leave."
    at_prompt "'$ATTN' translate --quiet" < /dev/null > screen
    run -1 grep learned screen
}

@test "a sentence gives its translation, and after :nbest several" {
    converse "Thank you." ":nbest 2" "Good night!" ":nbest 6" ":beam 4" ":beam"
    shows "Merci." "beam 5, nbest 2" "beam 6, nbest 6"
    [ "$(grep -cx "beam 4, nbest 4" screen)" -eq 2 ]
    grep -q '^ *-[0-9.]*  Bonne nuit !$' screen
}

@test "lines enter the history, which is nobody else's" {
    converse "Good night!" ":beam 2"
    grep -q 'Good.*night' "$XDG_STATE_HOME/attn/history"
    grep -q ':beam' "$XDG_STATE_HOME/attn/history"
    [ "$(stat -c %a "$XDG_STATE_HOME/attn/history")" = 600 ]
    [ "$(stat -c %a "$XDG_STATE_HOME/attn")" = 700 ]
}

# A search that would go on for seconds: a hundred translations of each of two thousand sentences, and hardly an end.
runaway="--sample --nbest 100 --temperature 100"

interrupted_translation() {
    see '> '
    repeated 2000 echo "Thank you." | tr '\n' ' '
    echo Z
    see Z
    await $$ has_run "$(cat process)" 30        # so that more than the start has been computed
    printf '\003'
    see "given up"
    echo ":score Thank you. ||| Merci."
    see "log-probability"
    echo ":quit"
}

@test "Ctrl-C gives up a translation on its way, and the conversation goes on" {
    # shellcheck disable=SC2086
    converse_live interrupted_translation $runaway
    shows "given up"
    grep -q "log-probability, " screen
}

interrupted_line() {
    see '> '
    printf 'Good'
    see Good
    printf '\003:beam 2\n'
    see "beam 2, nbest 1"
    printf 'Thank'
    see Thank
    kill -INT "$(cat process)"
    await $$ has_prompts 3         # of two lines, and a fresh one
    echo ":beam 3"
    see "beam 3, nbest 1"
    echo ":quit"
}

@test "Ctrl-C, as a key or a signal, gives up a line that is being typed" {
    converse_live interrupted_line
    shows "beam 2, nbest 1" "beam 3, nbest 1"
}

@test "Ctrl-C ends what is no conversation" {
    repeated 2000 sources > many
    set -m              # else a run in the background ignores SIGINT
    # shellcheck disable=SC2086
    "$ATTN" translate $runaway many > out 2> errors &
    set +m
    await $! has_run $! 30
    kill -INT $!
    wait $! || [ $? -eq 130 ]
    [ ! -s errors ]
}

@test "a history that cannot be kept is no obstacle" {
    touch file
    XDG_STATE_HOME=$PWD/file converse "Thank you."
    shows "Merci."
    XDG_STATE_HOME='' HOME='' converse "Thank you."
    shows "Merci."
}

@test "the help names every command" {
    converse :help
    for name in attention alternatives save score prefix beam nbest help quit; do
        grep -q "^  :$name " screen
    done
}

@test "the help breaks its lines between words" {
    echo :help | at_prompt "stty columns 60; '$ATTN' translate --quiet" > screen
    run -1 grep -E '^.{61}' screen
    grep -qE '^ {25}.*on, off: of every one$' screen
}

@test "a mistyped command is answered with the nearest" {
    converse ":bem 3" ":xyzzy" ":beam ten"
    shows "There is no command :bem. Did you mean :beam?" \
        "There is no command :xyzzy. Type :help for the list." \
        "--beam: 'ten' is not a whole number from 1 to 100, or auto"
}

@test "a command may be cut short: it is the first that begins so" {
    converse ":be 3" ":a on" ":s" ":sc"
    shows "beam 3, nbest 1" "Attention is drawn below each translation." \
        "The name of the picture is missing, as in :save attention.svg" \
        "Write a source, ||| and its translation, as in :score I am calm. ||| Je suis calme."
}

@test ":q, :exit, exit and quit leave, and with a capital are words" {
    local word
    for word in :q :exit exit quit; do
        converse "$word" ":beam 7"
        run -1 grep "^beam 7" screen
    done
    converse "Exit" "Quit." ":beam 7"
    shows "beam 7, nbest 1"
}

# presses KEYS LINE... - types keys, with the escapes of printf, and Enter: the lines are shown.
presses() {
    # shellcheck disable=SC2059  # the escapes are in the format
    printf "$1\n" | at_prompt "'$ATTN' translate --quiet" > screen
    shows "${@:2}"
}

@test "Ctrl and Alt with an arrow go by words" {
    for left in '[1;5D' '[1;3D' b; do
        presses "beam 3\033$left\033$left:" "beam 3, nbest 1"
    done
    for right in '[1;5C' '[1;3C' f; do
        presses "am\033[H:be\033$right 4" "beam 4, nbest 1"
    done
}

@test "Home, End and PgUp work as their names say" {
    presses 'am 3\033[1~:be' "beam 3, nbest 1"
    presses 'beam\033[1~:\033[4~ 6' "beam 6, nbest 1"
    presses ':beam 4\n:nbest 2\n:be\033[5~9' "beam 49, nbest 2"
}

@test "a key that ~/.editrc binds is bound" {
    echo 'attn:bind "\e[15~" ed-move-to-beg' > .editrc
    HOME=$PWD presses 'am 3\033[15~:be' "beam 3, nbest 1"
}

@test "Tab completes the name of a command, and is a blank in a sentence" {
    presses ':be\t3' "beam 3, nbest 1"
    presses ':al\t' "Nothing is translated yet."
    presses 'Thank you.\n:att\t on' "Attention is drawn below each translation."
    presses ':beam 3\t' "beam 3, nbest 1"
    presses 'Thank\tyou.' "Merci."
}

@test ":attention draws the last translation, :attention on each" {
    converse ":attention" ":alternatives" ":save a.svg" "Thank you." ":attention"
    [ "$(grep -cx "Nothing is translated yet." screen)" -eq 3 ]
    [ "$(grep -c '╭ <eos>$' screen)" -eq 1 ]
    converse ":attention on" "Thank you." "Good night!" ":attention off" "Thank you." ":attention maybe"
    [ "$(grep -c '╭ <eos>$' screen)" -eq 2 ]
    shows ":attention is followed by on, off or nothing."
}

@test ":prefix is what translations begin with, until it is taken back" {
    converse ":prefix Bonne" "Thank you." ":prefix" "Thank you."
    shows "Translations begin with: Bonne" "Translations begin with what the model chooses." "Merci."
    grep -q '^Bonne' screen
}

@test ":score prints each word's probability, and their sum" {
    converse ":score Thank you. ||| Merci." ":score Thank you. ||| Bonne nuit !" ":score Thank you."
    grep -q '^·ci .* [5-9][0-9]\.[0-9][0-9] %$' screen
    grep '^<eos> ' screen | head -1 | grep -q '%$'
    awk '/log-probability/ { print $1 }' screen > sums
    awk 'NR == 1 { right = $1 } END { exit !(NR == 2 && right > $1) }' sums
    awk '/log-probability/ { exit !(sum - $1 < 0.0002 && $1 - sum < 0.0002) }  / %$/ { sum += $(NF - 2) }' screen
    shows "Write a source, ||| and its translation, as in :score I am calm. ||| Je suis calme."
}

@test ":alternatives has a row for each token, best first, the chosen one once" {
    printf '%s\n' "Thank you." ":alternatives" | at_prompt "stty columns 200; '$ATTN' translate" > screen
    grep ' % ' screen | grep -v ':' > rows
    grep -q '^ *[5-9][0-9]\.[0-9][0-9] % ·ci  ' rows
    tail -1 rows | grep -q '% <eos>  '
    [ "$(tail -1 rows | grep -o '<eos>' | wc -l)" -eq 1 ]
    tail -1 rows | grep -o '[0-9.]* %' | sort -rn -c
    [ "$(tail -1 rows | grep -o '%' | wc -l)" -eq 5 ]
}

@test ":alternatives shows as many as the terminal has room for" {
    local columns
    for columns in 40 80 100; do
        printf '%s\n' "Thank you." ":alternatives" |
            at_prompt "stty columns $columns; '$ATTN' translate" | grep -v ':' | grep ' % ' > rows
        [ "$(tail -1 rows | grep -o '%' | wc -l)" -eq $(((columns - 21) / 23 + 1)) ]
        run -1 grep -E ".{$((columns + 1))}" rows
    done
}

@test ":save draws the last translation in each format" {
    converse "Thank you." ":save a.svg" ":save a.html" ":save a.txt" ":save a.png" ":save a.gif" ":save no/a.svg" \
        ":save"
    shows "The picture is in a.svg" "a.gif: a picture's name ends in .svg, .png, .html or .txt" \
        "no/a.svg: cannot be written: No such file or directory" \
        "The name of the picture is missing, as in :save attention.svg"
    grep -q '>·ci</text>' a.svg
    grep -q '>·ci</text>' a.html
    grep -q '^ *·ci  ' a.txt
    [ "$(head -c 4 a.png | tail -c 3)" = PNG ]
    [ "$(ls | wc -l)" -eq 6 ]         # with the state and the screen
}

@test "control characters of a foreign model do not reach the terminal" {
    LC_ALL=C sed 's/bridge\.bias":{"dtype":"F32"/\\u001b[31mX":{"dtype":"F99"/' "$ATTN_MODEL" > evil
    fails 'evil: tensor "?[31mX": its type "F99" is not one of F32, I8, U8, F16, BF16' attn translate -m evil
    export ODD=$'m\e[31m'
    cp "$ATTN_MODEL" "$ODD"
    at_prompt "'$ATTN' translate -m \"\$ODD\"" < /dev/null > screen
    grep -q '^m?\[31m: learned from' screen
}

@test "what is no text is repaired, and control characters do not come back" {
    printf 'Thank you.\xff\n:\xff\n' | at_prompt "'$ATTN' translate" > screen
    grep -q 'There is no command' screen
}

@test "where no pseudo-terminal can be had a test is skipped, with the reason" {
    printf '%s\n' '#!/bin/sh' 'echo "script: failed to create pseudo-terminal: No such device" >&2' 'exit 1' > script
    chmod +x script
    # shellcheck disable=SC2317  # needs_terminal calls it
    skip() { echo "$1"; exit; }
    answer=$(PATH=$PWD:$PATH needs_terminal; echo "not skipped")
    [ "$answer" = "no terminal here: script: failed to create pseudo-terminal: No such device" ]
    answer=$(PATH=$PWD/nowhere needs_terminal; echo "not skipped")
    [ "$answer" = "no terminal here: there is no script" ]
    unset -f skip
    [ "$(needs_terminal; echo here)" = here ]
}
