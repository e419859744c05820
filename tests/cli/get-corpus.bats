# get-corpus.bats - scripts/get-corpus with a zip file of three pairs, one without any, and stand-ins for the programs
# that would use the network.

setup()
{
    root=$PWD
    zip=$root/tests/data/get-corpus/fra-eng.zip
    folder=$BATS_TEST_TMPDIR/pairs
    tools=$BATS_TEST_TMPDIR/tools
    mkdir "$tools"
}

get_corpus()
{
    run scripts/get-corpus --to "$folder" "$@"
}

# only_tools NAME... - a PATH of what the script needs and these programs, and nothing else.
only_tools()
{
    for name in sh env cat cut dirname grep mkdir mktemp mv rm rmdir sed sha256sum "$@"; do
        ln -sf "$(command -v "$name")" "$tools/$name"
    done
    PATH=$tools
}

# stand_in NAME LINE... - a program of that name, found before all others.
stand_in()
{
    name=$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" > "$tools/$name"
    chmod +x "$tools/$name"
    PATH=$tools:$PATH
}

@test "a zip file becomes pairs and a note of where they come from" {
    get_corpus --from "$zip"
    [ "$status" -eq 0 ]
    [ "$(ls -A "$folder")" = "$(printf '_about.txt\nfra.txt')" ]
    [ "$(cut -f 1 "$folder/fra.txt")" = "$(printf 'The lamp is blue.\nMy uncle bakes bread.\nWhere is the ladder?')" ]
    [[ $output == *"$folder/fra.txt: 3 pairs"* ]]
    [[ $output == *"CC BY 2.0 FR"* ]]
    [[ $output == *"tatoeba.org"*"manythings.org"* ]]
}

@test "another version than the textbook's is accepted, and reported as another" {
    get_corpus --from "$zip"
    [ "$status" -eq 0 ]
    [[ $output == *"SHA-256 $(sha256sum < "$folder/fra.txt" | cut -d ' ' -f 1)"$'\n'*"This is not the textbook's"* ]]
}

@test "--sha256 takes the version it names and no other, of any pair" {
    command -v python3 > /dev/null || skip "python3 is missing"
    mkdir "$BATS_TEST_TMPDIR/files"
    printf 'Go.\tGeh.\n' > "$BATS_TEST_TMPDIR/files/deu.txt"
    (cd "$BATS_TEST_TMPDIR/files" && python3 -m zipfile -c ../deu.zip deu.txt)
    sum=$(sha256sum < "$BATS_TEST_TMPDIR/files/deu.txt" | cut -d ' ' -f 1)
    get_corpus deu --url "file://$BATS_TEST_TMPDIR/deu.zip" --sha256 "${sum%?}x"
    [ "$status" -eq 2 ]
    get_corpus deu --from "$BATS_TEST_TMPDIR/deu.zip" --sha256 "${sum#?}"
    [ "$status" -eq 2 ]
    [[ $output == *"has 63 digits instead of 64"* ]]
    other=$(printf '%064d' 0)
    get_corpus deu --from "$BATS_TEST_TMPDIR/deu.zip" --sha256 "$other"
    [ "$status" -eq 1 ]
    [[ $output == *"error: deu.txt in "*"/deu.zip is another version: its SHA-256 is $sum and should be $other" ]]
    [ ! -e "$folder" ]
    get_corpus deu --from "$BATS_TEST_TMPDIR/deu.zip" --sha256 "$sum"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "SHA-256 $sum: the expected version" ]
    get_corpus deu --from "$BATS_TEST_TMPDIR/deu.zip"
    [ "${lines[0]}" = "SHA-256 $sum" ]
    [[ $output != *"textbook"* ]]
    [[ $output == *"$folder/deu.txt: 1 pair"* ]]
}

@test "the mirror's file is refused when its checksum is wrong" {
    stand_in curl 'for last; do :; done' "[ \"\$last\" = https://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip ]" \
        'while [ "$1" != --output ]; do shift; done' "cp '$zip' \"\$2\""
    get_corpus --mirror
    [ "$status" -eq 1 ]
    [[ $output == *"is another version: its SHA-256 is"*"should be 0bb85dba"* ]]
    [ ! -e "$folder" ]
}

@test "the pairs are downloaded from manythings.org by name" {
    stand_in curl 'for last; do :; done' 'echo "asked for $last"' 'exit 22'
    get_corpus deu-eng
    [[ $output == *"asked for https://www.manythings.org/anki/deu-eng.zip"* ]]
    for name in eng-ita ita; do
        get_corpus $name
        [[ $output == *"asked for https://www.manythings.org/anki/ita-eng.zip"* ]]
    done
}

@test "a download that breaks off leaves nothing behind" {
    stand_in curl 'while [ "$1" != --output ]; do shift; done' "head -c 100 '$zip' > \"\$2\"" 'exit 18'
    get_corpus
    [ "$status" -eq 1 ]
    [[ $output == *"error: cannot download https://www.manythings.org/anki/fra-eng.zip"* ]]
    [ ! -e "$folder" ]
}

@test "a damaged zip file leaves the older pairs as they were" {
    get_corpus --from "$zip"
    before=$(ls -lA --time-style=full-iso "$folder")
    head -c 200 "$zip" > "$BATS_TEST_TMPDIR/damaged.zip"
    get_corpus --from "$BATS_TEST_TMPDIR/damaged.zip"
    [ "$status" -eq 1 ]
    [[ $output == *"error: cannot unpack"* ]]
    [ "$(ls -lA --time-style=full-iso "$folder")" = "$before" ]
}

@test "a zip file of another pair is refused" {
    get_corpus deu-eng --from "$zip"
    [ "$status" -eq 1 ]
    [[ $output == *"error: there is no deu.txt in $zip"* ]]
    [ ! -e "$folder" ]
}

@test "a text without pairs is refused" {
    get_corpus --from "${zip%/*}/no-pairs.zip"
    [ "$status" -eq 1 ]
    [[ $output == *"error: there are no pairs in fra.txt"* ]]
    [ ! -e "$folder" ]
}

@test "a file that is not there is refused" {
    get_corpus --from "$BATS_TEST_TMPDIR/none.zip"
    [ "$status" -eq 1 ]
    [ ! -e "$folder" ]
}

@test "wget serves where curl is missing" {
    stand_in wget 'for last; do :; done' 'for word; do' '    case $word in' \
        '    --output-document=*) cp "${last#file://}" "${word#*=}" ;;' '    esac' 'done'
    only_tools unzip cp
    get_corpus --url "file://$zip"
    [ "$status" -eq 0 ]
    [ -s "$folder/fra.txt" ]
}

@test "without curl and wget the error names the other ways" {
    only_tools unzip
    get_corpus
    [ "$status" -eq 1 ]
    [[ $output == *"error: neither curl nor wget is installed"*"--from FILE"* ]]
}

@test "without unzip the error names it" {
    only_tools
    get_corpus --from "$zip"
    [ "$status" -eq 1 ]
    [[ $output == *"error: unzip is not installed"* ]]
}

@test "wrong requests are refused before any work" {
    for arguments in "--mirror deu-eng" "--mirror --from $zip" "--url" "--surely-not" "french"; do
        # shellcheck disable=SC2086  # several words
        get_corpus $arguments
        [ "$status" -eq 2 ]
        [[ $output == "get-corpus: error: "* ]]
        [ ! -e "$folder" ]
    done
}
