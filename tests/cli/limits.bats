#!/usr/bin/env bats
# limits.bats - a run that is too large is refused with the memory it needs; a failed allocation is one line.

load helper

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
}

small=(--no-holdout --hidden 12 --embedding 12 --vocabulary 100 --batch 5 --epochs 1000000 --steps 20 --patience 0
    --quiet)

# limited KILOBYTES COMMAND... - with so much address space.
limited() {
    local limit=$1
    shift
    (ulimit -v "$limit" && exec "$ATTN" "$@")
}

with_memory_alone() {
    case $ATTN in */asan/* | */tsan/*) skip "the sanitizer keeps memory of its own" ;; esac
    ! is_emulated || skip "the emulator keeps memory of its own"
}

@test "too little memory for OpenBLAS is an error, where the library would try for ever" {
    with_memory_alone
    attn --version | grep OpenBLAS || skip "OpenBLAS does not multiply here"
    learn_by_heart model
    echo "Thank you." > line
    for limit in 150000 200000; do
        fails "out of memory: OpenBLAS needs 128 MiB for each of 2 threads; set fewer --threads or a higher limit \
(ulimit -v, ulimit -d)" limited $limit train "$PAIRS" "${small[@]}" --threads 2 -o other
        run -1 --separate-stderr limited $limit translate -m model line
        [[ $stderr == "attn: error: out of memory: OpenBLAS needs 128 MiB for each of "* ]]
    done
    holds line model
    limited 1000000 train "$PAIRS" "${small[@]}" --threads 2 -o other
    [ "$(limited 1000000 translate -m model line)" = "Merci." ]
}

@test "a network or a batch beyond all memory is refused with what it would need" {
    run -1 --separate-stderr attn train "$PAIRS" -o model --quiet --hidden 16384 --embedding 16384 --layers 8
    [[ $stderr =~ ^"attn: error: out of memory: training needs "[0-9]{6,}" MB ("[0-9]+" for weights, moments and \
gradients, "[0-9]+" for the largest batch), and "[a-z\ -]+" leaves "[0-9]+" MB; lower --hidden, --embedding, \
--layers or --vocabulary"$ ]]
    words() { printf "$1 %.0s" $(seq "$2"); }
    printf '%s\t%s\na\tx\n' "$(words a 99999)" "$(words x 99999)" > long
    run -1 --separate-stderr attn train long "${small[@]}" -o model --tokens word --max-bytes 1000000 \
        --max-length 100000
    [[ $stderr == "attn: error: out of memory: training needs "*"; lower --batch, --batch-tokens or --max-length" ]]
    holds long
    printf '%s\t%s\na\tx\n' "$(words a 999)" "$(words x 999)" > long
    attn train long "${small[@]}" -o model --tokens word --max-length 100 --truncate
}

@test "a run within its limits prints the memory it takes, and below it the memory it lacks" {
    with_memory_alone
    options=(train "$PAIRS" "${small[@]}" --hidden 500 --embedding 500 --steps 2 --threads 1 -o model)
    run -1 --separate-stderr limited 180000 "${options[@]}"
    [[ $stderr == "attn: error: out of memory: training needs "*", and ulimit -v leaves "*" MB; lower --hidden, "* ]]
    [ -z "$(ls -A)" ]
    limited 1000000 "${options[@]}"
    holds model
    run -1 --separate-stderr limited 180000 train "$PAIRS" --no-holdout --quiet --threads 1 --init model -o next
    [[ $stderr == "attn: error: out of memory: "*"; lower --threads, --batch, --batch-tokens or --max-length" ]]
}

# ---- Requests for memory, counted ----

# make_counter - the library that counts requests for memory, or makes one of them fail.
make_counter() {
    cc -shared -fPIC -o "$BATS_TEST_TMPDIR/fail.so" "$BATS_TEST_DIRNAME/fail_allocation.c" ||
        skip "the compiler makes no library to load before this C library"
}

# requests_of STEPS - how many a run of so many steps makes.
requests_of() {
    ALLOCATIONS=requests LD_PRELOAD=$BATS_TEST_TMPDIR/fail.so "$ATTN" train few \
        "${small[@]}" --noise 0 --phrases 0 --copy-words 0 --batch 64 --steps "$1" --threads 1 -o model
    cat requests
    rm model requests
}

# All steps are in the first epoch; its order is computed once. Noise cuts words anew. One worker: which of several reads
# a part of the corpus, and what it asks for then, is chance.
@test "a training step asks for no memory" {
    with_memory_alone
    make_counter
    head -n 3000 "$ROOT/data/eng-fra.train.tsv" > few
    requests=$(requests_of 1)
    [ "$requests" -gt 100 ]
    [ "$(requests_of 40)" -eq "$requests" ]
}

# ---- Requests for memory that fail, one by one ----

# The C library doesn't report what a thread lacked that could not be started.
lacking='^attn: error: .*(out of memory|Cannot allocate memory|cannot start 2 threads)'

# each_failing STEP COMMAND... - with the 1st, (1 + STEP)th, ... request of attn refused, until there are no more: one
# line of error, status 1, and no file but those that match $files. A regular expression that PCRE2 has no memory to compile
# for the CPU is interpreted: then all is as without a failure. Every request with EVERY_ALLOCATION=1.
each_failing() {
    local step=${EVERY_ALLOCATION:-$1} number status without_jit=0
    shift
    for ((number = 1;; number += step)); do
        status=0
        FAIL_ALLOCATION=$number FAIL_ALLOCATION_UNUSED=unused LD_PRELOAD=$BATS_TEST_TMPDIR/fail.so \
            "$ATTN" "$@" < line > output 2> errors || status=$?
        [ ! -e unused ] || break
        if [ "$status" -eq 0 ] && [ ! -s errors ]; then
            ls -A | grep -v "$files" | xargs -r rm
            without_jit=$((without_jit + 1))
            [ "$without_jit" -le 8 ] || return 1
            continue
        fi
        if [ "$status" -ne 1 ] || [ "$(grep -c '' errors)" -ne 1 ] || ! grep -Eq "$lacking" errors ||
            [ -n "$(ls -A | grep -v "$files")" ]; then
            echo "request $number: status $status, files $(ls)"
            cat errors
            return 1
        fi
    done
    rm unused
    [ "$status" -eq 0 ]
    [ "$number" -gt 1 ]
}

@test "whichever request for memory fails, it is one line of error and nothing is left behind" {
    with_memory_alone
    make_counter
    learn_by_heart "$BATS_TEST_TMPDIR/model"
    echo "Thank you." > line
    files='^\(line\|output\|errors\)$'
    each_failing 97 info "$BATS_TEST_TMPDIR/model"
    each_failing 97 translate -m "$BATS_TEST_TMPDIR/model"
    # 101: among the last requests are a few between the two files, where the first one, whole, stays
    each_failing 101 translate -m "$BATS_TEST_TMPDIR/model" -o translated --heatmap drawn.svg
    rm translated drawn.svg
    each_failing 97 eval -m "$BATS_TEST_TMPDIR/model" --quiet "$PAIRS"
    each_failing 397 train "$PAIRS" "${small[@]}" --steps 3 --threads 2 -o model
}
