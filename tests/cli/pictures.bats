#!/usr/bin/env bats
# pictures.bats - heat maps and curves in files: --heatmap FILE, train --curves FILE.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/model
}

# is_whole_html FILE - begins and ends as a page, and asks for nothing beyond itself.
is_whole_html() {
    [ "$(head -1 "$1")" = "<!DOCTYPE html>" ]
    [ "$(tail -1 "$1")" = "</html>" ]
    run -1 grep -E 'https?:|url\(|src=|@import' "$1"
}

@test "--heatmap FILE draws each format beside the translations" {
    printf 'Thank you.\n\nGood night!\n' > lines
    attn translate lines > plain
    for format in svg png html; do
        attn translate --heatmap picture.$format lines | diff plain -
    done
    attn translate --heatmap=picture.txt lines | diff plain -
    [ "$(grep -c '>&lt;eos&gt;</text>' picture.svg)" -eq 4 ]
    [ "$(grep -c '<svg ' picture.html)" -eq 2 ]
    is_whole_html picture.html
    [ "$(head -c 4 picture.png | tail -c 3)" = PNG ]
    [ "$(grep -c '╭ <eos>$' picture.txt)" -eq 2 ]
    [ "$(ls | wc -l)" -eq 6 ]
    attn translate --heatmap a.html <<< '<b onload="x">& 寿司 Thank you.' > /dev/null
    grep -q '&lt;b onload=&quot;x&quot;&gt;&amp; 寿司 Thank you' a.html
    grep -q '>寿司</text>' a.html       # a word that the vocabulary lacks
}

@test "a file behind --heatmap is a picture by its ending, or to be translated" {
    sources > lines.txt
    [ "$(attn translate --heatmap lines.txt | grep -c '╭ <eos>$')" -eq 14 ]
    [ "$(attn translate --heatmap=- lines.txt | grep -c '╭ <eos>$')" -eq 14 ]
    [ "$(attn translate --heatmap - < lines.txt | grep -c '╭ <eos>$')" -eq 14 ]
    [ "$(attn translate --heatmap a.svg lines.txt | wc -l)" -eq 14 ]
    [ -s a.svg ]
}

@test "the picture goes with --json and --output" {
    attn translate --json --heatmap a.svg -o out <<< "Thank you."
    [ "$(jq -r .translation out)" = Merci. ]
    [ -s a.svg ]
}

@test "what is wrong with the picture is found before any translation" {
    fails "a.gif: a picture's name ends in .svg, .png, .html or .txt" attn translate --heatmap=a.gif <<< "Thank you."
    [ -z "$output" ]
    fails "no/a.svg: cannot be written: No such file or directory" attn translate --heatmap no/a.svg <<< "Thank you."
    [ -z "$output" ]
    mkdir a.svg
    fails "a.svg: cannot be written: Is a directory" attn translate --heatmap a.svg <<< "Thank you."
}

@test "a full disk is an error" {
    [ -c /dev/full ] || skip "no /dev/full here"
    for format in svg png html; do
        ln -s /dev/full full.$format
        fails "full.$format: writing failed: No space left on device" \
            attn translate --heatmap full.$format <<< "Thank you."
        [ -L full.$format ]
    done
}

@test "an input that fails leaves no picture" {
    run -1 attn translate --heatmap a.svg "$PAIRS" /dev/zero
    [ "$(ls | wc -l)" -eq 0 ]
}

@test "more pictures than a file holds are reported" {
    repeated 80 sources > lines
    run -0 --separate-stderr attn translate --quiet --beam 1 --heatmap a.svg lines
    [ "${#lines[@]}" -eq 1120 ]
    [ "$stderr" = "attn: warning: a.svg: only the first 1000 of 1120 sentences are drawn" ]
}

train() {
    attn train "$PAIRS" -o model --quiet --hidden 8 --embedding 8 --steps 20 --no-holdout --valid "$PAIRS" \
        --validate-every 5 --threads 1 --log-every 1 "$@"
}

# short NUMBER - as C prints a double; the shell's printf takes it for a long double, which rounds 7.9425 another way.
short() { awk -v number="$1" 'BEGIN { printf "%.4g", number }'; }

@test "--curves draws the course of a training" {
    train --log log --curves curves.html
    is_whole_html curves.html
    for text in "Loss (nats a token)" "Scores on validation" "Learning rate"; do
        grep -qF ">$text</text>" curves.html
        grep -qF "role=\"img\" aria-label=\"$text: " curves.html
    done
    [ "$(grep -c '<title>validation ' curves.html)" -eq "$(grep -c valid_loss log)" ]
    [ "$(grep -c '<title>training ' curves.html)" -eq 20 ]
    jq -r 'select(.bleu) | "\(.bleu) \(.chrf) \(.valid_loss)"' log | while read -r bleu chrf loss; do
        grep -q "<title>BLEU $(short "$bleu") after " curves.html
        grep -q "<title>chrF $(short "$chrf") after " curves.html
        grep -q "<title>validation $(short "$loss") after " curves.html
    done
    rate=$(jq -r 'select(.step == 20) | .learning_rate' log | head -1)
    grep -q "<title>learning rate $(short "$rate") after " curves.html
}

@test "the page of a training has its command" {
    cp "$PAIRS" "a<b>.tsv"
    attn train "a<b>.tsv" -o "m&m" -q --hidden 8 --embedding 8 --steps 2 --no-holdout -t 1 --log log --curves curves.html
    is_whole_html curves.html
    grep -qF '>attn train a&lt;b&gt;.tsv -o m&amp;m -q --hidden 8 ' curves.html
}

# interrupted OPTION... - a training that a signal ends after it has reported some updates.
interrupted() {
    local lines
    lines=$(cat log 2> /dev/null | wc -l)
    "$ATTN" train "$PAIRS" -o model --quiet --hidden 8 --embedding 8 --steps 0 --epochs 1000000 --patience 0 \
        --no-holdout --threads 1 --log log --log-every 1 --curves curves.html "$@" &
    await $! has_lines $((lines + 6)) log
    kill -TERM $!
    wait $! || [ $? -eq 143 ]
}

@test "a log without the first line of a run gives the curves alone" {
    interrupted
    grep -q '>attn train ' curves.html
    for first in '{"command":3}' '{"command":' '{}'; do
        sed -i "1s/.*/$first/" log
        interrupted --resume
        is_whole_html curves.html
        run -1 grep '>attn train ' curves.html
        grep -q '<title>training ' curves.html
    done
}

@test "curves need a log, and files of their own" {
    refuses "--curves are drawn from the log; name one with --log" train --curves curves.html
    fails "'log' cannot be the curves and the log too" train --log log --curves log
    fails "'model' cannot be the curves and the model too" train --log log --curves model
    fails "no/curves.html: cannot be written: No such file or directory" train --log log --curves no/curves.html
    mkfifo pipe
    fails "pipe: curves are drawn from the log, which must be a file for that" train --log pipe --curves curves.html
    [ ! -e curves.html ]
}

@test "curves that cannot be written don't end a training, and are an error in the end" {
    [ -c /dev/full ] || skip "no /dev/full here"
    ln -s /dev/full full.html
    run -1 --separate-stderr train --log log --curves full.html
    [ "${stderr_lines[0]}" = "attn: warning: full.html: writing failed: No space left on device; training continues" ]
    [ "${stderr_lines[1]}" = "attn: error: full.html: writing failed: No space left on device" ]
    [ "${#stderr_lines[@]}" -eq 2 ]
    [ -s model ]
    [ "$(tail -1 log | jq .step)" -eq 20 ]
}
