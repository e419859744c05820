# text.sh - cleaning, learning and encoding text, beside sentencepiece; for scripts/bench.

# our_text - sets learn, the seconds for reading and cleaning the corpus and learning both vocabularies; encode, those
# for making ids of all pairs; unknown, the share of the test part's tokens that are.
our_text() {
    rm -f "$folder/learn" "$folder/encode"
    for run in $(seq "$runs"); do
        "$attn" train --dry-run --quiet --vocabulary 8000 --no-shared-vocabulary "$corpus" > "$folder/text"
        values '[rl]e[a-z]*_seconds' < "$folder/text" | awk '{ sum += $1 } END { print sum }' >> "$folder/learn"
        values encode_seconds < "$folder/text" >> "$folder/encode"
    done
    learn=$(median < "$folder/learn")
    encode=$(median < "$folder/encode")
    unknown=$(values unknown_tokens_test < "$folder/text")
}

has_sentencepiece() { command -v spm_train && command -v spm_encode && command -v python3; } > /dev/null

spm_learn() {
    for side in source target; do
        spm_train --input="$folder/parts/train.$side" --model_prefix="$folder/parts/$side" --model_type=bpe \
            --vocab_size=8000 --hard_vocab_limit=false --character_coverage=1 --num_threads="$cores" --minloglevel=2
    done
}

# spm_encode_part PART - its ids, both sides.
spm_encode_part() {
    for side in source target; do
        spm_encode --model="$folder/parts/$side.model" --output_format=id < "$folder/parts/$1.$side"
    done
}

# their_text - sets spm_learn, spm_encode and spm_unknown: the same of the same pairs by sentencepiece, whose learning
# reads and cleans the text as well. Once: it takes ten seconds.
their_text() {
    spm_learn='' spm_encode='' spm_unknown=''
    has_sentencepiece || return 0
    scripts/split-corpus "$corpus" "$folder/parts" 2> "$folder/messages"
    for part in train test; do
        cut -f 1 "$folder/parts/$part.tsv" > "$folder/parts/$part.source"
        cut -f 2 "$folder/parts/$part.tsv" > "$folder/parts/$part.target"
    done
    spm_learn=$(seconds spm_learn)
    spm_encode=$(seconds spm_encode_part train)
    spm_unknown=$(spm_encode_part test | tr ' ' '\n' | awk '{ n += $1 == 0 } END { print n / NR }')
}

# text_row NAME OURS OTHER GOAL - seconds; OTHER may be empty.
text_row() {
    row "$1" "$(printf %.2f "$2")" "${3:+$(printf %.2f "$3")}" "$(ratio "${3:-0}" "$2")"
}

text_table() {
    our_text
    their_text
    heading "text: train --dry-run --vocabulary 8000 --no-shared-vocabulary" sentencepiece
    text_row "read, clean and learn, s" "$learn" "$spm_learn"
    text_row "encode, s" "$encode" "$spm_encode"
    row "share of unknown tokens in the test part" "$unknown" "$spm_unknown"
}
