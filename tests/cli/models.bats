#!/usr/bin/env bats
# models.bats - models by their names, and files whose weights are integers of 8 bits.

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

# move_program - to a folder that has no models. A copy of the script that emulates starts the program where that is.
move_program() {
    is_emulated && return
    mkdir -p moved/bin
    cp "$ATTN" moved/bin/attn
    ATTN=$PWD/moved/bin/attn
}

# model_of COMMAND... - the file that attn info reads.
model_of() {
    attn info --json "$@" | jq -r .model
}

# ---- Names ----

@test "a name without a slash is a file here, else a model in models, beside the program, or the user's" {
    move_program
    install_model home/.local/share/attn/models a-b
    [ "$(model_of a-b)" = "$PWD/home/.local/share/attn/models/a-b.safetensors" ]
    XDG_DATA_HOME=$PWD/data
    run -1 attn info a-b
    install_model data/attn/models a-b
    [ "$(model_of a-b)" = "$PWD/data/attn/models/a-b.safetensors" ]
    install_model moved/share/attn/models a-b
    is_emulated || [ "$(model_of a-b)" = "$PWD/moved/share/attn/models/a-b.safetensors" ]
    install_model moved/bin/models a-b
    is_emulated || [ "$(model_of a-b)" = "$PWD/moved/bin/models/a-b.safetensors" ]
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

@test "a file that is no model gives way to a model of its name, as the program to that in models" {
    printf 'no model' > attn
    fails "attn: is not a safetensors file: it doesn't begin with the length of a header" attn info attn
    install_model models attn
    [ "$(model_of attn)" = models/attn.safetensors ]
    attn convert --quiet -o small attn
    [ "$(echo "Thank you." | attn translate -m attn)" = Merci. ]
    for start in '' '12345678' '12345678x{'; do
        printf %s "$start" > attn
        [ "$(model_of attn)" = models/attn.safetensors ]
    done
    cp "$KNOWN" attn
    [ "$(model_of attn)" = attn ]
}

@test "translate, eval and train take names" {
    install_model models a-b
    [ "$(echo "Thank you." | attn translate -m a-b)" = Merci. ]
    [ "$(echo "Thank you." | ATTN_MODEL=a-b attn translate)" = Merci. ]
    attn eval --quiet --part all -m a-b "$PAIRS" | grep -q ' = 100.00 '
    attn train "$PAIRS" --no-holdout --init a-b --steps 1 --quiet -o next
    [ "$(attn info --json next | jq -r .training.init)" = a-b.safetensors ]
    fails "'models/a-b.safetensors' is read: it cannot be written too" \
        attn translate -m a-b -o models/a-b.safetensors --force "$PAIRS"
    fails "'models/a-b.safetensors' is read: it cannot be written too" \
        attn train "$PAIRS" --init a-b -o models/a-b.safetensors --force
}

@test "without a model's name it is ATTN_MODEL, attn, or eng-fra" {
    move_program
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
    move_program
    install_model home/.local/share/attn/models eng-fra
    printf ':quit\n' > typed
    script -qec "'$ATTN' translate" /dev/null < typed | tr -d '\r' > screen
    grep -q "^$PWD/home/.local/share/attn/models/eng-fra.safetensors: learned from pairs.tsv$" screen
}

@test "an unknown name tells where models are looked for, and a file is none because of its name" {
    move_program
    local program
    program=$(dirname "$(dirname "$ATTN")")
    for command in "translate -m" "eval $PAIRS -m" info "convert -o x" "train $PAIRS -o x --init"; do
        # shellcheck disable=SC2086
        fails "there is no model 'd': neither a file of that name, nor in models, \
$program/bin/models, $program/share/attn/models or $PWD/home/.local/share/attn/models; 'attn train CORPUS' makes one" \
            attn $command d
        [ -z "$output" ]
    done
    cp "$ATTN" attn
    fails "attn: is not a safetensors file: it doesn't begin with the length of a header" attn info attn
}

# ---- The models that come with the program ----

# knows MODEL SOURCE TRANSLATION
knows() {
    local translation
    translation=$(echo "$2" | attn translate --quiet -m "$1")
    [ "$translation" = "$3" ] || { echo "$2: $translation"; false; }
}

@test "the models that come with the program are small, and translate without any training" {
    cd "$ROOT" || return
    for name in eng-fra fra-eng; do
        [ "$(stat -c %s models/$name.safetensors)" -le 16000000 ]
    done
    knows eng-fra "Where is the train station?" "Où est la gare ?"
    knows eng-fra "I HAVE A QUESTION." "J'AI UNE QUESTION."
    knows eng-fra "My sister has a red car." "Ma sœur a une voiture rouge."
    knows eng-fra "\"No,\" he said." "« Non », dit-il."
    knows eng-fra "Good morning" "Bonjour"
    knows eng-fra "I <b>really</b> love you." "Je t'aime <b>vraiment</b>."
    knows eng-fra "I need 3 kg of apples." "J'ai besoin de 3 kg de pommes."
    knows eng-fra "the red one" "le rouge"
    knows eng-fra "•I am here." "•Je suis ici."
    knows eng-fra "She was born on July 4th, 1976." "Elle est née le 4 juillet 1976."
    knows eng-fra "I will see you on the 3rd floor." "Je te verrai au 3e étage."
    knows eng-fra "Call me at 555-1234." "Appelle-moi à 555-1234."
    knows eng-fra "He drove at 120 km/h." "Il a conduit à 120 km/h."
    knows eng-fra "Louis XIV died in 1715." "Louis XIV est mort en 1715."
    knows eng-fra "Dear Tom," "Cher Tom,"
    knows eng-fra "Please find attached the report." "Veuillez trouver ci-joint le rapport."
    knows fra-eng "Cordialement," "Regards,"
    knows fra-eng "Défense de fumer" "No smoking"
    knows fra-eng "Je suis là depuis le 1er mai." "I've been here since May 1."
    knows fra-eng "Je m'appelle Samira." "My name is Samira."
    knows fra-eng "Il est parti il y a 5 min." "He left 5 min ago."
    knows eng-fra "Drink 2 l of water a day." "Buvez 2 l d'eau par jour."
    knows fra-eng "Oui. Non. Peut-être." "Yes. No. Maybe."
    knows fra-eng "J'ai une question." "I have a question."
    knows fra-eng "Ma sœur a une voiture rouge." "My sister has a red car."
    run -0 attn translate --quiet -m eng-fra --nbest 5 <<< "Good morning"    # "Bonjour !" and "Bonjour." are one
    [ "${#lines[@]}" -gt 1 ]
    [ -z "$(printf '%s\n' "${lines[@]% ||| *}" | sort | uniq -d)" ]
    run -0 attn translate --quiet -m eng-fra <<< "Zorblax paid 245 euros at https://shop.example.com."
    [[ $output == *Zorblax*245*https://shop.example.com* ]]
}

@test "their page has the size and the width that they have" {
    cd "$ROOT" || return
    for name in eng-fra fra-eng; do
        megabytes=$(stat -c %s models/$name.safetensors | awk '{ printf "%.1f MB", $1 / 1e6 }')
        width=$(attn info --json models/$name.safetensors | jq .network.hidden)
        grep -q "^| size, width .*$megabytes, $width " models/README.md
    done
}

# ---- Precision ----

@test "convert writes a file of integers that says the same, and back" {
    fails "'$KNOWN' is read: it cannot be written too" attn convert -o "$KNOWN" "$KNOWN"
    run -0 --separate-stderr attn convert -o small "$KNOWN"
    [ -z "$output$stderr" ]
    [ "$(attn info --json "$KNOWN" | jq -r .precision)" = float ]
    [ "$(attn info --json small | jq -r .precision)" = int8 ]
    [ "$(stat -c %s small)" -lt "$(($(stat -c %s "$KNOWN") / 2))" ]
    sources | attn translate -m small | diff - <(targets)
    attn convert --quiet --precision float -o large small
    [ "$(stat -c %s large)" -eq "$(stat -c %s "$KNOWN")" ]
    attn convert --quiet -o again large
    cmp small again
    sources | attn translate -m large --score --json - < "$PAIRS" | jq -c .log_probability > one
    sources | attn translate -m small --score --json - < "$PAIRS" | jq -c .log_probability | diff - one
}

@test "convert needs a file to write, replaces none, and reads one" {
    refuses "name the file to write: -o FILE" attn convert "$KNOWN"
    refuses "one model at a time: 'b' is one too many; the file to write is named by -o" attn convert -o c a b
    refuses "--precision: 'bf16' is not one of float, int8, or auto" attn convert --precision bf16 -o c "$KNOWN"
    echo mine > c
    fails "c: is there already; --force replaces it, -o names another file" attn convert -o c "$KNOWN"
    fails "c: is there already and is no model that attn train has written, so it is not replaced; name another with -o" \
        attn convert --force -o c "$KNOWN"
    [ "$(cat c)" = mine ]
    : > small                               # nothing is lost
    attn convert --quiet -o small "$KNOWN"
    fails "small: is there already; --force replaces it, -o names another file" attn convert -o small "$KNOWN"
    attn convert --quiet --force --precision float -o small "$KNOWN"
    cmp small "$KNOWN"
}

@test "convert --about keeps where a model is from, for attn info and for models that go on from it" {
    attn convert --quiet --about 'tatoeba.org, CC BY 2.0 FR' -o said "$KNOWN"
    attn convert --quiet -o again said
    attn train --quiet --steps 1 --init again -o further "$PAIRS"
    for model in said again further; do
        run -0 attn info $model
        grep -qE '^about +tatoeba.org, CC BY 2.0 FR$' <<< "$output"
    done
    attn convert --quiet --about other -o replaced said
    [ "$(attn info --json replaced | jq -r .about)" = other ]
    [ "$(attn info --json "$KNOWN" | jq -r .about)" = null ]
}

@test "training goes on from a file of integers" {
    attn convert --quiet -o small "$KNOWN"
    attn train "$PAIRS" --no-holdout --init small --steps 1 --quiet --learning-rate 1e-9 -o next
    [ "$(attn info --json next | jq -r .precision)" = float ]
    sources | attn translate -m next | diff - <(targets)
}

@test "hypotheses of a line with quotes are different texts" {
    echo 'The sign says "Closed".' | attn translate -m "$BATS_TEST_DIRNAME/../../models/eng-fra.safetensors" --quiet \
        --nbest 4 > translated
    [ "$(wc -l < translated)" -ge 2 ]
    [ -z "$(sed 's,|||[^|]*$,,' translated | sort | uniq -d)" ]
}
