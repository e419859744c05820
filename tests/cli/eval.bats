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
        --label-smoothing 0.1 --r-drop 0 --threads 1 "$CORPUS" -o "$MODEL"
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

@test "without --hyp the translation is standard input" {
    evaluate --hyp hyp --ref ref
    told=$output
    for reference in "ref" "--ref ref" "ref --hyp hyp" "ref --hyp - --threads 1 --quiet"; do
        evaluate $reference < hyp
        [ "$status" -eq 0 ]
        [ "$output" = "$told" ]
        output=$(cat hyp | "$ATTN" eval $reference)
        [ "$output" = "$told" ]
    done
    gzip < ref > ref.gz
    evaluate ref.gz < hyp
    [ "$output" = "$told" ]
    evaluate --ref ref ref2 < hyp
    [[ $output == "BLEU|nrefs:2|"*" = 100.00 "* ]]
    evaluate ref --src ref --by-length < hyp
    [[ $output == "$told"*"Scores by source length:"* ]]
}

@test "standard input that can't be the translation is an error that names what it was taken for" {
    taken="a file without a tab is a reference, and the translation is standard input"
    evaluate ref < /dev/null
    refused 1 "standard input: is empty: a sentence a line is needed ($taken)"
    evaluate --ref ref < /dev/null
    refused 1 "standard input: is empty: a sentence a line is needed (without --hyp the translation is standard input)"
    tr ' ' '\t' < hyp > systems
    evaluate ref < systems
    refused 1 "standard input:1: a tab: sacreBLEU takes it to separate systems; give each its own --hyp FILE, or say \
--hyp - if tabs are text ($taken)"
    evaluate ref --hyp - < systems
    [ "$status" -eq 0 ]
    evaluate nowhere < hyp
    refused 1 "nowhere: cannot be opened: No such file or directory"
    : > empty
    evaluate -m "$MODEL" --part all empty
    refused 1 "empty: is empty: a sentence pair a line is needed"
    ATTN_MODEL=$MODEL evaluate empty < /dev/null
    refused 1 "empty: is empty: a sentence pair a line is needed"
}

unread="what is standard input? if it is the translation, add --hyp -; if a model is to translate, name it with -m, or add \
< /dev/null"

# holding TEXT - makes descriptor 7 the end of a pipe whose writer has written this and gone.
holding()
{
    rm -f pipe
    mkfifo pipe
    exec 6<> pipe 7< pipe
    printf %s "$1" >&6
    exec 6>&-
}

@test "lines that come on standard input while a model translates are an error, and not lost" {
    cut -f 1 "$CORPUS" > source
    mkfifo slow pipe
    exec 6<> pipe 7< pipe
    { exec 5> slow; cat hyp >&6; cut -f 2 "$CORPUS" >&5; } 7<&- &       # begins when the corpus is opened
    ATTN_MODEL=$MODEL evaluate source slow --quiet <&7
    refused 2 "$unread"
}

@test "lines on standard input that have no meaning are an error, unless a model is asked for" {
    export ATTN_MODEL=$MODEL
    cut -f 1 "$CORPUS" > source
    cut -f 2 "$CORPUS" > target
    for request in "$CORPUS" "$CORPUS --part all" "source target" "ref ref2 ref"; do
        evaluate $request < hyp
        refused 2 "$unread"
        holding "$(cat hyp)"
        evaluate $request <&7
        refused 2 "$unread"
    done
    evaluate ref ref2 --hyp - < hyp
    [[ $output == "BLEU|nrefs:2|"*" = 100.00 "* ]]
    for corpus in "$CORPUS" "source target"; do
        for given in "-m $MODEL" "--beam 2"; do
            evaluate $corpus $given < hyp
            [[ $output == *"perplexity = "* ]]
        done
        evaluate $corpus < /dev/null
        [[ $output == *"perplexity = "* ]]
        evaluate $corpus <&-
        [[ $output == *"perplexity = "* ]]
        { read -r; evaluate $corpus; } < hyp
        [[ $output == *"perplexity = "* ]]
        holding ""
        evaluate $corpus <&7
        [[ $output == *"perplexity = "* ]]
        [[ $stderr != *warning* ]]
    done
    evaluate - < "$CORPUS"
    [[ $output == *"perplexity = "* ]]
    evaluate source -m "$MODEL" < hyp
    [[ $stderr == *"no tab between source and target"* ]]
}

@test "a reference alone at a terminal asks for the translation" {
    script -qec true /dev/null > typescript 2>&1 || skip "no terminal can be had here"
    for reference in "ref" "--ref ref"; do
        run script -qec "'$ATTN' eval $reference" /dev/null
        [ "$status" -eq 2 ]
        [[ ${lines[0]} == "attn: error: where is the translation? name it by --hyp or < ("*"the translation is standard input)"* ]]
    done
}

@test "BLEU comes before chrF, however they are named" {
    evaluate --hyp hyp --ref ref --metrics chrf,bleu --chrf-word-order 2 --width 0
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == "BLEU|"*" = 60 "* ]]
    [[ ${lines[1]} =~ ^"chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|$version = "[0-9]+$ ]]
}

@test "chrf++ is chrF with two orders of words, beside chrF or alone" {
    evaluate --hyp hyp --ref ref --metrics chrf --chrf-word-order 2
    told=$output
    [[ $told == "chrF2++|"*"|nw:2|"* ]]
    evaluate --hyp hyp --ref ref --metrics chrf++
    [ "$output" = "$told" ]
    evaluate --hyp hyp --ref ref --metrics chrf++,BLEU,chrF
    [[ ${lines[0]} == "BLEU|"* ]]
    [[ ${lines[1]} == "chrF2|"*"|nw:0|"* ]]
    [ "${lines[2]}" = "$told" ]
    evaluate --hyp hyp --ref ref --metrics chrf++ --chrf-beta 3 --json
    jq -e '.name == "chrF3++" and .nw == "2"' <<< "$output"
    evaluate --hyp hyp --ref ref --metrics chrf++ --chrf-word-order 1
    refused 2 "--chrf-word-order is of chrf; chrf++ is chrf with 2"
    evaluate --hyp hyp --ref ref --metrics chrf --chrf-word-order 1
    [[ $output == "chrF2+|"* ]]
}

@test "tokenizer, smoothing and case are in the signature" {
    evaluate --hyp hyp --ref ref --tokenize intl --smooth floor --lowercase
    [[ $output == "BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.10]|$version = "* ]]
    evaluate --hyp hyp --ref ref --smooth add-k --smooth-value 0.5
    [[ $output == *"|smooth:add-k[0.50]|"* ]]
}

@test "--to chooses the tokenizer that sacreBLEU has for the language, or the nearest" {
    printf '%s\n' '我昨天买了书。' '我喜欢猫。' > hyp.zh
    printf '%s\n' '我昨天买了一本书。' '我喜欢猫。' > ref.zh
    evaluate --hyp hyp.zh --ref ref.zh --to zh-Hans
    [[ $output == *"|tok:zh|"* && -z $stderr ]]
    evaluate --hyp hyp.zh --ref ref.zh --to ja
    [[ $output == *"|tok:char|"* ]]
    [ "$stderr" = "attn: warning: BLEU is of characters: ja-mecab, sacreBLEU's tokenizer for 'ja', is not here; --tokenize \
char says the same" ]
    evaluate --hyp hyp.zh --ref ref.zh --to ko --tokenize zh
    [[ $output == *"|tok:zh|"* && -z $stderr ]]
    evaluate --hyp hyp --ref ref --to fr
    [[ $output == *"|tok:13a|"* && -z $stderr ]]
    evaluate --hyp hyp --ref ref --to french
    refused 2 "--to: 'french' is no language tag; write its code in ISO 639, as in en, pt-BR, zh-Hant"
}

@test "references without blanks between words are warned of once, where BLEU takes whole lines for words" {
    printf '%s\n' '我昨天买了书。' '我喜欢猫。' > hyp.zh
    printf '%s\n' '我昨天买了一本书。' '我喜欢猫。' > ref.zh
    for tokenizer in 13a intl none; do
        evaluate --hyp hyp.zh --ref ref.zh --tokenize $tokenizer
        [ "$(grep -c 'references are mostly' <<< "$stderr")" -eq 1 ]
        [[ $stderr == *"add --tokenize zh for Chinese, char for others" ]]
    done
    for other in "--tokenize zh" "--tokenize char" "--metrics chrf"; do
        evaluate --hyp hyp.zh --ref ref.zh $other
        [ -z "$stderr" ]
    done
}

@test "--lowercase is of BLEU, --chrf-lowercase of chrF, as in sacreBLEU; TER has no case unless asked" {
    printf '%s\n' 'ÉTÉ À PARIS' > upper
    printf '%s\n' 'été à paris' > lower
    evaluate --hyp upper --ref lower --lowercase --metrics bleu,chrf,ter --ter-case-sensitive --smooth none
    [[ ${lines[0]} == "BLEU|nrefs:1|case:lc|"*"100.0/100.0/100.0/0.0 "* ]]
    [[ ${lines[1]} == "chrF2|nrefs:1|case:mixed|"*" = 0.00" ]]
    [[ ${lines[2]} == "TER|nrefs:1|case:mixed|"*" = 100.00" ]]
    evaluate --hyp upper --ref lower --chrf-lowercase --metrics bleu,chrf,ter
    [[ ${lines[0]} == "BLEU|nrefs:1|case:mixed|"*" = 0.00 "* ]]
    [[ ${lines[1]} == "chrF2|nrefs:1|case:lc|"*" = 100.00" ]]
    [[ ${lines[2]} == "TER|nrefs:1|case:lc|"*" = 0.00" ]]
    evaluate --hyp upper --ref lower --lowercase --metrics chrf
    refused 2 "--lowercase changes nothing without bleu in --metrics"
}

@test "what smoothing adds is not negative, and whole where sacreBLEU would round it" {
    for method in floor add-k; do
        evaluate --hyp hyp --ref ref --smooth $method --smooth-value -0.5
        refused 2 "--smooth-value: '-0.5' is not a number from 0 to 1000000, or auto"
        evaluate --hyp hyp --ref ref --smooth $method
        told=$output
        evaluate --hyp hyp --ref ref --smooth $method --smooth-value auto
        [ "$output" = "$told" ]
    done
    evaluate --hyp hyp --ref ref --smooth floor --smooth-value 0
    [[ $output == *"|smooth:floor[0.00]|"* ]]
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-ar --smooth add-k --smooth-value 0.5
    refused 2 "--paired-ar takes a whole --smooth-value: sacreBLEU rounds 0.5 down in the trials, but not in the \
scores; --paired-bs takes any"
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-ar --smooth add-k --smooth-value 2
    [[ $output == *"|ar:10000|"*"|smooth:add-k[2.00]|"* ]]
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs --smooth add-k --smooth-value 0.5
    [[ $output == *"|smooth:add-k[0.50]|"* ]]
}

@test "--sentence-level gives a line a segment" {
    evaluate --hyp hyp --ref ref --sentence-level
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|$version = 42.73 "* ]]
    [[ ${lines[1]} == *" = 100.00 "* ]]
}

@test "--json is one object with the items of the signature, byte for byte as Python writes it" {
    evaluate --hyp hyp --ref ref --json
    [ "$output" = "$(cat << END
{
 "name": "BLEU",
 "score": 59.69,
 "signature": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version",
 "verbose_score": "88.9/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)",
 "nrefs": "1",
 "case": "mixed",
 "eff": "no",
 "tok": "13a",
 "smooth": "exp",
 "version": "${version#version:}"
}
END
    )" ]
    evaluate --hyp hyp --ref hyp --json --width 0
    [ "${lines[2]}" = ' "score": 100.0,' ]
}

@test "--json has one shape: the first score, the others by name, an object a line at the sentence level" {
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf,chrf++
    jq -e '[.name, .chrf.name, ."chrf++".name] == ["BLEU", "chrF2", "chrF2++"] and (has("ter") | not)' <<< "$output"
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf --sentence-level
    [ "${#lines[@]}" -eq 2 ]
    for line in "${lines[@]}"; do
        jq -e '.name == "BLEU" and .chrf.name == "chrF2"' <<< "$line"
    done
    # of a model, of the file that it saved, and of both with a closer look
    evaluate -m "$MODEL" --save saved --first-reference --json "$CORPUS"
    jq -S 'del(.loss, .perplexity, .reference_tokens, .unknown_tokens, .references, .sentences, .target_tokens, .seconds,
        .sentences_per_second, .target_tokens_per_second)' <<< "$output" > of_model
    awk -F '\t' '!seen[$1]++ { print $2 }' "$CORPUS" > first
    evaluate --hyp saved --ref first --json --metrics bleu,chrf
    jq -S . <<< "$output" | cmp - of_model
    evaluate --hyp saved --ref first --json --metrics bleu,chrf --worst 1
    jq -S 'del(.worst)' <<< "$output" | cmp - of_model
}

@test "TER is a metric like the others, with its own options" {
    evaluate --hyp hyp --ref ref --metrics ter,bleu
    [ "${lines[1]}" = "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|$version = 12.50" ]
    evaluate --hyp hyp --ref ref --metrics ter --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive
    [ "$output" = "TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|$version = 12.50" ]
    evaluate --hyp hyp --ref ref --metrics ter --json
    jq -e '.name == "TER" and .score == 12.5 and .punct == "yes"' <<< "$output"
}

@test "--confidence adds the interval to the line, the signature and the object" {
    evaluate --hyp hyp --ref ref --confidence
    [ "$output" = "BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|$version = 59.69 (μ = 63.61 ± 32.03) 88.9/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)" ]
    evaluate --hyp hyp --ref ref --confidence --confidence-n 100 --seed 7 --json
    jq -e '.bs == "100" and .seed == "7" and (.confidence | startswith("μ = "))
        and .confidence == "μ = \(.confidence_mean) ± \(.confidence_var)"' <<< "$output"
}

@test "without one match there is no interval" {
    printf '%s\n' q q > nothing
    evaluate --hyp nothing --ref ref --confidence
    [[ $output == "BLEU|nrefs:1|bs:1000|"*" = 0.00 0.0/0.0/0.0/0.0 (BP"* ]]
}

# ---- several translations ----

@test "several translations are a table" {
    evaluate --hyp hyp --hyp ref2 --ref ref --metrics bleu,chrf --no-paired-bs
    [ "$status" -eq 0 ]
    [ "$output" = "$(cat << END
╒══════════╤════════╤═════════╕
│   System │  BLEU  │  chrF2  │
╞══════════╪════════╪═════════╡
│      hyp │ 59.69  │  88.38  │
├──────────┼────────┼─────────┤
│     ref2 │ 41.49  │  67.70  │
╘══════════╧════════╧═════════╛

ref2 differs from hyp in 1 of 2 segments

-----------------
Metric signatures
-----------------
 - BLEU       nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version
 - chrF2      nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|$version
END
    )" ]
}

@test "several translations get a paired bootstrap unless an option asks for another test, and --ref may be repeated" {
    evaluate --hyp hyp --hyp ref2 --ref ref
    told=$output
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs
    [ "$output" = "$told" ]
    [[ $told == *"(p = 0."*"bs:1000"* ]]
    evaluate --hyp hyp --ref ref ref2
    told=$output
    evaluate --hyp hyp --ref ref --ref ref2
    [ "$output" = "$told" ]
    [[ $told == "BLEU|nrefs:2|"* ]]
}

@test "a paired bootstrap compares each translation with the first" {
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs --trials 200
    [[ ${lines[0]} == "╒"* ]]
    [[ ${lines[1]} == *"System │   BLEU (μ ± 95% CI)   │" ]]
    [[ ${lines[3]} =~ "│ Baseline: hyp │ 59.69 ("[0-9.]+" ± "[0-9.]+") │" ]]
    [[ ${lines[5]} =~ "│          ref2 │ 41.49 ("[0-9.]+" ± "[0-9.]+") "+│ ]]
    [[ ${lines[6]} =~ "(p = "0\.[0-9]{4}")" ]]
    [[ ${lines[-1]} == " - BLEU       nrefs:1|bs:200|seed:12345|case:"* ]]
}

@test "a paired test as JSON has all digits, and null where there is no value" {
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-ar --json
    [[ $output == *'"score": 59.6949179201965,'* ]]
    jq -e '.systems[0] == {"system": "Baseline: hyp",
        "BLEU": {"score": 59.6949179201965, "p_value": null, "p_value_with_equal": null, "mean": null,
        "ci": null}}' <<< "$output"
    jq -e '.systems[1] | .system == "ref2" and .BLEU.p_value > 0 and .BLEU.p_value <= .BLEU.p_value_with_equal
        and .BLEU.p_value_with_equal <= 1 and .differing_segments == 1' <<< "$output"
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs --json
    jq -e '.systems[0].BLEU | .mean > 0 and .p_value == null' <<< "$output"
    evaluate --hyp hyp --hyp ref2 --ref ref --no-paired-bs --json
    jq -e '. == {"systems": [{"system": "hyp", "BLEU": "59.69"}, {"system": "ref2", "BLEU": "41.49",
        "differing_segments": 1}]}' <<< "$output"
}

# Of 300 lines ten are wrong in the baseline `old`: `few` has two of them right, `new` all.
three_hundred()
{
    for i in {1..300}; do echo "Il est le numéro $i de la liste."; done > truth
    sed '1~30s/liste/file/' truth > old
    cp old same
    sed '1s/file/liste/;31s/file/liste/' old > few
    cp truth new
}

@test "a comparison reports in how many segments systems differ, and stars no p that equal differences make small" {
    three_hundred
    for test in --paired-bs --paired-ar; do
        evaluate --hyp old --hyp same --hyp few --hyp new --ref truth --metrics bleu,ter $test
        [[ $output == *"same │ "*"(p = 0.00"*" │ "*"few │ "*"(p = "*"new │ "*"(p = 0.00"??")* "*"(p = 0.00"??")* "* ]]
        [ "$(grep -o ')\*' <<< "$output" | wc -l)" -eq 2 ]
        grep -qx 'same and old are the same translation; p with equal differences: BLEU 1.0000, TER 1.0000' <<< "$output"
        grep -qx 'new differs from old in 10 of 300 segments' <<< "$output"
    done
    grep -qE '^few differs from old in 2 of 300 segments; p with equal differences: BLEU 0\.[45]..., TER 0\.[45]' <<< "$output"
    evaluate --hyp old --hyp same --hyp few --ref truth --paired-ar --json
    jq -e '.systems | map(.differing_segments) == [null, 0, 2]' <<< "$output"
    jq -e '.systems[1:] | all(.BLEU.p_value == 1 / 10001)' <<< "$output"
    jq -e '.systems[1].BLEU.p_value_with_equal == 1 and (.systems[2].BLEU.p_value_with_equal - 0.5 | fabs < 0.05)' <<< "$output"
    evaluate --hyp old --hyp new --ref truth --paired-bs --trials 1
    [[ $output == *"Paired bootstrap with 1 sample. "* ]]
    run -1 grep -E '^[^╒╞├╘│].{80}' <<< "${output%%Metric signatures*}"    # as wide as a terminal
}

@test "--diff shows where two translations differ most, below the table or beside it" {
    evaluate --hyp hyp --hyp ref2 --ref ref --diff 1
    [[ $output == *"Metric signatures"*"1 sentence of the largest difference in BLEU:"*"Elle est calme."* ]]
    evaluate --hyp hyp --hyp ref2 --ref ref --diff 1 --no-paired-bs --json
    jq -e '.systems[1].BLEU == "41.49" and .diff[0].translations == ["Il est calme.", "Elle est calme."]' <<< "$output"
    cp hyp same
    evaluate --hyp hyp --hyp same --ref ref --diff 1
    [ "${lines[-1]}" = "No sentence differs in BLEU." ]
    evaluate --hyp hyp --hyp ref2 --ref ref --worst 1
    refused 2 "--worst looks at one translation"
}

@test "each translation must have as many lines as the first" {
    head -n 1 hyp > short
    evaluate --hyp hyp --hyp short --ref ref
    refused 1 "hyp has 2 lines, but short has 1: line n of both must be the same sentence"
    evaluate --hyp - --ref ref < short
    refused 1 "standard input has 1 line, but ref has 2: line n of both must be the same sentence"
}

@test "statistical tests that make no sense are refused" {
    evaluate --hyp hyp --ref ref --paired-bs
    refused 2 "--paired-bs compares two translations or more: give several --hyp"
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs --paired-ar
    refused 2 "--paired-bs and --paired-ar: one of them at a time"
    evaluate --hyp hyp --hyp ref2 --ref ref --confidence
    refused 2 "--confidence is for one translation; --paired-bs gives the intervals of several"
    evaluate --hyp hyp --ref ref --confidence --sentence-level
    refused 2 "--sentence-level scores one translation, without statistical tests"
    evaluate --hyp hyp --ref ref --trials 5
    refused 2 "--trials changes nothing without --paired-bs or --paired-ar"
    evaluate --hyp hyp --ref ref --confidence-n 5
    refused 2 "--confidence-n changes nothing without --confidence"
    evaluate --hyp hyp --ref ref --seed 5
    refused 2 "--seed changes nothing without --confidence, --paired-bs or --paired-ar"
    evaluate --hyp hyp --hyp hyp --ref ref
    refused 2 "--hyp: 'hyp' is given twice"
    evaluate --hyp hyp --ref ref --metrics ter --ter-asian-support
    refused 2 "--ter-asian-support is for --ter-normalized and --ter-no-punct"
}

@test "a hundred lines that end in a cut period are warned of, unless --force" {
    for i in {1..100}; do echo "He sleeps ."; done > cut
    evaluate --hyp cut --ref cut
    [ "$stderr" = "attn: warning: 100 lines end in ' .': score plain text, not words with blanks between them; --force if it is plain" ]
    evaluate --hyp cut --ref cut --force
    [ -z "$stderr" ]
    evaluate --hyp cut --ref cut --metrics chrf
    [ -z "$stderr" ]
    tail -n 99 cut > fewer
    evaluate --hyp fewer --ref fewer
    [ -z "$stderr" ]
}

@test "blanks at the end of a line are no part of it" {
    printf '%s \302\240\n' 'a b' > trailing
    printf '%s\n' 'a b' > plain
    evaluate --hyp trailing --ref plain --metrics chrf --chrf-whitespace
    [[ $output == *" = 100.00" ]]
}

@test "CRLF, gzip and standard input are read" {
    printf 'a b c d x\r\nIl est calme.' > crlf
    gzip < ref > ref.gz
    run "$ATTN" eval --hyp - --ref ref.gz < crlf
    [[ $output == *" = 59.69 "* ]]
}

@test "a byte-order mark is text, as for sacreBLEU, and warned of" {
    told="begins with a byte-order mark, which is text for sacreBLEU and so for this score; 'tail -c +4' leaves it out"
    for file in hyp ref; do
        sed '1s/^/Z/' "$file" > "$file.letter"
        printf '\357\273\277' | cat - "$file" > "$file.marked"
    done
    evaluate --hyp hyp.letter --ref ref --metrics bleu,chrf,ter
    scores=$output
    evaluate --hyp hyp.marked --ref ref --metrics bleu,chrf,ter
    [ "$output" = "$scores" ]
    [ "$stderr" = "attn: warning: hyp.marked: $told" ]
    evaluate --hyp - --ref ref --metrics bleu,chrf,ter < hyp.marked
    [ "$output" = "$scores" ]
    [ "$stderr" = "attn: warning: standard input: $told" ]
    evaluate --hyp hyp --ref ref.letter --metrics bleu,chrf,ter
    scores=$output
    evaluate --hyp hyp --ref ref.marked --metrics bleu,chrf,ter
    [ "$output" = "$scores" ]
    [ "$stderr" = "attn: warning: ref.marked: $told" ]
    evaluate --hyp ref --hyp hyp.marked --ref ref --diff 1 --no-paired-bs
    [ "$stderr" = "attn: warning: hyp.marked: $told" ]
    evaluate --hyp hyp --ref ref --src ref.marked --by-length
    [ -z "$stderr" ]
}

@test "--threads changes no score of a finished translation" {
    for i in {1..300}; do cat hyp; done > many
    for i in {1..300}; do cat ref; done > references
    evaluate --hyp many --ref references --metrics bleu,chrf,ter --confidence --confidence-n 50 --threads 1
    [ "$status" -eq 0 ]
    told=$output
    for threads in 3 0; do
        evaluate --hyp many --ref references --metrics bleu,chrf,ter --confidence --confidence-n 50 --threads $threads
        [ "$output" = "$told" ]
    done
}

@test "a line of more than a mebibyte is scored" {
    { yes "a b" | head -n 300000 | tr '\n' ' '; } > long
    [ "$(wc -c < long)" -gt $((1 << 20)) ]
    evaluate --hyp long --ref long
    [[ $output == *"100.0/100.0/100.0/100.0 "*" hyp_len = 600000 "* ]]
}

@test "an empty line is a translation too" {
    printf 'Il dort.\n\n' > short
    evaluate --hyp short --ref ref
    [ "$status" -eq 0 ]
    [[ $output == *"hyp_len = 3 "* ]]
}

@test "an empty line of a reference file is a reference of no words, or none if asked" {
    printf '%s\n' 'b b b' > three
    printf '%s\n' 'b' > one
    evaluate --hyp one --ref three
    alone=${output#*version}
    for empty in '' ' ' $'\xe3\x80\x80'; do
        printf '%s\n' "$empty" > none
        # The reference of no words is the closest in length to a translation of one word: BP 1 and not e^-2.
        evaluate --hyp one --ref none three
        [[ $output == "BLEU|nrefs:2|"*"ref_len = 0)" ]]
        evaluate --hyp one --missing-references --ref none three
        [ "$status" -eq 0 ]
        [ "${output#*version}" = "$alone" ]
        [[ $output == "BLEU|nrefs:1|"* ]]
    done
    printf '%s\n' 'a b c d x' '' > some
    evaluate --hyp hyp --missing-references --ref ref some
    [[ $output == "BLEU|nrefs:var|"*" = 100.00 "* ]]
}

@test "a line without any reference is refused where references may be missing" {
    printf 'a\n\n' > none
    evaluate --hyp hyp --missing-references --ref none none
    refused 1 "none:2: no reference: this line is empty in each reference file"
}

# ---- a model ----

@test "a model is scored on a corpus, pairs with one source as one segment" {
    evaluate -m "$MODEL" "$CORPUS"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == "BLEU|nrefs:var|"*" = 100.00 "* ]]
    [[ ${lines[1]} == "chrF2|nrefs:var|"*" = 100.00" ]]
    [[ ${lines[2]} =~ ^"loss = 0."[0-9]{4}" (nats a token; "[0-9]+" tokens in 6 references)"$ ]]
    [[ ${lines[3]} =~ ^"perplexity = 1."[0-9]{2}$ ]]
    [[ $stderr == "5 sentences in "*" s, "*" sentences/s, "*" target tokens/s" ]]
}

@test "the loss is that of all references, and of the first alone with --first-reference" {
    printf '%s\t%s\n' 'He sleeps.' 'Il dort.' 'He sleeps.' 'Nous sommes ici.' > two.tsv
    for given in "" --first-reference; do
        evaluate -m "$MODEL" --json two.tsv $given
        echo "$output" > "answer$given"
    done
    jq -e '.references == 1' answer--first-reference
    jq -e --slurpfile first answer--first-reference '.references == 2 and .loss > $first[0].loss + 0.1' answer
    evaluate -m "$MODEL" --first-reference two.tsv
    [[ $output == *" tokens in 1 reference)"* ]]
}

@test "the loss is the one that training measured on the same pairs" {
    head -n 4 "$CORPUS" > valid.tsv
    "$ATTN" train --quiet --no-holdout --tokens word --embedding 16 --hidden 16 --steps 20 --threads 1 "$CORPUS" \
        --valid valid.tsv -o valid.safetensors
    measured=$("$ATTN" info --json valid.safetensors | jq '.. | .valid_loss? // empty')
    evaluate -m valid.safetensors --json valid.tsv
    jq -e --argjson measured "$measured" '(.loss - $measured | fabs) < 1e-5 and .loss > 0.5' <<< "$output"
    # the loss is rounded by 5e-7 at most, the perplexity by 5e-6 of itself
    jq -e '(.perplexity / (.loss | exp) - 1 | fabs) < 6e-6' <<< "$output"
}

@test "the share of unknown words stands beside the perplexity, in training and evaluation" {
    printf '%s\t%s\n' 'I am calm.' 'Je suis sage.' 'He sleeps.' 'Le chat dort.' > other.tsv
    "$ATTN" train --no-holdout --tokens word --embedding 4 --hidden 4 --steps 1 --threads 1 "$CORPUS" --valid other.tsv \
        --log log -o words 2> told
    grep -q '  valid loss [0-9.]*  perplexity [0-9.]* (20.0 % unknown)  BLEU ' told
    jq -es 'map(.valid_unknown // empty) == [0.2]' log
    evaluate -m words other.tsv
    [[ ${lines[2]} == *" 10 tokens in 2 references)" ]]
    [[ ${lines[3]} =~ ^"perplexity = "[0-9.]+" (20.0 % of the tokens are <unk>: unknown words)"$ ]]
    evaluate -m words other.tsv --json
    jq -e '.unknown_tokens == 2 and .reference_tokens == 10' <<< "$output"
    evaluate -m words "$CORPUS" --json
    jq -e '.unknown_tokens == 0' <<< "$output"
}

@test "--json of a model is one object: the first score, the others by name, loss and speed" {
    evaluate -m "$MODEL" --json --quiet "$CORPUS"
    jq -e '.name == "BLEU" and .score == 100 and .chrf.name == "chrF2" and .chrf.score == 100' <<< "$output"
    jq -e '.sentences == 5 and .references == 6 and .reference_tokens > 20 and .loss < 0.4' <<< "$output"
    jq -e '[.target_tokens, .seconds, .sentences_per_second, .target_tokens_per_second] | all(. > 0)' <<< "$output"
    jq -e 'has("by_length") or has("worst") or has("errors") | not' <<< "$output"
    evaluate -m "$MODEL" --json --metrics chrf "$CORPUS"
    jq -e '.name == "chrF2" and (has("chrf") | not)' <<< "$output"
}

@test "--sentence-level of a model gives scores alone" {
    evaluate -m "$MODEL" --sentence-level --metrics bleu "$CORPUS"
    [ "${#lines[@]}" -eq 5 ]
    [[ $output != *loss* ]]
}

# loss_of_scores OPTION... - the loss of the corpus from --score, token by token.
loss_of_scores() {
    "$ATTN" translate --score --json "$@" "$CORPUS" |
        jq -s '-(map(.log_probability) | add) / (map(.target_tokens | length) | add)'
}

@test "the loss is that of the products which the options ask for" {
    evaluate -m "$MODEL" --json "$CORPUS"
    jq .loss <<< "$output" > float
    evaluate -m "$MODEL" --json --precision int8 "$CORPUS"
    jq .loss <<< "$output" > int8
    run -1 cmp -s float int8
    loss_of_scores -m "$MODEL" --precision int8 | paste int8 - |
        awk '{ d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 }'
}

@test "several models are scored together, on what they translate together" {
    other=$BATS_TEST_TMPDIR/other.safetensors
    "$ATTN" train --quiet --no-holdout --tokens word --embedding 16 --hidden 16 --steps 30 --learning-rate 0.02 \
        --label-smoothing 0.1 --threads 1 "$CORPUS" -o "$other" --seed 2
    evaluate -m "$MODEL" --json "$CORPUS"
    jq 'del(.seconds, .sentences_per_second, .target_tokens_per_second)' <<< "$output" > one
    evaluate -m "$MODEL" -m "$MODEL" --json "$CORPUS"
    jq --slurpfile one one '[$one[0], .] | map(.loss) | .[0] - .[1] | . < 1e-5 and . > -1e-5' <<< "$output" | grep -x true
    jq 'del(.seconds, .sentences_per_second, .target_tokens_per_second, .loss, .perplexity)' <<< "$output" |
        diff - <(jq 'del(.loss, .perplexity)' one)

    evaluate -m "$MODEL" -m "$other" --json --save saved "$CORPUS"
    jq .loss <<< "$output" > together
    cut -f1 "$CORPUS" | awk '!seen[$0]++' > sources
    "$ATTN" translate -m "$MODEL" -m "$other" sources | cmp saved -
    loss_of_scores -m "$MODEL" -m "$other" | paste together - |
        awk '{ d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 }'
}

@test "sentences too long to score are left out of the loss, and reported" {
    awk 'BEGIN { while (i++ < 1200) printf "calm "; print "\tcalme" }' > long.tsv
    cat long.tsv "$CORPUS" > both.tsv
    for models in "-m $MODEL" "-m $MODEL -m $MODEL"; do
        # shellcheck disable=SC2086
        evaluate $models --json "$CORPUS"
        jq .loss <<< "$output" > without
        # shellcheck disable=SC2086
        evaluate $models --beam 1 --json both.tsv
        [[ $stderr == *"warning: the loss is without 1 pair of more than 1000 tokens on a side"* ]]
        jq .loss <<< "$output" | cmp - without
        jq -e '.references == 6 and .sentences == 6' <<< "$output"
    done
    evaluate -m "$MODEL" --beam 1 --json long.tsv
    jq -e '.references == 0 and (has("loss") or has("perplexity") | not)' <<< "$output"
}

@test "models that don't fit together are refused" {
    "$ATTN" train --quiet --no-holdout --embedding 8 --hidden 8 --steps 2 --threads 1 "$CORPUS" -o "$PWD/other"
    evaluate -m "$MODEL" -m other "$CORPUS"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ ${stderr_lines[0]} == *"five.safetensors and other can't translate together: their source vocabularies differ: "* ]]
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

@test "what --save wrote is scored again beside the same corpus, as one translation or one of several" {
    evaluate -m "$MODEL" --metrics bleu --by-length --save saved "$CORPUS"
    told=$(grep -v -e loss -e perplexity <<< "$output")
    cut -f 1 "$CORPUS" > source
    cut -f 2 "$CORPUS" > target
    for corpus in "$CORPUS" "--part all source target" "--format aligned source target"; do
        evaluate --hyp saved --by-length $corpus
        [ "$status" -eq 0 ]
        [ "$output" = "$told" ]
    done
    evaluate --hyp - --first-reference "$CORPUS" < saved
    [[ $output == "BLEU|nrefs:1|"*" = 100.00 "* ]]
    sed 's/calme/triste/' saved > other
    evaluate --hyp saved --hyp other "$CORPUS"
    [[ $output == *"Baseline: saved"*" other "* ]]
    evaluate --hyp target "$CORPUS"
    refused 1 "target has 6 lines, but the corpus has 5 different sources; it must have one for each, in the order in which \
they first occur, as --save writes them"
    evaluate --hyp saved "$CORPUS" --beam 2
    refused 2 "--beam is for translating, but --hyp is a finished translation"
    evaluate --hyp saved "$CORPUS" --src source
    refused 2 "--src goes with --ref; a corpus holds its sources"
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

@test "columns that are no text are refused, and --columns chooses others" {
    awk -F '\t' '{ print 1000 + NR "\t" $1 "\t" 2000 + NR "\t" $2 }' "$CORPUS" > numbered
    evaluate -m "$MODEL" numbered
    refused 1 "numbered: column 1 holds numbers, ids or addresses in 100 % of the lines; columns 2 and 4 hold text: --columns 2,4 takes \
them, --columns 1,2 the first two all the same"
    diff <(attn eval -m "$MODEL" -q "$CORPUS") <(attn eval -m "$MODEL" -q --columns 2,4 numbered)
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
    refused 1 "parts.tsv: of 1 pair none is in the test part; leave out --part, or name a larger corpus"
}

@test "a part that a model has learned is warned of, whatever it learned it by" {
    printf '%s\tx y\n' 'sentence 156' 'sentence 36' 'sentence 0' > parts.tsv
    local tiny=(train --quiet --hidden 2 --embedding 2 --steps 1 --threads 1 parts.tsv) end="): on these a score measures \
memory; score sentences that it never saw"
    "$ATTN" "${tiny[@]}" -o held
    "$ATTN" "${tiny[@]}" -o all --no-holdout
    "$ATTN" "${tiny[@]}" -o valid --valid parts.tsv
    "$ATTN" "${tiny[@]}" -o next --init all
    evaluate -m held -m held --quiet --part test parts.tsv
    [ -z "$stderr" ]
    for model in all next; do
        evaluate -m $model --quiet --part test parts.tsv
        [ "$stderr" = "attn: warning: $model: has learned 1 pair of --part test (attn train --no-holdout$end" ]
    done
    for model in all valid next; do
        evaluate -m $model --quiet --part valid parts.tsv
        [ "$stderr" = "attn: warning: $model: has learned 1 pair of --part valid (attn train --no-holdout or --valid$end" ]
    done
    for part in "held valid" "valid test" "all train" "all all"; do
        evaluate -m ${part% *} --quiet --part ${part#* } parts.tsv
        [ -z "$stderr" ]
    done
}

@test "lines that are no pairs are reported and left out" {
    { cat "$CORPUS"; echo 'no tab'; } > damaged.tsv
    evaluate -m "$MODEL" damaged.tsv
    [ "$status" -eq 0 ]
    [ "${stderr_lines[0]}" = "attn: warning: 1 of 7 lines was left out:" ]
    [ "${stderr_lines[1]}" = "           1  no tab between source and target (damaged.tsv:7)" ]
    [[ $output == *" = 100.00 "* ]]
}

# ---- a closer look ----

# Four segments, the first of them with a long source.
four()
{
    printf '%s\n' 'one two three four five six' 'I have 1,000 books.' 'I saw Tom.' 'I do not know.' > src
    printf '%s\n' 'un deux trois quatre' "J'ai des livres." "Je l'ai vu." 'Je sais.' > hyp
    printf '%s\n' 'un deux trois quatre' "J'ai 1 000 livres." "J'ai vu Tom." 'Je ne sais pas.' > ref
}

@test "--by-length is a table with a bar for each length of the source" {
    four
    evaluate --hyp hyp --ref ref --src src --by-length --width 0
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == "BLEU|"* ]]
    [ "${lines[1]}" = "Scores by source length:" ]
    [ "${lines[2]}" = "words  segments  BLEU" ]
    [[ ${lines[3]} == "  1-5         3  "* ]]
    [ "${lines[4]}" = " 6-10         1   100  ████████████████████████████████████████" ]
    [ "${#lines[@]}" -eq 5 ]
    evaluate --hyp hyp --ref ref --src src --by-length --json
    jq -e '.name == "BLEU" and (.by_length | map([.from, .to, .segments]) == [[1, 5, 3], [6, 10, 1]])' <<< "$output"
    jq -e '.by_length | all(has("bleu") and (has("chrf") or has("ter") | not))' <<< "$output"
}

@test "--worst shows the worst sentences, with sources where they are known" {
    four
    evaluate --hyp hyp --ref ref --worst 1
    [ "$(tail -n 5 <<< "$output")" = "
1 sentence of the lowest BLEU:
segment 3, BLEU 19.00
  translation  Je l'ai vu.
  reference    J'ai vu Tom." ]
    evaluate --hyp hyp --ref ref --src src --worst 2 --json
    jq -e '.worst | map(.segment) == [3, 4] and .[0].source == "I saw Tom."' <<< "$output"
    evaluate --hyp hyp --ref ref --worst 100 --json
    jq -e '.worst | length == 4 and (.[0] | has("source") | not)' <<< "$output"
}

@test "--errors counts translations that repeat themselves" {
    printf '%s\n' 'Why?' 'Ha ha ha ha ha ha!' 'No.' > src
    printf '%s\n' 'Je suis, je suis et je suis.' 'Ha ha ha ha ha ha !' 'Non, je ne je ne je ne sais pas.' > hyp
    printf '%s\n' 'Pourquoi ?' 'Ha !' 'Non.' > ref
    evaluate --hyp hyp --ref ref --src src --errors
    grep -qxF 'repeats: 1 of 3 segments' <<< "$output"
    grep -qxF 'segment 3, je ne' <<< "$output"
    evaluate --hyp hyp --ref ref --src src --errors --json
    jq -e '.errors | length == 1 and (.repeats | .segments == 1 and .of == 3 and (.examples | length) == 1)' <<< "$output"
    jq -e '.errors.repeats.examples[0] | .segment == 3 and .repeated == "je ne" and .source == "No."' <<< "$output"
}

@test "a model needs no --src for any of it" {
    evaluate -m "$MODEL" --by-length --worst 1 --errors --json "$CORPUS"
    jq -e '.by_length[0].segments == 5 and .worst[0].segment == 1 and .errors.repeats.of == 5' <<< "$output"
    evaluate -m "$MODEL" --by-length --worst 1 --errors "$CORPUS"
    [[ ${lines[0]} == "BLEU|"* ]]
    [[ $output == *"perplexity = "*"Scores by source length:"*"1 sentence of the lowest BLEU:"*"repeats: 0 of 5 "* ]]
}

@test "an analysis that is not possible is refused before any work" {
    evaluate --hyp nowhere --ref nowhere --by-length
    refused 2 "--by-length looks at the sources; --src FILE names them"
    evaluate --hyp nowhere --ref nowhere --errors
    refused 2 "--errors looks at the sources; --src FILE names them"
    evaluate -m nowhere "$CORPUS" --src hyp
    refused 2 "--src goes with --ref; a corpus holds its sources"
    evaluate --hyp nowhere --ref nowhere --worst 3 --metrics chrf
    refused 2 "--worst is about BLEU; add bleu to --metrics"
    evaluate --hyp nowhere --ref nowhere --diff 3
    refused 2 "--diff compares two translations; name both with --hyp"
    evaluate -m nowhere --by-length --sentence-level "$CORPUS"
    refused 2 "--by-length goes without --sentence-level, which is a line a segment"
    evaluate --hyp nowhere --ref - --src - --errors
    refused 2 "--hyp, --ref and --src: standard input can be one file only"
    evaluate --hyp nowhere --ref nowhere --worst -1
    [ "$status" -eq 2 ]
}

@test "sources must be as many as translations" {
    four
    head -n 3 src > three
    evaluate --hyp hyp --ref ref --src three --by-length
    refused 1 "hyp has 4 lines, but three has 3: line n of both must be the same sentence"
}

@test "empty sources and translations are segments too, and references may be fewer on some lines" {
    printf '\na\n\n' > some
    printf 'b\na\n\n' > first
    printf '\na\nc\n' > second
    evaluate --hyp some --missing-references --ref first second --src some --by-length --worst 3 --errors
    [ "$status" -eq 0 ]
    [[ $output == *"  1-5         3 "* ]]
    [[ $output == *"3 sentences of the lowest BLEU:"*"segment 1, BLEU 0.00"*"segment 3, BLEU 0.00"*"segment 2, "* ]]
}

# ---- what is refused ----

@test "a missing model is named, with the way to one" {
    evaluate -m nowhere.safetensors "$CORPUS"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ ${stderr_lines[0]} == "attn: error: there is no model 'nowhere.safetensors': "* ]]
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
    refused 1 "latin:2: invalid UTF-8; if it is Latin-1 or Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"
    printf 'good\rbad\r' > returns
    evaluate --hyp returns --ref ref
    refused 1 "returns: its lines end in carriage returns; tr '\r' '\n' converts them"
    echo good | iconv -f UTF-8 -t UTF-16 > wide
    evaluate --hyp hyp --ref wide
    refused 1 "wide: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it"
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
    for before in "--hyp hyp other --ref ref" "other --hyp hyp --ref=ref"; do
        evaluate $before
        refused 2 "'other' stands before --ref; another translation is --hyp other, another reference follows --ref"
    done
    evaluate m.safetensors corpus.tsv
    refused 2 "'m.safetensors' is a model, not a corpus; name it with -m"
    evaluate a b c
    refused 2 "what are these 3 files? --format tsv: each holds both sides; --format aligned: they come in twos, source \
and target"
    evaluate --hyp hyp
    refused 2 "--hyp and --ref belong together; --ref is missing"
    evaluate --ref -
    refused 2 "--hyp and --ref belong together; --hyp is missing"
    evaluate --ref ref --beam 3
    refused 2 "--hyp and --ref belong together; --hyp is missing"
    evaluate --hyp - --ref -
    refused 2 "--hyp, --ref and --src: standard input can be one file only"
    evaluate --hyp hyp --ref ref --beam 3
    refused 2 "--beam is for translating, but --hyp is a finished translation"
    evaluate --hyp hyp --ref ref -m "$MODEL"
    refused 2 "--model is for translating, but --hyp is a finished translation"
    evaluate --hyp hyp --ref ref --smooth-value 1
    refused 2 "--smooth-value is for --smooth floor and --smooth add-k"
}

@test "metrics and tokenizers that are not there are refused by name" {
    evaluate --hyp hyp --ref ref --metrics bleu,wer
    refused 2 "--metrics: 'wer' is not one of bleu, chrf, chrf++, ter; did you mean 'ter'?"
    evaluate --hyp hyp --ref ref --metrics bleu,
    refused 2 "--metrics: '' is not one of bleu, chrf, chrf++, ter"
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
    evaluate -m "$MODEL" --save - "$CORPUS"
    refused 1 "--save -: standard output is no place for the translations; name a file"
}

@test "a full disk is an error" {
    [ -w /dev/full ] || skip "no /dev/full here"
    run bash -c '"$ATTN" eval --hyp hyp --ref ref > /dev/full'
    [ "$status" -eq 1 ]
    [[ $output == "attn: error: "* ]]
}

@test "control characters of texts and file names do not reach the terminal" {
    printf 'Nine \e[9m9 times 9\e[m and \e[1mBob\n' > src
    printf 'a a a a a a\e[2Ja a\e[2Ja a\e[2Ja a\e[2Ja\n' > $'h\e[2J'
    printf '9 \e[9m9 9\e[m \e[1mBob not\n' > ref
    evaluate --hyp $'h\e[2J' --ref ref --src src --errors --worst 1
    [ "$status" -eq 0 ]
    [[ $output == *"?["* ]]
    run -1 grep $'\e' <<< "$output"
    evaluate --hyp $'h\e[2J' --hyp src --ref ref --diff 1
    [[ $output == *"h?[2J"* ]]
    run -1 grep $'\e' <<< "$output"
    cp ref $'c\e[2J.tsv'
    evaluate -m "$MODEL" $'c\e[2J.tsv'
    run -1 grep $'\e' <<< "$stderr"
}
