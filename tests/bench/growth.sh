# growth.sh - how cost grows: seconds a million target tokens of train --preset bench against one size at a time,
# beside those of its products alone; for scripts/bench.

# generated PAIRS LENGTH - sets made, a corpus of so many pairs (tests/bench/generate.c), or a tenth of them.
generated() {
    made=$folder/generated part=${QUICK:+10}
    "$built/generate" "$(($1 / ${part:-1}))" "$2" "$corpus" > "$made"
}

seconds_a_million() { awk -v rate="$1" 'BEGIN { if (rate > 0) printf "%.1f", 1e6 / rate; else printf "-" }'; }

# growth_row NAME OPTION... - one row; the corpus is $made.
growth_row() {
    name=$1 real=$corpus corpus=$made
    shift
    training_rate 20 "$cores" --preset bench --no-skip-duplicates "$@"
    alone=$(roofline 6 "$cores" --preset bench --no-skip-duplicates "$@")
    row "$name" "$(seconds_a_million "$tokens")" "$(seconds_a_million "${alone% *}")" \
        "$(share "$tokens" "${alone% *}")"
    corpus=$real
}

# growth_rows OPTION VALUE... - a row for each value of that option.
growth_rows() {
    option=$1
    shift
    for value; do growth_row "--$option $value" "--$option" "$value"; done
}

# preparation_row PAIRS - what comes before the first step, a million target tokens.
preparation_row() {
    "$attn" train --dry-run --quiet --memory 1000 "$made" > "$folder/text" 2> "$folder/messages"
    values '[rle][a-z]*_seconds' < "$folder/text" | awk '{ sum += $1 } END { print sum }' > "$folder/seconds"
    million=$(values target_tokens < "$folder/text" | awk '{ print $1 / 1e6 }')
    row "$1 pairs: read, learn, encode" "$(ratio "$(cat "$folder/seconds")" "$million")"
    row "  pairs/s; peak memory, MB" "$(ratio "$(values pairs < "$folder/text")" "$(cat "$folder/seconds")" |
        cut -d . -f 1)" "$(values peak_bytes < "$folder/text" | awk '{ printf "%.0f", $1 / 1e6 }')"
}

growth_table() {
    echo
    row "growth: train --preset bench --threads $cores, s/10^6 target tokens" attn "products" "share"
    generated 200000 0
    growth_rows hidden 64 128 256 512 1024
    growth_rows vocabulary 2000 8000 32000 64000
    growth_rows batch 1 8 64 512
    for length in 5 20 80; do
        generated 20000 "$length"
        growth_row "$length words a sentence" --max-length 200
    done
    for pairs in ${PAIRS:-10000 100000 1000000 10000000}; do
        generated "$pairs" 0
        growth_row "$pairs pairs" --memory 1000
        preparation_row "$pairs"
    done
}
