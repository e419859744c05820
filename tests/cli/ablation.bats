# ablation.bats - the table of scripts/ablation, from trainings of a few steps.

load helper

setup()
{
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN
    yes "$(cat "$PAIRS")" | head -n 600 | awk -F '\t' -v OFS='\t' '{ print $1 " " NR, $2 " " NR }' > corpus
    export TABLE=$PWD/table MODELS=$PWD/models BUDGET="--steps 3" BASE="--hidden 8 --embedding 8 --threads 1"
    export SETTINGS="recipe
BPE-dropout 0.1     --bpe-dropout 0.1
two things          --clip 0 --batch 8"
}

ablation() { "$ROOT/scripts/ablation" "$PWD/corpus"; }

@test "attn train knows the options of every setting" {
    env -u SETTINGS "$ROOT/scripts/ablation" --list > list
    [ "$(wc -l < list)" -ge 40 ]
    while read -r line; do
        case $line in *' --'*) options=--${line#* --} ;; *) options= ;; esac
        # shellcheck disable=SC2086  # options are several words
        attn train $options --dump-config > dumped || { echo "$line"; false; }
    done < list
}

@test "every setting gets one row with its numbers, and none is trained twice" {
    ablation > printed
    diff printed table
    [ "$(grep -c '^| [^s]' table)" -eq 3 ]
    grep -E '^\| recipe \|  \| 1 \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| [0-9]+ \| [0-9]+ \|$' table
    grep -F '| BPE-dropout 0.1 | --bpe-dropout 0.1 | 1 |' table
    grep -F '| two things | --clip 0 --batch 8 | 1 |' table
    run ablation
    [ "$status" -eq 0 ]
    [[ $output != *"ablation: "* ]]
    diff printed table
}

@test "further seeds and settings are added to the table" {
    ablation > printed
    SEEDS="1 2" SETTINGS="recipe
new    --dropout 0" ablation > /dev/null
    [ "$(head -n 6 table)" = "$(head -n 6 printed)" ]
    grep -F '| new | --dropout 0 | 1 |' table
    grep -F '| recipe |  | 2 |' table
    [ "$(grep -c '^| recipe' table)" -eq 2 ]
}

@test "a setting that can't be trained gets no row, and the others do" {
    SETTINGS="wrong   --no-such-option
recipe" run --separate-stderr ablation
    [ "$status" -eq 0 ]
    [[ $stderr == *"ablation: wrong: failed, no row"* ]]
    ! grep wrong table
    grep '^| recipe' table
}

@test "a table of another budget is not mixed with this one's" {
    ablation > printed
    BUDGET="--steps 4" run ablation
    [ "$status" -eq 2 ]
    [[ $output == *"table' is of another corpus or budget; TABLE names another" ]]
    diff printed table
}

@test "several trainings at a time, on a share of the sources with all their translations, and none is left out" {
    awk -F '\t' -v OFS='\t' '{ print } NR <= 300 { print $1, $2 " !" }' corpus > several
    mv several corpus
    SHARE=3 JOBS=2 ablation > printed
    diff printed table
    [[ "$(head -n 1 table)" == *"every training: one source of 3, --steps 3 "* ]]
    [ "$(wc -l < models/share-3.tsv)" -eq 300 ]
    [ "$(cut -f 1 models/share-3.tsv | uniq | wc -l)" -eq 200 ]
    [ "$(grep -c '^| [^s]' table)" -eq 3 ]
    grep -E '"corpus_pairs":\s*300\b' <("$ATTN" info --json models/recipe-1)
    SHARE=3 JOBS=2 run ablation
    [ "$status" -eq 0 ]
    [[ $output != *"ablation: "* ]]
}

@test "Ctrl-C ends all trainings, and their states are there to go on from" {
    export BUDGET="--steps 100000 --validate-every 100000 --log-every 1" JOBS=2
    set -m
    "$ROOT/scripts/ablation" "$PWD/corpus" > printed 2> told &
    local script=$!
    both_train() { [ "$(grep -ls '"step"' models/*.log | wc -l)" -eq 2 ]; }
    await $script both_train
    kill -s INT -- -$script
    wait $script && return 1
    [ "$(grep -c . told)" -eq 2 ]
    [ -e models/recipe-1.state ]
    [ -e models/BPE-dropout-0.1-1.state ]
    ! pgrep -f "$PWD/models"
}
