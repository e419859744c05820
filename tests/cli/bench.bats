# bench.bats - all tables of scripts/bench, with tiny networks, and what they are filled from.

load helper

setup() {
    case $ATTN in */asan/* | */tsan/*) skip "the bench is of a release build" ;; esac
    ! is_emulated || skip "an emulator's rates may round to zero"
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN RUNS=1 QUICK=1 PYTHON=$PWD/python PROGRAMS=$PWD
    head -n 300 "$ROOT/data/eng-fra.train.tsv" > corpus
    # In place of PyTorch and sentencepiece: they may be missing, and need longer.
    stand_in python '[ "$1" = -c ] || echo "{\"target_tokens_per_second\": 7.5, \"kernels\": \"Zen\", \' \
        '\"decode_tokens_per_second_batch_64\": 7.5, \"decode_tokens_per_second_batch_1\": 7.5}"'
    stand_in spm_train ''
    stand_in spm_encode 'echo 1 0 2 3'
    PATH=$PWD:$PATH
}

bench() {
    run --separate-stderr env TABLES="$1" "$ROOT/scripts/bench" "$PWD/corpus"
    # shellcheck disable=SC2154  # bats sets stderr
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    # networks that have hardly learned write on and on
    [ -z "$(grep -v 'cut where it had the most tokens' <<< "$stderr")" ]
}

# row NAME OURS [OTHERS] - checks a row of this name, whose columns match these patterns.
row() {
    grep -qE "^$1 +$2( +$3)?( |$)" <<< "$output" || { echo "no row: $*"; false; }
}

number='[0-9]+(\.[0-9]+)?'
above_zero='([1-9][0-9]*(\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*)'

@test "text and training have a rate in every row, beside the other programs'" {
    bench "text training"
    row "read, clean and learn, s" "$number" "$number"
    row "encode, s" "$number" "$number"
    row "share of unknown tokens in the test part" "$number" 0.25
    row "peak of float, kernels in registers, 1 thread, GFLOP/s" "$above_zero"
    for network in "d2l --threads [0-9]+" "bench --threads [0-9]+" \
        "bench --precision bf16 --threads [0-9]+" "bench, 512 wide, 16,000 words --threads [0-9]+" \
        "transformer-small --threads [0-9]+"; do
        row "train --preset $network, target tokens/s" "$above_zero" 7.5
    done
    [ "$(grep -cE "^  its products, GFLOP/s; share of peak +$above_zero +$number %" <<< "$output")" -eq 8 ]
    [ "$(grep -cE "^  OpenBLAS kernels +Zen" <<< "$output")" -eq 4 ]
    row "  products alone, 1 workers, target tokens/s; share" "$above_zero" "$number %"
}

@test "resources and translation have all their rows" {
    bench "resources translation"
    row "train --preset bench, peak memory, MB; planned; ratio" "$number" "$above_zero"
    row "requests for memory, in steps 11 to 20 \(32 wide\)" "$number"
    row "attn --version, ms" "$number"
    row "attn train to its first step, s" "$above_zero"
    for way in 64 "1 --threads 1"; do
        row "translate --beam 1 --precision float --batch $way, output tokens/s" "($above_zero|-)" 7.5
        [ "$(grep -cE "^translate --beam 1 --precision float --batch $way, " <<< "$output")" -eq 2 ]
    done
    [[ $output == *$'\ntranslation by --preset transformer-small '* ]]
    [ "$(grep -cE "^  with start and loading the model +$above_zero" <<< "$output")" -ge 2 ]
    for precision in int8 bf16; do
        row "translate --beam 1 --precision $precision --batch 64, output tokens/s" "($above_zero|-)" 7.5
    done
    row "translate --beam 5 over --beam 1, seconds of all" "$number" "$number"
    row "echo \"I'm home.\" \| attn translate, ms" "$above_zero"
    row "  memory, MB; of the model" "$above_zero" "$number"
    command -v python3 > /dev/null || return 0
    for size in opus tiny; do
        [[ $output == *$'\n'"$size of 100 words, int8, output tokens/s of one core"* ]]
    done
    for way in "" " --batch 1"; do
        [ "$(grep -cE "^  --beam 1$way +$above_zero +$above_zero +$number %" <<< "$output")" -eq 2 ]
    done
    [ "$(grep -cE "^  --beam 4 --batch 16 +$above_zero +$above_zero +$number %" <<< "$output")" -eq 2 ]
}

@test "growth has a row for each size, and what a corpus takes before the first step" {
    mkdir kept
    export GENERATED=$PWD/kept ROWS="hidden=1024 vocabulary=2000 batch=512 length=80 pairs=30000 reading=30000"
    bench growth
    for size in "--hidden 1024" "--vocabulary 2000" "--batch 512" "80 words a sentence" "30000 pairs"; do
        row "$size" "$above_zero" "$above_zero"
    done
    row "30000 pairs: read, learn, encode" "$above_zero"
    row "  pairs/s; peak memory, MB" "$above_zero" "$above_zero"
    for size in 10000-0 2000-0 200-80 300-0; do
        [ "$(wc -l < "kept/generated-$size.tsv")" -eq "${size%-*}" ]
    done
}

@test "growth takes the corpora that are kept, and refuses rows that it does not have" {
    export GENERATED=$PWD
    cp corpus generated-300-0.tsv
    ROWS=reading=30000 bench growth
    cmp corpus generated-300-0.tsv
    run env TABLES=growth ROWS="reading=30000 width=64" "$ROOT/scripts/bench" "$PWD/corpus"
    [ "$status" -eq 2 ]
    [[ $output == *"bench: error: ROWS: 'width=64' is none of hidden=, "* ]]
}

@test "without the other programs their columns stay empty" {
    rm python spm_train spm_encode
    stand_in python 'exit 1'
    bench "text textbook"
    row "train --preset d2l --threads [0-9]+, target tokens/s" "$above_zero"
    [ "$(grep -c "target tokens/s" <<< "$output")" -eq 2 ]
    [[ $output == *"PyTorch is not installed"*"sentencepiece is not installed"* ]] ||
        command -v spm_train
    row "encode, s" "$number"
}
