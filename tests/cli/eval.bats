# eval.bats - attn eval: scores of finished translations, scores of a model, and what is refused.

bats_require_minimum_version 1.5.0

# A model of five pairs, two of them with the same source: it learns them by heart in a second.
setup_file()
{
    export MODEL=$BATS_FILE_TMPDIR/five.safetensors CORPUS=$BATS_FILE_TMPDIR/five.tsv
    printf '%s\t%s\n' > "$CORPUS" \
        'I am calm.' 'Je suis calme.' \
        'He sleeps.' 'Il dort.' \
        'Where is the cat?' 'Où est le chat ?' \
        'He sleeps.' 'Il dort.' \
        'We are here.' 'Nous sommes ici.' \
        'You are at home.' 'Vous êtes à la maison.'
    "$ATTN" train --quiet --no-holdout --tokens word --embedding 16 --hidden 16 --steps 150 --learning-rate 0.02 \
        --threads 1 "$CORPUS" -o "$MODEL"
}

setup()
{
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'a b c d x' 'Il est calme.' > hyp
    printf '%s\n' 'a b c e x' 'Il est calme.' > ref
    printf '%s\n' 'a b c d x' 'Elle est calme.' > ref2
}

# evaluate ARGUMENT... - its results are in $output, $stderr and $status.
evaluate()
{
    run --separate-stderr "$ATTN" eval "$@"
}

# refused STATUS MESSAGE - nothing on stdout, and that message.
refused()
{
    [ "$status" -eq "$1" ]
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = "attn: error: $2" ]
}

version=version:attn-$("$ATTN" --version | sed -n '1s/attn //p')

# ---- finished translations ----

@test "a finished translation gets one line with the signature" {
    evaluate --hyp hyp --ref ref
    [ "$status" -eq 0 ]
    [ "$output" = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version = 59.69 88.9/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)" ]
    [ -z "$stderr" ]
}

@test "operands are further references" {
    evaluate --hyp hyp --ref ref ref2 --width 1
    [ "$output" = "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|$version = 100.0 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)" ]
}

@test "BLEU comes before chrF, however they are named" {
    evaluate --hyp hyp --ref ref --metrics chrf,bleu --chrf-word-order 2 --width 0
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == "BLEU|"*" = 60 "* ]]
    [[ ${lines[1]} =~ ^"chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|$version = "[0-9]+$ ]]
}

@test "tokenizer, smoothing and case are in the signature" {
    evaluate --hyp hyp --ref ref --tokenize intl --smooth floor --lowercase
    [[ $output == "BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.10]|$version = "* ]]
    evaluate --hyp hyp --ref ref --smooth add-k --smooth-value 0.5
    [[ $output == *"|smooth:add-k[0.50]|"* ]]
}

@test "--lowercase counts for every metric" {
    printf '%s\n' 'ÉTÉ À PARIS' > upper
    printf '%s\n' 'été à paris' > lower
    evaluate --hyp upper --ref lower --lowercase --metrics chrf
    [[ $output == "chrF2|nrefs:1|case:lc|"*" = 100.00" ]]
}

@test "--sentence-level gives a line a segment" {
    evaluate --hyp hyp --ref ref --sentence-level
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|$version = 42.73 "* ]]
    [[ ${lines[1]} == *" = 100.00 "* ]]
}

@test "--json is one object with the items of the signature" {
    evaluate --hyp hyp --ref ref --json
    [ "$(jq --compact-output . <<< "$output")" = "$(tr -d '\n' << END
{"name":"BLEU","score":59.69,"signature":"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version",
"verbose_score":"88.9/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)",
"nrefs":"1","case":"mixed","eff":"no","tok":"13a","smooth":"exp","version":"${version#version:}"}
END
    )" ]
}

@test "--json is a list for several metrics, and an object a line at the sentence level" {
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf
    jq -e 'map(.name) == ["BLEU", "chrF2"]' <<< "$output"
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf --sentence-level
    [ "${#lines[@]}" -eq 4 ]
    for line in "${lines[@]}"; do
        jq -e 'type == "object"' <<< "$line"
    done
}

@test "byte-order marks, CRLF, gzip and standard input are read" {
    printf '\357\273\277a b c d x\r\nIl est calme.' > marked
    gzip < ref > ref.gz
    run "$ATTN" eval --hyp - --ref ref.gz < marked
    [[ $output == *" = 59.69 "* ]]
}

@test "an empty line is a translation too" {
    printf 'Il dort.\n\n' > short
    evaluate --hyp short --ref ref
    [ "$status" -eq 0 ]
    [[ $output == *"hyp_len = 3 "* ]]
}

@test "an empty line in one of several reference files is no reference" {
    # As a reference of no words it would be the closest in length to a translation of one word: BP 1 and not e^-2.
    printf '%s\n' 'b b b' > three
    printf '%s\n' 'b' > one
    evaluate --hyp one --ref three
    alone=${output#*version}
    for empty in '' ' ' $'\u3000'; do
        printf '%s\n' "$empty" > none
        evaluate --hyp one --ref none three
        [ "$status" -eq 0 ]
        [ "${output#*version}" = "$alone" ]
        [[ $output == "BLEU|nrefs:1|"* ]]
    done
    printf '%s\n' 'a b c d x' '' > some
    evaluate --hyp hyp --ref ref some
    [[ $output == "BLEU|nrefs:var|"*" = 100.00 "* ]]
}

@test "a line without any reference is refused, as sacreBLEU does" {
    printf 'a\n\n' > none
    evaluate --hyp hyp --ref none
    refused 1 "none:2: an empty reference: there is nothing to compare the translation with"
    evaluate --hyp hyp --ref none none
    refused 1 "none:2: an empty reference, and no other file has one for this line: there is nothing to compare the translation with"
}

# ---- a model ----

@test "a model is scored on a corpus, pairs with one source as one segment" {
    evaluate -m "$MODEL" "$CORPUS"
    [ "$status" -eq 0 ]
    [[ $output == "BLEU|nrefs:var|"*" = 100.00 "* ]]
    [[ $stderr == "5 sentences in "*" s, "*" sentences/s" ]]
}

@test "--first-reference leaves one reference each" {
    evaluate -m "$MODEL" --first-reference --quiet "$CORPUS"
    [[ $output == "BLEU|nrefs:1|"* ]]
    [ -z "$stderr" ]
}

@test "--save writes the translations that were scored, and translate writes the same" {
    cut -f 1 "$CORPUS" | awk '!seen[$0]++' > sources
    evaluate -m "$MODEL" --save saved "$CORPUS"
    [ "$status" -eq 0 ]
    "$ATTN" translate -m "$MODEL" sources > translated
    cmp saved translated
}

@test "two line-aligned files are a corpus too, with the same score for any number of threads" {
    cut -f 1 "$CORPUS" > source
    cut -f 2 "$CORPUS" > target
    evaluate -m "$MODEL" --threads 1 --beam 1 "$CORPUS"
    expected=$output
    for threads in 3 0; do
        evaluate -m "$MODEL" --threads $threads --beam 1 source target
        [ "$output" = "$expected" ]
    done
}

@test "--part takes the sentences of one part" {
    # FNV-1a 64 modulo 100: 0 for "sentence 156", 1 for "sentence 36", 48 for "sentence 0"
    printf '%s\tx\n' 'sentence 156' 'sentence 36' 'sentence 0' > parts.tsv
    for part in test:1 valid:1 train:1 all:3; do
        evaluate -m "$MODEL" --part "${part%:*}" parts.tsv
        [[ $stderr == "${part#*:} sentence"* ]]
    done
    printf '%s\tx\n' 'sentence 0' > parts.tsv
    evaluate -m "$MODEL" --part test parts.tsv
    refused 1 "parts.tsv: none of its 1 pairs is in the test part"
}

@test "lines that are no pairs are told and left out" {
    { cat "$CORPUS"; echo 'no tab'; } > damaged.tsv
    evaluate -m "$MODEL" damaged.tsv
    [ "$status" -eq 0 ]
    [ "${stderr_lines[0]}" = "attn: warning: 1 of 7 lines was left out:" ]
    [ "${stderr_lines[1]}" = "           1  no tab between source and target (damaged.tsv:7)" ]
    [[ $output == *" = 100.00 "* ]]
}

# ---- what is refused ----

@test "a missing model is named, with the way to one" {
    evaluate -m nowhere.safetensors "$CORPUS"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ ${stderr_lines[0]} == "attn: error: nowhere.safetensors: "* ]]
    [[ $stderr == *"attn train"* ]]
}

@test "files of different length are both named with their numbers of lines" {
    head -n 1 ref > short
    evaluate --hyp hyp --ref ref short
    refused 1 "hyp has 2 lines, but short has 1: line n of both must be the same sentence"
}

@test "files that are empty, damaged or not there are named" {
    : > empty
    evaluate --hyp empty --ref ref
    refused 1 "empty: is empty: a sentence a line is needed"
    printf 'good\nb\377d\n' > latin
    evaluate --hyp hyp --ref latin
    refused 1 "latin:2: invalid UTF-8; convert the file first, for instance with iconv"
    printf 'good\nb\0d\n' > binary
    evaluate --hyp hyp --ref binary
    refused 1 "binary:2: a NUL byte: this is not a text file"
    evaluate --hyp hyp --ref nowhere
    [ "$status" -eq 1 ]
    [[ $stderr == "attn: error: nowhere: "* ]]
}

@test "requests that make no sense are refused before any work" {
    evaluate
    refused 2 "what is to be scored? name a corpus, or --hyp and --ref"
    evaluate a b c
    refused 2 "a corpus is one file or two, not 3"
    evaluate --hyp hyp
    refused 2 "--hyp and --ref belong together; --ref is missing"
    evaluate --ref ref
    refused 2 "--hyp and --ref belong together; --hyp is missing"
    evaluate --hyp - --ref -
    refused 2 "standard input can be one file only"
    evaluate --hyp hyp --ref ref --beam 3
    refused 2 "--beam is for translating, but --hyp is a finished translation"
    evaluate --hyp hyp --ref ref -m "$MODEL"
    refused 2 "--model is for translating, but --hyp is a finished translation"
    evaluate --hyp hyp --ref ref --smooth-value 1
    refused 2 "--smooth-value is for --smooth floor and --smooth add-k"
}

@test "metrics and tokenizers that are not there are refused by name" {
    evaluate --hyp hyp --ref ref --metrics bleu,ter
    refused 2 "--metrics: 'ter' is not one of bleu, chrf"
    evaluate --hyp hyp --ref ref --metrics bleu,
    refused 2 "--metrics: '' is not one of bleu, chrf"
    evaluate --hyp hyp --ref ref --chrf-beta 3
    refused 2 "--chrf-beta changes nothing without chrf in --metrics"
    evaluate --hyp hyp --ref ref --tokenize spm
    refused 2 "--tokenize: 'spm' is not one of 13a, intl, zh, char, none"
}

@test "translations that can't be saved are refused before they are made" {
    evaluate -m "$MODEL" --save no/such/folder "$CORPUS"
    [ "$status" -eq 1 ]
    [[ $stderr == "attn: error: no/such/folder: "* ]]
    [[ $stderr != *"sentences/s"* ]]
}

@test "a full disk is an error" {
    [ -w /dev/full ] || skip "no /dev/full here"
    run bash -c '"$ATTN" eval --hyp hyp --ref ref > /dev/full'
    [ "$status" -eq 1 ]
    [[ $output == "attn: error: "* ]]
}
