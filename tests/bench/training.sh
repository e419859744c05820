# training.sh - how fast attn trains, what it takes, and what the machine could do; for scripts/bench.
# shellcheck disable=SC2086  # $tiny is several options, or none; $transformer is several

# few STEPS - so many, or a tenth where it is to be quick; at least five, which rate logs one by one.
few() { awk -v n="$1" -v part="${QUICK:+10}" 'BEGIN { n = int(n / (part ? part : 1)); print (n > 5 ? n : 5) }'; }

# learn PROGRAM STEPS THREADS OPTION... - a run without translations of its own.
learn() {
    program=$1 learn_steps=$2 learn_threads=$3
    shift 3
    rm -f "$folder"/learned*
    "$program" train "$@" $tiny --steps "$learn_steps" --threads "$learn_threads" --validate-sentences 0 --quiet \
        -o "$folder/learned" "$corpus"
}

# start_learner OPTION... - begins a training, $learner, and waits for the first step in its log.
start_learner() {
    rm -f "$folder/pipe" "$folder"/learned*
    mkfifo "$folder/pipe"
    "$attn" train --preset bench $tiny "$@" --quiet --log "$folder/pipe" -o "$folder/learned" "$corpus" &
    learner=$!
    exec 3< "$folder/pipe"
    grep -m 1 '"step"' <&3 > "$folder/output"
}

stop_learner() {        # it may have come to its end
    kill -KILL "$learner" 2> "$folder/messages" || true
    wait "$learner" 2> "$folder/messages" || true
    exec 3<&-
    learner=
}

# training_rate STEPS THREADS OPTION... - sets tokens and gflops a second: medians over the runs of each run's median of
# log intervals, without the first.
training_rate() {
    rate_steps=$(few "$1")
    shift
    : > "$folder/tokens"; : > "$folder/gflops"
    for run in $(seq "$runs"); do
        learn "$attn" "$rate_steps" "$@" --seed "$run" --no-holdout --log-every $((rate_steps / 5)) \
            --log "$folder/learned.log"
        values target_tokens_per_second < "$folder/learned.log" | tail -n +2 | median >> "$folder/tokens"
        values gflops < "$folder/learned.log" | tail -n +2 | median >> "$folder/gflops"
    done
    tokens=$(median < "$folder/tokens" | awk '{ printf "%.0f", $1 }')
    gflops=$(median < "$folder/gflops" | awk '{ printf "%.1f", $1 }')
}

# roofline STEPS THREADS OPTION... - "TOKENS GFLOPS" a second of the products alone (tests/bench/roofline.c).
roofline() { learn "$built/attn-roofline" "$@" --no-holdout; }

# peak THREADS OPTION... - GFLOP/s of kernels in registers (tests/bench/peak.c), in the precision of the options.
peak() {
    peak_threads=$1
    shift
    case "$*" in *"--precision bf16"*) peak_precision=bf16 ;; *) peak_precision=float ;; esac
    "$built/peak" $peak_precision "$peak_threads" ${QUICK:+1}
}

# share_rows STEPS THREADS LEAST OPTION... - what shares the training before had of its products alone and of the
# machine's peak; LEAST of the first is to be reached.
share_rows() {
    alone_steps=$1 alone_threads=$2 least=$3
    shift 3
    row "  its products, GFLOP/s; share of peak" "$gflops" "" "$(share "$gflops" "$(peak "$alone_threads" "$@")")"
    alone=$(roofline "$alone_steps" "$alone_threads" "$@")
    row "  products alone, $alone_threads workers, target tokens/s; share" "${alone% *}" "" \
        "$(share "$tokens" "${alone% *}")" ">= $least %"
}

# network_rows NAME STEPS RATIO SHARE OPTION... - training with all workers and with one, beside the peer's run, the
# products alone and the peak; RATIO and SHARE are what is to be reached.
network_rows() {
    title=$1 steps=$2 least_ratio=$3 least_share=$4
    shift 4
    training_rate $((2 * steps)) "$cores" "$@"
    together=$tokens
    against "$title --threads $cores, target tokens/s" "$tokens" "$(peer_value target_tokens_per_second)" "$least_ratio"
    peer_row
    share_rows $((steps / 5 + 2)) "$cores" "$least_share" "$@"
    training_rate "$steps" 1 "$@"
    row "  --threads 1, target tokens/s" "$tokens"
    share_rows $((steps / 5 + 2)) 1 "$least_share" "$@"
    row "  $cores workers over one" "" "" "$(ratio "$together" "$tokens")" ">= 1.85"
}

# The network of Dive into Deep Learning, 32 wide, beside the peer's.
textbook_rows() {
    peer_choose d2l "$corpus" --epochs 8
    peer d2l "$corpus" --epochs 40
    training_rate 2000 "$cores" --preset d2l
    against "train --preset d2l --threads $cores, target tokens/s" "$tokens" "$(peer_value target_tokens_per_second)" 30
    peer_row
    training_rate 1000 1 --preset d2l
    against "  --threads 1, target tokens/s" "$tokens" "$(peer_value target_tokens_per_second)"
    row "  its products, GFLOP/s; share of peak" "$gflops" "" "$(share "$gflops" "$(peak 1 --preset d2l)")"
}

textbook_table() {
    heading "textbook" PyTorch
    textbook_rows
}

# The Transformer over the words of the peer, with its exact gradient.
transformer="--preset transformer-small --tokens word --lowercase --vocabulary 8000 --no-shared-vocabulary --tie none
    --no-truecase --no-placeholders --noise 0 --translations all --max-length 50 --sparse-gradient 0 --precision float"

transformer_rows() {
    peer_choose transformer "$folder/tenth" --steps 5
    peer transformer "$corpus" --steps 20 --blocks 5
    training_rate 60 "$cores" $transformer
    against "train --preset transformer-small --threads $cores, target tokens/s" "$tokens" \
        "$(peer_value target_tokens_per_second)"
    peer_row
    share_rows 14 "$cores" 80 $transformer
    training_rate 30 1 $transformer
    row "  --threads 1, target tokens/s" "$tokens"
    share_rows 8 1 80 $transformer
}

# ---- memory ----

# memory_rows - peak memory beside the plan that `attn train` prints.
memory_rows() {
    "$attn" train --preset bench $tiny --steps "$(few 200)" --threads "$cores" --validate-sentences 0 \
        -o "$folder/model" "$corpus" 2> "$folder/story" &
    learner=$!
    peak=$(high_water "$learner")
    wait "$learner"
    learner=
    planned=$(awk '/^memory / { gsub(",", ""); print $2 + $9 }' "$folder/story")
    row "train --preset bench, peak memory, MB; planned; ratio" "$peak" "$planned" "$(ratio "$peak" "$planned")" \
        "<= 1.3"
}

# requests STEPS - of memory by a run of so many steps; nothing where no library can be loaded before this C library.
requests() {
    [ -e "$folder/count.so" ] || cc -shared -fPIC -o "$folder/count.so" tests/cli/fail_allocation.c 2> "$folder/messages" ||
        return 0
    rm -f "$folder/learned"
    (export ALLOCATIONS="$folder/requests" LD_PRELOAD="$folder/count.so" && exec "$attn" train --preset bench \
        --hidden 32 --embedding 32 --steps "$1" --threads "$cores" --no-holdout --quiet -o "$folder/learned" "$corpus")
    cat "$folder/requests"
}

# more_requests FEWER MORE - by how many more steps; nothing as above. Reading makes a few more or less, by chance.
more_requests() {
    fewer=$(requests "$1") more=$(requests "$2")
    [ -z "$more" ] || echo $((more - fewer))
}

allocation_row() {
    short=$(few 100) long=$(few 200)
    requested=$(for run in $(seq "$runs"); do more_requests "$short" "$long"; done | median)
    [ -n "$requested" ] || { echo "requests for memory: no library can be loaded before this C library"; return 0; }
    row "requests for memory, in steps $((short + 1)) to $long (32 wide)" "$requested" "" "" 0
}

# ---- starting ----

# first_step - seconds from the start of the program to its first step's line in the log.
first_step() {
    begun=$(date +%s.%N)
    start_learner --log-every 1
    seconds_since "$begun"
    stop_learner
}

start_rows() {
    row "attn --version, ms" "$(milliseconds "$(median_seconds "$attn" --version)")" "" "" "< 20"
    row "attn help, ms" "$(milliseconds "$(median_seconds "$attn" help)")" "" "" "< 20"
    row "attn train to its first step, s" "$(for run in $(seq "$runs"); do first_step; done | median)" "" "" "< 3"
}

# ---- the table ----

training_table() {
    heading "training" PyTorch
    for precision in float bf16 int8; do
        row "peak of $precision, kernels in registers, 1 thread, GFLOP/s" "$("$built/peak" $precision 1 ${QUICK:+1})"
    done

    textbook_rows

    awk 'NR % 10 == 1' "$corpus" > "$folder/tenth"      # to choose by
    peer_choose real "$folder/tenth" --steps 5
    peer real "$corpus" --steps 20 --blocks 5
    network_rows "train --preset bench" 30 4 80 --preset bench
    training_rate 60 "$cores" --preset bench --precision bf16
    against "train --preset bench --precision bf16 --threads $cores, target tokens/s" "$tokens" \
        "$(peer_value target_tokens_per_second)"
    share_rows 14 "$cores" 85 --preset bench --precision bf16
    peer real "$corpus" --steps 10 --blocks 5 --embed 512 --hidden 512 --vocab 16000
    network_rows "train --preset bench, 512 wide, 16,000 words" 10 3 80 --preset bench --hidden 512 --embedding 512 \
        --vocabulary 16000
    transformer_rows
}

resources_table() {
    heading "resources"
    memory_rows
    allocation_row
    start_rows
}
