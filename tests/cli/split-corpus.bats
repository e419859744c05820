# split-corpus.bats - scripts/split-corpus writes the parts that attn train and attn eval --part take.

setup_file()
{
    load helper
    export MODEL=$BATS_FILE_TMPDIR/model.safetensors
    learn_by_heart "$MODEL"
}

setup()
{
    load helper
    command -v python3 > /dev/null || skip "python3 is missing"
    cd "$BATS_TEST_TMPDIR" || return
    export MODEL=$BATS_FILE_TMPDIR/model.safetensors
}

# split_corpus ARGUMENT...
split_corpus()
{
    run "$ROOT/scripts/split-corpus" "$@"
}

# sentences COUNT - so many pairs; every third source has two targets, every ninth three.
sentences()
{
    awk -v count="$1" 'BEGIN {
        for (i = 0; i < count; i++) {
            print "sentence " i "\tphrase " i
            if (i % 3 == 0) print "sentence " i "\tautre phrase " i
            if (i % 9 == 0) print "sentence " i "\tencore une phrase " i
        }
    }'
}

# damaged - pairs with sources of the test part alone, among everything that a file can hold.
damaged()
{
    printf '\357\273\277sentence 156\tfirst of three\tfurther column\r\n'
    printf 'sentence 156\ttrailing blanks \302\240\343\200\200\r\n'
    printf 'no tab at all\n'
    printf '\tan empty source\n \342\200\250\tanother\nsentence 156\t\302\205\n'
    printf 'sentence 156\tinvalid \377\nsentence 156\toverlong \300\257\nsentence 156\tsurrogate \355\240\200\n'
    printf 'sentence 156\tbeyond \364\220\200\200\nsentence 156\tno character \357\277\276\n'
    printf 'sentence 156\t%s\n' "$(head -c 10000 /dev/zero | tr '\0' x)"
    printf 'sentence 156\t%s\n' "$(head -c 10001 /dev/zero | tr '\0' x)"
    printf '\n\r\nsentence 156\tlast, without an end'
}

# learn CORPUS [OPTION...] - a model of all its pairs, in no time.
learn()
{
    attn train --no-holdout --max-ratio 0 --skip-equal 0 --no-skip-duplicates --steps 1 --hidden 2 --embedding 2 "$@"
}

# segments CORPUS [OPTION...] - each segment's scores by the model: they depend on its source and all its references.
segments()
{
    attn eval -m "$MODEL" --quiet --beam 1 --sentence-level --metrics bleu,chrf --width 12 --json "$@" 2> /dev/null
}

@test "the parts have the sizes that training reports" {
    sentences 1000 > corpus.tsv
    split_corpus corpus.tsv parts
    [ "$status" -eq 0 ]
    told=$(attn train corpus.tsv --translations all --steps 1 --hidden 2 --embedding 2 -o toy.safetensors 2>&1 | sed -n '1s/[^0-9 ]//gp')
    read -r pairs train valid test <<< "$told"
    [ "$pairs" -gt 1400 ]
    [ "$(wc -l < parts/train.tsv) $(wc -l < parts/valid.tsv) $(wc -l < parts/test.tsv)" = "$train $valid $test" ]
    [ "${lines[2]}" = "parts/test.tsv: $test pairs, $(wc -l < parts/test.src) sources, at most 3 references" ]
    [ "$(sort corpus.tsv)" = "$(sort parts/*.tsv)" ]
}

@test "the parts held out are those of attn eval --part, with the same references in the same order" {
    sentences 2000 > corpus.tsv
    split_corpus corpus.tsv parts
    for part in valid test; do
        segments --part $part corpus.tsv > expected
        [ "$(wc -l < expected)" -gt 10 ]
        segments parts/$part.tsv | cmp expected
        attn translate -m "$MODEL" --beam 1 parts/$part.src > hypothesis
        attn eval --hyp hypothesis --missing-references --ref parts/$part.ref? --sentence-level --metrics bleu,chrf --width 12 --json |
            cmp expected
        segments --first-reference --part $part corpus.tsv > expected
        attn eval --hyp hypothesis --ref parts/$part.ref0 --sentence-level --metrics bleu,chrf --width 12 --json |
            cmp expected
    done
}

@test "a pair is as in the corpus, a source that has fewer references has an empty line" {
    printf '%s\n' $'sentence 156\tun \t x' $'sentence 36 \tblanc' > corpus.tsv
    printf '%s\n' $'sentence 156\tdeux' $'sentence 156\tun' >> corpus.tsv
    printf 'sentence %s\tseul \r\n' 36 302 >> corpus.tsv
    split_corpus corpus.tsv parts
    [ "$(cat parts/test.tsv)" = $'sentence 156\tun \nsentence 156\tdeux\nsentence 156\tun' ]
    [ "$(paste -d '|' parts/test.src parts/test.ref*)" = "sentence 156|un|deux|un" ]
    [ "$(paste -d '|' parts/valid.src parts/valid.ref*)" = "sentence 36 |blanc|seul" ]
    [ "$(cat parts/train.tsv)" = $'sentence 302\tseul ' ]
}

@test "pairs that attn skips are skipped, and reported in the same way" {
    damaged > corpus.tsv
    split_corpus corpus.tsv parts
    [ "$status" -eq 0 ]
    learn corpus.tsv -o toy.safetensors > log 2>&1
    [ "$(grep -F '(corpus.tsv:' log | sort)" = "$(printf '%s\n' "${lines[@]}" | grep -F '(corpus.tsv:' | sort)" ]
    [[ $output == *"           4  invalid UTF-8 (corpus.tsv:7, 8, 9, ...)"* ]]
    grep -q "^corpus  *$(wc -l < parts/test.tsv) pairs: " log
    learn parts/test.tsv -q -o same.safetensors
    [ "$(attn info --json same.safetensors | jq .training.corpus_hash)" = \
        "$(attn info --json toy.safetensors | jq .training.corpus_hash)" ]
}

@test "a longer side is taken where --max-bytes allows it" {
    damaged > corpus.tsv
    split_corpus --max-bytes 10001 corpus.tsv parts
    [[ $output != *"too long"* ]]
    [ "$(wc -l < parts/test.tsv)" -eq 6 ]
}

@test "a byte-order mark inside the corpus stays part of its source" {
    seq 400 | sed $'s/.*/\xef\xbb\xbfsentence &\tx/' > corpus.tsv
    split_corpus corpus.tsv parts
    attn train corpus.tsv --steps 1 --hidden 2 --embedding 2 -o toy.safetensors 2>&1 |
        grep -F "$(wc -l < parts/test.tsv) held out"
    for part in valid test; do
        [ -s parts/$part.tsv ]
        split_corpus parts/$part.tsv again --force
        cmp parts/$part.tsv again/$part.tsv
    done
}

# spellings - sources with every character that Unicode 3.2 has (so any library knows it), but for ideographs and
# syllables, of which a few represent all. They are of the test part where the character is a blank, where it is left
# out, becomes "_", or composes to an accent; the last ones wherever marks change places.
spellings()
{
    python3 - << 'END'
import unicodedata
ucd = unicodedata.ucd_3_2_0
for point in range(1, 0x110000):
    character = chr(point)
    kind = ucd.category(character)
    if kind in ("Cn", "Cs", "Co") or character in "\t\n" or kind == "Lo" and point > 0x3400 and point % 500:
        continue
    target = unicodedata.name(character, f"control {point}").lower()
    for source in "sentence{}156", "sentence {}156", "sentence{}185", "sentence{}302", "sentence{} 78":
        print(f"{source.format(character)}\t{target}")
    print(f"sen\u0307{character}\u0323ten\U0001f3f4{character}\u200b\U000e0067ce e\u0301\t{target} again")
END
}

@test "every spelling of a source is in the part that attn takes it for" {
    spellings > corpus.tsv
    split_corpus corpus.tsv parts
    [ "$status" -eq 0 ]
    [ "$(grep -c '^sentence' parts/test.tsv)" -gt 150 ]         # blanks, controls, invisible characters, tags
    [ "$(grep -c '^sentence' parts/test.src)" -lt "$(grep -c '^sentence' parts/test.tsv)" ]
    # sources that look alike when they are folded are not learned beside one that is held out
    told=$(attn train corpus.tsv --translations all --max-length 1000 --steps 1 --hidden 2 --embedding 2 \
        -o toy.safetensors 2>&1 | sed -n '/^corpus/s/[^0-9 ]//gp; /left out whose source/s/[^0-9]//gp')
    read -r -d '' _ train valid test alike <<< "$told" || true
    train=$((train + alike))
    [ "$(wc -l < parts/train.tsv) $(wc -l < parts/valid.tsv) $(wc -l < parts/test.tsv)" = "$train $valid $test" ]
    for part in valid test; do
        segments --part $part corpus.tsv > expected
        [ "$(wc -l < expected)" -eq "$(wc -l < parts/$part.src)" ]
        segments parts/$part.tsv | cmp expected
    done
    cat parts/*.tsv | sort | cmp - <(sort corpus.tsv)
}

@test "a corpus in another form has the same parts" {
    sentences 300 | sed 's/phrase/"&"/' > corpus.tsv
    split_corpus corpus.tsv parts
    grep -q '"phrase"' parts/test.ref0
    gzip --keep corpus.tsv
    tr '\n' '\r' < corpus.tsv > returns.tsv
    awk -F '\t' '{ print NR "\t" $1 "\t" NR "\t" $2 }' corpus.tsv > numbered.tsv
    for form in "corpus.tsv.gz again" "- again < corpus.tsv" "- again < corpus.tsv.gz" "returns.tsv again" \
        "--columns 2,4 numbered.tsv again"; do
        rm -rf again
        eval "'$ROOT/scripts/split-corpus' $form" > said 2>&1
        diff -r parts again
    done
}

@test "columns that are not there, and two ends of lines" {
    sentences 300 > corpus.tsv
    split_corpus --columns 1,3 corpus.tsv none
    [[ $output == *"        434  fewer columns than --columns asks for (corpus.tsv:1, 2, 3, ...)"* ]]
    split_corpus --columns 0,4 corpus.tsv none
    [[ $output == *"'0,4' is not two numbers of columns, such as 2,4" ]]
    printf 'a\tb\rc\td\ne\tf' > mixed.tsv
    split_corpus mixed.tsv mixed
    [ "$(cat mixed/*.tsv)" = $'a\tb\rc\ne\tf' ]
}

@test "a corpus too small for all parts leaves empty files" {
    split_corpus "$PAIRS" parts
    [ "$status" -eq 0 ]
    [ "$(cd parts && wc -l -- * | awk '$1 { print $2, $1 }')" = "$(printf 'train.tsv 14\ntotal 14')" ]
    [ "$(ls parts | tr '\n' ' ')" = "test.ref0 test.src test.tsv train.tsv valid.ref0 valid.src valid.tsv " ]
}

@test "more references than files are reported, not lost" {
    for n in $(seq 101); do printf 'sentence 156\tnumber %d\n' "$n"; done > corpus.tsv
    split_corpus corpus.tsv parts
    [ "$(cat parts/test.ref99)" = "number 100" ]
    [ ! -e parts/test.ref100 ]
    [[ ${lines[0]} == *"warning: a source of test.src has 101 references: test.ref* hold the first 100, test.tsv all" ]]
    [ "$(wc -l < parts/test.tsv)" -eq 101 ]
}

@test "nothing is overwritten without --force, and nothing of an earlier run stays with it" {
    sentences 300 > corpus.tsv
    split_corpus corpus.tsv parts
    echo mine > parts/test.hyp
    before=$(ls -l --time-style=full-iso parts)
    split_corpus corpus.tsv parts
    [ "$status" -eq 1 ]
    [ "$output" = "split-corpus: error: parts/test.ref0 is there already: --force replaces it, or name another folder" ]
    [ "$(ls -l --time-style=full-iso parts)" = "$before" ]
    split_corpus --force "$PAIRS" parts
    [ "$status" -eq 0 ]
    [ "$(ls parts | tr '\n' ' ')" = "test.hyp test.ref0 test.src test.tsv train.tsv valid.ref0 valid.src valid.tsv " ]
    cmp parts/train.tsv "$PAIRS"
}

@test "the corpus itself is never replaced" {
    mkdir parts
    cp "$PAIRS" parts/train.tsv
    ln -s parts/train.tsv link
    for name in parts/train.tsv link; do
        split_corpus --force $name parts
        [ "$status" -eq 1 ]
        [[ $output == *"error: parts/train.tsv is the corpus itself"* ]]
        cmp parts/train.tsv "$PAIRS"
    done
}

# leaves_nothing MESSAGE CORPUS - status 1, that error, and no folder.
leaves_nothing()
{
    split_corpus "$2" parts
    [ "$status" -eq 1 ]
    [ "${lines[-1]}" = "split-corpus: error: $1" ]
    [ ! -e parts ]
}

@test "what is no corpus is one clear error and leaves nothing" {
    leaves_nothing "nowhere.tsv: No such file or directory" nowhere.tsv
    leaves_nothing ".: Is a directory" .
    : > empty
    leaves_nothing "empty: there is no sentence pair in it: source, tab, target are needed in a line" empty
    echo text > words
    leaves_nothing "words: there is no sentence pair in it: source, tab, target are needed in a line" words
    printf 'a\tb\nc\0\td\n' > binary
    leaves_nothing "binary:2: a NUL byte: this is not a text file" binary
    { printf 'a\t'; head -c 16777215 /dev/zero | tr '\0' x; } > long
    leaves_nothing "long:1: a line of more than 16 MiB: is this a text?" long
    cp "$PAIRS" plain.gz
    leaves_nothing "plain.gz: Not a gzipped file (b'I ')" plain.gz
    sentences 1000 | gzip | head -c 3000 > cut.gz
    leaves_nothing "cut.gz: Compressed file ended before the end-of-stream marker was reached" cut.gz
    iconv -f UTF-8 -t UTF-16 "$PAIRS" > wide
    leaves_nothing "wide: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it" wide
    touch file
    split_corpus "$PAIRS" file
    [ "$status" -eq 1 ]
    [ "$output" = "split-corpus: error: file is a file: a folder is needed" ]
}

@test "a file that cannot be written is an error, and the files of before stay" {
    split_corpus "$PAIRS" parts
    sentences 2000 > corpus.tsv
    run bash -c "ulimit -f 4; '$ROOT/scripts/split-corpus' --force corpus.tsv parts"
    [ "$status" -eq 1 ]
    [ "$output" = "split-corpus: error: parts/train.tsv: File too large" ]
    cmp parts/train.tsv "$PAIRS"
    [ "$(ls -A parts | wc -l)" -eq 7 ]
}

@test "an interrupted run leaves nothing" {
    mkfifo slow
    exec 4<> slow               # both ways, so that opening it waits for nobody
    "$ROOT/scripts/split-corpus" slow parts 3>&- 4>&- &
    sentences 100 >&4
    await $! test -d parts
    kill $!
    wait $! || status=$?
    exec 4>&-
    [ "$status" -eq 143 ]
    [ ! -e parts ]
}

@test "the help shows how to use the files, and the error for a wrong request names it" {
    split_corpus --help
    [ "$status" -eq 0 ]
    [[ $output == *"attn eval --hyp test.hyp --missing-references --ref test.ref*"* ]]
    for arguments in "" "one" "one two three" "--surely-not one two" "--max-bytes many one two"; do
        # shellcheck disable=SC2086  # several words
        split_corpus $arguments
        [ "$status" -eq 2 ]
        [[ $output == "usage: split-corpus "*"error: "* ]]
    done
}
