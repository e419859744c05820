# compare-systems.bats - scripts/compare-systems trains the systems it lists, each once, and reports what it measured.

setup_file()
{
    load helper
    corpus=$BATS_FILE_TMPDIR/pairs.tsv
    # every second source has two references
    head -n 2500 "$ROOT/data/eng-fra.train.tsv" |
        awk -F '\t' '{ print } NR % 2 { print $1 "\t" "Donc " $2 }' > "$corpus"
    mkdir "$BATS_FILE_TMPDIR/report"
    ATTN="$ATTN" "$ROOT/scripts/compare-systems" --steps 10 --seeds 1,2 --only additive,none,luong \
        --folder "$BATS_FILE_TMPDIR/report" "$corpus" -- "${tiny[@]}" > "$BATS_FILE_TMPDIR/printed"
}

setup()
{
    load helper
    cd "$BATS_TEST_TMPDIR" || return
    corpus=$BATS_FILE_TMPDIR/pairs.tsv
    report=$BATS_FILE_TMPDIR/report
    export ATTN
}

tiny=(--hidden 4 --embedding 4 --vocabulary 100 --threads 1 --max-length 20)

# compare OPTION... - with the corpus, ten steps, into ./report.
compare()
{
    run "$ROOT/scripts/compare-systems" --steps 10 --folder "$PWD/report" "$@" "$corpus" -- "${tiny[@]}"
}

# will_refuse MESSAGE OPTION... - status 2, that error, and nothing else.
will_refuse()
{
    local message=$1
    shift
    run -2 "$ROOT/scripts/compare-systems" "$@"
    [ "$output" = "compare-systems: error: $message: see scripts/compare-systems --help" ]
}

# results - two seeds of one system and one of another; a bucket of few sentences.
results()
{
    local short='1-5:40:12.0:30 6-10:20:8.0:20 11-15:19:99:99' long='1-5:40:13.0:31 6-10:20:10.0:21 11-15:19:99:99'
    printf 'scores\tadditive\t\t1\t1234567\t3.5\t10.0\t30.0\t900.4\t%s\t5000\trates\n' "$short"
    printf 'scores\tadditive\t\t2\t1234567\t3.7\t14.5\t31.0\t1100.0\t%s\t5004\trates\n' "$long"
    printf 'scores\tnone\t--attention none\t1\t999\t4\t5\t20\t1000\t1-5:40:6.0:12 6-10:20:3.0:6 11-15:19:99:99\t40\t\n'
}

@test "attn train knows the options of every system, and each has its own" {
    "$ROOT/scripts/compare-systems" --list > list
    [ "$(wc -l < list)" -ge 30 ]
    [ "$(head -n 1 list)" = default ]
    while read -r name options; do
        # shellcheck disable=SC2086  # options are several words
        attn train $options --dump-config > "$name.json"
    done < list
    [ "$(md5sum -- *.json | cut -d ' ' -f 1 | sort -u | wc -l)" -eq "$(wc -l < list)" ]
}

@test "the table has the numbers of attn info, attn eval and the log of each model" {
    [ "$(cut -f 2,4 "$report/results.tsv" | paste -s -d ' ')" = \
        $'additive\t1 additive\t2 none\t1 none\t2 luong\t1 luong\t2' ]
    row=$(grep $'\tluong\t.*\t2\t' "$report/results.tsv")
    [ "$(cut -f 5 <<< "$row")" = "$(attn info --json "$report/luong.2/model" | jq .parameters)" ]
    attn eval -m "$report/luong.2/model" --part valid --first-reference --by-length --metrics bleu,chrf --json -q \
        "$corpus" > scores
    [ "$(cut -f 6-8 <<< "$row" | jq -s -c .)" = "$(jq -c '[.loss, .score, .chrf.score]' scores)" ]
    [ "$(cut -f 10 <<< "$row")" = \
        "$(jq -r '[.by_length[] | "\(.from)-\(.to):\(.segments):\(.bleu):\(.chrf)"] | join(" ")' scores)" ]
    [ "$(cut -f 9 <<< "$row" | cut -d . -f 1)" -gt 0 ]
    [ "$(cut -f 11 <<< "$row")" -eq 10 ]
    [ "$(cut -f 12 <<< "$row")" = "" ]
    grep -qF "$(sed -n 's/^| luong .*/&/p' "$report/report.md")" "$BATS_FILE_TMPDIR/printed"
    [[ $(head -n 1 "$report/report.md") == \
        "Every system with its own options, and these: pairs.tsv: --steps 10 --hidden 4 "*"beam 5." ]]
}

@test "a row has the means and the spread of the seeds" {
    results > results.tsv
    run awk -v form=markdown -f "$ROOT/scripts/systems/table.awk" results.tsv
    [ "${lines[0]}" = "| system | options | parameters | loss | BLEU | chrF \
| BLEU, 1–5 words (40) | BLEU, 6–10 words (20) | chrF, 1–5 words (40) | chrF, 6–10 words (20) | tokens/s | updates \
| chosen among |" ]
    [ "${lines[1]}" = "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|" ]
    [ "${lines[2]}" = "| additive |  | 1,234,567 | 3.600 | 12.25 (10.00–14.50) | 30.50 | 12.50 | 9.00 | 30.50 | 20.50 | \
1,000 | 5,002 | rates |" ]
    [ "${lines[3]}" = "| none | \`--attention none\` | 999 | 4.000 | 5.00 | 20.00 | 6.00 | 3.00 | 12.00 | 6.00 | 1,000 | 40 |  |" ]
    [ "${#lines[@]}" -eq 4 ]
}

@test "a chart has a point for each mean, on one scale from 0, and a legend in the order of the last points" {
    results > results.tsv
    run awk -v chart=scores -v score=BLEU -f "$ROOT/scripts/systems/chart.awk" results.tsv
    [[ $output == *"<title>additive, 1-5 words: 12.50</title>"*"<title>additive, 6-10 words: 9.00</title>"* ]]
    [[ $output != *"11-15"* ]]
    [[ $output == *'<path d="M40.0 72.0L400.0 125.2"/>'*'<path d="M40.0 170.8L400.0 216.4"/>'* ]] # 262 - 228 / 15 BLEU
    [ "$(grep -c '<circle' <<< "$output")" -eq 2 ]
    [[ $output == *'y="56.0" text-anchor="start">additive<'*'y="74.0" text-anchor="start">none<'* ]]
    run awk -v chart=scores -v score=chrF -f "$ROOT/scripts/systems/chart.awk" results.tsv
    [[ $output == *"<title>chrF by "*"<title>additive, 1-5 words: 30.50</title>"*"<title>none, 6-10 words: 6.00</title>"* ]]
}

@test "the page has all systems' tables, charts and pictures, and needs no network" {
    page=$report/report.html
    for chart in scores decoders; do
        for score in BLEU chrF; do grep -q "<title>$score by length of the source: $chart</title>" "$page"; done
    done
    [ "$(grep -c '^<figcaption><b>' "$page")" -eq 9 ]
    [ "$(grep -c '^<svg xmlns' "$page")" -eq 6 ]
    [ "$(grep -c '<title>[^<]* → [^<]*: [01]\.' "$page")" -gt 100 ]
    [ "$(grep -c '^<style>' "$page")" -eq 2 ]
    run grep -E 'src=|href=|@import|url\(' "$page"
    [ "$status" -eq 1 ]
}

@test "a system that is already trained is not trained again, a new one is added" {
    compare --only none
    [ "$status" -eq 0 ]
    before=$(ls -l --time-style=full-iso report/none.1)
    compare --only additive,none
    [ "$status" -eq 0 ]
    [ "$(ls -l --time-style=full-iso report/none.1)" = "$before" ]
    [ "$(cut -f 2 report/results.tsv | paste -s -d ' ')" = "additive none" ]
    compare --only none --steps 11
    [ "$status" -eq 2 ]
    [[ $output == *"holds another budget (pairs.tsv: --steps 10 --hidden 4 "*"; take another --folder"* ]]
}

@test "a training that was stopped goes on; one that fails is reported and left out" {
    printf '#!/bin/sh\necho "$@" >> %s/calls\ntouch %s/report/none.1/model.state\nexit "$(cat %s/exit)"\n' \
        "$PWD" "$PWD" "$PWD" > attn
    chmod +x attn
    cp -r "$report/additive.1" "$report/budget" .
    mkdir report
    mv additive.1 budget report
    echo 130 > exit
    ATTN=$PWD/attn compare --only none
    [ "$status" -eq 130 ]
    run grep -c -- --resume calls
    [ "$output" -eq 0 ]
    echo 1 > exit
    ATTN=$PWD/attn compare --only none,additive
    [ "$status" -eq 1 ]
    [ "$(grep -c -- '^train .*--attention none .*--resume' calls)" -eq 1 ]
    [[ $output == *"none, seed 1: failed, not in the report"* ]]
    [ "$(cut -f 2 report/results.tsv)" = additive ]
}

@test "minutes are a limit of time, without updates a training has 5,000, and both are the folder's budget" {
    printf '#!/bin/sh\necho "$@" >> %s/calls\nexit 130\n' "$PWD" > attn
    chmod +x attn
    ATTN=$PWD/attn run -130 "$ROOT/scripts/compare-systems" --minutes 10 --only none --folder "$PWD/timed" "$corpus"
    [ "$(head -n 1 timed/budget)" = "pairs.tsv: --ensemble 1 --time-limit 10m" ]
    ATTN=$PWD/attn run -130 "$ROOT/scripts/compare-systems" --only none --folder "$PWD/counted" "$corpus"
    [ "$(head -n 1 counted/budget)" = "pairs.tsv: --steps 5000" ]
    run sed 's/ --seed.*//' calls
    [ "${lines[0]}" = "train --decoder bahdanau --attention none --ensemble 1 --time-limit 10m" ]
    [ "${lines[1]}" = "train --decoder bahdanau --attention none --steps 5000" ]
}

@test "other sentences are drawn if the command line has them" {
    printf 'The book is red.\tLe livre est rouge.\nI see a cat.\tJe vois un chat.\nYes & no.\tOui & non.\n' > three.tsv
    compare --only additive --sentences "$PWD/three.tsv"
    [ "$status" -eq 0 ]
    grep -qF '<h3>Yes &amp; no. → Oui &amp; non.</h3>' report/report.html
    [[ $(cat report/additive.1/forced) == "Oui"* ]]
}

@test "wrong requests are refused before any work" {
    will_refuse "there is no option '--step'" --step 3
    will_refuse "--steps needs a value" --steps
    will_refuse "--steps: '0' is not a whole number above 0" --steps 0
    will_refuse "--minutes: '1.5' is not a whole number above 0" --minutes 1.5
    will_refuse "--steps and --minutes: a training has one budget" --minutes 10 --steps 5
    will_refuse "--seeds: '1,x' is not a list of numbers above 0, like 1,2,3" --seeds 1,x
    will_refuse "--only: there is no system 'additiv'; --list names them" --only none,additiv
    will_refuse "no corpus at '$PWD/nowhere'; scripts/get-corpus fetches it" "$PWD/nowhere"
    will_refuse "'a' and 'b': one corpus is compared on" a b
    ATTN=/nowhere/attn will_refuse "no program '/nowhere/attn'; run make first" "$corpus"
    echo one line > lines
    will_refuse "--sentences: '$PWD/lines' does not hold three lines of source, tab, target" \
        --sentences "$PWD/lines" "$corpus"
    [ "$(ls)" = lines ]
}
