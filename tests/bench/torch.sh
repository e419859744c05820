# torch.sh - PyTorch, with the best OpenBLAS kernels for this CPU ($kernels) and the number of threads that suits it
# best; for scripts/bench.

has_torch() { "$python" -c 'import torch' 2> "$folder/messages"; }

# peer_run SECONDS TORCH BLAS FILE ARGUMENT... - scripts/torch_peer.py with so many threads of each; its answer goes to
# FILE. One that needs more seconds, several times what an idle machine takes, is given up: threads that wait for each
# other on a busy machine can take minutes.
peer_run() {
    limit=$1 torch_threads=$2 blas_threads=$3 answer=$4
    shift 4
    timeout "$limit" env ${kernels:+OPENBLAS_CORETYPE="$kernels"} OPENBLAS_NUM_THREADS="$blas_threads" \
        "$python" scripts/torch_peer.py "$@" --threads "$torch_threads" > "$answer" ||
        echo "bench: no figure from PyTorch with $torch_threads + $blas_threads threads (status $?; 124: over $limit s)" \
            >&2
}

# peer_choose ARGUMENT... - sets peer_torch and peer_blas: one or all threads of PyTorch's and of OpenBLAS's, whichever
# trains fastest in a short run.
peer_choose() {
    peer_torch=1 peer_blas=1
    has_torch || return 0
    best=0
    for torch in $one_or_all; do
        for blas in $one_or_all; do
            peer_run 20 "$torch" "$blas" "$folder/tried" "$@"
            rate=$(values target_tokens_per_second < "$folder/tried")
            awk -v a="${rate:-0}" -v b="$best" 'BEGIN { exit !(a > b) }' || continue
            best=$rate peer_torch=$torch peer_blas=$blas
        done
    done
}

# peer ARGUMENT... - a run with the chosen threads; peer_value KEY then prints its figures, "" where there are none.
peer() {
    : > "$folder/peer"
    if has_torch; then peer_run 90 "$peer_torch" "$peer_blas" "$folder/peer" "$@"; fi
}
peer_value() { values "$1" < "$folder/peer"; }

# peer_row - which threads and kernels PyTorch has had.
peer_row() {
    [ -s "$folder/peer" ] || return 0
    theirs=$(sed -n 's/.*"kernels": "\([^"]*\)".*/\1/p' "$folder/peer")
    row "  OpenBLAS kernels" "" "${theirs:-not OpenBLAS}"
    row "  threads of PyTorch + OpenBLAS, the fastest choice" "" "$peer_torch + $peer_blas"
}
