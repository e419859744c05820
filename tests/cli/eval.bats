# eval.bats - attn eval: scores of finished translations, scores of a model, and what is refused. tests/unit/metrics has
# the frozen scores, tests/unit/cmd/eval what a closer look finds.

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

# each_is_refused STATUS - for rows of arguments, a tab, the message.
each_is_refused()
{
    while IFS=$'\t' read -r arguments message <&8; do
        evaluate $arguments < /dev/null
        refused "$1" "$message"
    done
}

# each_prints - for rows of arguments, a tab, a pattern of all output.
each_prints()
{
    while IFS=$'\t' read -r arguments pattern <&8; do
        evaluate $arguments < /dev/null
        echo "$arguments: $output $stderr"
        [ "$status" -eq 0 ]
        [[ $output == $pattern ]]
    done
}

version=version:attn-$("$ATTN" --version | sed -n '1s/attn //p')
detailed="88.9/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)"

# ---- finished translations ----

@test "a finished translation gets one line a metric, with the signature that its options make" {
    printf '%s\n' q q > nothing
    printf '%s \302\240\n' 'a b' > trailing
    printf '%s\n' 'a b' > plain
    printf 'a b c d x\r\nIl est calme.' > crlf
    printf 'Il dort.\n\n' > short
    gzip < ref > ref.gz
    { yes "a b" | head -n 300000 | tr '\n' ' '; } > long
    [ "$(wc -c < long)" -gt $((1 << 20)) ]
    each_prints 8<< END
--hyp hyp --ref ref	BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version = 59.69 $detailed
--hyp hyp --ref ref ref2 --width 1	BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|$version = 100.0 100.0/100.0/100.0/100.0 (*
--hyp hyp --ref ref --ref ref2	BLEU|nrefs:2|* = 100.00 *
--hyp crlf --ref ref.gz	* = 59.69 *
--hyp short --ref ref	* hyp_len = 3 *
--hyp trailing --ref plain --metrics chrf --chrf-whitespace	* = 100.00
--hyp long --ref long	*100.0/100.0/100.0/100.0 * hyp_len = 600000 *
--hyp hyp --ref ref --metrics chrf,bleu --chrf-word-order 2 --width 0	BLEU|* = 60 *chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|$version = 8?
--hyp hyp --ref ref --metrics chrf++,BLEU,chrF	BLEU|*chrF2|*|nw:0|*chrF2++|*|nw:2|*
--hyp hyp --ref ref --metrics chrf++ --chrf-beta 3	chrF3++|*
--hyp hyp --ref ref --metrics chrf --chrf-word-order 1	chrF2+|*
--hyp hyp --ref ref --metrics ter,bleu	BLEU|*TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|$version = 12.50
--hyp hyp --ref ref --metrics ter --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive	TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|$version = 12.50
--hyp hyp --ref ref --tokenize intl --smooth floor --lowercase	BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor\[0.10\]|$version = *
--hyp hyp --ref ref --smooth add-k --smooth-value 0.5	*|smooth:add-k\[0.50\]|*
--hyp hyp --ref ref --smooth add-k --smooth-value auto	*|smooth:add-k\[1.00\]|*
--hyp hyp --ref ref --smooth floor --smooth-value 0	*|smooth:floor\[0.00\]|*
--hyp hyp --hyp ref2 --ref ref --paired-ar --smooth add-k --smooth-value 2	*|ar:10000|*|smooth:add-k\[2.00\]|*
--hyp hyp --hyp ref2 --ref ref --paired-bs --smooth add-k --smooth-value 0.5	*|smooth:add-k\[0.50\]|*
--hyp hyp --ref ref --to fr	*|tok:13a|*
--hyp hyp --ref ref --sentence-level	BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|$version = 42.73 *BLEU|* = 100.00 *
--hyp hyp --ref ref --confidence	BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|$version = 59.69 (μ = 63.61 ± 32.03) $detailed
--hyp nothing --ref ref --confidence	BLEU|nrefs:1|bs:1000|* = 0.00 0.0/0.0/0.0/0.0 (BP*
END
}

@test "without --hyp the translation is standard input" {
    evaluate --hyp hyp --ref ref
    told=$output
    for reference in "ref" "--ref ref" "ref --hyp hyp" "ref --hyp - --threads 1 --quiet"; do
        evaluate $reference < hyp
        [ "$output" = "$told" ]
        output=$(cat hyp | "$ATTN" eval $reference)
        [ "$output" = "$told" ]
    done
    evaluate --ref ref ref2 < hyp
    [[ $output == "BLEU|nrefs:2|"*" = 100.00 "* ]]
    evaluate ref --src ref --by-length < hyp
    [[ $output == "$told"*"Scores by source length:"* ]]
    printf 'One two three four\nfive\tsix\n' > tabs        # no corpus: its first line has none
    evaluate --hyp tabs tabs
    [[ $output == "BLEU|nrefs:1|"*" = 100.00 "* ]]
}

@test "standard input that can't be the translation is an error that names what it was taken for" {
    taken="a file without a tab is a reference, and the translation is standard input"
    : > empty
    each_is_refused 1 8<< END
ref	standard input: is empty: a sentence a line is needed ($taken)
--ref ref	standard input: is empty: a sentence a line is needed (without --hyp the translation is standard input)
nowhere	nowhere: cannot be opened: No such file or directory
-m $MODEL --part all empty	empty: is empty: a sentence pair a line is needed
END
    tr ' ' '\t' < hyp > systems
    evaluate ref < systems
    refused 1 "standard input:1: a tab: sacreBLEU takes it to separate systems; give each its own --hyp FILE, or say \
--hyp - if tabs are text ($taken)"
    evaluate ref --hyp - < systems
    [ "$status" -eq 0 ]
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
    for request in "$CORPUS --part all" "ref ref2 ref"; do
        evaluate $request < hyp
        refused 2 "$unread"
        holding "$(cat hyp)"
        evaluate $request <&7
        refused 2 "$unread"
    done
    evaluate "$CORPUS" --beam 2 < hyp
    [[ $output == *"perplexity = "* ]]
    evaluate "$CORPUS" <&-
    [[ $output == *"perplexity = "* ]]
    { read -r; evaluate "$CORPUS"; } < hyp
    [[ $output == *"perplexity = "* ]]
    holding ""
    evaluate "$CORPUS" <&7
    [[ $output == *"perplexity = "* && $stderr != *warning* ]]
    evaluate - < "$CORPUS"
    [[ $output == *"perplexity = "* ]]
}

@test "a reference alone at a terminal asks for the translation" {
    script -qec true /dev/null > typescript 2>&1 || skip "no terminal can be had here"
    run script -qec "'$ATTN' eval ref" /dev/null
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "attn: error: where is the translation? name it by --hyp or < ("*"the translation is standard input)"* ]]
}

@test "--to chooses the tokenizer that sacreBLEU has for the language, or the nearest; without it a warning names one" {
    echo '我昨天买了书。' > hyp.zh
    echo '我昨天买了一本书。' > ref.zh
    for given in "--to zh-Hans zh" "--to ko --tokenize zh zh" "--tokenize char char"; do
        evaluate --hyp hyp.zh --ref ref.zh ${given% *}
        [[ $output == *"|tok:${given##* }|"* && -z $stderr ]]
    done
    evaluate --hyp hyp.zh --ref ref.zh --to ja
    [[ $output == *"|tok:char|"* ]]
    [ "$stderr" = "attn: warning: BLEU is of characters: ja-mecab, sacreBLEU's tokenizer for 'ja', is not here; --tokenize \
char says the same" ]
    for tokenizer in 13a intl none; do
        evaluate --hyp hyp.zh --ref ref.zh --tokenize $tokenizer
        [[ ${#stderr_lines[@]} -eq 1 && $stderr == *"references are mostly"*"add --tokenize zh for Chinese, char for others" ]]
    done
    evaluate --hyp hyp.zh --ref ref.zh --metrics chrf
    [ -z "$stderr" ]
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
}

@test "--json is one object with the items of the signature, byte for byte as Python writes it" {
    evaluate --hyp hyp --ref ref --json
    [ "$output" = "$(cat << END
{
 "name": "BLEU",
 "score": 59.69,
 "signature": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|$version",
 "verbose_score": "$detailed",
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
    evaluate --hyp hyp --ref ref --confidence --confidence-n 100 --seed 7 --json
    jq -e '.bs == "100" and .seed == "7" and (.confidence | startswith("μ = "))
        and .confidence == "μ = \(.confidence_mean) ± \(.confidence_var)"' <<< "$output"
}

@test "--json has one shape: the first score, the others by name, an object a line at the sentence level" {
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf,chrf++,ter
    jq -e '[.name, .chrf.name, ."chrf++".name, .ter.score] == ["BLEU", "chrF2", "chrF2++", 12.5]' <<< "$output"
    evaluate --hyp hyp --ref ref --json --metrics bleu,chrf --sentence-level
    [ "${#lines[@]}" -eq 2 ]
    for line in "${lines[@]}"; do
        jq -e '.name == "BLEU" and .chrf.name == "chrF2"' <<< "$line"
    done
    # of a model, and of the file that it saved
    evaluate -m "$MODEL" --save saved --first-reference --json "$CORPUS"
    jq -S 'del(.loss, .perplexity, .reference_tokens, .unknown_tokens, .references, .sentences, .target_tokens, .seconds,
        .sentences_per_second, .target_tokens_per_second)' <<< "$output" > of_model
    awk -F '\t' '!seen[$1]++ { print $2 }' "$CORPUS" > first
    evaluate --hyp saved --ref first --json --metrics bleu,chrf
    jq -S . <<< "$output" | cmp - of_model
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

@test "several translations get a paired bootstrap, which compares each with the first, unless another test is asked for" {
    evaluate --hyp hyp --hyp ref2 --ref ref --paired-bs
    told=$output
    evaluate --hyp hyp --hyp ref2 --ref ref
    [[ $output == "$told" && ${lines[-1]} == " - BLEU       nrefs:1|bs:1000|seed:12345|case:"* ]]
    evaluate --hyp hyp --hyp ref2 --ref ref --trials 200
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
    jq -e '.systems[0].BLEU | .mean > 0 and .ci > 0 and .p_value == null' <<< "$output"
    evaluate --hyp hyp --hyp ref2 --ref ref --no-paired-bs --json
    jq -e '. == {"systems": [{"system": "hyp", "BLEU": "59.69"}, {"system": "ref2", "BLEU": "41.49",
        "differing_segments": 1}]}' <<< "$output"
}

@test "a comparison reports in how many segments systems differ, and stars no p that equal differences make small" {
    # of 300 lines ten are wrong in the baseline `old`: `few` has two of them right, `new` all
    for i in {1..300}; do echo "Il est le numéro $i de la liste."; done > truth
    sed '1~30s/liste/file/' truth > old
    cp old same
    sed '1s/file/liste/;31s/file/liste/' old > few
    cp truth new
    for test in --paired-bs --paired-ar; do
        evaluate --hyp old --hyp same --hyp few --hyp new --ref truth --metrics bleu,ter $test
        [[ $output == *"same │ "*"(p = 0.00"*" │ "*"few │ "*"(p = "*"new │ "*"(p = 0.00"??")* "*"(p = 0.00"??")* "* ]]
        [ "$(grep -o ')\*' <<< "$output" | wc -l)" -eq 2 ]
        grep -qx 'same and old are the same translation; p with equal differences: BLEU 1.0000, TER 1.0000' <<< "$output"
        grep -qx 'new differs from old in 10 of 300 segments' <<< "$output"
    done
    told=$output
    evaluate --hyp old --hyp same --hyp few --hyp new --ref truth --metrics bleu,ter --paired-ar --threads 3
    [ "$output" = "$told" ]
    grep -qE '^few differs from old in 2 of 300 segments; p with equal differences: BLEU 0\.[45]..., TER 0\.[45]' <<< "$output"
    evaluate --hyp old --hyp same --hyp few --ref truth --paired-ar --json
    jq -e '.systems | map(.differing_segments) == [null, 0, 2]' <<< "$output"
    jq -e '.systems[1:] | all(.BLEU.p_value == 1 / 10001)' <<< "$output"
    evaluate --hyp old --hyp new --ref truth --paired-bs --trials 1
    [[ $output == *"Paired bootstrap with 1 sample. "* ]]
    run -1 grep -E '^[^╒╞├╘│].{80}' <<< "${output%%Metric signatures*}"    # as wide as a terminal
}

# ---- what is doubtful ----

@test "a hundred lines that end in a cut period are warned of, unless --force" {
    for i in {1..100}; do echo "He sleeps ."; done > cut
    tail -n 99 cut > fewer
    evaluate --hyp cut --ref cut
    [ "$stderr" = "attn: warning: 100 lines end in ' .': score plain text, not words with blanks between them; --force if it is plain" ]
    for plain in "cut --force" "cut --metrics chrf" fewer; do
        evaluate --ref cut --hyp $plain
        [[ $stderr != *"end in ' .'"* ]]
    done
}

@test "a byte-order mark is text, as for sacreBLEU, and warned of" {
    told="begins with a byte-order mark, which is text for sacreBLEU and so for this score; 'tail -c +4' leaves it out"
    for file in hyp ref; do
        sed '1s/^/Z/' "$file" > "$file.letter"
        printf '\357\273\277' | cat - "$file" > "$file.marked"
    done
    for files in "hyp.% ref" "hyp ref.%"; do
        evaluate --metrics bleu,chrf,ter --hyp $(sed 's/%/letter/;s/ / --ref /' <<< "$files")
        scores=$output
        evaluate --metrics bleu,chrf,ter --hyp $(sed 's/%/marked/;s/ / --ref /' <<< "$files")
        [ "$output" = "$scores" ]
        [[ $stderr == "attn: warning: "*".marked: $told" ]]
    done
    evaluate ref < hyp.marked
    [ "$stderr" = "attn: warning: standard input: $told" ]
    evaluate --hyp hyp --ref ref --src ref.marked --by-length
    [ -z "$stderr" ]
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
        [[ $output == "BLEU|nrefs:1|"* && ${output#*version} == "$alone" ]]
    done
    printf '%s\n' 'a b c d x' '' > some
    evaluate --hyp hyp --missing-references --ref ref some
    [[ $output == "BLEU|nrefs:var|"*" = 100.00 "* ]]
    evaluate --hyp hyp --missing-references --ref some some
    refused 1 "some:2: no reference: this line is empty in each reference file"
}

# ---- a model ----

@test "a model is scored on a corpus, pairs with one source as one segment, with the same score for any number of threads" {
    evaluate -m "$MODEL" "$CORPUS"
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ ${lines[0]} == "BLEU|nrefs:var|"*" = 100.00 "* ]]
    [[ ${lines[1]} == "chrF2|nrefs:var|"*" = 100.00" ]]
    [[ ${lines[2]} =~ ^"loss = 0."[0-9]{4}" (nats a token; "[0-9]+" tokens in 6 references)"$ ]]
    [[ ${lines[3]} =~ ^"perplexity = 1."[0-9]{2}$ ]]
    [[ $stderr == "5 sentences in "*" s, "*" sentences/s, "*" target tokens/s" ]]
    told=$output
    cut -f 1 "$CORPUS" > source
    cut -f 2 "$CORPUS" > target
    awk -F '\t' '{ print 1000 + NR "\t" $1 "\t" 2000 + NR "\t" $2 }' "$CORPUS" > numbered
    { cat "$CORPUS"; echo 'no tab'; } > damaged.tsv
    for corpus in "source target --threads 3" "source target --threads 0" "numbered --columns 2,4" damaged.tsv; do
        evaluate -m "$MODEL" $corpus
        [ "$output" = "$told" ]
    done
    [ "${stderr_lines[0]}" = "attn: warning: 1 of 7 lines was left out:" ]
    [ "${stderr_lines[1]}" = "           1  no tab between source and target (damaged.tsv:7)" ]
    evaluate -m "$MODEL" --first-reference --quiet "$CORPUS"
    [[ $output == "BLEU|nrefs:1|"* && -z $stderr ]]
    evaluate -m "$MODEL" --sentence-level --metrics bleu "$CORPUS"
    [[ ${#lines[@]} -eq 5 && $output != *loss* ]]
}

@test "the loss is the one that training measured on the same pairs, and the share of unknown words stands beside it" {
    printf '%s\t%s\n' 'I am calm.' 'Je suis sage.' 'He sleeps.' 'Le chat dort.' > other.tsv
    "$ATTN" train --no-holdout --tokens word --embedding 4 --hidden 4 --steps 20 --threads 1 "$CORPUS" --valid other.tsv \
        --log log -o words 2> told
    grep -q '  valid loss [0-9.]*  perplexity [0-9.]* (20.0 % unknown)  BLEU ' told
    jq -es 'map(.valid_unknown // empty) == [0.2]' log
    measured=$("$ATTN" info --json words | jq '.. | .valid_loss? // empty')
    evaluate -m words other.tsv
    [[ ${lines[2]} == *" 10 tokens in 2 references)" ]]
    [[ ${lines[3]} =~ ^"perplexity = "[0-9.]+" (20.0 % of the tokens are <unk>: unknown words)"$ ]]
    evaluate -m words other.tsv --json
    jq -e --argjson measured "$measured" '.unknown_tokens == 2 and .reference_tokens == 10
        and (.loss - $measured | fabs) < 1e-5 and .loss > 0.5' <<< "$output"
    # the loss is rounded by 5e-7 at most, the perplexity by 5e-6 of itself
    jq -e '(.perplexity / (.loss | exp) - 1 | fabs) < 6e-6' <<< "$output"
}

@test "--json of a model has loss and speed; the loss is that of all references, or with --first-reference of the first" {
    evaluate -m "$MODEL" --json --quiet "$CORPUS"
    jq -e '.name == "BLEU" and .score == 100 and .chrf.name == "chrF2" and .chrf.score == 100' <<< "$output"
    jq -e '.sentences == 5 and .references == 6 and .reference_tokens > 20 and .unknown_tokens == 0 and .loss < 0.4' <<< "$output"
    jq -e '[.target_tokens, .seconds, .sentences_per_second, .target_tokens_per_second] | all(. > 0)' <<< "$output"
    jq -e 'has("by_length") or has("worst") or has("errors") | not' <<< "$output"
    printf '%s\t%s\n' 'He sleeps.' 'Il dort.' 'He sleeps.' 'Nous sommes ici.' > two.tsv
    evaluate -m "$MODEL" --json two.tsv --first-reference
    first=$(jq 'select(.references == 1).loss' <<< "$output")
    evaluate -m "$MODEL" --json two.tsv
    jq -e --argjson first "$first" '.references == 2 and .loss > $first + 0.1' <<< "$output"
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
    "$ATTN" train --quiet --no-holdout --tokens word --embedding 16 --hidden 16 --steps 30 --learning-rate 0.02 \
        --label-smoothing 0.1 --threads 1 "$CORPUS" -o "$PWD/other" --seed 2
    evaluate -m "$MODEL" -m other --json --save saved "$CORPUS"
    jq .loss <<< "$output" > together
    cut -f1 "$CORPUS" | awk '!seen[$0]++' > sources
    "$ATTN" translate -m "$MODEL" -m other sources | cmp saved -
    loss_of_scores -m "$MODEL" -m other | paste together - |
        awk '{ d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 }'
}

@test "sentences too long to score are left out of the loss, and reported" {
    awk 'BEGIN { while (i++ < 1200) printf "calm "; print "\tcalme" }' > long.tsv
    cat long.tsv "$CORPUS" > both.tsv
    evaluate -m "$MODEL" --json "$CORPUS"
    jq .loss <<< "$output" > without
    evaluate -m "$MODEL" --beam 1 --json both.tsv
    [[ $stderr == *"warning: the loss is without 1 pair of more than 1000 tokens on a side"* ]]
    jq .loss <<< "$output" | cmp - without
    jq -e '.references == 6 and .sentences == 6' <<< "$output"
    evaluate -m "$MODEL" --beam 1 --json long.tsv
    jq -e '.references == 0 and (has("loss") or has("perplexity") | not)' <<< "$output"
}

@test "what --save wrote is what translate writes, and is scored again beside the same corpus" {
    evaluate -m "$MODEL" --metrics bleu --by-length --save saved "$CORPUS"
    told=$(grep -v -e loss -e perplexity <<< "$output")
    cut -f 1 "$CORPUS" | awk '!seen[$0]++' > sources
    "$ATTN" translate -m "$MODEL" sources | cmp saved -
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
    for model in all next; do
        evaluate -m $model --quiet --part test parts.tsv
        [ "$stderr" = "attn: warning: $model: has learned 1 pair of --part test (attn train --no-holdout$end" ]
    done
    for model in all valid next; do
        evaluate -m $model --quiet --part valid parts.tsv
        [ "$stderr" = "attn: warning: $model: has learned 1 pair of --part valid (attn train --no-holdout or --valid$end" ]
    done
    for part in "held test" "held valid" "valid test" "all train" "all all"; do
        evaluate -m ${part% *} --quiet --part ${part#* } parts.tsv
        [ -z "$stderr" ]
    done
}

# ---- a closer look ----

@test "a closer look follows the scores, as text and as JSON" {
    printf '%s\n' 'one two three four five six' 'I have 1,000 books.' 'I saw Tom.' 'I do not know.' > src
    printf '%s\n' 'un deux trois quatre' "je ne je ne je ne" "Je l'ai vu." 'Je sais.' > hyp
    printf '%s\n' 'un deux trois quatre' "J'ai 1 000 livres." "J'ai vu Tom." 'Je ne sais pas.' > ref
    evaluate --hyp hyp --ref ref --src src --by-length --worst 1 --errors --width 0
    [ "$output" = "$("$ATTN" eval --hyp hyp --ref ref --width 0)

Scores by source length:
words  segments  BLEU
  1-5         3     6  ██▍
 6-10         1   100  ████████████████████████████████████████

1 sentence of the lowest BLEU:
segment 2, BLEU 0
  source       I have 1,000 books.
  translation  je ne je ne je ne
  reference    J'ai 1 000 livres.

The same words three times in a row, or more:
repeats: 1 of 4 segments

segment 2, je ne
  source       I have 1,000 books.
  translation  je ne je ne je ne
  reference    J'ai 1 000 livres." ]
    evaluate --hyp hyp --ref ref --src src --by-length --worst 2 --errors --json
    jq -e '.name == "BLEU" and (.by_length | map([.from, .to, .segments]) == [[1, 5, 3], [6, 10, 1]])
        and (.worst | map(.segment) == [2, 3]) and .errors.repeats.examples[0].repeated == "je ne"' <<< "$output"
    evaluate --hyp hyp --ref ref --worst 1 --json
    jq -e '.worst[0] | has("source") | not' <<< "$output"
    evaluate --hyp hyp --hyp ref --ref ref --diff 1
    [[ $output == *"Metric signatures"*"1 sentence of the largest difference in BLEU:"*"J'ai 1 000 livres."* ]]
    evaluate --hyp hyp --hyp ref --ref ref --diff 1 --no-paired-bs --json
    jq -e '.systems[1].BLEU == "100.00" and .diff[0].translations[1] == "J'"'"'ai 1 000 livres."' <<< "$output"
    evaluate -m "$MODEL" --by-length --worst 1 --errors "$CORPUS"
    [[ $output == *"perplexity = "*"Scores by source length:"*"1 sentence of the lowest BLEU:"*"repeats: 0 of 5 "* ]]
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

@test "requests that make no sense are refused before any work" {
    evaluate
    refused 2 "what is to be scored? name a corpus, or --hyp and --ref"
    each_is_refused 2 8<< END
--hyp hyp other --ref nowhere	'other' stands before --ref; another translation is --hyp other, another reference follows --ref
other --hyp hyp --ref=nowhere	'other' stands before --ref; another translation is --hyp other, another reference follows --ref
m.safetensors corpus.tsv	'm.safetensors' is a model, not a corpus; name it with -m
a b c	what are these 3 files? --format tsv: each holds both sides; --format aligned: they come in twos, source and target
--hyp nowhere	--hyp and --ref belong together; --ref is missing
--ref -	--hyp and --ref belong together; --hyp is missing
--ref nowhere --beam 3	--hyp and --ref belong together; --hyp is missing
--hyp - --ref -	--hyp, --ref and --src: standard input can be one file only
--hyp nowhere --ref - --src - --errors	--hyp, --ref and --src: standard input can be one file only
--hyp nowhere --ref nowhere --beam 3	--beam is for translating, but --hyp is a finished translation
--hyp nowhere --ref nowhere -m nowhere	--model is for translating, but --hyp is a finished translation
--hyp nowhere $CORPUS --beam 2	--beam is for translating, but --hyp is a finished translation
--hyp nowhere $CORPUS --src nowhere	--src goes with --ref; a corpus holds its sources
-m nowhere $CORPUS --src nowhere	--src goes with --ref; a corpus holds its sources
--hyp nowhere --hyp nowhere --ref nowhere	--hyp: 'nowhere' is given twice
--hyp nowhere --ref nowhere --smooth-value 1	--smooth-value is for --smooth floor and --smooth add-k
--hyp nowhere --ref nowhere --smooth floor --smooth-value -0.5	--smooth-value: '-0.5' is not a number from 0 to 1000000, or auto
--hyp a --hyp b --ref c --paired-ar --smooth add-k --smooth-value 0.5	--paired-ar takes a whole --smooth-value: sacreBLEU rounds 0.5 down in the trials, but not in the scores; --paired-bs takes any
--hyp nowhere --ref nowhere --metrics bleu,wer	--metrics: 'wer' is not one of bleu, chrf, chrf++, ter; did you mean 'ter'?
--hyp nowhere --ref nowhere --metrics bleu,	--metrics: '' is not one of bleu, chrf, chrf++, ter
--hyp nowhere --ref nowhere --chrf-beta 3	--chrf-beta changes nothing without chrf in --metrics
--hyp nowhere --ref nowhere --lowercase --metrics chrf	--lowercase changes nothing without bleu in --metrics
--hyp nowhere --ref nowhere --metrics chrf++ --chrf-word-order 1	--chrf-word-order is of chrf; chrf++ is chrf with 2
--hyp nowhere --ref nowhere --metrics ter --ter-asian-support	--ter-asian-support is for --ter-normalized and --ter-no-punct
--hyp nowhere --ref nowhere --tokenize spm	--tokenize: 'spm' is not one of 13a, intl, zh, char, none
--hyp nowhere --ref nowhere --to french	--to: 'french' is no language tag; write its code in ISO 639, as in en, pt-BR, zh-Hant
--hyp nowhere --ref nowhere --paired-bs	--paired-bs compares two translations or more: give several --hyp
--hyp nowhere --ref nowhere --paired-ar	--paired-ar compares two translations or more: give several --hyp
--hyp a --hyp b --ref c --paired-bs --paired-ar	--paired-bs and --paired-ar: one of them at a time
--hyp a --hyp b --ref c --confidence	--confidence is for one translation; --paired-bs gives the intervals of several
--hyp a --hyp b --ref c --sentence-level	--sentence-level scores one translation, without statistical tests
--hyp nowhere --ref nowhere --confidence --sentence-level	--sentence-level scores one translation, without statistical tests
--hyp nowhere --ref nowhere --trials 5	--trials changes nothing without --paired-bs or --paired-ar
--hyp nowhere --ref nowhere --confidence-n 5	--confidence-n changes nothing without --confidence
--hyp nowhere --ref nowhere --seed 5	--seed changes nothing without --confidence, --paired-bs or --paired-ar
--hyp nowhere --ref nowhere --by-length	--by-length looks at the sources; --src FILE names them
--hyp nowhere --ref nowhere --errors	--errors looks at the sources; --src FILE names them
--hyp nowhere --ref nowhere --worst 3 --metrics chrf	--worst is about BLEU; add bleu to --metrics
--hyp nowhere --ref nowhere --diff 3	--diff compares two translations; name both with --hyp
--hyp a --hyp b --ref c --worst 1	--worst looks at one translation
-m nowhere --by-length --sentence-level $CORPUS	--by-length goes without --sentence-level, which is a line a segment
END
}

@test "files that are empty, damaged, not there or of other lengths are named" {
    : > empty
    head -n 1 hyp > short
    printf 'good\nb\377d\n' > latin
    printf 'good\rbad\r' > returns
    echo good | iconv -f UTF-8 -t UTF-16 > wide
    printf 'good\nb\0d\n' > binary
    awk -F '\t' '{ print 1000 + NR "\t" $1 "\t" 2000 + NR "\t" $2 }' "$CORPUS" > numbered
    each_is_refused 1 8<< 'END'
--hyp hyp --hyp short --ref ref	hyp has 2 lines, but short has 1: line n of both must be the same sentence
--hyp hyp --ref ref short	hyp has 2 lines, but short has 1: line n of both must be the same sentence
--hyp hyp --ref ref --src short --errors	hyp has 2 lines, but short has 1: line n of both must be the same sentence
--hyp empty --ref ref	empty: is empty: a sentence a line is needed
--hyp hyp --ref latin	latin:2: invalid UTF-8; if it is Latin-1 or Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it
--hyp returns --ref ref	returns: its lines end in carriage returns; tr '\r' '\n' converts them
--hyp hyp --ref wide	wide: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it
--hyp hyp --ref binary	binary:2: a NUL byte: this is not a text file
--hyp hyp --ref nowhere	nowhere: cannot be opened: No such file or directory
END
    evaluate --hyp - --ref ref < short
    refused 1 "standard input has 1 line, but ref has 2: line n of both must be the same sentence"
    evaluate -m "$MODEL" numbered
    refused 1 "numbered: column 1 holds numbers, ids or addresses in 100 % of the lines; columns 2 and 4 hold text: --columns 2,4 takes \
them, --columns 1,2 the first two all the same"
}

@test "translations that can't be saved are refused before they are made" {
    evaluate -m "$MODEL" --save no/such/folder "$CORPUS"
    [ "$status" -eq 1 ]
    [[ $stderr == "attn: error: no/such/folder: "* ]]
    [[ $stderr != *"sentences/s"* ]]
    evaluate -m "$MODEL" --save - "$CORPUS"
    refused 1 "--save -: standard output is no place for the translations; name a file"
}

@test "control characters of texts and file names do not reach the terminal" {
    printf 'a a a a a a\e[2Ja a\e[2Ja a\e[2Ja a\e[2Ja\n' > $'h\e[2J'
    printf '9 \e[9m9 9\e[m \e[1mBob not\n' > ref
    evaluate --hyp $'h\e[2J' --hyp ref --ref ref --diff 1
    [[ $output == *"h?[2J"* ]]
    run -1 grep $'\e' <<< "$output"
    cp ref $'c\e[2J.tsv'
    evaluate -m "$MODEL" $'c\e[2J.tsv'
    run -1 grep $'\e' <<< "$stderr"
}
