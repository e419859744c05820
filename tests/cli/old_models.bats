# old_models.bats - models that an older attn wrote load, and translate to the same words.

load helper

MODELS=$ROOT/tests/data/models

@test "models of an older version translate to the same words by greedy search" {
    for model in "$MODELS"/*.safetensors; do
        run -0 --separate-stderr attn translate --model "$model" --beam 1 "$MODELS/sources.txt"
        [ "$output" = "$(cat "${model%.safetensors}.greedy.txt")" ]
        [ -z "$stderr" ]
    done
}

@test "models of an older version translate to the same words by beam search" {
    for model in "$MODELS"/*.safetensors; do
        run -0 --separate-stderr attn translate --model "$model" --beam 5 "$MODELS/sources.txt"
        [ "$output" = "$(cat "${model%.safetensors}.beam.txt")" ]
        [ -z "$stderr" ]
    done
}
