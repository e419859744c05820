#!/usr/bin/env bats
# docs.bats - manual pages and completions: what make docs writes is complete, clean and true.

load helper

setup_file() {
    local build=$ROOT/build/release
    [[ $ATTN != "$ROOT"/build/*/attn ]] || build=$(dirname "$ATTN")
    [ -x "$build/write-docs" ] || skip "make docs builds build/release/write-docs"
    export SHARE=$BATS_FILE_TMPDIR/share
    make --no-print-directory -C "$ROOT" -o "${build#"$ROOT"/}/write-docs" BUILD="${build#"$ROOT"/}" SHARE="$SHARE" \
        docs
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

needs() {
    command -v "$1" > /dev/null || skip "$1 is missing"
}

commands="train translate eval info convert help"

# ---- Manual pages ----

@test "make docs writes a page for each command, the model file and the tutorial, and three completions" {
    (cd "$SHARE" && find . -type f | sort) > written
    diff - written << 'END'
./bash-completion/completions/attn
./fish/vendor_completions.d/attn.fish
./man/man1/attn-convert.1
./man/man1/attn-eval.1
./man/man1/attn-help.1
./man/man1/attn-info.1
./man/man1/attn-train.1
./man/man1/attn-translate.1
./man/man1/attn.1
./man/man5/attn-model.5
./man/man7/attn-tutorial.7
./zsh/site-functions/_attn
END
}

@test "make docs writes the same bytes again, whatever ATTN_MODEL says" {
    cp -r "$SHARE" before
    local build
    build=$(dirname "$ATTN")
    [ -x "$build/write-docs" ] || build=$ROOT/build/release
    ATTN_MODEL=other "$build/write-docs" "$SHARE" "$ROOT"/src/docs/*.[1-8]
    diff -r before "$SHARE"
    rm -r before
}

@test "mandoc finds nothing to warn of in any page" {
    needs mandoc
    for page in "$SHARE"/man/man?/*; do
        run -0 mandoc -T lint -W warning "$page"
        [ -z "$output" ]
    done
    printf '.TH A 1\n.FOO\n' > bad.1
    run mandoc -T lint -W warning bad.1
    [ -n "$output" ]                                            # it can
}

@test "groff finds nothing to warn of in any page" {
    needs groff
    for page in "$SHARE"/man/man?/*; do
        run -0 groff -ww -man -z "$page"
        [ -z "$output" ]
    done
    printf '.TH A 1 2026-01-01\n\\[nonsense]\n' > bad.1
    run groff -ww -man -z bad.1
    [ -n "$output" ]                                            # it can
}

# text_of PAGE - as a terminal shows it, in one line.
text_of() {
    mandoc -T utf8 -O width=1000 "$SHARE/man/$1" | col -b | tr -s ' \t\n' ' '
}

@test "a command's page has each option with its help and its default" {
    needs mandoc
    for command in $commands; do
        text_of "man1/attn-$command.1" > page
        for option in $(options "$command"); do
            grep -qE -- "[ ,]--${option}[ ,]" page || { echo "attn-$command: --$option"; return 1; }
        done
    done
    text_of man1/attn-translate.1 > page
    grep -F "hypotheses kept at every step; 1: greedy search" <(text_of man1/attn-translate.1 | tr '[:upper:]' '[:lower:]')
    text_of man1/attn-translate.1 | grep -F "from 1 to 100, or auto. The default is auto."
    text_of man1/attn.1 | grep -F "attn-eval(1) Score a model or a finished translation: BLEU, chrF, TER."
}

@test "every command in the pages' examples has the options that it is called with" {
    local count=0
    for command in $commands; do options "$command" > "$command.options"; done
    for page in "$SHARE"/man/man?/*; do
        while read -r command line; do
            for option in $(grep -oE -- ' --[a-z0-9-]+' <<< "${line%%#*}"); do
                grep -qx -- "${option#--}" "$command.options" || { echo "$page: $command $option"; return 1; }
                count=$((count + 1))
            done
        done < <(sed -n '/^\.EX/,/^\.EE/s/\\-/-/gp' "$page" |
            grep -oE 'attn (train|translate|eval|info|convert) [^|]*' | sed 's/^attn //')
    done
    [ "$count" -gt 20 ]
}

# ---- The model file ----

# reads MODEL - attn-model(5) tells a reader what is in it.
reads() {
    python3 "$BATS_TEST_DIRNAME/read_model.py" "$1" "$SHARE/man/man5/attn-model.5" > reader
    attn info --json "$1" > info
    [ "$(jq .parameters reader)" = "$(jq .parameters info)" ]
    [ "$(jq '.source | length' reader)" = "$(jq .source_vocabulary info)" ]
    [ "$(jq '.target | length' reader)" = "$(jq .target_vocabulary info)" ]
}

@test "the page of the model file is enough to read any model" {
    needs python3
    local small=(--hidden 8 --embedding 8 --vocabulary 60 --steps 1 --no-holdout --quiet --force -o model --threads 1)
    while read -ra more; do
        attn train "$PAIRS" "${small[@]}" "${more[@]}"
        reads model || { echo "${more[@]}"; return 1; }
    done << 'END'

--no-shared-vocabulary --tie none --no-placeholders --no-truecase --cell lstm --layers 2 --no-bidirectional
--decoder luong --attention general --readout simple --tokens word --no-layer-norm --tie target --layers 2
--decoder gnmt --attention local-p --layers 3 --residual --residual-from 3 --bidirectional-layers 1 --attention-width 5
--decoder bahdanau --attention concat --cell lstm --layers 2 --encoder-attention-layers 1 --norm pre --heads 2
--attention concat-linear --decoder-attention-layers 1 --tokens char --feed-forward 12
--attention location --attention-positions 20 --encoder self-attention --encoder-attention-layers 2 --positions learned
--attention linear --attention-positions 90 --decoder-attention-layers 2 --positions learned --start project
--attention none --start last --no-bidirectional
--attention dot --no-bidirectional --encoder-attention-layers 1 --heads 1
--preset transformer-small --embedding 8 --heads 2
--decoder self-attention --decoder-attention-layers 1 --readout simple --attention additive
END
    for model in "$ROOT"/tests/data/models/*.safetensors; do
        reads "$model" || { echo "$model"; return 1; }
    done
}

@test "the page's own program prints what attn info prints" {
    needs python3
    needs mandoc
    mkdir -p example/models
    attn train "$PAIRS" --hidden 4 --embedding 4 --steps 1 --no-holdout --quiet --force -o example/models/attn.safetensors
    mandoc -T utf8 -O width=1000 "$SHARE/man/man5/attn-model.5" | col -bx | sed -n '/^ *import json/,/^ *print/p' |
        sed 's/^       //' > example/program.py
    [ "$(cd example && python3 program.py)" = "$(attn info --json example/models/attn.safetensors |
        jq -r '"\(.parameters) parameters, \(.target_vocabulary) tokens"')" ]
}

# ---- Completion ----

# completed SHELL LINE - what it offers, sorted, a word a line. Where a word begins as the typed one fish 4 shows only
# such, but lists others, too.
completed() {
    case $1 in
    bash) bash "$BATS_TEST_DIRNAME/complete.bash" "$SHARE/bash-completion/completions/attn" "$2" ;;
    zsh)  zsh -f "$BATS_TEST_DIRNAME/complete.zsh" "$SHARE/zsh/site-functions" "$2" ;;
    fish) fish --no-config -c "source $SHARE/fish/vendor_completions.d/attn.fish; complete -C '$2'" |
              cut -f 1 | grep -e "^${2##* }" | sed 's/^--[a-z0-9-]*=//' ;;
    esac | sed 's/ *$//; s/\/$//' | sort -u
}

# offers SHELL LINE WORD... - exactly these words.
offers() {
    [ "$(completed "$1" "$2")" = "$(printf '%s\n' "${@:3}" | sort)" ] || {
        echo "$1: '$2' gives $(completed "$1" "$2")"
        return 1
    }
}

# completes SHELL - commands, options, values of enumerations, models, files, what help explains.
completes() {
    mkdir -p files
    cd files || return
    touch one.safetensors text.tsv picture.svg
    mkdir -p folder
    offers "$1" "attn tr" train translate
    offers "$1" "attn train --ce" --cell
    offers "$1" "attn train --no-h" --no-holdout
    offers "$1" "attn train --cell " gru lstm
    offers "$1" "attn train --cell=l" lstm
    offers "$1" "attn train --hidden " auto
    offers "$1" "attn train --batch 9 --tie a" all auto
    offers "$1" "attn translate --top-k "
    offers "$1" "attn translate -m " folder one.safetensors
    offers "$1" "attn info " folder one.safetensors
    offers "$1" "attn eval te" text.tsv
    offers "$1" "attn translate --heatmap " folder one.safetensors picture.svg text.tsv
    offers "$1" "attn train --valid te" text.tsv
    offers "$1" "attn help tra" train translate
    offers "$1" "attn help train cel" cell
    offers "$1" "attn help info " json tensors
}

@test "bash completes commands, options, values and files" {
    pkg-config --exists bash-completion || skip "bash-completion is missing"
    completes bash
    offers bash "attn translate --heatmap=" folder picture.svg
    for command in $commands; do
        # shellcheck disable=SC2046  # words
        offers bash "attn $command --" --help $(options "$command" | sed 's/^/--/')
    done
}

@test "zsh completes commands, options, values and files" {
    needs zsh
    completes zsh
    offers zsh "attn translate --heatmap=" folder picture.svg
}

@test "fish completes commands, options, values and files" {
    needs fish
    completes fish
}
