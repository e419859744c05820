# split-corpus.bats - scripts/split-corpus writes the parts that attn train and attn eval --part take.

load helper

setup() {
    command -v python3 > /dev/null || skip "python3 is missing"
    cd "$BATS_TEST_TMPDIR" || return
}

# split_corpus ARGUMENT...
split_corpus() {
    run "$ROOT/scripts/split-corpus" "$@"
}

# sentences COUNT - so many pairs; every third source has two targets, every ninth three.
sentences() {
    awk -v count="$1" 'BEGIN {
        for (i = 0; i < count; i++) {
            print "sentence " i "\tphrase " i
            if (i % 3 == 0) print "sentence " i "\tautre phrase " i
            if (i % 9 == 0) print "sentence " i "\tencore une phrase " i
        }
    }'
}

# spellings - sources with every character that Unicode 3.2 has (so any library knows it), but for ideographs and
# syllables, of which a few represent all. They are of the test part where the character is a blank, where it is left
# out, becomes "_", or composes to an accent; the last ones wherever marks change places.
spellings() {
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

# damaged - pairs with a source of the test part, among lines that attn skips.
damaged() {
    printf '\357\273\277sentence 156\tfirst of three\tfurther column\r\n'
    printf 'sentence 156\ttrailing blanks \302\240\343\200\200\r\n'
    printf 'no tab at all\n'
    printf '\tan empty source\n \342\200\250\tanother\nsentence 156\t\302\205\n'
    printf 'sentence 156\tinvalid \377\nsentence 156\toverlong \300\257\nsentence 156\tsurrogate \355\240\200\n'
    printf 'sentence 156\tbeyond \364\220\200\200\nsentence 156\tno character \357\277\276\n'
    for length in 10000 10001; do printf 'sentence 156\t%s\n' "$(head -c $length /dev/zero | tr '\0' x)"; done
    printf '\n\r\nsentence 156\tlast, without an end'
}

# trained CORPUS - how many pairs attn has in it, and in its training, validation and test part.
trained() {
    attn train "$1" --translations all --max-length 1000 --steps 1 --hidden 2 --embedding 2 -o toy --force 2>&1 |
        sed -n '/^corpus/s/[^0-9 ]//gp; /left out whose source/s/[^0-9]//gp'
}

# segments ARGUMENT... - each segment's scores by a model: they depend on its source and all its references.
segments() {
    attn eval -m "$BATS_TEST_TMPDIR/model" --quiet --beam 1 --sentence-level --metrics bleu,chrf --width 12 --json "$@" 2> /dev/null
}

@test "every spelling of a source is in the part that attn takes it for" {
    learn_by_heart model
    spellings > corpus
    split_corpus corpus parts
    [ "$status" -eq 0 ]
    [ "$(grep -c '^sentence' parts/test.tsv)" -gt 150 ]         # blanks, controls, invisible characters, tags
    [ "$(grep -c '^sentence' parts/test.src)" -lt "$(grep -c '^sentence' parts/test.tsv)" ]
    # sources that look alike when they are folded are not learned beside one that is held out
    read -r -d '' _ train valid test alike <<< "$(trained corpus)" || true
    [ "$(wc -l < parts/train.tsv) $(wc -l < parts/valid.tsv) $(wc -l < parts/test.tsv)" = "$((train + alike)) $valid $test" ]
    cat parts/*.tsv | sort | cmp - <(sort corpus)
    for part in valid test; do
        segments --part $part corpus > expected
        [ "$(wc -l < expected)" -eq "$(wc -l < parts/$part.src)" ]
        segments parts/$part.tsv | cmp expected
    done
}

@test "the references are those of attn eval --part, in the same order" {
    learn_by_heart model
    sentences 2000 > corpus
    split_corpus corpus parts
    for part in valid test; do
        segments --part $part corpus > expected
        [ "$(wc -l < expected)" -gt 10 ]
        attn translate -m model --beam 1 parts/$part.src > hypothesis
        attn eval --hyp hypothesis --missing-references --ref parts/$part.ref? --sentence-level --metrics bleu,chrf --width 12 \
            --json | cmp expected
    done
}

@test "a pair is as in the corpus, a source that has fewer references has an empty line, and other forms have the same parts" {
    printf '%s\n' $'sentence 156\tun \t x' $'sentence 36 \t"blanc"' $'sentence 156\tdeux' $'sentence 156\tun' > corpus
    printf 'sentence %s\tseul \r\n' 36 302 >> corpus
    split_corpus corpus parts
    [ "${lines[2]}" = "parts/test.tsv: 3 pairs" ]
    [ "$(cat parts/test.tsv)" = $'sentence 156\tun \nsentence 156\tdeux\nsentence 156\tun' ]
    [ "$(paste -d '|' parts/test.src parts/test.ref*)" = "sentence 156|un|deux|un" ]
    [ "$(paste -d '|' parts/valid.src parts/valid.ref*)" = 'sentence 36 |"blanc"|seul' ]
    [ "$(cat parts/train.tsv)" = $'sentence 302\tseul ' ]
    gzip -k corpus
    "$ROOT/scripts/split-corpus" corpus.gz packed
    "$ROOT/scripts/split-corpus" - piped < corpus
    for form in packed piped; do diff -r parts $form; done
}

@test "lines that attn skips are skipped, and counted" {
    damaged > corpus
    split_corpus corpus parts
    [ "$status" -eq 0 ]
    attn train corpus --no-holdout --max-ratio 0 --skip-equal 0 --no-skip-duplicates --steps 1 --hidden 2 --embedding 2 \
        -o toy > log 2>&1
    sed -nE 's/^ +([0-9]+)  (.*) \(corpus:.*/\1 lines were left out: \2/p' log | sort > expected
    [ "$(wc -l < expected)" -eq 4 ]
    printf '%s\n' "${lines[@]}" | sed -n 's/^split-corpus: warning: //p' | sort | diff - expected
    grep -q "^corpus  *$(wc -l < parts/test.tsv) pairs: " log
}

@test "nothing is replaced without --force, and nothing of an earlier run or of a failed one stays" {
    sentences 300 > corpus
    split_corpus corpus parts
    echo mine > parts/test.hyp
    split_corpus "$PAIRS" parts
    [ "$status" -eq 1 ]
    [ "$output" = "split-corpus: error: parts/test.ref0 is there already: --force replaces it, or name another folder" ]
    ln -s parts/train.tsv link
    split_corpus --force link parts
    [ "$status" -eq 1 ]
    [ "$output" = "split-corpus: error: link would be replaced: name another folder" ]
    split_corpus --force "$PAIRS" parts
    [ "$(ls parts | xargs)" = "test.hyp test.src test.tsv train.tsv valid.src valid.tsv" ]
    cmp parts/train.tsv "$PAIRS"
    : > empty
    sentences 1000 | gzip | head -c 3000 > cut.gz
    for case in "empty:there is no sentence pair in it: source, tab, target are needed in a line" \
        "nowhere:[Errno 2] No such file or directory: 'nowhere'" \
        "cut.gz:Compressed file ended before the end-of-stream marker was reached"; do
        split_corpus "${case%%:*}" none
        [ "$status" -eq 1 ]
        [ "$output" = "split-corpus: error: ${case%%:*}: ${case#*:}" ]
        [ ! -e none ]
    done
}
