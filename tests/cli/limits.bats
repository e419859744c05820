#!/usr/bin/env bats
# limits.bats - what is too large is refused with what it would need; what memory is denied is said in one line.

load helper

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
}

small=(--no-holdout --hidden 12 --embedding 12 --vocabulary 100 --batch 5 --epochs 1000000 --steps 20 --patience 0
    --quiet)

# limited KILOBYTES COMMAND... - with so much address space; a program that hangs is killed.
limited() {
    local limit=$1
    shift
    (ulimit -v "$limit" && exec timeout -k 1 20 "$ATTN" "$@")
}

without_sanitizer() {
    case $ATTN in */asan/* | */tsan/*) skip "the sanitizer keeps memory of its own" ;; esac
}

@test "too little memory for OpenBLAS is an error, where the library would try for ever" {
    without_sanitizer
    learn_by_heart model
    echo "Thank you." > line
    for limit in 150000 200000; do
        fails "out of memory: OpenBLAS needs 128 MiB for each of 2 threads; set fewer --threads or a higher limit \
(ulimit -v, ulimit -d)" limited $limit train "$PAIRS" "${small[@]}" --threads 2 -o other
        run -1 --separate-stderr limited $limit translate -m model line
        [[ $stderr == "attn: error: out of memory: OpenBLAS needs 128 MiB for each of "* ]]
    done
    [ "$(ls)" = "$(printf 'line\nmodel')" ]
    limited 1000000 train "$PAIRS" "${small[@]}" --threads 2 -o other
    [ "$(limited 1000000 translate -m model line)" = "Merci." ]
}
