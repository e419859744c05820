# get-corpus.bats - scripts/get-corpus with a zip file of three pairs, one without any, and stand-ins for the programs
# that would use the network.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    PROGRAMS=$PWD/programs
    zip=$ROOT/tests/data/get-corpus/fra-eng.zip
}

get_corpus() {
    run "$ROOT/scripts/get-corpus" --to pairs "$@"
}

# leaves_nothing STATUS MESSAGE ARGUMENT... - ends with this status and a message that matches, and writes nothing.
leaves_nothing() {
    get_corpus "${@:3}"
    echo "$output"
    # shellcheck disable=SC2053  # a pattern
    [[ $status -eq $1 && $output == $2 && ! -e pairs ]]
}

# only NAME... - PROGRAMS has what the script needs and these programs.
only() {
    mkdir -p "$PROGRAMS"
    for name in sh env cat cp cut dirname grep mkdir mktemp mv rm rmdir sed sha256sum "$@"; do
        ln -sf "$(command -v "$name")" "$PROGRAMS/$name"
    done
}

@test "a zip file becomes pairs, a note of where they come from, and says if it is the textbook's version" {
    get_corpus --from "$zip"
    [ "$status" -eq 0 ]
    [ "$(ls -A pairs)" = "$(printf '_about.txt\nfra.txt')" ]
    [ "$(cut -f 1 pairs/fra.txt)" = "$(printf 'The lamp is blue.\nMy uncle bakes bread.\nWhere is the ladder?')" ]
    [[ $output == *"SHA-256 $(sha256sum < pairs/fra.txt | cut -d ' ' -f 1)"$'\n'*"This is not the textbook's"* ]]
    [[ $output == *"pairs/fra.txt: 3 pairs"* && $output == *"CC BY 2.0 FR"* ]]
    [[ $output == *"tatoeba.org"*"manythings.org"* ]]
}

@test "--sha256 takes the version it names and no other, of any pair" {
    command -v python3 > /dev/null || skip "python3 is missing"
    printf 'Go.\tGeh.\n' > deu.txt
    python3 -m zipfile -c deu.zip deu.txt
    sum=$(sha256sum < deu.txt | cut -d ' ' -f 1)
    leaves_nothing 2 "*" deu --url "file://$PWD/deu.zip" --sha256 "${sum%?}x"
    leaves_nothing 2 "*has 63 digits instead of 64*" deu --from deu.zip --sha256 "${sum#?}"
    other=$(printf '%064d' 0)
    leaves_nothing 1 "*error: deu.txt in deu.zip is another version: its SHA-256 is $sum and should be $other" \
        deu --from deu.zip --sha256 "$other"
    get_corpus deu --from deu.zip --sha256 "$sum"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "SHA-256 $sum: the expected version" ]
    get_corpus deu --from deu.zip
    [ "${lines[0]}" = "SHA-256 $sum" ]
    [[ $output != *"textbook"* && $output == *"pairs/deu.txt: 1 pair"* ]]
}

@test "pairs are downloaded by their name, with curl or wget, and the mirror's only with their checksum" {
    stand_in curl 'for last; do :; done' 'echo "asked for $last"' 'exit 22'
    for name in deu-eng:deu eng-ita:ita ita:ita; do
        PATH=$PROGRAMS:$PATH leaves_nothing 1 "*asked for https://www.manythings.org/anki/${name#*:}-eng.zip*" "${name%:*}"
    done
    stand_in curl 'for last; do :; done' "[ \"\$last\" = https://d2l-data.s3-accelerate.amazonaws.com/fra-eng.zip ]" \
        'while [ "$1" != --output ]; do shift; done' "cp '$zip' \"\$2\""
    PATH=$PROGRAMS:$PATH leaves_nothing 1 "*is another version: its SHA-256 is*should be 0bb85dba*" --mirror
    stand_in curl 'while [ "$1" != --output ]; do shift; done' "head -c 100 '$zip' > \"\$2\"" 'exit 18'
    PATH=$PROGRAMS:$PATH leaves_nothing 1 "*error: cannot download https://www.manythings.org/anki/fra-eng.zip*"
    rm "$PROGRAMS/curl"
    stand_in wget 'for last; do :; done' 'for word; do' '    case $word in' \
        '    --output-document=*) cp "${last#file://}" "${word#*=}" ;;' '    esac' 'done'
    only unzip
    PATH=$PROGRAMS get_corpus --url "file://$zip"
    [ "$status" -eq 0 ]
    [ -s pairs/fra.txt ]
}

@test "a damaged zip file leaves the older pairs as they were" {
    get_corpus --from "$zip"
    before=$(ls -lA --time-style=full-iso pairs)
    head -c 200 "$zip" > damaged.zip
    get_corpus --from damaged.zip
    [ "$status" -eq 1 ]
    [[ $output == *"error: cannot unpack"* ]]
    [ "$(ls -lA --time-style=full-iso pairs)" = "$before" ]
}

@test "what is no corpus, a missing program and a wrong request are one error" {
    leaves_nothing 1 "*error: there is no deu.txt in $zip*" deu-eng --from "$zip"
    leaves_nothing 1 "*error: there are no pairs in fra.txt*" --from "${zip%/*}/no-pairs.zip"
    leaves_nothing 1 "*" --from none.zip
    for arguments in "--mirror deu-eng" "--mirror --from $zip" "--url" "--surely-not" "french"; do
        # shellcheck disable=SC2086  # several words
        leaves_nothing 2 "get-corpus: error: *" $arguments
    done
    only
    PATH=$PROGRAMS leaves_nothing 1 "*error: unzip is not installed*" --from "$zip"
    only unzip
    PATH=$PROGRAMS leaves_nothing 1 "*error: neither curl nor wget is installed*--from FILE*"
}
