# translation.sh - how fast attn translates; for scripts/bench.
# shellcheck disable=SC2086,SC2154  # $tiny is several options, or none; $transformer is several, of training.sh

# translator OPTION... - leaves a model in $folder/model that ends its sentences.
translator() {
    "$attn" train "$@" $tiny --steps "$(few 200)" --validate-sentences 0 --quiet --force -o "$folder/model" "$corpus"
}

# choose_lines - leaves the lines to translate.
choose_lines() {
    every=$(awk 'END { print int(NR / 4000) + (NR < 4000) }' "$corpus")
    cut -f 1 "$corpus" | awk -v n="$every" 'NR % n == 0' | head -n 4000 > "$folder/lines"
    awk 'NR % 10 == 0' "$folder/lines" > "$folder/few"
}

# translate OPTION... LINES - with that model.
translate() { "$attn" translate -m "$folder/model" --quiet "$@"; }

# output_tokens LINES - how many tokens their translations have, <eos> included: the strings in "target_tokens":[...].
output_tokens() {
    translate --beam 1 --json "$1" | awk '
        sub(/.*"target_tokens":\[/, "") {
            while (match($0, /^,?"([^"\\]|\\.)*"/)) { n++; $0 = substr($0, RLENGTH + 1) }
        }
        END { print n + 0 }'
}

# seconds_alone LINES OPTION... - of the translation, as attn reports it: without its start and loading the model, which
# PyTorch's figures leave out, too.
seconds_alone() {
    for run in $(seq "$runs"); do
        "$attn" translate -m "$folder/model" --verbose "$@" 2>&1 > "$folder/output" |
            sed -n 's/.* lines in \([0-9.]*\) s,.*/\1/p'
    done | median
}

# per_second TOKENS SECONDS - "-" where attn reports no seconds.
per_second() { awk -v n="$1" -v s="$2" 'BEGIN { if (s > 0) printf "%.0f", n / s; else printf "-" }'; }

# speed_rows NAME LINES PEER GOAL OPTION... - output tokens a second, of the translation alone and of the whole command.
speed_rows() {
    name=$1 lines=$2 peer=$3 goal=$4
    shift 4
    tokens=$(output_tokens "$lines")
    against "$name, output tokens/s" "$(per_second "$tokens" "$(seconds_alone "$@" "$lines")")" "$peer" "$goal"
    row "  with start and loading the model" "$(per_second "$tokens" "$(median_seconds translate "$@" "$lines")")"
}

# first_answer - sets answer, the seconds of one sentence; and peak, the megabytes that a translator takes.
first_answer() {
    echo "I'm home." > "$folder/line"
    answer=$(median_seconds translate "$folder/line")
    { cat "$folder/few"; sleep 0.5; } |                 # it lives long enough to be looked at
        "$attn" translate -m "$folder/model" --quiet --threads 1 > "$folder/output" &
    learner=$!
    peak=$(high_water "$learner")
    wait "$learner"
    learner=
}

# search_rows OPTION... - of greedy search, in batches and one by one.
search_rows() {
    speed_rows "translate --beam 1${*:+ $*} --batch 64" "$folder/lines" \
        "$(peer_value decode_tokens_per_second_batch_64)" "$batched_goal" --beam 1 --batch 64 "$@"
    speed_rows "translate --beam 1${*:+ $*} --batch 1 --threads 1" "$folder/few" \
        "$(peer_value decode_tokens_per_second_batch_1)" "$single_goal" --beam 1 --batch 1 --threads 1 "$@"
}

translation_table() {
    choose_lines
    [ -e "$folder/model" ] || translator --preset bench
    peer real "$corpus" --steps 5 --decode 1000 --blocks 5
    heading "translation (of 4,000 sentences; 400 one by one)" PyTorch
    batched_goal= single_goal=         # all in 32 bits is measured, and has no goal
    search_rows --precision float
    batched_goal=6 single_goal=10
    for precision in int8 bf16; do
        search_rows --precision "$precision"
    done
    greedy=$(seconds_alone --beam 1 "$folder/lines") wide=$(seconds_alone --beam 5 "$folder/lines")
    row "translate --beam 5 over --beam 1, seconds of all" "$wide" "$greedy" "$(ratio "$wide" "$greedy")" "<= 2.5"
    first_answer
    size=$(wc -c < "$folder/model")
    row "echo \"I'm home.\" | attn translate, ms" "$(milliseconds "$answer")" "" "" "< 50"
    row "  memory, MB; of the model" "$peak" "$((size / 1000000))" "" "<= $((size / 1000000 + 50))"
    transformer_search_rows
    foreign_rows opus 32000 1700 550 250
    foreign_rows tiny 32000 5000 "" ""
}

# foreign_rows SIZE WORDS GREEDY BEAM SINGLE - a network of another program's size and random weights, in 8 bits: its rates
# with one core, what the products alone would have, and the goals. Its lines and translations have 25 tokens.
foreign_rows() {
    command -v python3 > "$folder/messages" || return 0
    size=$1 words=$2 every=512
    [ -z "${QUICK-}" ] || words=100 every=16
    python3 tests/bench/random_marian.py "$folder/foreign" "$size" "$words" "$every"
    "$attn" convert --quiet --force --precision int8 -o "$folder/model" "$folder/foreign"
    cp "$folder/foreign/lines.txt" "$folder/lines"
    head -n 128 "$folder/lines" > "$folder/some"
    head -n 16 "$folder/lines" > "$folder/few"
    heading "$size of $words words, int8, output tokens/s of one core" "products"
    foreign_row lines "$3" --beam 1
    foreign_row some "$4" --beam 4 --batch 16
    foreign_row few "$5" --beam 1 --batch 1
    [ "$cores" = 1 ] || row "  --beam 1 --threads $cores" "$(foreign_rate lines --threads "$cores" --beam 1)"
    row "  --beam 1 --precision float" "$(foreign_rate some --threads 1 --beam 1 --precision float)"
    "$attn" translate -m "$folder/model" --quiet --beam 1 --threads 1 "$folder/lines" > "$folder/output" 2> "$folder/messages" &
    learner=$!
    peak=$(high_water "$learner")
    wait "$learner"
    learner=
    row "  memory, MB; of the model" "$peak" "$(($(wc -c < "$folder/model") / 1000000))"
}

# foreign_rate LINES OPTION... - output tokens a second, in 8 bits unless the options say otherwise.
foreign_rate() {
    rate_lines=$folder/$1
    shift
    per_second "$(awk 'END { print 25 * NR }' "$rate_lines")" "$(seconds_alone "$@" "$rate_lines")"
}

# foreign_row LINES GOAL OPTION...
foreign_row() {
    lines=$1 goal=$2
    shift 2
    alone=$("$built/attn-roofline" translate -m "$folder/model" --quiet --threads 1 "$@" "$folder/$lines" \
        2> "$folder/messages" | tail -n 1 | cut -d ' ' -f 1)
    rate=$(foreign_rate "$lines" --threads 1 "$@")
    row "  $*" "$rate" "$alone" "$(share "$rate" "$alone")" "${goal:+>= $goal}"
}

# transformer_search_rows - keys and values of the words so far, and of the source, are kept here and there.
transformer_search_rows() {
    translator $transformer
    peer transformer "$corpus" --steps 5 --decode 1000 --blocks 5
    heading "translation by --preset transformer-small" PyTorch
    batched_goal=1 single_goal=1
    search_rows --precision float
}
