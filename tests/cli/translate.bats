#!/usr/bin/env bats
# translate.bats - a line in, a line out, in order; every style; every kind of broken input.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/model
}

# ---- A line in, a line out ----

@test "lines come out translated, in order" {
    sources | attn translate > out
    diff out <(targets)
}

@test "empty and blank lines give empty lines" {
    printf '\nThank you.\n   \n\t\n\nGood night!\n\n' | attn translate > out
    printf '\nMerci.\n\n\n\nBonne nuit !\n\n' | diff out -
    attn translate < /dev/null > out 2>&1
    [ ! -s out ]
}

@test "CRLF, a missing last newline and a byte-order mark are normal" {
    printf '\xef\xbb\xbfThank you.\r\nGood night!' | attn translate > out
    printf 'Merci.\nBonne nuit !\n' | diff out -
    printf '\xef\xbb\xbfThank you.\n' | attn translate --json > out
    [[ $(cat out) == '{"source":"Thank you.",'* ]]
}

@test "invalid UTF-8 and NUL bytes are repaired with a warning that names the line" {
    latin1="if it is Latin-1 or Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"
    printf 'Thank you.\n\xff\xfe\nGood night!\na\0b\n' > broken
    run -0 --separate-stderr attn translate broken
    [ "${#lines[@]}" -ge 2 ]
    [ "${lines[0]}" = "Merci." ]
    [ "$(attn translate broken 2> /dev/null | wc -l)" -eq 4 ]
    [ "${stderr_lines[0]}" = "attn: warning: broken:2: invalid UTF-8 or NUL in 2 places, now U+FFFD; $latin1" ]
    [ "${stderr_lines[1]}" = "attn: warning: broken:4: invalid UTF-8 or NUL in 1 place, now U+FFFD" ]
    for first in 'é' 'a\0b'; do                 # neither is a sign of Latin-1
        printf '%b\nc\xffd\n' "$first" > broken
        run -0 --separate-stderr attn translate broken
        [[ $stderr == *"warning: broken:2: invalid UTF-8 or NUL in 1 place, now U+FFFD"* && $stderr != *iconv* ]]
    done
}

@test "for carriage returns alone and for UTF-16 the error has the command that converts" {
    printf 'Thank you.\rGood night!\r' > returns
    fails "returns: its lines end in carriage returns; tr '\r' '\n' converts them" attn translate returns
    printf 'Thank you.\n' | iconv -f UTF-8 -t UTF-16 > wide
    fails "wide: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it" attn translate wide
}

@test "many broken lines give few warnings" {
    for _ in $(seq 100); do printf '\xff\n'; done > broken
    run -0 --separate-stderr attn translate broken
    [ "${#stderr_lines[@]}" -eq 6 ]
    [ "${stderr_lines[5]}" = "attn: warning: 100 lines in all had invalid UTF-8 or NUL" ]
}

@test "invisible characters give an empty line" {
    printf '\xc2\xa0\n\xe3\x80\x80 \n\xe2\x80\x8b\xe2\x80\x8d\n\r\n\x1b\x07\nThank you.\n' | attn translate > out
    printf '\n\n\n\n\nMerci.\n' | diff out -
}

@test "line ends of other worlds stay inside the line, and none comes out" {
    printf 'Thank\ryou.\nThank\xe2\x80\xa8you.\nThank\xc2\x85you.\nGood\x0bnight!\r\n' > odd
    attn translate odd > out
    printf 'Merci.\nMerci.\nMerci.\nBonne nuit !\n' | diff out -
    attn translate --json odd > out
    [ "$(wc -l < out)" -eq 4 ]
    run -1 grep -P '\x{2028}|\x{2029}|\x{85}|\r' out
    [ "$(sed -n 2p out | jq .source)" = "$(printf '"Thank\xe2\x80\xa8you."')" ]
}

@test "binary junk gives a line for each of its lines" {
    { head -c 100000 "$BASH"; echo; echo "Thank you."; } > junk
    run -0 --separate-stderr bash -c "'$ATTN' translate --beam 1 junk > out"
    [ "$(wc -l < out)" -eq "$(wc -l < junk)" ]
    [ "$(tail -1 out)" = "Merci." ]
    [[ ${stderr_lines[0]} =~ ^attn:\ warning:\ junk:1:\ invalid\ UTF-8\ or\ NUL\ in\ [0-9]+\ places,\ now\ U\+FFFD$ ]]
}

@test "each sentence of a line is translated, the line stays one" {
    paste -d ' ' <(sources | head -7) <(sources | tail -7) | attn translate > out
    paste -d ' ' <(targets | head -7) <(targets | tail -7) | diff out -
    sources | tr '\n' ' ' | attn translate > out
    targets | tr '\n' ' ' | sed 's/ $/\n/' | diff out -
}

@test "marks of lists, quotations and speakers stay as they are" {
    printf '%s\n' "- Thank you." "  * Good night!" "1. Thank you." "> ## Good night!" "— Thank you. — Good night!" "  Thank you." |
        attn translate > out
    printf '%s\n' "- Merci." "  * Bonne nuit !" "1. Merci." "> ## Bonne nuit !" "— Merci. — Bonne nuit !" "  Merci." |
        diff out -
    [ "$(echo "- Thank you." | attn translate --alignment | cut -f 2)" = "$(
        echo "Thank you." | attn translate --alignment | cut -f 2 | sed -E 's/[0-9]+/\n&\n/g' |
            awk '/[0-9]/ { $0 += 1 } { printf "%s", $0 }')" ]
}

@test "tags around words come back around their translation" {
    local tags
    for tags in '<b> </b>' '<a:href="x:y;z"> </a>'; do
        sources | sed "s|^\([A-Za-z]*\)|${tags% *}\1${tags#* }|; s/:href/ href/" > in
        for options in "" "--beam 1" "--threads 2 --batch 3" "-m $ATTN_MODEL -m $ATTN_MODEL"; do
            # shellcheck disable=SC2086
            attn translate $options in > out
            [ "$(grep -cF -- "${tags#* }" out)" -eq 14 ]
            sed 's|</*[ab][^>]*>||g' out | diff - <(targets)
        done
    done
    attn translate --no-split <<< '<b>Thank</b> you.' > out
    run -1 grep -F 'Merci.' out
}

@test "a line of any length is translated to its end" {
    repeated "$(fewer 5000)" sources | tr '\n' ' ' > long
    { echo; echo "Thank you."; } >> long
    [ "$(head -1 long | wc -c)" -gt "$(fewer 1000000)" ]
    run -0 --separate-stderr bash -c "'$ATTN' translate --quiet --beam 1 long > out"
    [ -z "$stderr" ]
    { repeated "$(fewer 5000)" targets | tr '\n' ' ' | sed 's/ $//'; echo; echo "Merci."; } | cmp out -
}

@test "a line without a place to cut is translated in parts, and the others are not lost" {
    { echo "Thank you."; head -c "$(fewer 300000)" /dev/zero | tr '\0' 'a'; echo; echo "Good night!"; } > long
    run -0 --separate-stderr attn translate --quiet --beam 1 long
    [ "${#lines[@]}" -eq 3 ]
    [ "${lines[0]}" = "Merci." ]
    [ "${lines[2]}" = "Bonne nuit !" ]
    [ "$stderr" = "attn: warning: long:2: the model knows few of the words so far; is this the language that it translates from?" ]
}

@test "where attention is kept a line that is far too long is cut with a warning that names it" {
    repeated 700 sources | tr '\n' ' ' | cut -c 1-140000 > long
    echo "Thank you." >> long
    for style in --alignment --json; do
        attn translate --quiet --beam 1 $style long > out 2> warnings
        [ "$(cat warnings)" = "attn: warning: long:1: only the first 131072 of 140000 bytes are translated" ]
        [ "$(wc -l < out)" -eq 2 ]
    done
    [ "$(tail -1 out | jq -r .translation)" = "Merci." ]
}

@test "an endless file is refused, plain or gzipped" {
    fails "/dev/zero:1: a line of more than 16 MiB: is this a text?" attn translate /dev/zero
    { echo "Thank you."; head -c 20000000 /dev/zero; } | gzip -1 > bomb.gz
    fails "bomb.gz:2: a line of more than 16 MiB: is this a text?" attn translate bomb.gz
    [ "$output" = "Merci." ]
}

@test "a slow writer is answered line by line" {
    mkfifo questions answers
    attn translate < questions > answers &
    exec 5> questions 6< answers
    for sentence in "Thank you." "Good night!"; do
        echo "$sentence" >&5
        read -r answer <&6
        [ "$answer" = "$(grep -F "$sentence" "$PAIRS" | cut -f2)" ]
    done
    exec 5>&- 6<&-
    wait $!
}

@test "a large input keeps its order across batches" {
    repeated 700 sources > many
    attn translate --beam 1 many > out
    repeated 700 targets | diff out -
}

# ---- What the model does not know ----

# learn_to_copy FILE OPTION... - a model of fourteen letters that are too rare for its vocabulary, and so of any.
learn_to_copy() {
    for letter in Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ; do
        printf 'I see %s.\tJe vois %s.\n%s is here.\t%s est ici.\n' $letter $letter $letter $letter
    done > rare
    attn train rare --no-holdout --force -o "$1" --quiet --hidden 32 --embedding 32 --batch 28 --steps 60 --learning-rate 0.01 \
        --dropout 0 --dropout-embedding 0 --label-smoothing 0.1 --patience 0 --seed 1 --threads 1 "${@:2}"
}

@test "characters never seen in training are copied" {
    for kind in "--tokens char --vocabulary 53" "--tokens bpe --vocabulary 58"; do
        # shellcheck disable=SC2086
        learn_to_copy copier $kind
        printf 'I see Жж.\n☃ is here.\nΩ is here. I see 漢.\nI see Ξ.\n' > unseen
        run -0 --separate-stderr attn translate -m copier unseen
        [ "$output" = "$(printf 'Je vois Жж.\n☃ est ici.\nΩ est ici. Je vois 漢.\nJe vois Ξ.')" ]
        [ -z "$stderr" ]
        [ "$(attn translate -m copier --json unseen | jq -r .translation | head -1)" = "Je vois Жж." ]
    done
}

@test "unknown text that does not get into the translation is reported with its line" {
    learn_by_heart plain --no-placeholders
    for _ in $(seq 7); do printf 'Thank you.\nThank 寿司 you.\n'; done > unseen
    run -0 --separate-stderr attn translate -m plain unseen
    [ "${#lines[@]}" -eq 14 ]
    run -1 grep '<unk>' <<< "$output"
    run -0 --separate-stderr attn translate -m plain unseen
    [ "${stderr_lines[0]}" = \
        "attn: warning: unseen:2: not in the model's vocabulary, and lost in translation: '寿司'" ]
    [[ ${stderr_lines[4]} == "attn: warning: unseen:10: "* ]]
    [ "${stderr_lines[5]}" = \
        "attn: warning: 7 lines in all have text not in the model's vocabulary, and lost in translation" ]
    [ "${#stderr_lines[@]}" -eq 6 ]
    printf 'I %s see %s %s.\n' "$(printf 'Ж%.0s' $(seq 50))" Ш Щ Ъ Ы > unseen
    run -0 --separate-stderr attn translate -m plain unseen
    [[ ${stderr_lines[0]} == *": '$(printf 'Ж%.0s' $(seq 40))…', 'Ш', 'Щ'"* ]]
    printf 'Ж Ш Щ Ъ Ы\n' > unseen
    run -0 --separate-stderr attn translate -m plain unseen
    [[ ${stderr_lines[0]} == *": 'Ж', 'Ш', 'Щ' and 2 more" ]]
    echo "Thank 寿司 you." > unseen
    run -0 --separate-stderr attn translate unseen
    [ "$stderr" = "attn: warning: unseen:1: left out by the network, and written behind the sentence: '寿司' (1 line in all)" ]
    [[ $output == *" 寿司" ]]
}

@test "text in the language of the translation is told once a file, and no other" {
    targets > french
    sources > english
    attn translate french english french 2> warnings > out
    [ "$(grep -c '^attn: warning: french:3: most words so far are of the language that the model translates into' warnings)" -eq 2 ]
    run -1 grep english warnings
}

# learn_words FILE OPTION... - a model of whole words, from the pairs in stdin.
learn_words() {
    cat > pairs
    attn train pairs --no-holdout --force -o "$1" --quiet --hidden 16 --embedding 16 --batch 3 --steps 60 --dropout 0 \
        --learning-rate 0.02 --dropout-embedding 0 --label-smoothing 0.1 --patience 0 --threads 1 --tokens word "${@:2}"
}

@test "a line end in a vocabulary does not come out" {
    printf 'Thank you.\tMerci\xe2\x80\xa8bien.\nGood night!\tBonne\xe2\x80\xa9nuit !\n' | learn_words words
    printf 'Thank you.\nGood night!\n' | attn translate -m words > out
    printf 'Merci bien .\nBonne nuit !\n' | diff out -
}

# ---- Files ----

@test "several files are read one after another, .gz and - among them" {
    echo "Thank you." > a
    echo "Good night!" | gzip > b.gz
    echo "I am calm." | attn translate a b.gz - a > out
    printf 'Merci.\nBonne nuit !\nJe suis calme.\nMerci.\n' | diff out -
}

@test "a missing file is an error before any is translated; for a sentence the error names standard input" {
    echo "Thank you." > a
    for name in missing "He is sick."; do
        fails "$name: there is no such file; a sentence comes from standard input, as in: echo 'I am calm.' | \
attn translate" attn translate a "$name"
        [ -z "$output" ]
    done
    fails "/: is a directory, not a file" attn translate a /
    [ -z "$output" ] && [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a pipe with a name is read, and is no model" {
    mkfifo pipe
    echo "Thank you." > pipe &
    [ "$(attn translate pipe)" = "Merci." ]
    fails "pipe: is not a regular file" attn translate -m pipe
    fails "pipe: is not a regular file" attn info pipe
}

@test "--output writes the file only when all went well" {
    echo old > out
    echo "Thank you." > a
    run -1 attn translate --force -o out a /dev/zero
    [ "$(cat out)" = old ]
    run -0 attn translate --force -o out a
    attn translate -o - a | cmp - out
    [ ! -e - ]
    [ -z "$output" ]
    [ "$(cat out)" = "Merci." ]
    [ -z "$(find . -name 'out?*')" ]
    fails "no/such/folder: cannot be written: No such file or directory" attn translate -o no/such/folder a
}

@test "a closed standard stream does not become a file" {
    echo "Thank you." > a
    for closed in "2>&-" ">&- 2>&-" "<&- >&- 2>&-"; do
        run -0 bash -c "'$ATTN' translate --verbose -o out a $closed"
        [ "$(cat out)" = "Merci." ]
        rm out
    done
    fails "standard input: Bad file descriptor" bash -c "'$ATTN' translate <&-"
    fails "cannot write standard output: Bad file descriptor" bash -c "'$ATTN' translate a >&-"
}

@test "a missing model names the file and what makes one" {
    fails "./none: cannot be opened: No such file or directory; 'attn train CORPUS' makes a model, \
-m FILE or ATTN_MODEL=FILE names another" attn translate -m ./none < /dev/null
}

@test "a full disk is an error" {
    [ -w /dev/full ] || skip "no /dev/full here"
    for lines in 1 3000; do
        run -1 --separate-stderr bash -c "yes 'Thank you.' | head -$lines | '$ATTN' translate --beam 1 > /dev/full"
        [ "$stderr" = "attn: error: cannot write standard output: No space left on device" ]
    done
}

@test "a reader that leaves early is noticed soon, and nothing is said, where the signal is ignored, too" {
    mkfifo endless
    for ignored in "" "trap '' PIPE;"; do
        yes "Thank you." > endless 2> /dev/null &
        run -0 --separate-stderr bash -c "$ignored '$ATTN' translate --beam 1 endless | head -1"
        [ "$output" = "Merci." ]
        [ -z "$stderr" ]
        wait $! || true
    done
}

# ---- Styles ----

@test "--nbest gives N lines a sentence, best first" {
    printf 'Thank you.\n\nGood night!\n' | attn translate --nbest 3 > out
    [ "$(cut -d' ' -f1 out | tr '\n' ' ')" = "0 0 0 1 2 2 2 " ]
    [[ $(sed -n 1p out) =~ ^0\ \|\|\|\ Merci\.\ \|\|\|\ -[0-9.]+$ ]]
    [ "$(sed -n 4p out)" = "1 |||  ||| 0" ]
    [[ $(sed -n 5p out) == "2 ||| Bonne nuit ! ||| -"* ]]
    sort -s -k1,1n -t'|' -c <(cut -d'|' -f1 out)
    printf 'Good night!\n' | attn translate --nbest 3 - <(echo "Thank you.") | cut -d ' ' -f 1 | xargs > numbers
    [ "$(cat numbers)" = "0 0 0 1 1 1" ]
    [ "$(echo "?!" | attn translate --nbest 3 | wc -l)" -eq 1 ]         # no more are found
    for n in 0 2; do
        grep "^$n " out | sed 's/.* ||| //' > scores
        sort -grs scores | diff scores -
    done
}

@test "--nbest has empty translations too" {
    echo "Thank you." | attn translate --nbest 100 --beam 100 --beam-threshold 0 > out
    grep -Eq '^0 \|\|\|  \|\|\| -[0-9.]+$' out         # an empty one
}

@test "--alignment adds links between words that exist" {
    sources | attn translate --alignment > out
    cut -f1 out | diff - <(targets)
    paste <(sources) out | while IFS=$'\t' read -r source target links; do
        read -ra s <<< "$source"
        read -ra t <<< "$target"
        read -ra l <<< "$links"
        [ "${#l[@]}" -eq "${#t[@]}" ]
        for j in "${!l[@]}"; do
            [ "${l[j]#*-}" -eq "$j" ]
            [ "${l[j]%-*}" -lt "${#s[@]}" ]
        done
    done
    printf '\n' | attn translate --alignment > out
    printf '\t\n' | diff out -
    sources | sed 's/^/<b>/; s/$/<\/b>/' | attn translate --alignment | cut -f2 > tagged
    sources | attn translate --alignment | cut -f2 | diff - tagged
}

@test "the help names every key of --json" {
    echo "I am calm." | attn translate --json | jq -r 'keys[]' > keys
    attn help translate --all > help
    while read -r key; do grep -qw -- "$key" help; done < keys
    [ "$(wc -l < keys)" -gt 9 ]
}

@test "--json is an object a line that holds together" {
    { sources; echo; echo '"quoted" \ back'; sources | tr '\n' ' '; } > in
    attn translate --json --nbest 2 in > out
    [ "$(jq -s length out)" -eq 17 ]
    jq -r .translation out | head -14 | diff - <(targets)
    jq -r .source out | diff - <(cat in; echo)
    jq -e '(.attention | length) == (.target_tokens | length)' out > checks
    jq -e 'all(.attention[]; length > 0)' out >> checks
    jq -e '[.attention[] | length] == [.stretches[] | .[0] as $n | range(.[1]) | $n]' out >> checks
    jq -e '([.stretches[][0]] | add // 0) == (.source_tokens | length)' out >> checks
    jq -e '([.source_tokens[] | select(. == "<eos>")] | length) == (.stretches | length)' out >> checks
    jq -e 'all(.attention[]; (add - 1) | . < 0.01 and . > -0.01)' out >> checks
    jq -e '.nbest | length == 2 or length == 0' out >> checks
    jq -e '.nbest == [] or .nbest[0].score == .score' out >> checks
    jq -e '(.source == "") == (.nbest == [])' out >> checks
    jq -e '.seconds > 0 and .score <= 0 and .log_probability <= 0' out >> checks
    run -1 grep -v true checks
    [ "$(tail -1 out | jq '.stretches | length')" -eq 14 ]
}

@test "scores, attention and links of a line are those of its sentences together" {
    sources | head -3 > in
    tr '\n' ' ' < in > line
    attn translate --json in | jq -s '
        [(map(.log_probability) | add), (map(.score) | add / 3)] + (map(.attention) | add) | flatten' > each
    attn translate --json line | jq '[.log_probability, .score] + .attention | flatten' > whole
    jq -e -s 'transpose | length > 100 and all(.[]; .[0] - .[1] | . < 0.0003 and . > -0.0003)' each whole
    attn translate --alignment in | paste in - | awk -F '\t' '
        { n = split($3, link, " ")
          for (i = 1; i <= n; i++) { split(link[i], word, "-"); print word[1] + s "-" word[2] + t }
          s += split($1, unused, " "); t += n }' | paste -sd ' ' > each
    attn translate --alignment line | cut -f 2 | diff each -
    attn translate --alignment --nbest 2 line | head -1 | sed 's/.* ||| //' | diff each -
    [ "$(attn translate --heatmap line | grep -c '╭ <eos>$')" -eq 3 ]
}

@test "--no-split gives the network the line as it is" {
    echo "Thank you. Good night!" > line
    [ "$(attn translate --json line | jq -c .source_tokens | grep -o '<eos>' | wc -l)" -eq 2 ]
    [ "$(attn translate --json --no-split line | jq -c .source_tokens | grep -o '<eos>' | wc -l)" -eq 1 ]
}

@test "--heatmap draws a row for each target token, plain where there is no terminal" {
    echo "I am calm." | COLORTERM=truecolor attn translate --heatmap > out
    [ "$(sed -n 1p out)" = "Je suis calme." ]
    grep -q '│ ╭ <eos>$' out
    grep -q '^<eos>  ' out
    [ "$(tail -1 out)" = "       0   ░░▒▒▓▓██ 1  · = no blank before it" ]
    run -1 grep $'\033' out
}

@test "--verbose prints the speed on stderr" {
    run -0 --separate-stderr attn translate --verbose <<< "Thank you."
    [ "$output" = "Merci." ]
    [[ $stderr =~ ^1\ line\ in\ [0-9.]+\ s,\ [0-9,]+\ lines/s$ ]]
}

# ---- At a terminal ----

@test "--color decides where there is no terminal, and over NO_COLOR" {
    local colour=$'\033[48;5;'
    echo "Thank you." > line
    attn translate --heatmap --color always line | grep -qF "$colour"
    NO_COLOR=1 COLORTERM=truecolor attn translate --heatmap --color=always line | grep -qF "$colour"
    for option in "" "--color auto" "--color never"; do
        # shellcheck disable=SC2086
        COLORTERM=truecolor attn translate --heatmap $option line > out
        run -1 grep $'\033' out
    done
    refuses "--color: 'sometimes' is not one of auto, always, never" \
        attn translate --color sometimes -m none
}

@test "--color decides at a terminal, and in a conversation" {
    needs_terminal
    export COLORTERM=truecolor
    local colour=$'\033[48;5;'
    echo "Thank you." > line
    on_terminal "'$ATTN' translate --heatmap line" < /dev/null | grep -qF "$colour"
    NO_COLOR=1 on_terminal "'$ATTN' translate --heatmap line" < /dev/null > none
    on_terminal "'$ATTN' translate --heatmap --color never line" < /dev/null >> none
    printf '%s\n' "Thank you." :q | on_terminal "'$ATTN' translate --heatmap --color never" >> none
    run -1 grep -F "$colour" none
    export NO_COLOR=1
    printf '%s\n' "Thank you." :q | on_terminal "'$ATTN' translate --heatmap --colour always" |
        grep -qF "$colour"
}

# progress_of COMMAND - what a shell command draws on a terminal of 60 columns, line by line.
progress_of() {
    on_terminal "stty columns 60; $1" | tr '\033' '\n' | sed 's/^\[K//' > screen
}

@test "the share is shown for files of known size" {
    needs_terminal
    sources > lines
    gzip -k lines
    for input in lines "lines lines.gz" "< lines" "- lines < lines"; do
        progress_of "'$ATTN' translate --force -o out $input" < /dev/null
        grep -qE '^ +0% +0 lines  0 lines/s$' screen
    done
    progress_of "cat lines | '$ATTN' translate --force -o out" < /dev/null
    grep -qE '^14 lines  [0-9,]+ lines/s$' screen
    progress_of "cat lines | '$ATTN' translate -o out - lines" < /dev/null
    run -1 grep % screen
}

@test "no progress is written over what is typed" {
    needs_terminal
    echo "Thank you." | on_terminal "'$ATTN' translate | cat" > screen
    run -1 grep $'\033' screen
    grep -qx "Merci." screen
    echo "Thank you." | on_terminal "'$ATTN' translate '$PAIRS' - -o out" > screen
    run -1 grep $'\033' screen
}

# ---- Requests that make no sense ----

@test "impossible combinations and wrong numbers are refused before any work" {
    refuses "'any.safetensors' is a model, not text; name it with -m" attn translate any.safetensors
    refuses "--nbest 7 is more than the 5 translations that --beam keeps; use --beam 7" attn translate --nbest 7 --beam 5 -m none
    refuses "--json has the whole attention already; leave out --heatmap" attn translate --json --heatmap -m none
    refuses "--json has the whole attention already; leave out --alignment" attn translate --json --alignment -m none
    refuses "--beam: '0' is not a whole number from 1 to 100, or auto" attn translate --beam 0 -m none
    refuses "--beam: 'ten' is not a whole number from 1 to 100, or auto" attn translate --beam ten -m none
    refuses "--model needs a value: the model that translates: a file, or a name such as eng-fra in models, \
among the installed models or the user's; given several times, the mean of their probabilities decides" attn translate -m
}

@test "wrapped text is translated by paragraphs" {
    sources | tr '\n' ' ' | attn translate > whole
    (sources | tr '\n' ' ' | fold -s -w 70 | sed 's/ $//'; printf '\n\n- '; sources | tr '\n' ' ' | fmt -w 66) > wrapped
    [ "$(wc -l < wrapped)" -ge 6 ]
    attn translate --wrapped < wrapped > out
    { cat whole; echo; sed 's/^/- /' whole; } | diff out -
    attn translate --wrapped --json < wrapped | jq -r .translation | diff out -
    printf 'Thank you.\nGood night!\n\n\n' | attn translate --wrapped > out
    printf 'Merci.\nBonne nuit !\n\n\n' | diff out -
    [ -z "$(attn translate --wrapped < /dev/null)" ]
    run -2 --separate-stderr attn translate --wrapped --score wrapped
    [[ $stderr == *"--wrapped joins lines; leave out --score"* ]]
    run -2 --separate-stderr attn translate --wrapped --prefixes wrapped wrapped
    [[ $stderr == *"leave out --prefixes"* ]]
}
