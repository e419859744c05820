# corpus.bats - the corpus in data/ is what its generator writes, and it and the phrasebook are as their README describes.

bats_require_minimum_version 1.5.0
export LC_ALL=C.UTF-8

train=data/eng-fra.train.tsv
test=data/eng-fra.test.tsv
phrasebook=data/phrasebook.tsv

setup()
{
    cd "$BATS_TEST_DIRNAME/../.." || return
}

# words COLUMN FILE - the words of each line, each once a line, in order.
words()
{
    cut -f "$1" "$2" | grep -noP "[\p{L}\p{N}'-]+" | sed 's/./\L&/g' | sort -u | cut -d : -f 2 | sort
}

@test "the generator writes the files of data again, byte for byte" {
    command -v python3 > /dev/null || skip "python3 is missing"
    scripts/make-corpus "$BATS_TEST_TMPDIR"
    cmp "$BATS_TEST_TMPDIR/eng-fra.train.tsv" $train
    cmp "$BATS_TEST_TMPDIR/eng-fra.test.tsv" $test
}

@test "there are 5,700 pairs to learn from and 300 held out" {
    [ "$(wc -l < $train)" -eq 5700 ]
    [ "$(wc -l < $test)" -eq 300 ]
    grep -qF '5,700 pairs' data/README.md
    grep -qF '300 pairs' data/README.md
}

@test "every line is a source, one tab and a target, without blanks around them" {
    side='[^\t ]([^\t]*[^\t ])?'
    run -1 grep -nvP "^$side\t$side\$" $train $test
    run -1 grep -nvP "^$side\t$side(\t(eng-fra|fra-eng))?\$" $phrasebook
}

@test "the files are valid UTF-8 in normal form C" {
    iconv -f UTF-8 -t UTF-8 $train $test $phrasebook > /dev/null
    run -1 grep -nP '\p{M}' $train $test $phrasebook
}

@test "no source and no pair occurs twice, and no held-out source is in the training file" {
    [ -z "$(cut -f 1 $train $test | sort | uniq -d)" ]
}

@test "no held-out translation is in the training file" {
    [ -z "$(comm -12 <(cut -f 2 $train | sort -u) <(cut -f 2 $test | sort -u))" ]
}

@test "every held-out word is in eight or more training sentences" {
    for side in 1 2; do
        words $side $train | uniq -c | awk '$1 >= 8 { print $2 }' | sort > "$BATS_TEST_TMPDIR/known"
        [ -s "$BATS_TEST_TMPDIR/known" ]
        [ -z "$(words $side $test | sort -u | comm -23 - "$BATS_TEST_TMPDIR/known")" ]
    done
}

@test "no pair of the phrasebook occurs twice, and its README counts them" {
    [ -z "$(sort $phrasebook | uniq -d)" ]
    grep -qF "$(wc -l < $phrasebook | sed 's/...$/,&/') English–French pairs" data/README.md
}

@test "French has a narrow blank before ? and ! and no full blank" {
    run -1 grep -nP '\t.*[^\x{202F}][?!]' $train $test
    run -1 grep -nP '^[^\t]*\x{202F}' $train $test
}
