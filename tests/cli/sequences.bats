# sequences.bats - corpora of sequences that are no sentences: spellings and sounds, numbers and their words.

load helper

# spell COUNT - so many words of letters, and each with its letters apart and doubled vowels.
spell() {
    awk -v count="$1" 'BEGIN {
        for (i = 1; i <= count; i++) {
            word = sounds = ""
            for (rest = i * 7919; rest; rest = int(rest / 9)) {
                letter = substr("abdeikostu", rest % 9 + 1, 1)
                word = word letter
                sounds = sounds (sounds == "" ? "" : " ") letter (letter ~ /[aeiou]/ ? ":" : "")
            }
            print word "\t" sounds
        }
    }'
}

# tensors MODEL - the bytes behind the header of the file, which has the command line.
tensors() {
    python3 -c 'import struct, sys
data = open(sys.argv[1], "rb").read()
sys.stdout.buffer.write(data[8 + struct.unpack("<Q", data[:8])[0]:])' "$1"
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    spell 2000 > sounds.tsv
    learner train sounds.tsv "${small[@]}" -o sounds.safetensors --log log --threads 1 --steps 400 2> report
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

small=(--hidden 32 --embedding 32 --batch 32 --learning-rate 0.01 --dropout 0 --dropout-embedding 0 --r-drop 0 --ensemble 1
    --validate-every 200 --precision float --quiet)

@test "a corpus of spellings and sounds is recognised, told in one line, and learned with no option" {
    attn train sounds.tsv --dry-run 2>&1 > /dev/null | grep -x 'content     sequences that are no sentences: .*'
    attn info --json sounds.safetensors > info
    jq -e '.text.tokens == "symbol" and .text.truecase == false and .text.placeholders == false' info
    jq -e '.training.recipe | .noise == 0 and .phrases == 0 and .["copy-words"] == 0' info
    jq -e '.training.valid_exact > 90' info
    [ "$(echo badest | attn translate -m sounds.safetensors)" = "b a: d e: s t" ]
}

@test "the log and the report have the share of exact matches" {
    jq -se '[.[] | select(.valid_loss)] | length == 2 and all(.exact >= 0) and .[-1].exact > 90' log
    attn train sounds.tsv "${small[@]}" --no-quiet --steps 200 -o shown.safetensors 2>&1 | grep -E 'valid loss .*  exact [0-9.]+ %'
}

@test "the options alone give the same model" {
    attn train sounds.tsv "${small[@]}" -o auto.safetensors --threads 1 --steps 5 2> /dev/null
    attn train sounds.tsv "${small[@]}" -o named.safetensors --threads 1 --steps 5 --tokens symbol --noise 0 --phrases 0 \
        --copy-words 0 --no-truecase --no-placeholders --max-ratio 0 --skip-equal 0 2> report
    tensors auto.safetensors > auto
    tensors named.safetensors > named
    cmp auto named
}

@test "another kind of token can be asked for, and sentences are no sequences" {
    attn train sounds.tsv --dump-config --tokens bpe | jq -e '.text.tokens == "bpe" and .training.noise == 0.1'
    attn train "$PAIRS" --dump-config | jq -e '.text.tokens == "bpe"'
    attn train "$ROOT/data/eng-fra.train.tsv" --dump-config | jq -e '.text.tokens == "bpe" and .corpus["max-ratio"] == 4'
}

@test "what is for sentences is refused with symbols" {
    for option in truecase placeholders; do
        refuses "--$option is for sentences, and not with --tokens symbol; leave it out, or choose --tokens bpe" \
            attn train sounds.tsv --tokens symbol --$option
    done
    fails "--truecase is for sentences, and not with --tokens symbol; leave it out, or choose --tokens bpe" \
        attn train sounds.tsv --truecase -o none.safetensors
    [ ! -e none.safetensors ]
}

@test "pairs of equal sides are learned, and pairs of very different lengths" {
    { spell 2000; for i in {1..50}; do echo "a b c d $i	a b c d $i"; done
      echo "q	$(printf 'q %.0s' {1..70})"; } > odd.tsv
    attn train odd.tsv --dry-run --no-holdout | jq -e '.pairs == 2051'
    attn train odd.tsv --dry-run --no-holdout --tokens bpe | jq -e '.pairs == 2000'
}

@test "a line of digits, one with full stops, one of marks and a long one are each translated as a whole" {
    awk 'BEGIN { for (i = 1; i <= 3000; i++) { s = i * 331; t = ""; n = length(s)
        for (k = n; k > 0; k--) t = t substr(s, k, 1); print s "\t" t "." s } }' > turned.tsv
    attn train turned.tsv "${small[@]}" -o turned.safetensors --threads 1 --steps 5 2> /dev/null
    for line in 12345 '1. 2. 3.' '-- . ...' "$(printf '1234567%.0s' {1..9})"; do
        attn translate -m turned.safetensors --json <<< "$line" | jq -e '(.stretches | length == 1) and .translation != .source'
    done
}
