# growth.sh - how cost grows: seconds a million target tokens of train --preset bench against one size at a time,
# beside those of its products alone; for scripts/bench.

# generate PAIRS LENGTH - so many pairs of the corpus: each is one sentence or two, or as many as it takes for LENGTH
# words a side, cut to these. One word a side is a made-up one: word k or a rarer one with the probability 1000 / k, so
# the vocabulary grows as that of a text does, with the square root of its words (Heaps' law).
generate() {
    awk -F '\t' -v pairs="$1" -v size="$2" '
        function made_up(k,   word)
        {
            for (; k >= 1; k /= 9) word = word substr("bacedifogulamenipo", 2 * (int(k) % 9) + 1, 2)
            return word
        }
        function varied(line, k,   word, count, i, result)
        {
            count = split(line, word, " ")
            if (size && count > size) count = size
            word[1 + int(count * rand())] = made_up(k)
            for (i = 1; i <= count; i++) result = result (i > 1 ? " " : "") word[i]
            return result
        }
        { source[NR] = $1; target[NR] = $2 }
        END {
            srand(1)
            for (; pairs; pairs--) {
                s = t = ""
                more = 1 + int(2 * rand())
                do {
                    i = 1 + int(NR * rand())
                    s = s source[i] " "
                    t = t target[i] " "
                } while (size ? split(s, word, " ") < size || split(t, word, " ") < size : --more)
                k = 1000 / (1 - rand())
                print varied(s, k) "\t" varied(t, k)
            }
        }' "$corpus"
}

# generated PAIRS LENGTH - sets made, a corpus of so many pairs, or a hundredth of them.
generated() {
    part=${QUICK:+100}
    pairs=$(($1 / ${part:-1}))
    made=${GENERATED:-$folder}/generated-$pairs-$2.tsv
    [ -e "$made" ] && return
    generate "$pairs" "$2" > "$made.part"
    mv "$made.part" "$made"
}

seconds_a_million() { awk -v rate="$1" 'BEGIN { if (rate > 0) printf "%.1f", 1e6 / rate; else printf "-" }'; }

# cost_row NAME STEPS OPTION... - one row; the corpus is $made.
cost_row() {
    name=$1 steps=$2 real=$corpus corpus=$made
    shift 2
    training_rate "$steps" "$cores" --preset bench --no-skip-duplicates "$@"
    alone=$(roofline 6 "$cores" --preset bench --no-skip-duplicates "$@")
    row "$name" "$(seconds_a_million "$tokens")" "$(seconds_a_million "${alone% *}")" \
        "$(share "$tokens" "${alone% *}")"
    corpus=$real
}

# reading_rows PAIRS - what comes before the first step, a million target tokens.
reading_rows() {
    "$attn" train --dry-run --quiet --memory 1000 "$made" > "$folder/text" 2> "$folder/messages"
    values '[rle][a-z]*_seconds' < "$folder/text" | awk '{ sum += $1 } END { print sum }' > "$folder/seconds"
    million=$(values target_tokens < "$folder/text" | awk '{ print $1 / 1e6 }')
    row "$1 pairs: read, learn, encode" "$(ratio "$(cat "$folder/seconds")" "$million")"
    row "  pairs/s; peak memory, MB" "$(ratio "$(values pairs < "$folder/text")" "$(cat "$folder/seconds")" |
        cut -d . -f 1)" "$(values peak_bytes < "$folder/text" | awk '{ printf "%.0f", $1 / 1e6 }')"
}

# growth_row AXIS=VALUE - a vocabulary needs a corpus that has as many words, a small batch more steps.
growth_row() {
    value=${1#*=}
    case $1 in
    hidden=*)     generated 200000 0; cost_row "--hidden $value" 20 --hidden "$value" ;;
    vocabulary=*) generated 1000000 0; cost_row "--vocabulary $value" 20 --vocabulary "$value" ;;
    batch=*)      generated 200000 0; cost_row "--batch $value" $((20 + 200 / value)) --batch "$value" ;;
    length=*)     generated 20000 "$value"; cost_row "$value words a sentence" 20 --max-length 200 ;;
    pairs=*)      generated "$value" 0; cost_row "$value pairs" 20 --memory 1000 ;;
    reading=*)    generated "$value" 0; reading_rows "$value" ;;
    *)            echo "bench: error: ROWS: '$1' is none of hidden=, vocabulary=, batch=, length=, pairs=, reading=" >&2
                  exit 2 ;;
    esac
}

growth_table() {
    echo
    row "growth: train --preset bench --threads $cores, s/10^6 target tokens" attn "products" "share"
    for size in ${ROWS:-hidden=64 hidden=128 hidden=256 hidden=512 hidden=1024 vocabulary=2000 vocabulary=8000 \
        vocabulary=32000 vocabulary=64000 batch=1 batch=8 batch=64 batch=512 length=5 length=20 length=80 pairs=10000 \
        pairs=100000 pairs=1000000 pairs=10000000 reading=10000 reading=100000 reading=1000000 reading=10000000}; do
        growth_row "$size"
    done
}
