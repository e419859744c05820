# old_models.bats - models that an older attn wrote load, and translate to the same words.

load helper

@test "models of an older version translate to the same words by greedy and beam search" {
    cd "$ROOT/tests/data/models" || return
    for model in *.safetensors; do
        for search in "1 greedy" "5 beam"; do
            run -0 --separate-stderr attn translate --model "$model" --beam "${search% *}" sources.txt
            [ "$output" = "$(cat "${model%.safetensors}.${search#* }.txt")" ]
            [ -z "$stderr" ]
        done
    done
}
