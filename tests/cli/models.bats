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

@test "translate, eval, train and the prompt take names" {
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

@test "the program itself is no model" {
    move_program
    cp "$ATTN" attn
    fails "attn: is not a safetensors file: it doesn't begin with the length of a header" attn info attn
    is_emulated && return
    cd moved/bin
    fails "there is no model 'attn': no file of that name is one, and it is not among those in models (none), \
$(dirname "$PWD")/share/attn/models (none), $HOME/.local/share/attn/models (none)" attn info attn
    mkdir models            # here and beside the program: named once
    fails "there is no model 'attn': no file of that name is one, and it is not among those in models (none), \
$(dirname "$PWD")/share/attn/models (none), $HOME/.local/share/attn/models (none)" attn info attn
}

@test "an unknown name lists the folders and their models" {
    move_program
    install_model models b
    install_model models a
    touch models/a.safetensors.state models/README.md
    install_model home/.local/share/attn/models c
    local program
    program=$(dirname "$(dirname "$ATTN")")
    for command in "translate -m" "eval $PAIRS -m" info "convert -o x" "train $PAIRS -o x --init"; do
        # shellcheck disable=SC2086
        fails "there is no model 'd': no file of that name is one, and it is not among those in models (a, b), \
$program/share/attn/models (none), $PWD/home/.local/share/attn/models (c)" attn $command d
        [ -z "$output" ]
    done
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
        [ "$(stat -c %s models/$name.safetensors)" -le 8000000 ]
    done
    knows eng-fra "Where is the train station?" "Où est la gare ?"
    knows eng-fra "I HAVE A QUESTION." "J'AI UNE QUESTION."
    knows eng-fra "My sister has a red car." "Ma sœur a une voiture rouge."
    knows eng-fra "I cant do it." "Je ne peux pas le faire."
    knows eng-fra "\"No,\" he said." "« Non », dit-il."
    knows eng-fra "Good morning" "Bonjour"
    knows eng-fra "I <b>really</b> love you." "Je t'aime <b>vraiment</b>."
    knows eng-fra "I need 3 kg of apples." "J'ai besoin de 3 kg de pommes."
    knows eng-fra "the red one" "le rouge"
    knows eng-fra "I live at 12 Baker Street, London." "J'habite à 12 Baker Street, Londres."
    knows eng-fra "She was born on July 4th, 1976." "Elle est née le 4 juillet 1976."
    knows eng-fra "I'll stay from July 4 to July 8." "Je resterai du 4 juillet au 8 juillet."
    knows eng-fra "MEET ME AT 6 P.M." "REJOINS-MOI À 18 H."
    knows eng-fra "It's 3:30." "Il est 3 h 30."
    knows eng-fra "The 100th visitor won a prize." "Le 100e visiteur a gagné un prix."
    knows eng-fra "This is the 3rd time." "C'est la troisième fois."
    knows eng-fra "Call me at 555-1234." "Appelle-moi à 555-1234."
    knows eng-fra "The room is 4 m x 5 m." "La pièce est 4 m x 5 m."
    knows eng-fra 'Run `make install` first.' 'Cours `make install` en premier.'
    knows eng-fra "He drove at 120 km/h." "Il a conduit à 120 km/h."
    knows eng-fra "Louis XIV died in 1715." "Louis XIV est mort en 1715."
    knows eng-fra "Dear Tom," "Cher Tom,"
    knows eng-fra "Please find attached the report." "Veuillez trouver ci-joint le rapport."
    knows fra-eng "Le 44ème président des États-Unis." "The 44th president of the United States."
    knows fra-eng "C'est la 1re fois." "This is the first time."
    knows fra-eng "Cordialement," "Regards,"
    knows fra-eng "Défense de fumer" "No smoking"
    knows fra-eng "Le 3 mars 2020, il est parti." "On March 3, 2020, he left."
    knows fra-eng "Je suis là depuis le 1er mai." "I've been here since May 1."
    knows fra-eng "Il est 15h30." "It's 3:30 pm."
    knows fra-eng "Rendez-vous à 18 h." "See you at 6 pm."
    knows eng-fra "<b>July 4</b> is a holiday." "<b>Le 4 juillet</b> est un jour férié."
    knows eng-fra "3:30, 4:30, 5:30" "3 h 30, 4 h 30, 5 h 30"
    knows eng-fra "On July 4 we leave at 6 p.m." "Le 4 juillet, nous partons à 18 h."
    knows eng-fra "OK, 6 PM" "OK, 18 h"
    knows fra-eng "Appuyez sur Ctrl+C." "Press Ctrl+C."
    knows eng-fra "ON MAY 5" "LE 5 MAI"
    knows fra-eng "<b>Le 4 juillet</b> est un jour férié." "<b>July 4</b> is a holiday."
    knows fra-eng "Rendez-vous à <b>18 h</b>." "See you at <b>6 pm</b>."
    knows fra-eng "Je reste du 4 au 8 juillet." "I'm staying from July 4 to July 8."
    knows fra-eng "Je m'appelle Samira." "My name is Samira."
    knows fra-eng "Il est parti il y a 5 min." "He left 5 min ago."
    knows eng-fra "Drink 2 l of water a day." "Buvez 2 l d'eau par jour."
    knows eng-fra "My friend Nguyen Van Minh is from Hanoi." "Mon ami Nguyen Van Minh est de Hanoi."
    knows fra-eng "Oui. Non. Peut-être." "Yes. No. Maybe."
    knows fra-eng "J'habite au 12, rue de la Paix." "I live in 12, rue de la Paix."
    knows fra-eng "J'ai une question." "I have a question."
    knows fra-eng "Jai une question." "I have a question."
    knows fra-eng "Ma sœur a une voiture rouge." "My sister has a red car."
    # each word of a date counts
    run -0 attn translate --quiet -m fra-eng --alignment <<< "La réunion du 4 juillet était courte."
    [ "$output" = $'July 4\'s meeting was short.\t3-0 2-1 1-2 5-3 6-4' ]
    run -0 attn translate --quiet -m eng-fra --nbest 5 <<< "Good morning"
    [ "${#lines[@]}" -gt 1 ]
    [ -z "$(printf '%s\n' "${lines[@]% ||| *}" | sort | uniq -d)" ]
    run -0 attn translate --quiet -m fra-eng --nbest 5 <<< "Le XXIe siècle a commencé."
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
    [ -z "$output" ]
    [[ $stderr =~ ^"small: "[0-9.]+" MB; $KNOWN has "[0-9.]+" MB"$ ]]
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
    refuses "--precision: 'bf16' is not one of float, int8" attn convert --precision bf16 -o c "$KNOWN"
    echo mine > c
    fails "c: is there already; --force replaces it, -o names another file" attn convert -o c "$KNOWN"
    fails "c: is there already and is no model that attn train has written, so it is not replaced; name another with -o" \
        attn convert --force -o c "$KNOWN"
    [ "$(cat c)" = mine ]
    attn convert --quiet -o small "$KNOWN"
    fails "small: is there already; --force replaces it, -o names another file" attn convert -o small "$KNOWN"
    attn convert --quiet --force --precision float -o small "$KNOWN"
    cmp small "$KNOWN"
}

@test "training goes on from a file of integers" {
    attn convert --quiet -o small "$KNOWN"
    attn train "$PAIRS" --no-holdout --init small --steps 1 --quiet --learning-rate 1e-9 -o next
    [ "$(attn info --json next | jq -r .precision)" = float ]
    sources | attn translate -m next | diff - <(targets)
}

@test "what is quoted keeps its quotes, and names in them stay" {
    quoted="$BATS_TEST_DIRNAME/../data/text/quoted.tsv"
    cut -f 1 "$quoted" | attn translate -m "$BATS_TEST_DIRNAME/../../models/eng-fra.safetensors" --quiet > translated
    for name in Next Print "Log out" Rocky "Animal Farm" tree bread queue Minou exit Hamlet love; do
        grep -qF "\"$name\"" translated || { echo "$name"; false; }
    done
    grep -qF "File > New" translated
    run grep -nE '"[^"»]*»|«[^»"]*"' translated
    [ -z "$output" ]
    echo 'The sign says "Closed".' | attn translate -m "$BATS_TEST_DIRNAME/../../models/eng-fra.safetensors" --quiet \
        --nbest 4 > translated
    [ "$(wc -l < translated)" -ge 2 ]
    [ -z "$(sed 's,|||[^|]*$,,' translated | sort | uniq -d)" ]
}

@test "full names are copied whole" {
    names="$BATS_TEST_DIRNAME/../data/text/full_names.tsv" models="$BATS_TEST_DIRNAME/../../models"
    cut -f 1 "$names" | attn translate -m "$models/eng-fra.safetensors" --quiet > translated.fr
    cut -f 2 "$names" | attn translate -m "$models/fra-eng.safetensors" --quiet > translated.en
    for name in "Stephen King" "Emma Stone" "Claire Boulanger" "Mary White" "Jean Petit" "Mark Hill" "Lucy Brown" \
        "Charles de Gaulle" "Ludwig van Beethoven" "Nguyen Van Minh" "Bill Carpenter" "Will Baker" "Anna Kowalska" \
        "San Francisco" "Los Angeles" "Buenos Aires" "Google Drive" "Microsoft Word" "Goldman Sachs"; do
        grep -qF "$name" translated.fr || { echo "$name in French"; false; }
        grep -qF "$name" translated.en || { echo "$name in English"; false; }
    done
    ! grep -E 'from[A-Z]' translated.en
}

@test "hours and weekdays are translated from beginning to end" {
    hours="$BATS_TEST_DIRNAME/../data/text/hours.tsv" models="$BATS_TEST_DIRNAME/../../models"
    range='de [0-9]+ h( [0-9]+)? à [0-9]+ h( [0-9]+)?|du [a-z]+di au [a-z]+di|[0-9]+ h-[0-9]+ h'
    cut -f 1 "$hours" | attn translate -m "$models/eng-fra.safetensors" --quiet | grep -oE "$range" > translated
    diff translated <(cut -f 2 "$hours" | grep -oE "$range")
    range='[0-9:]+ [ap]m(-| to )[0-9:]+ [ap]m|from [A-Z][a-z]+day to [A-Z][a-z]+day|from [0-9:]+ to [0-9:]+ pm'
    [ "$(cut -f 2 "$hours" | attn translate -m "$models/fra-eng.safetensors" --quiet | grep -oE "$range" | wc -l)" -eq 13 ]
}

# translations_have FILE PATTERN - both columns of FILE, translated, have what the other column has of it.
translations_have() {
    local models="$BATS_TEST_DIRNAME/../../models" pairs="$BATS_TEST_DIRNAME/../data/text/$1"
    diff <(cut -f 1 "$pairs" | attn translate -m "$models/eng-fra.safetensors" --quiet | grep -oE "$2") \
        <(cut -f 2 "$pairs" | grep -oE "$2")
    diff <(cut -f 2 "$pairs" | attn translate -m "$models/fra-eng.safetensors" --quiet | grep -oE "$2") \
        <(cut -f 1 "$pairs" | sed "s/'90s/90s/" | grep -oE "$2")
}

@test "decades have their article, and references their numbers" {
    translations_have decades.tsv '([Ll]|d)es années [0-9]+|[Tt]he [0-9]+s|(pp?|Fig)\. [0-9-]+'
}

@test "numbers have the marks of their language" {
    translations_have numbers.tsv '[€£]?[0-9][0-9., ]*[0-9]( [€£])?'
}
