#!/usr/bin/env bats
# systems.bats - every score, cell and order of the decoder trains, translates and learns by heart;
# wrong requests are refused before any work.

load helper

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
}

fail_with() {
    echo "$@"
    false
}

# systems - the options of each system, a line each.
systems() {
    cat <<END
--attention dot --no-bidirectional
--attention scaled-dot --no-bidirectional
--attention general
--attention scaled-general
--attention concat
--attention location --attention-positions 6
--attention local-p --attention-window 2
--attention scaled-local-p --attention-window 2
--attention none
--cell lstm
--cell lstm --layers 2 --no-bidirectional --start last
--decoder luong --attention general
--decoder luong --attention none
--layers 3 --residual
--preset luong --embedding 12 --hidden 12
END
}

@test "every system learns the pairs by heart, and finds several translations" {
    while read -ra options; do
        learner train "$PAIRS" --no-holdout --force -o model --quiet --vocabulary 150 --batch 14 --epochs 150 --patience 0 \
            --learning-rate 0.01 --label-smoothing 0.1 --threads 1 "${options[@]}" --embedding 32 --hidden 32 \
            --dropout 0 --dropout-embedding 0 --both-directions 0
        sources | attn translate -m model > translated
        run diff translated <(targets)
        [ "$(grep -c '^>' <<< "$output")" -le 2 ] || fail_with "${options[@]}"
        [ "$(sources | attn translate -m model --beam 4 --nbest 3 | wc -l)" -ge 14 ]
    done < <(systems)
}

@test "what a score can't do is refused before any work" {
    refuses "--attention dot and scaled-dot multiply decoder states (12 wide) with encoder states (24 wide), which must \
have the same width; use --attention general, or --no-bidirectional" attn train "$PAIRS" --hidden 12 --attention dot
    refuses "--attention location learns a score for each position and needs --attention-positions N, the longest \
source it can see to its end (subwords and <eos>)" attn train "$PAIRS" --attention location
    refuses "this --attention looks at a window and needs --attention-window D, the positions on each side of its \
centre" attn train "$PAIRS" --attention local-p --attention-window 0
    refuses "--residual leads past the layers from the second on and needs --layers 2 or more" attn train "$PAIRS" --residual
    [ -z "$(ls -A)" ]
}
