# report.sh - what scripts/compare-systems has trained, as a table in Markdown and as a page.
# shellcheck shell=sh disable=SC2154  # its variables are those of scripts/compare-systems

# value KEY - the first number of that key in JSON.
value() { sed -n "s/.*\"$1\":[[:space:]]*\([-0-9.e+]*\).*/\1/p" | head -n 1; }

# median_rate LOG - target tokens a second; what else the machine did for a while does not count.
median_rate() {
    sed -n 's/.*"target_tokens_per_second":\([0-9.e+]*\).*/\1/p' "$1" | sort -n |
        awk '{ rate[NR] = $1 } END { print NR ? rate[int((NR + 1) / 2)] : 0 }'
}

# updates LOG - how many there were.
updates() { sed -n 's/.*"step":\([0-9]*\).*/\1/p' "$1" | tail -n 1; }

# lengths SCORES - "1-5:534:12.3:30.1 6-10:565:11.2:28.4 ...": words in the source, segments, BLEU, chrF.
lengths() {
    sed -n '/"by_length"/,$p' "$1" | awk -F '[:,[:space:]]+' '
        { for (i = 1; i < NF; i++) { if ($i ~ /"/) field[$i] = $(i + 1) } }
        /"chrf"/ { printf "%s%d%s:%d:%s:%s", separator, field["\"from\""],
                   field["\"to\""] == "null" ? "+" : "-" field["\"to\""], field["\"segments\""],
                   field["\"bleu\""], field["\"chrf\""]
                   separator = " " }'
}

# results - a line a training, in the order of the table: chart, name, options, seed, parameters, loss, BLEU, chrF,
# tokens a second, lengths, updates, what the options were chosen among; separated by tabs.
results() {
    printf '%s\n' "$members" | sed 's/ *# */#/; /#/!s/$/#/' | while IFS='#' read -r system choice; do
        # shellcheck disable=SC2086  # several words
        set -- $system
        [ $# -gt 1 ] || continue
        chart=$1 name=$2
        shift 2
        for scores in "$folder/$name".*/scores; do
            [ -e "$scores" ] || continue
            run=$(dirname "$scores")
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$chart" "$name" "$*" "${run##*.}" \
                "$(value parameters < "$run/info")" "$(value loss < "$scores")" "$(value score < "$scores")" \
                "$(sed -n '/"chrf"/,$p' "$scores" | value score)" "$(median_rate "$run/log")" "$(lengths "$scores")" \
                "$(updates "$run/log")" "$choice"
        done
    done
}

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

# first_run NAME - the folder of its first seed.
first_run() {
    for seed in $seeds; do
        [ ! -e "$folder/$1.$seed/scores" ] || { echo "$folder/$1.$seed"; return; }
    done
}

# alignments - for each sentence the pictures of all systems, side by side.
alignments() {
    for i in 1 2 3; do
        pair=$(printf '%s\n' "$drawn_pairs" | sed -n "${i}p" | escape | sed 's/	/ → /')
        printf '<h3>%s</h3>\n<div class="side">\n' "$pair"
        list | while read -r name _; do
            run=$(first_run "$name")
            [ -n "$run" ] || continue
            printf '<figure>\n<figcaption><b>%s</b><br>%s</figcaption>\n' "$name" "$(escape < "$run/$i.txt")"
            [ ! -e "$run/$i.svg" ] || sed '/^<style>/,/^<\/style>/d; /class="p" width="100%"/d' "$run/$i.svg"
            printf '</figure>\n'
        done
        printf '</div>\n'
    done
}

# page BUDGET - everything in one file; the pictures' own style stands there once.
page() {
    cat scripts/systems/page.html
    find "$folder" -name 1.svg | head -n 1 | xargs sed -n '/^<style>/,/^<\/style>/p'
    printf '<h1>One network, many attentions</h1>\n<p>%s</p>\n' "$(printf '%s' "$1" | escape)"
    printf '<h2>Scores</h2>\n<div class="wide">\n'
    awk -v form=html -f scripts/systems/table.awk "$folder/results.tsv"
    printf '</div>\n<h2>Scores by length of the source</h2>\n'
    printf '<p>As Figure 2 of Bahdanau, Cho and Bengio (2015): words in the source (and how many sentences have\n'
    printf 'so many) against BLEU and chrF. additive and none, if trained, stand in every chart.</p>\n'
    for score in BLEU chrF; do
        printf '<h3>%s</h3>\n<div class="side">\n' "$score"
        cut -f 1 "$folder/results.tsv" | uniq | while read -r chart; do
            awk -v chart="$chart" -v score="$score" -f scripts/systems/chart.awk "$folder/results.tsv"
        done
        printf '</div>\n'
    done
    printf '<h2>Alignments</h2>\n'
    printf '<p>What each system looks at while it is made to write this translation; below its name, its own.</p>\n'
    alignments
}

# report - of all that is in the folder.
report() {
    results > "$folder/results.tsv"
    [ -s "$folder/results.tsv" ] || { echo "compare-systems: error: no system in '$folder'" >&2; return 1; }
    budget="Every system with its own options, and these: $(head -n 1 "$folder/budget"); \
scored on the validation part, first reference, beam 5."
    { printf '%s\n\n' "$budget"; awk -v form=markdown -f scripts/systems/table.awk "$folder/results.tsv"; } \
        > "$folder/report.md"
    page "$budget" > "$folder/report.html"
    cat "$folder/report.md"
    printf '\nThe page with charts and alignments is %s\n' "$folder/report.html"
}
