#!/usr/bin/env bats
# languages.bats - attn train --from, --to: the case of letters is that of the languages, which the model knows.

load helper

setup_file() {
    learn_by_heart "$BATS_FILE_TMPDIR/turkish" --from tr --to tr-tr
    learn_by_heart "$BATS_FILE_TMPDIR/unnamed"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    TURKISH=$BATS_FILE_TMPDIR/turkish UNNAMED=$BATS_FILE_TMPDIR/unnamed
}

# languages MODEL - as attn info tells them.
languages() {
    attn info --json "$1" | jq -c '[.text.from, .text.to]'
}

in_capitals() {
    tr '[:lower:]' '[:upper:]'
}

# go_on MODEL OPTION... - one step that changes nothing.
go_on() {
    attn train "$PAIRS" --no-holdout --init "$1" --quiet --force --threads 1 --steps 1 --learning-rate 1e-9 -o next "${@:2}"
}

@test "small letters and capitals of a translation are those of its language" {
    sources | attn translate -m "$TURKISH" | diff - <(targets)
    sources | in_capitals | sed 's/I/İ/g; s/^İ /I /; s/ İ / I /g' > capitals
    attn translate -m "$TURKISH" capitals > out
    grep -q 'JE SUİS' out
    run -1 grep 'SUIS' out
    sources | in_capitals | attn translate -m "$UNNAMED" > out
    grep -q 'JE SUIS' out
    run -1 grep 'İ' out
}

@test "a model knows its languages, by their usual tags; without names it has none" {
    [ "$(languages "$TURKISH")" = '["tr","tr-TR"]' ]
    [ "$(languages "$UNNAMED")" = '[null,null]' ]
    attn info "$TURKISH" | grep -Eq '^ +to +tr-TR$'
    attn convert -o small "$TURKISH"
    [ "$(languages small)" = '["tr","tr-TR"]' ]
}

@test "--init keeps the languages of its model, unless they are named" {
    go_on "$TURKISH"
    [ "$(languages next)" = '["tr","tr-TR"]' ]
    go_on "$TURKISH" --source-lang en --target-lang fr
    [ "$(languages next)" = '["en","fr"]' ]
    sources | in_capitals | attn translate -m next | grep -q 'JE SUIS'
    go_on "$UNNAMED" --to tr
    [ "$(languages next)" = '[null,"tr"]' ]
    sources | in_capitals | attn translate -m next | grep -q 'JE SUİS'
}

@test "languages are options as all: of a configuration, with synonyms" {
    attn train --source-lang EN-us --to zh-hant --dump-config > config
    jq -e '.text.from == "en-US" and .text.to == "zh-Hant"' config
    attn train --config config --from de --dump-config | jq -e '.text.from == "de" and .text.to == "zh-Hant"'
    run -2 attn train --src-lang en "$PAIRS"
    [[ $output == *"did you mean '--from'?"* ]]
}

@test "what is no language tag is refused" {
    for tag in en_US english e en- jp und x-en '12' 'tr TR'; do
        run -2 attn train --from "$tag" "$PAIRS"
        [ "${lines[0]}" = "attn: error: --from: '$tag' is no language tag; write its code in ISO 639, as in en, pt-BR, zh-Hant" ]
    done
    run -2 attn train --to "$(printf 'en%.0s' {1..20})" "$PAIRS"
    [[ $output == *"is not a text of at most 35 bytes"* ]]
    echo '{"text": {"from": "en_US"}}' > config
    run -2 attn train --config config "$PAIRS"
    [[ $output == *"--from: 'en_US' is no language tag"* ]]
}

# With the words between blanks each line would be one, and BLEU 0.
@test "validation counts characters where the target has no blanks between words" {
    for i in 1 2 3 4 5 6 7 8; do printf 'It is %d.\t现在是%d点钟左右。\n' "$i" "$i"; done > chinese.tsv
    PAIRS=chinese.tsv learn_by_heart model --valid chinese.tsv --log log --validate-every 50
    jq -se 'map(select(.bleu)) | last.bleu > 10' log
}
