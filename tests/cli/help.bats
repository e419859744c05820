#!/usr/bin/env bats
# help.bats - the program's own texts: help, version, and the messages for a user's mistake.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# options COMMAND - the names of its options.
options() {
    attn help "$1" --all | sed -nE 's/^  (-., |    )--(\[no-\])?([a-z-]+).*/\3/p' | grep -vx help
}

@test "no arguments: the overview on stderr, status 2" {
    run -2 --separate-stderr attn
    [ -z "$output" ]
    [[ $stderr == "attn learns to translate"* ]]
}

@test "attn help and attn --help: the overview on stdout" {
    for way in help --help -h "help --help" "help -h"; do
        # shellcheck disable=SC2086
        run -0 --separate-stderr attn $way
        [ -z "$stderr" ]
        for command in train translate eval info convert help; do
            [[ $output == *$'\n'"  $command "* ]]
        done
    done
}

@test "attn help COMMAND, attn COMMAND --help and attn --help COMMAND are the same" {
    for command in train translate eval info convert; do
        run -0 --separate-stderr attn help "$command"
        [[ $output == "Usage:"*"attn $command"*"Examples:"* ]]
        local help=$output
        run -0 --separate-stderr attn "$command" --help
        [ "$output" = "$help" ]
        run -0 --separate-stderr attn --help "$command"
        [ "$output" = "$help" ]
        run -0 --separate-stderr attn "$command" --quiet one -h
        [ "$output" = "$help" ]
    done
    fails "--help: there is no such file; a sentence comes from standard input, as in: echo 'I am calm.' | attn translate" \
        attn translate -- --help   # an operand
}

@test "no help line is wider than 80 columns, has trailing blanks or tabs" {
    for command in help train translate eval info convert; do
        { attn help; attn help "$command"; attn help "$command" --all; } > help
        run -1 grep -nE '.{81}|[[:blank:]]$|	' help
    done
}

@test "every example in the help is understood" {
    for command in train translate eval info convert; do
        run -0 attn help "$command" --all
        local examples=${output##*Examples:}
        while read -r option; do
            [[ $output == *"$option"* ]]
            grep -qE -- "^  (-., |    )--(\[no-\])?${option#--}\b" <<< "$output"
        done < <(grep -oE -- '--[a-z-]+' <<< "$examples")
    done
}

@test "the short help has about twenty options with their defaults, and leads to the others" {
    for command in train translate eval; do
        attn help "$command" > short
        attn help "$command" --all > all
        local count
        count=$(grep -cE '^  (-., |    )--' short)
        [ "$count" -ge 12 ]
        [ "$count" -le 24 ]
        [ "$(options "$command" | wc -l)" -gt "$count" ]
        grep -qxF "attn help $command --all lists all $(options "$command" | wc -l) options," short
        grep -E '^[^ ].*:$' short | while read -r heading; do grep -qxF "$heading" all; done
        grep -E '^  (-., |    )--' short | while read -r option; do grep -qF -- "$option" all; done
    done
    [ "$(attn help train | wc -l)" -le 60 ]
    attn help train | grep -A2 -- --learning-rate | grep -F '[auto]'
    attn help translate | grep -F 'else 5 [auto]'
}

@test "the long help has one heading for each group" {
    for command in train translate eval info convert; do
        attn help "$command" --all | grep -E '^[^ ].*:$' | sort | uniq -d > twice
        [ ! -s twice ]
    done
}

@test "an option is found by its name with dashes and without, its letter, its other names" {
    attn help translate beam > one
    for way in --beam -beam --no-beam --beam=5; do
        attn help translate "$way" | cmp - one
    done
    [[ $(attn help translate -q) == "attn translate --quiet, -q, --no-quiet"* ]]
    [[ $(attn help translate --colour) == "attn translate --color auto|always|never, --colour auto|always|never"* ]]
    [[ $(attn help train no-holdout) == *"Default     on"* ]]
    attn help train dropout | grep -F 'Values      a number from 0 to 0.95, or auto'
    attn help translate heatmap | grep -F 'ends in .svg, .png, .html; or nothing'
    refuses "unknown option 'dropuot'; did you mean '--dropout'?" attn help train dropuot
    refuses "unknown option '--lr'; did you mean '--learning-rate'?" attn help train --lr
}

@test "a mistyped value gets the nearest word as a hint" {
    refuses "--attention: 'additve' is not one of additive, dot, scaled-dot, general, scaled-general, concat, \
concat-linear, location, linear, local-p, scaled-local-p, none; did you mean 'additive'?" attn train --attention additve
    refuses "--tie: 'auot' is not one of none, target, all, or auto; did you mean 'auto'?" attn train --tie auot
    refuses "--cell: 'xyz' is not one of gru, lstm" attn train --cell xyz
    refuses "--metrics: 'bleau' is not one of bleu, chrf, chrf++, ter; did you mean 'bleu'?" \
        attn eval --metrics chrf,bleau --hyp a --ref b
    echo '{ "network": { "cell": "lstn" } }' > config
    refuses "config: cell: \"lstn\" is not one of gru, lstm; did you mean \"lstm\"?" attn train --config config
}

@test "the help shows live defaults" {
    ATTN_MODEL=other.safetensors run -0 attn help translate
    [[ $output == *"[other.safetensors]"* ]]
}

@test "version: one line each for the program, the compiler, what multiplies" {
    run -0 --separate-stderr attn --version
    [[ ${lines[0]} =~ ^attn\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    [[ ${lines[2]} =~ ^[a-z0-9_]+\ kernels$ ]]
    case ${lines[2]} in
    avx* | amx*) [ "${#lines[@]}" -eq 3 ] ;;
    *)           [ "${#lines[@]}" -eq 4 ] && [[ ${lines[3]} =~ ^OpenBLAS\ .*,\ [A-Za-z0-9]+\ kernels$ ]] ;;
    esac
}

@test "unknown commands are refused, with the nearest as a hint" {
    refuses "'transalte' is not a command; did you mean 'translate'?" attn transalte
    refuses "'xyz' is not a command" attn xyz
    refuses "'' is not a command" attn ""
    refuses "'trian' is not a command; did you mean 'train'?" attn help trian
    refuses "unknown option 'eval'" attn help train eval
    refuses "'--verison' is not a command; did you mean '--version'?" attn --verison
    refuses "'-m' is not a command; options follow one, as in: attn translate --help" attn -m model
    cd "$BATS_TEST_TMPDIR" || return
    echo text > pairs.tsv
    refuses "'pairs.tsv' is a file, not a command; attn train learns from it, attn translate translates it" attn pairs.tsv
    refuses "help explains one option at a time: 'batch' is one too many" attn help train beam batch
}

@test "unknown options are refused before any work, with the nearest as a hint" {
    refuses "unknown option '--baem'; did you mean '--beam'?" attn translate --baem 5 no-such-file
    refuses "unknown option '--jsn'; did you mean '--json'?" attn info --jsn
    refuses "unknown option '-z'" attn translate -z
    refuses "unknown option '--beam'" attn train --beam 3
    refuses "unknown option '--batchsize'; did you mean '--batch'?" attn train --batchsize 3
    refuses "--cell: 'GRU' is not one of gru, lstm; did you mean 'gru'?" attn train --cell GRU
}

@test "what other programs call an option leads to ours, in each command to its own" {
    while read -r command theirs ours; do
        refuses "unknown option '$theirs'; did you mean '$ours'?" attn "$command" "$theirs" 5
        attn help "$command" --all | grep -qE -- " $ours( |$)"
    done << 'END'
train --lr --learning-rate
train --finetune-from-model --init
convert --quantization --precision
train --batch_size --batch
translate --cpu-threads --threads
translate --n_best --nbest
eval --tok --tokenize
END
    refuses "unknown option '--lr'" attn translate --lr 5
}

@test "flags may share a dash, and times have units" {
    attn train --dump-config -vq --time-limit 1.5h | jq -e '.training["time-limit"] == 5400'
    attn train --dump-config -qt3 --time-limit 1d | jq -e '.training["time-limit"] == 86400 and .training.threads == 3'
    refuses "unknown option '-qz'" attn train -qz
}

@test "a full disk is an error, never silence" {
    [ -w /dev/full ] || skip "no /dev/full here"
    for words in help "help train" "translate --help" --version; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr bash -c "'$ATTN' $words > /dev/full"
        [ "$stderr" = "attn: error: cannot write standard output: No space left on device" ]
    done
}

@test "a closed pipe ends quietly" {
    run --separate-stderr bash -c "set -o pipefail; '$ATTN' help | true"
    [ -z "$stderr" ]
}
