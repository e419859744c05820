# profile.sh - where the time of a training step goes, by the names of the functions; for scripts/bench.

# profile - samples of a training that is under way, "PERCENT OBJECT SYMBOL" a line.
profile() {
    start_learner --threads "$cores" --no-holdout --log-every 10
    perf record --quiet -F 499 -o "$folder/perf.data" -p "$learner" -- sleep "${QUICK:+0.}4" 2> "$folder/messages" || true
    stop_learner
    perf report -i "$folder/perf.data" --stdio --no-children -F overhead,dso,symbol 2> "$folder/messages" |
        awk '/%/ && !/^#/ { print $1 + 0, $2, $4 }'
}

# parts - sums them up. The first rule that fits a function counts; vector_add is mostly that of the
# workers' gradients.
parts() {
    awk '
        function part(object, symbol)
        {
            if (symbol ~ /copy|_beta/ && object ~ /blas/)               return "packing for the products"
            if (symbol ~ /^(pack|transpose|block)/)                     return "packing for the products"
            if (object ~ /blas/ || symbol ~ /^by_(row|column)_|gemm|matmul|linear_/) return "products"
            if (symbol ~ /wait|pool|work$|mutex|futex|yield|sched|switch|idle|pause/) return "waiting"
            if (object ~ /kernel/)                                      return "the kernel: pages, interrupts"
            if (symbol ~ /gru|lstm|cell|vector_tanh/)                             return "gates and other layers"
            if (symbol ~ /attention|score|additive|axpy|vector_dot/)    return "attention"
            if (symbol ~ /loss|softmax|affine|vector_sum/)              return "softmax and loss"
            if (symbol ~ /adam|reduce|square_sum|vector_add$|step_range/)     return "optimizer and reduction"
            if (symbol ~ /dropout|rng/)                                 return "dropout"
            if (symbol ~ /^_*mem|bias_|embedding/)     return "copies, biases, embeddings"
            return "other"
        }
        { sum[part($2, $3)] += $1 }
        END { for (name in sum) printf "%.1f\t%s\n", sum[name], name }' | sort -gr
}

profile_table() {
    if ! command -v perf > "$folder/messages"; then
        echo; echo "where a step's time goes: perf is not installed (Debian: linux-perf)"
        return 0
    fi
    profile > "$folder/samples"
    [ -s "$folder/samples" ] || { echo; echo "where a step's time goes: perf may not sample here"; return 0; }
    heading "where the time of train --preset bench --threads $cores goes, % (perf)"
    parts < "$folder/samples" > "$folder/parts-of-time"
    while IFS="$(printf '\t')" read -r percent name; do row "$name" "$percent"; done < "$folder/parts-of-time"
}
