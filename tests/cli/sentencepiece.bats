#!/usr/bin/env bats
# sentencepiece.bats - attn train --vocabulary-file, and what its models do: the tokens are the pieces of a SentencePiece model.

load helper

SPM=$ROOT/tests/data/sentencepiece
small=(--no-holdout --hidden 32 --embedding 32 --batch 14 --steps 150 --learning-rate 0.01 --dropout 0 --dropout-embedding 0
    --patience 0 --seed 1 --threads 1 --both-directions 0 --decoder bahdanau --precision float --quiet)

setup_file() {
    learner train "$PAIRS" "${small[@]}" --vocabulary-file "$SPM/bytes.spm" -o "$BATS_FILE_TMPDIR/bytes"
    learner train "$PAIRS" "${small[@]}" --steps 5 --vocabulary-file "$SPM/unigram.spm,$SPM/bytes.spm" -o "$BATS_FILE_TMPDIR/two"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    BYTES=$BATS_FILE_TMPDIR/bytes TWO=$BATS_FILE_TMPDIR/two
}

# header MODEL FIELD - of the metadata of its file.
header() {
    python3 -c 'import json, struct, sys
data = open(sys.argv[1], "rb").read()
print(json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])["__metadata__"][sys.argv[2]])' "$1" "$2"
}

@test "a model learns with the pieces of a file, and translates" {
    sources | attn translate -m "$BYTES" | diff - <(targets)
    attn info --json "$BYTES" | jq -e '.text | .tokens == "sentencepiece" and .["shared-vocabulary"] and ((.truecase or .placeholders) | not)'
    attn info --json "$BYTES" | jq -e '.training.recipe | .noise == 0 and .phrases == 0 and .["copy-words"] == 0'
    [ "$(header "$BYTES" format_version)" = 4 ]
}

@test "the network reads the pieces that SentencePiece finds, of the whole line" {
    awk -F '\t' '$1 == "bytes" && $3 != "" { print $2 > "lines"; print $3 > "pieces" }' "$SPM/cases.tsv"
    attn translate -m "$BYTES" --no-split --json lines | jq -r '.source_tokens[:-1] | join(" ")' | diff - pieces
}

@test "blanks before a line stay, and marks and tags are read as text" {
    attn translate -m "$BYTES" <<< $'  I am calm.\n\n \t\nI am calm.' > out
    printf '  %s\n\n\n%s\n' "$(sed -n 1p out | sed 's/^  //')" "$(sed -n 4p out)" | diff - out
    attn translate -m "$BYTES" --json <<< '- <b>a</b> 5' | jq -r '.source_tokens[:-1] | join(" ")' > tokens
    [ "$(cat tokens)" = '▁ <0x2D> ▁ <0x3C> b <0x3E> a <0x3C> <0x2F> b <0x3E> ▁ <0x35>' ]
}

@test "a long line is cut at the ends of sentences, and put together again" {
    sources | head -n 6 | paste -sd ' ' > line
    targets | head -n 6 | paste -sd ' ' > translation
    attn translate -m "$BYTES" line | diff - translation
}

@test "two files are those of the source and of the target" {
    attn info --json "$TWO" | jq -e '.source_vocabulary == 26 and .target_vocabulary == 321 and (.text["shared-vocabulary"] | not)'
    attn translate -m "$TWO" --json <<< 'abc' | jq -c .source_tokens > tokens
    [ "$(cat tokens)" = '["▁abc","<eos>"]' ]
}

@test "a model goes on with its pieces, and in 8 bits it has them" {
    attn train "$PAIRS" "${small[@]}" --init "$BYTES" --steps 1 --learning-rate 1e-9 -o next
    sources | attn translate -m next | diff - <(targets)
    attn convert "$BYTES" --precision int8 -o short
    sources | attn translate -m short | diff - <(targets)
}

@test "a run that was stopped reads the file again" {
    "$ATTN" train "$PAIRS" "${small[@]}" --steps 1000000 --epochs 1000000 --save-every 0.1s --vocabulary-file "$SPM/bytes.spm" -o again &
    local run=$!
    await $run test -s again.state
    kill -TERM $run
    wait $run || true
    run -1 attn train --resume -o again --steps 1
    [[ $output =~ "all steps are done, at step "([0-9]+) ]]
    attn train --resume -o again --steps $((BASH_REMATCH[1] + 10))
    attn translate -m again --json <<< 'the ring' | jq -c .source_tokens > tokens
    [ "$(cat tokens)" = '["▁the","▁","r","ing","<eos>"]' ]
}

@test "pieces and weights of two models agree, or are refused" {
    sources | attn translate -m "$BYTES" -m "$BYTES" --precision float | diff - <(targets)
    run -1 attn translate -m "$BYTES" -m "$TWO" < "$PAIRS"
    [[ $output == *"their source vocabularies differ"* ]]
}

@test "words between blanks are tokens" {
    learner train "$PAIRS" "${small[@]}" --steps 5 --tokens whitespace -o words
    attn translate -m words --json <<< $'I am\tcalm. <b> ' | jq -c .source_tokens > tokens
    [ "$(cat tokens)" = '["I","am","calm.","<unk>","<eos>"]' ]
    attn info --json words | jq -e '.text | .tokens == "whitespace" and ((.truecase or .placeholders) | not)'
}

# refused MESSAGE OPTION... - attn train refuses these, with the message.
refused() {
    run attn train "$PAIRS" "${small[@]}" -o none "${@:2}"
    [ "$status" != 0 ]
    [[ $output == *"$1"* ]] || { echo "$output"; false; }
    [ ! -e none ]
}

@test "what does not fit is refused with what to do" {
    echo 'no model' > text
    head -c 300 "$SPM/bytes.spm" > cut
    refused "nothing: cannot be opened" --vocabulary-file nothing
    refused "text: it is cut short, or no SentencePiece model; --vocabulary-file is for the .spm" --vocabulary-file text
    refused "cut: it " --vocabulary-file cut
    refused "leave out --tokens" --vocabulary-file "$SPM/bytes.spm" --tokens bpe
    refused "--tokens sentencepiece needs the file" --tokens sentencepiece
    refused "--lowercase is for words" --vocabulary-file "$SPM/bytes.spm" --lowercase
    refused "--placeholders is for words" --tokens whitespace --placeholders
    refused "--noise is for words" --vocabulary-file "$SPM/bytes.spm" --noise 0.1
    refused "is for one --vocabulary-file" --vocabulary-file "$SPM/bytes.spm,$SPM/bpe.spm" --shared-vocabulary
    refused "a model keeps its vocabulary" --vocabulary-file "$SPM/bytes.spm" --init "$BYTES"
    refused "it cannot be written too" --vocabulary-file "$SPM/bytes.spm" -o "$SPM/bytes.spm" --force
}

@test "a language is asked for where the model knows several" {
    attn info --json "$BYTES" | jq -e '.target_languages == "fra deu"'
    for to in fr fra; do
        attn translate -m "$BYTES" --to $to --json <<< $'the a.  A\n>>deu<< a' | jq -c .source_tokens > tokens
        diff - tokens <<'TOKENS'
[">>fra<<","▁the","▁a",".","▁","A","<eos>"]
[">>deu<<","▁a","<eos>"]
TOKENS
    done
    attn translate -m "$BYTES" --score --json <<< $'>>deu<< a\tb' | jq -e '.source_tokens == [">>deu<<", "▁a", "<eos>"]'
    run -1 attn translate -m "$BYTES" --to it < "$PAIRS"
    [[ $output == *"--to it: $BYTES translates into: fra deu" ]]
    run -0 --separate-stderr attn translate -m "$BYTES" <<< $'\n>>deu<< a\na\na'
    [ "$(grep several <<< "$stderr")" = "attn: warning: standard input:3: the model translates into several languages, and chooses one itself; --to asks for one of: fra deu" ]
    run -1 attn translate -m "$TWO" --to fra < "$PAIRS"
    [[ $output == *"translates into one language; leave it out"* ]]
}
