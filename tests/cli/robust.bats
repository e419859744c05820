# robust.bats - attn eval --robust: the table, its altered sources, other programs' translations, and what is refused.

bats_require_minimum_version 1.5.0

# A model of the corpus, which learns it by heart in a second. Its sources are their own references' twins, so that the
# altered sources are themselves a translation that keeps all.
setup_file()
{
    export MODEL=$BATS_FILE_TMPDIR/tiny.safetensors CORPUS=$BATS_FILE_TMPDIR/tiny.tsv TWINS=$BATS_FILE_TMPDIR/twins.tsv
    printf '%s\t%s\n' > "$CORPUS" \
        'I know Tom well.' 'Je connais bien Tom.' \
        'He has 50 cats.' 'Il a 50 chats.' \
        "I don't know Anna." 'Je ne connais pas Anna.' \
        'Where is the old cat?' 'Où est le vieux chat ?'
    cut -f 1 "$CORPUS" | sed 's/.*/&\t&/' > "$TWINS"
    "$ATTN" train --quiet --no-holdout --tokens word --embedding 16 --hidden 16 --steps 150 --learning-rate 0.02 \
        --r-drop 0 --threads 1 "$CORPUS" -o "$MODEL"
    "$ATTN" eval --robust --robust-save "$BATS_FILE_TMPDIR/lines" --quiet "$TWINS"
    export LINES_FILE=$BATS_FILE_TMPDIR/lines
}

setup()
{
    cd "$BATS_TEST_TMPDIR"
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

@test "a model gets a table: BLEU of the plain sentences, and a line for each alteration" {
    evaluate --robust -m "$MODEL" --quiet "$CORPUS"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ ${lines[0]} == "BLEU|nrefs:1|"*" = 100.00 "* ]]
    [[ ${lines[1]} =~ ^"the source has"\ +measured\ +BLEU\ +plain\ +kept$ ]]
    [ "${#lines[@]}" -eq 21 ]
    [[ $output =~ $'\n'"names that are new"\ +100\ +[0-9.]+\ %$'\n' ]]
    [[ $output =~ $'\n'"ALL CAPITALS"\ +4\ +[0-9.]+\ +100.00\ +[0-9.]+\ %$'\n' ]]
    [[ $output =~ $'\n'"three sentences in a line"\ +1\ +100.00\ +100.00\ +100.0\ %$'\n' ]]
    [[ $output =~ $'\n'"no accents"\ +none$'\n' ]]
}

@test "--json has each row with its lines, and what the model took" {
    evaluate --robust -m "$MODEL" --quiet --json --width 1 "$CORPUS"
    [ "$status" -eq 0 ]
    jq -e '.name == "BLEU" and .score == 100 and .seconds > 0 and (.robust | length) == 20' <<< "$output"
    jq -e '[.robust[].row] | . == ["plain", "names", "numbers", "verbatim", "capitals", "small", "small_no_final",
        "apostrophe", "marks", "swap", "drop", "double", "neighbour", "accents", "joined", "bullet", "emoji",
        "no_apostrophes", "tags", "aside"]' <<< "$output"
    jq -e '.robust[1] | .first_line == 5 and .lines == 100 and .measured == 100 and
        .kept >= 0 and .share == .kept' <<< "$output"
    jq -e '.robust[] | select(.row == "small") | .lines == 4 and .plain == 100 and (.share - .bleu | fabs) < 0.11' <<< "$output"
    jq -e '.robust[] | select(.row == "accents") | .measured == 0 and (has("share") | not)' <<< "$output"
    jq -e '.sentences == (.robust | map(.lines) | add)' <<< "$output"
}

@test "--robust-save writes what is translated; without a model" {
    ATTN_MODEL=/nowhere evaluate --robust --robust-save robust.en "$CORPUS"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    count=$(wc -l < robust.en)
    [[ $stderr == "$count lines written to robust.en; score their translation with --robust --hyp FILE"* ]]
    diff <(head -4 robust.en) <(cut -f 1 "$CORPUS")
    grep -qx 'I KNOW TOM WELL.' robust.en
    grep -qx 'i know tom well' robust.en
    grep -qx 'I don’t know Anna.' robust.en
    grep -qx "I know Tom well. He has 50 cats. I don't know Anna." robust.en
    [ "$(grep -c '^I know .* well\.$' robust.en)" -gt 50 ]
    [ "$(grep -cE '^He has [0-9.,]+ cats\.$' robust.en)" -gt 40 ]
    "$ATTN" eval --robust --robust-save - --quiet "$CORPUS" > again.en
    cmp robust.en again.en
    "$ATTN" eval --robust --robust-save other.en --quiet --seed 2 "$CORPUS"
    [ "$(diff robust.en other.en | grep -c '^<')" -gt 100 ]
}

@test "another program's translation of these lines is scored as the model's own" {
    evaluate --robust -m "$MODEL" --quiet --save robust.fr "$CORPUS"
    told=$output
    "$ATTN" eval --robust --robust-save robust.en --quiet "$CORPUS"
    diff <("$ATTN" translate -m "$MODEL" --quiet < robust.en) robust.fr
    evaluate --robust --hyp robust.fr "$CORPUS"
    [ "$status" -eq 0 ]
    [ "$output" = "$told" ]
    evaluate --robust "$CORPUS" --hyp - < robust.fr
    [ "$output" = "$told" ]
}

@test "a translator that keeps all has 100 %, one that writes nothing has none" {
    evaluate --robust --hyp "$LINES_FILE" --json "$TWINS"
    jq -e '.robust | map(select(.row | IN("names", "numbers", "verbatim"))) | length == 3 and all(.share == 100)' <<< "$output"
    jq -e '.robust | map(select(.row | IN("capitals", "small", "small_no_final", "joined", "bullet", "emoji"))) |
        length == 6 and all(.share == 100)' <<< "$output"
    jq -e '.robust | map(select(.row | IN("swap", "drop", "double", "neighbour"))) | all(.share < 90)' <<< "$output"
    sed 's/.*//' "$LINES_FILE" > nothing
    evaluate --robust --hyp nothing --json "$TWINS"
    jq -e '.robust[1:] | map(select(.measured > 0)) | all(.share == 0)' <<< "$output"
}

@test "a translation that loses one name of a line, or has it twice, has not kept it" {
    sed '5s/know/know the/; 6s/.*/I know well./; 7s/know \(.*\) well/know \1 \1/' "$LINES_FILE" > some
    evaluate --robust --hyp some --json "$TWINS"
    jq -e '.robust[1] | .measured - .kept == 2' <<< "$output"
}

@test "several translations are compared" {
    sed 's/.*//' "$LINES_FILE" > nothing
    evaluate --robust --hyp "$LINES_FILE" --hyp nothing "$TWINS"
    [ "${lines[0]}" = "$LINES_FILE" ]
    [ "${lines[22]}" = nothing ]
    [[ $output =~ "names that are new"\ +100\ +100.0\ %.*"names that are new"\ +100\ +0.0\ % ]]
    evaluate --robust --hyp "$LINES_FILE" --hyp nothing --json "$TWINS"
    jq -e '.systems | length == 2 and .[1].system == "nothing" and .[0].robust[1].share == 100 and
        .[1].robust[1].share == 0' <<< "$output"
}

@test "names are decided by the whole corpus, sentences by --part" {
    for i in $(seq 500); do echo "I know Tom $i times.	Je connais Tom $i fois."; done > numbered
    evaluate --robust --robust-save test.en --part test --quiet numbered
    count=$(jq .robust[0].lines <<< "$("$ATTN" eval --robust --hyp test.en --part test --json numbered)")
    [ "$count" -gt 0 ]
    [ "$count" -lt 20 ]
    [ "$(grep -c '^I know .* times\.$' test.en)" -gt 50 ]
}

@test "another language's separators and letters are measured too" {
    printf '%s\t%s\n' 'Ich kenne Tom.' 'I know Tom.' 'Es kostet 10.000 Euro.' 'It costs 10,000 euros.' \
        'Das ist schön.' 'It is nice.' > german
    evaluate --robust --robust-save german.de german
    [ "$(grep -c '^Ich kenne .*\.$' german.de)" -gt 40 ]
    grep -qE '^Es kostet [0-9]+\.[0-9]{3} Euro\.$' german.de
    grep -qE '^Es kostet [0-9]+,[0-9]+ Euro\.$' german.de
    grep -qx 'Das ist schon.' german.de
    grep -qx 'DAS IST SCHÖN.' german.de
}

@test "a translation of other lines is an error that says what to translate" {
    head -3 "$LINES_FILE" > short
    evaluate --robust --hyp short "$TWINS"
    refused 1 "short has 3 lines, but the altered sources are $(wc -l < "$LINES_FILE"): translate the file of \
--robust-save, written with the same corpus, --part and --seed"
    evaluate --robust --hyp nowhere "$TWINS"
    refused 1 "nowhere: cannot be opened: No such file or directory"
    printf '\xff\n' > latin
    evaluate --robust --hyp latin "$TWINS"
    [ "$status" -eq 1 ]
    [[ $stderr == "attn: error: latin:1: invalid UTF-8"* ]]
}

@test "requests that make no sense are refused before any work" {
    evaluate --robust
    refused 2 "--robust alters the sources of a corpus, also with --hyp; name it"
    evaluate --robust-save lines "$TWINS"
    refused 2 "--robust-save changes nothing without --robust"
    evaluate --robust --metrics chrf "$TWINS"
    refused 2 "--metrics goes without --robust"
    evaluate --robust --worst 3 "$TWINS"
    refused 2 "--worst goes without --robust"
    evaluate --robust --ref a "$TWINS"
    refused 2 "--ref goes without --robust"
    evaluate --robust --hyp a --robust-save b "$TWINS"
    refused 2 "--robust-save writes what is to be translated, and --hyp is its finished translation: one of them at a \
time"
    evaluate --robust --hyp a --beam 3 "$TWINS"
    refused 2 "--beam is for translating, but --hyp is a finished translation"
    evaluate --robust --robust-save b -m "$MODEL" "$TWINS"
    refused 2 "--model is for translating, but --robust-save leaves that to another program"
    evaluate --robust --hyp - -
    refused 2 "standard input can be one file only"
    evaluate --robust --hyp a --hyp a "$TWINS"
    refused 2 "--hyp: 'a' is given twice"
}

@test "files are not replaced, and an unknown model or corpus is named" {
    echo mine > lines
    evaluate --robust --robust-save lines "$TWINS"
    [ "$status" -eq 1 ]
    [[ $stderr == *"lines"*"--force"* ]]
    [ "$(cat lines)" = mine ]
    evaluate --robust --robust-save lines --force --quiet "$TWINS"
    [ "$status" -eq 0 ]
    cmp lines "$LINES_FILE"
    evaluate --robust --robust-save "$TWINS" --force "$TWINS"
    [ "$status" -eq 1 ]
    evaluate --robust -m nowhere "$TWINS"
    [ "$status" -eq 1 ]
    [[ $stderr == *nowhere* ]]
    evaluate --robust -m "$MODEL" nowhere.tsv
    refused 1 "nowhere.tsv: cannot be opened: No such file or directory"
    evaluate --robust -m "$MODEL" --part valid "$TWINS"
    [ "$status" -eq 1 ]
    [[ $stderr == *"none is in the validation part"* ]]
}
