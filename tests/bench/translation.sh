# translation.sh - how fast attn translates; for scripts/bench.

# translator - leaves a model in $folder/model that ends its sentences, and the lines to translate.
translator() {
    [ -e "$folder/model" ] || "$attn" train --preset bench --steps 200 --validate-sentences 0 --quiet \
        -o "$folder/model" "$corpus"
    every=$(awk 'END { print int(NR / 1000) + (NR < 1000) }' "$corpus")
    cut -f 1 "$corpus" | awk -v n="$every" 'NR % n == 0' | head -n 1000 > "$folder/lines"
    head -n 200 "$folder/lines" > "$folder/few"
}

# tell OPTION... LINES - translates.
tell() { "$attn" translate -m "$folder/model" --quiet "$@"; }

# output_tokens LINES - how many tokens their translations have, <eos> included: the strings in "target_tokens":[...].
output_tokens() {
    tell --beam 1 --json "$1" | awk '
        sub(/.*"target_tokens":\[/, "") {
            while (match($0, /^,?"([^"\\]|\\.)*"/)) { n++; $0 = substr($0, RLENGTH + 1) }
        }
        END { print n + 0 }'
}

# speed LINES OPTION... - output tokens a second of the whole command, with its start and loading the model.
speed() {
    lines=$1
    shift
    median_seconds tell "$@" "$lines" | awk -v n="$(output_tokens "$lines")" '{ printf "%.0f", n / $1 }'
}

# first_answer - sets answer, the seconds of one sentence; and peak, the megabytes that a translator takes.
first_answer() {
    echo "I'm home." > "$folder/line"
    answer=$(median_seconds tell "$folder/line")
    "$attn" translate -m "$folder/model" --quiet --threads 1 "$folder/few" > "$folder/output" &
    learner=$!
    peak=$(high_water "$learner")
    wait "$learner"
    learner=
}

# search_rows OPTION... - of greedy search, in batches and one by one.
search_rows() {
    against "translate --beam 1${*:+ $*} --batch 64, output tokens/s" "$(speed "$folder/lines" --beam 1 --batch 64 "$@")" \
        "$(peer_value decode_tokens_per_second_batch_64)" "$batched_goal"
    against "translate --beam 1${*:+ $*} --batch 1 --threads 1, output tokens/s" \
        "$(speed "$folder/few" --beam 1 --batch 1 --threads 1 "$@")" \
        "$(peer_value decode_tokens_per_second_batch_1)" "$single_goal"
}

translation_table() {
    translator
    peer real "$corpus" --steps 5 --decode 1000 --blocks 5
    heading "translation (of 1,000 sentences; 200 one by one; the whole command)" PyTorch
    batched_goal=3.5 single_goal=5
    search_rows
    batched_goal=6 single_goal=10
    for precision in int8 bf16; do
        if knows translate precision "$precision"; then search_rows --precision "$precision"; fi
    done
    greedy=$(median_seconds tell --beam 1 "$folder/lines") wide=$(median_seconds tell --beam 5 "$folder/lines")
    row "translate --beam 5 over --beam 1, seconds of all" "$wide" "$greedy" "$(ratio "$wide" "$greedy")" "<= 3.5"
    first_answer
    size=$(wc -c < "$folder/model")
    row "echo \"I'm home.\" | attn translate, ms" "$(milliseconds "$answer")" "" "" "< 50"
    row "  memory, MB; of the model" "$peak" "$((size / 1000000))" "" "<= $((size / 1000000 + 50))"
}
