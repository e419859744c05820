#!/usr/bin/env bats
# models.bats - models by their names.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/known"
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    KNOWN=$BATS_FILE_TMPDIR/known
    export HOME=$PWD/home XDG_DATA_HOME=
    mkdir home
}

# install_model FOLDER NAME - puts the model there.
install_model() {
    mkdir -p "$1"
    cp "$KNOWN" "$1/$2.safetensors"
}

# model_of COMMAND... - the file that attn info reads.
model_of() {
    attn info --json "$@" | jq -r .model
}

# ---- Names ----

@test "a name without a slash is a file here, else a model in models, beside the program, or the user's" {
    mkdir -p moved/bin
    cp "$ATTN" moved/bin/attn
    ATTN=$PWD/moved/bin/attn
    install_model home/.local/share/attn/models a-b
    [ "$(model_of a-b)" = "$PWD/home/.local/share/attn/models/a-b.safetensors" ]
    XDG_DATA_HOME=$PWD/data
    run -1 attn info a-b
    install_model data/attn/models a-b
    [ "$(model_of a-b)" = "$PWD/data/attn/models/a-b.safetensors" ]
    install_model moved/share/attn/models a-b
    [ "$(model_of a-b)" = "$PWD/moved/share/attn/models/a-b.safetensors" ]
    install_model models a-b
    [ "$(model_of a-b)" = models/a-b.safetensors ]
    [ "$(model_of a-b.safetensors)" = models/a-b.safetensors ]
    mkdir a-b
    [ "$(model_of a-b)" = models/a-b.safetensors ]
    rmdir a-b
    cp "$KNOWN" a-b
    [ "$(model_of a-b)" = a-b ]
    run -1 attn info ./a-c
}

@test "translate and eval take names" {
    install_model models a-b
    [ "$(echo "Thank you." | attn translate -m a-b)" = Merci. ]
    [ "$(echo "Thank you." | ATTN_MODEL=a-b attn translate)" = Merci. ]
    attn eval --quiet --part all -m a-b "$PAIRS" | grep -q ' = 100.00 '
    attn eval --robust --quiet --part all -m a-b "$PAIRS" | grep -q '^ALL CAPITALS  '
    fails "'models/a-b.safetensors' is read: it cannot be written too" \
        attn translate -m a-b -o models/a-b.safetensors --force "$PAIRS"
}

@test "without a model's name it is ATTN_MODEL, attn, or eng-fra" {
    install_model home/.local/share/attn/models eng-fra
    [ "$(model_of)" = "$PWD/home/.local/share/attn/models/eng-fra.safetensors" ]
    [ "$(echo "Thank you." | attn translate)" = Merci. ]
    install_model models attn
    [ "$(model_of)" = models/attn.safetensors ]
    install_model models other
    [ "$(ATTN_MODEL=other model_of)" = models/other.safetensors ]
}

@test "the prompt says which model it took" {
    needs_terminal
    install_model home/.local/share/attn/models eng-fra
    printf ':quit\n' > typed
    script -qec "'$ATTN' translate" /dev/null < typed | tr -d '\r' > screen
    grep -q "^$PWD/home/.local/share/attn/models/eng-fra.safetensors: learned from pairs.tsv$" screen
}

@test "an unknown name lists the folders and their models" {
    install_model models b
    install_model models a
    touch models/a.safetensors.state models/README.md
    install_model home/.local/share/attn/models c
    local program
    program=$(dirname "$(dirname "$ATTN")")
    for command in "translate -m" "eval $PAIRS -m" info; do
        # shellcheck disable=SC2086
        fails "there is no model 'd': it is no file, and not among those in models (a, b), \
$program/share/attn/models (none), $PWD/home/.local/share/attn/models (c)" attn $command d
        [ -z "$output" ]
    done
}
