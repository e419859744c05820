#!/usr/bin/env bats
# train.bats - a corpus in, a model file out; every failure is one clear message and leaves nothing behind.

load helper
load training

hash_of() {
    attn info --json "$1" | jq -r .training.corpus_hash
}

# weights_of MODEL - the bytes behind the header; the first 8 bytes of the file are its length.
weights_of() {
    tail -c +$((9 + $(od -An -t u8 -N 8 "$1"))) "$1"
}

# ---- What it writes ----

@test "the models of all commands are one file, and its folder is made" {
    run -0 --separate-stderr learn --steps 2
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = "corpus      14 pairs: 14 to train, 0 to validate, 0 held out for tests" ]
    [[ ${stderr_lines[1]} =~ ^"vocabulary  "[0-9]+" source and "[0-9]+" target entries (bpe, shared)"$ ]]
    [[ ${stderr_lines[2]} =~ ^"            read in "[0-9.]+" s, learned in "[0-9.]+" s, encoded in "[0-9.]+" s"$ ]]
    [[ ${stderr_lines[3]} =~ ^"memory      "[0-9,]+" MB for weights, moments and gradients, "[0-9,]+" MB for the \
largest batches"$ ]]
    [[ ${stderr_lines[4]} =~ ^"network     "[0-9,]+" parameters; 1 worker; "[A-Za-z0-9_\'\ -]+" kernels"$ ]]
    [ "${stderr_lines[5]}" = "all steps are done after 2 steps, 0 s" ]
    [[ ${stderr_lines[6]} == "models/attn.safetensors: the weights of the last step;"* ]]
    echo "Thank you." | attn translate --beam 1
    holds models
    [ "$(ls -A models)" = attn.safetensors ]
}

@test "ATTN_MODEL and --output name another file" {
    export ATTN_MODEL=named
    learn --quiet --steps 2
    holds named
    learn --quiet --steps 2 -o given
    learn --quiet --steps 2 --output=models/other
    holds given models named
    holds given models named
    attn info models/other
}

@test "--quiet prints nothing, --verbose every tensor" {
    run -0 learn --quiet --steps 2 -o model
    [ -z "$output" ]
    run -0 --separate-stderr learn --verbose --steps 2 -o model
    [ -z "$output" ]
    [[ $stderr =~ "attention.score.weight"\ +"1 x 12" ]]
    [[ $stderr =~ "encoder.rnn.weight_ih_l0_reverse"\ +"36 x 12" ]]
    [[ $stderr =~ "decoder.rnn.bias_hh_l0"\ +"36 x 1" ]]
}

@test "at a narrow terminal no line is too wide" {
    needs_terminal
    on_terminal "stty columns 60; '$ATTN' train '$PAIRS' ${small[*]} --valid '$PAIRS' --steps 200 \
        --validate-every 100 -o model" < /dev/null | tr '\033' '\n' | sed 's/^\[K//' > screen
    grep -qE '^ *[0-9]+% .*epoch [0-9]+ ' screen
    run -1 grep 'tokens/s' screen
    grep -qE '^epoch .*  step 100  valid loss [0-9.]+' screen
    grep -qE '^    BLEU [0-9.]+  chrF [0-9.]+  best so far, saved$' screen
    run -1 grep -E '^.{61}' screen
}

@test "a training ends by naming the command that uses the model" {
    run -0 --separate-stderr learn --steps 2 -o "my model"
    [ "${stderr_lines[-1]}" = "next        attn translate -m my model" ]
    ATTN_MODEL=model run -0 --separate-stderr learn --steps 2
    [ "${stderr_lines[-1]}" = "next        attn translate" ]
}

@test "the same seed and threads give the same bytes, another seed others" {
    for threads in 1 2; do
        at one learn --quiet --steps 20 -o model --threads $threads
        at two learn --quiet --steps 20 -o model --threads $threads
        cmp one/model two/model
    done
    at two learn --quiet --steps 20 -o model --threads 2 --seed 2
    run -1 cmp -s one/model two/model
}

# ---- Corpora ----

@test "standard input, gzip data, two files, CRLF and a byte-order mark are the same corpus" {
    learn --quiet --steps 5 -o model
    learn - --quiet --steps 5 -o piped < "$PAIRS"
    gzip < "$PAIRS" > pairs.tsv.gz
    learn pairs.tsv.gz --quiet --steps 5 -o packed
    learn - --quiet --steps 5 -o packed-input < pairs.tsv.gz
    sources > en
    targets > fr
    attn train en fr "${small[@]}" --quiet --steps 5 -o split
    for model in piped packed packed-input split; do
        [ "$(hash_of $model)" = "$(hash_of model)" ]
    done
    mkdir unix windows
    cp "$PAIRS" unix/pairs.tsv
    { printf '\xef\xbb\xbf'; sed 's/$/\r/' "$PAIRS"; } > windows/pairs.tsv
    at unix learn pairs.tsv --quiet --steps 5 -o model
    at windows learn pairs.tsv --quiet --steps 5 -o model
    cmp unix/model windows/model
}

latin1="if it is Latin-1 or Windows-1252, 'iconv -f WINDOWS-1252 -t UTF-8' converts it"

@test "the error of a corpus in another encoding or with other line ends has the command that converts" {
    printf 'a\t\xe9\nb\tc\nd\t\xe8\n' > latin
    run -0 --separate-stderr learn latin --quiet --steps 2 -o model
    [ "${stderr_lines[-1]}" = "attn: warning: invalid UTF-8 in 66 % of the lines; $latin1" ]
    fails "latin:1: invalid UTF-8; $latin1" learn latin --strict -o model
    printf 'a\té\n' | iconv -f UTF-8 -t UTF-16 > wide
    fails "wide: is UTF-16 text, UTF-8 is needed; 'iconv -f UTF-16 -t UTF-8' converts it" learn wide -o model
    tr '\n' '\r' < "$PAIRS" > returns
    fails "returns: its lines end in carriage returns; tr '\r' '\n' converts them" learn returns -o model
}

@test "lines that are no pairs are skipped with a warning, or refused by --strict" {
    printf 'a\tb\nno tab\n\tempty\nc\td\ttwo more\tcolumns\n\xff\te\n' > messy
    run -0 --separate-stderr learn messy --quiet --steps 2 -o model
    [ "${stderr_lines[0]}" = "attn: warning: 3 of 5 lines were left out:" ]
    [ "${stderr_lines[1]}" = "           1  no tab between source and target (messy:2)" ]
    [ "${stderr_lines[2]}" = "           1  an empty side (messy:3)" ]
    [ "${stderr_lines[3]}" = "           1  invalid UTF-8 (messy:5)" ]
    [ "${stderr_lines[4]}" = "attn: warning: invalid UTF-8 in 20 % of the lines; $latin1" ]
    [ "${#stderr_lines[@]}" -eq 5 ]
    [ "$(attn info --json model | jq .training.corpus_pairs)" -eq 2 ]
    fails "messy:2: no tab between source and target" learn messy --strict -o model
}

@test "pairs that teach little are left out and counted, unless they are wanted" {
    {
        cat "$PAIRS"
        head -1 "$PAIRS"
        printf 'Tom Jones is here\tTom Jones is here\nTaxi!\tTaxi!\n'
        printf 'a\t%0100d\n' 0
    } > corpus
    run -0 --separate-stderr learn corpus --dry-run
    [ "${stderr_lines[0]}" = "attn: warning: 3 of 18 lines were left out:" ]
    [ "${stderr_lines[1]}" = "           1  one side much longer than the other (corpus:18)" ]
    [ "${stderr_lines[2]}" = "           1  both sides equal (corpus:16)" ]
    [ "${stderr_lines[3]}" = "           1  the same pair as before (corpus:15)" ]
    [ "${stderr_lines[4]}" = "attn: warning: one side much longer than the other in 5 % of the lines; --max-ratio 0 keeps \
such pairs" ]
    [ "${stderr_lines[5]}" = "attn: warning: both sides equal in 5 % of the lines; --skip-equal 0 keeps such pairs" ]
    [ "$(jq .pairs <<< "$output")" -eq 15 ]
    run -0 --separate-stderr learn corpus --dry-run --max-ratio 0 --skip-equal 0 --no-skip-duplicates
    [ "$(jq .pairs <<< "$output")" -eq 18 ]
    [[ $stderr != *warning* ]]
}

@test "of several translations of a source the first is learned, and all if asked" {
    { cat "$PAIRS"; sed -n '1,3s/$/ encore/p' "$PAIRS"; } > corpus
    run -0 --separate-stderr learn corpus --dry-run
    [[ $stderr == *" 3 left out that translate a source again (--translations all learns them)"* ]]
    [ "$(jq .further_translations <<< "$output")" -eq 3 ]
    [ "$(jq .training_pairs <<< "$output")" -eq 14 ]
    run -0 --separate-stderr learn corpus --dry-run --translations all
    [[ $stderr != *"translate a source again"* ]]
    [ "$(jq .training_pairs <<< "$output")" -eq 17 ]
}

@test "pairs of too many tokens are left out and counted" {
    run -0 --separate-stderr learn --dry-run --tokens word --max-length 5
    [[ $stderr == *" 6 left out with more than 5 tokens (--max-length)"* ]]
    [ "$(jq .training_pairs <<< "$output")" -eq 8 ]
    run -0 --separate-stderr learn --dry-run --tokens word
    [[ $stderr != *"--max-length"* ]]
}

@test "several files are one corpus, in the order of their names" {
    head -5 "$PAIRS" > a.tsv
    tail -n +6 "$PAIRS" | gzip > b.tsv.gz
    cut -f 1 "$PAIRS" > en
    cut -f 2 "$PAIRS" > fr
    mkdir one several twos
    at one learn "$PAIRS" --quiet --steps 3 -o ../a-model
    at several attn train ../a.tsv ../b.tsv.gz "${small[@]}" --quiet --steps 3 -o ../b-model
    at twos attn train --format aligned <(head -5 en) <(head -5 fr) <(tail -n +6 en) <(tail -n +6 fr) \
        "${small[@]}" --quiet --steps 3 -o ../c-model
    for model in a-model b-model c-model; do attn translate -m $model < en > $model.fr; done
    cmp a-model.fr b-model.fr
    cmp a-model.fr c-model.fr
    [ "$(attn info --json b-model | jq -r .training.corpus)" = "a.tsv b.tsv.gz" ]
}

@test "cells in quotation marks, and markup, are warned of with a command that takes them off" {
    sed 's/"/""/g; s/[^\t]*/"&"/g' "$PAIRS" > quoted
    for side in 1 2; do cut -f $side "$PAIRS" | sed 's/.*/<seg id="1">&<\/seg>/' > marked.$side; done
    run -0 --separate-stderr learn quoted --quiet --steps 2 -o model
    [[ $stderr =~ ^"attn: warning: 100 % of the targets are in quotation marks".*"; "(python3.*)" takes off those of CSV"$ ]]
    eval "${BASH_REMATCH[1]}" < quoted | diff - "$PAIRS"
    run -0 --separate-stderr learn marked.1 marked.2 --quiet --steps 2 -o model
    [[ $stderr =~ ^"attn: warning: 100 % of the sources are markup".*"; "(sed.*)" takes the text out of <seg>"$ ]]
    eval "${BASH_REMATCH[1]}" < marked.2 | diff - <(cut -f 2 "$PAIRS")
}

# numbered - the pairs as tatoeba.org has them, a number before each sentence.
numbered() {
    awk -F '\t' '{ print 1000 + NR "\t" $1 "\t" 2000 + NR "\t" $2 }' "$PAIRS"
}

@test "columns that are no text are refused, and --columns chooses others in each file" {
    numbered > numbered.tsv
    local found="column 1 holds numbers, ids or addresses in 100 % of the lines; columns 2 and 4 hold text: --columns 2,4 takes them, \
--columns 1,2 the first two all the same"
    fails "numbered.tsv: $found" learn numbered.tsv -o model
    fails "standard input: $found" learn - --pairs 3 -o model < numbered.tsv
    fails "numbered.tsv: $found" learn --valid numbered.tsv -o model
    [ ! -e model ]
    learn --quiet --steps 5 --valid "$PAIRS" -o model
    run -0 --separate-stderr learn numbered.tsv --columns 2,4 --quiet --steps 5 --valid numbered.tsv -o chosen
    [ -z "$stderr" ]
    [ "$(hash_of chosen)" = "$(hash_of model)" ]
    head -n 7 numbered.tsv > first
    tail -n +8 numbered.tsv > second        # no sides of one corpus, where columns are named
    learn first second --columns 2,4 --quiet --steps 5 --valid numbered.tsv -o parts
    [ "$(hash_of parts)" = "$(hash_of model)" ]
    fails "$PAIRS:1: fewer columns than --columns asks for; and none of its 14 lines is a sentence pair" \
        learn --columns 2,4 -o model
    refuses "--columns: '2' is not two whole numbers from 1 to 1000, such as 2,4, or auto" learn --columns 2
    refuses "--columns 2,2: source and target are two columns" learn --columns 2,2
    refuses "--columns are those of a TSV, and an aligned file has one side alone: leave one of --columns and --format \
out" learn --format aligned --columns 1,2
}

@test "a dry run prints the numbers of the text and leaves nothing" {
    files=$(ls -A)
    run -0 --separate-stderr learn --dry-run -o model
    [ "$(jq '.pairs == 14 and .training_pairs == 14 and .shards == 1 and .unknown_tokens_test == 0' <<< "$output")" = true ]
    [ "$(jq '[.read_seconds, .learn_seconds, .encode_seconds, .peak_bytes] | all(. > 0)' <<< "$output")" = true ]
    [ "$(ls -A)" = "$files" ]
}

@test "a network that follows from the corpus is no wider than --memory has room for" {
    awk 'BEGIN { for (i = 0; i < 190000; i++) printf "a %d\tb %d\n", i, i }' > large
    run -0 --separate-stderr attn train --dump-config --tokens word --memory 300 large
    [ "$(jq .network.hidden <<< "$output")" -eq 256 ]
    [[ $stderr =~ "advice      the network is 256 wide, as --memory 300 has no room for more; so many pairs are worth "\
"320, with --memory "([0-9]+) ]]
    run -0 --separate-stderr attn train --dump-config --tokens word --memory "${BASH_REMATCH[1]}" large
    [ "$(jq .network.hidden <<< "$output")" -eq 320 ]
    [[ $stderr != *"advice      the network"* ]]
}

# 100,000 pairs of random words are some 10 MB of numbers.
@test "a corpus larger than memory is streamed" {
    case $ATTN in */asan/*) skip "the sanitizer keeps memory of its own" ;; esac
    ! is_emulated || skip "the emulator keeps memory of its own"
    awk 'BEGIN { srand(1); for (i = 0; i < 10000; i++) { line = i; for (k = 0; k < 20; k++) { line = line \
        (k == 10 ? "\t" : " ") "w" int(rand() * 1000) } print line } }' > part
    for i in {0..9}; do sed "s/^/$i/" part; done > large
    options=(--tokens word --vocabulary 1000 --quiet --no-skip-duplicates)
    whole=$(attn train large --dry-run "${options[@]}")
    streamed=$(attn train large --dry-run "${options[@]}" --memory 1)
    [ "$(jq .shards <<< "$whole")" -eq 1 ]
    [ "$(jq '.shards > 10' <<< "$streamed")" = true ]
    [ "$(jq .training_pairs <<< "$streamed")" -eq "$(jq .training_pairs <<< "$whole")" ]
    least=$(jq .peak_bytes <<< "$streamed")
    [ "$(($(jq .peak_bytes <<< "$whole") - least))" -gt 5000000 ]

    limit=$((least / 1024 + 7000))
    (ulimit -d $limit && attn train large --dry-run "${options[@]}" --memory 1)
    run -1 bash -c "ulimit -d $limit; exec '$ATTN' train large --dry-run ${options[*]}"
    [[ $output == *"out of memory"* ]]
}

@test "a streamed corpus trains as any other, and leaves no file behind" {
    awk 'BEGIN { for (i = 0; i < 3000; i++) print "a b " i "\tx y " i }' > pairs
    for run in one two; do
        mkdir $run
        at $run learn ../pairs --quiet --tokens word --steps 100 --memory 0.01 --no-skip-duplicates -o model
    done
    cmp one/model two/model
    [ "$(ls -A one)" = model ]
}

@test "a corpus that can't be used is one error, and nothing is left" {
    : > empty
    printf 'only\nsources\n' > words
    printf 'a\tb\nc\0d\te\n' > junk
    cp junk junk.gz
    printf 'one\ntwo\n' > en
    printf 'un\n' > fr
    files=$(ls)
    fails "none: cannot be opened: No such file or directory" learn none -o model
    fails ".: is a directory, not a file" learn . -o model
    fails "empty: is empty: a sentence pair a line is needed" learn empty -o model
    fails "words:1: no tab between source and target; and none of its 2 lines is a sentence pair; save a spreadsheet as \
tab-separated text, or name two line-aligned files" learn words -o model
    fails "junk:2: a NUL byte: this is not a text file" learn junk -o model
    fails "junk.gz: is not gzip data, though its name ends in .gz" learn junk.gz -o model
    fails "fr: ends after line 1, but en goes on: the lines of both files must belong together" \
        attn train en fr -o model
    fails "none: cannot be opened: No such file or directory" learn --valid none -o model
    fails "empty: is empty: a sentence pair a line is needed" learn --valid empty -o model
    fails "standard input: is empty: a sentence pair a line is needed" learn - -o model < /dev/null
    [ "$(ls -A)" = "$files" ]
}

@test "what a training reads or keeps beside its model is no name for an output" {
    learn --quiet --steps 2 -o old
    cp "$PAIRS" valid
    fails "'valid' is read: it cannot be written too" learn --valid valid -o valid
    fails "'valid' is read: it cannot be written too" learn --valid valid --log valid -o model
    cmp valid "$PAIRS"
    fails "'model.lock' cannot be the log and the lock of the model too" learn --log model.lock -o model
    fails "'./model' cannot be the log and the model too" learn --log ./model -o model
}

@test "an old log survives a run that can't begin" {
    echo line > log
    run -1 learn --hidden 16384 --embedding 16384 --layers 8 --quiet --steps 2 --log log -o model
    [[ $output == *"out of memory"* ]]
    [ "$(cat log)" = line ]
    learn --quiet --steps 2 --log log -o model
    run -1 grep line log
}

# ---- Requests that make no sense ----

@test "a wrong request is refused before any work" {
    refuses "no corpus was named; name a TSV file, or two line-aligned files" attn train
    refuses "'m.safetensors' is a model, not a corpus; name it with --init" attn train pairs.tsv m.safetensors
    refuses "what are these 3 files? --format tsv: each holds both sides; --format aligned: they come in twos, \
source and target" attn train a b c
    refuses "aligned files come in twos, source and target; 3 were named" attn train --format aligned a b c
    refuses "unknown option '--epoch'; did you mean '--epochs'?" learn --epoch 3
    refuses "--epochs: 'ten' is not a whole number from 1 to 1000000, or auto" learn --epochs ten
    refuses "--epochs: '0' is not a whole number from 1 to 1000000, or auto" learn --epochs 0
    refuses "--dropout: '1' is not a number from 0 to 0.95, or auto" learn --dropout 1
    refuses "--time-limit: 'soon' is not a time from 0 to 1000000000 seconds, such as 90, 6m, 1.5h, 2d" \
        learn --time-limit soon
    refuses "--preset: 'best' is not one of none, d2l, bench, luong, gnmt, transformer, transformer-small, hybrid" learn --preset best
    refuses "--early-stop bleu and chrf need --validate-sentences to translate" \
        learn --early-stop bleu --validate-sentences 0
    refuses "--batch-tokens 79: a batch must have room for a pair of --max-length 80 tokens" learn --batch-tokens 79
    refuses "--schedule inverse-sqrt falls with the updates since its warm-up: it needs --warmup" \
        learn --schedule inverse-sqrt
    refuses "--start last copies the encoder's state and needs --no-bidirectional (with two directions its width is \
twice the decoder's); use --start project" learn --start last
    refuses "--tie all needs one vocabulary for both sides: add --shared-vocabulary, or choose --tie target" \
        learn --tie all --no-shared-vocabulary
    refuses "--both-directions needs one vocabulary for both sides: add --shared-vocabulary, or leave it out" \
        learn --tokens word --both-directions 0.5
    refuses "--tie needs an output layer as wide as the embeddings, and that of --readout simple has --hidden 24 where \
--embedding is 16; make them equal or use --readout deep" learn --tie target --readout simple --hidden 24 --embedding 16
    [ -z "$(ls -A)" ]
}

@test "a configuration that can't be used is refused" {
    refuses "none: cannot be opened: No such file or directory" learn --config none
    echo '{' > config
    refuses "config: line 1: not valid JSON" learn --config config
    echo '[]' > config
    refuses "config: not a JSON object" learn --config config
    echo '{"net": {}}' > config
    refuses "config: unknown section 'net'; known are corpus, text, network and training" learn --config config
    echo '{"network": {"hiden": 3}}' > config
    refuses 'config: "hiden" is not a known setting; did you mean "hidden"?' learn --config config
    echo '{"network": {"hidden": "wide"}}' > config
    refuses 'config: hidden: "wide" is not a whole number from 1 to 16384, or "auto"' learn --config config
    holds config
}

@test "control characters of file names do not reach the terminal" {
    { cat "$PAIRS"; echo broken; } > $'c\e[2J.tsv'
    run -0 --separate-stderr learn $'c\e[2J.tsv' --steps 1 -o $'m\e[2J' --valid $'c\e[2J.tsv'
    [[ $stderr == *"(c?[2J.tsv:15)"*"have a source of 'c?[2J.tsv'"*"m?[2J: best validation"* ]]
    run -1 grep $'\e' <<< "$stderr"
}

@test "a training shows what it has learned; --quiet shows nothing" {
    printf "Who?\tQui ?\n" > valid
    run --separate-stderr learn --steps 3 --valid valid
    [[ $stderr =~ "step 3  valid loss "[0-9.]+"  perplexity "[0-9.]+.*"  BLEU "[0-9.]+"  chrF "[0-9.]+ ]]
    run --separate-stderr learn --steps 3 --quiet
    [ -z "$stderr" ]
}

@test "the first updates tell how long an epoch takes, if that is minutes" {
    run -0 attn train --force --steps 20 --batch 1 --hidden 768 --embedding 768 --precision float -o slow "$ROOT/data/eng-fra.train.tsv"
    grep -qE '^time        an epoch takes about [0-9:]{4,}, the whole run at most [0-9]:[0-9]{2}$' <<< "$output"
    run -0 attn train --force --steps 20 -o fast "$PAIRS"
    [[ $output != *"an epoch takes"* ]]
}

@test "--valid and --replay take one TSV: another file, or one without pairs, is refused with what to type" {
    cut -f 1 "$PAIRS" > v.en
    cut -f 2 "$PAIRS" > v.fr
    for corpus in "$PAIRS" "v.en v.fr"; do
        # shellcheck disable=SC2086
        refuses "--valid: 'v.en' has no tab, but is to be one TSV of pairs: 'paste SOURCE TARGET > FILE' makes it of two \
line-aligned files" attn train --valid v.en v.fr $corpus
    done
}

@test "a warning names sources that training and validation share" {
    head -n 3 "$PAIRS" > valid
    printf 'Who is Zoe?\tQui ?\n' >> valid
    run --separate-stderr learn --steps 1 --valid valid -o model
    [[ $stderr == *"advice "*" training pairs have a source of 'valid': on these, validation measures memory; take them \
out of one of the two"* ]]
    tail -n 1 valid > other
    run --separate-stderr learn --steps 1 --valid other -o model
    [[ $stderr != *"measures memory"* ]]
}

# ---- Presets and configurations ----

@test "what --dump-config prints is what --config reads" {
    for preset in none d2l bench luong gnmt transformer transformer-small hybrid; do
        attn train --preset $preset --dump-config > dumped
        attn train --config dumped --dump-config | diff dumped -
        jq -e 'keys == ["corpus", "network", "text", "training"]' dumped
    done
    attn train --preset luong --dump-config | jq -e '.network.cell == "lstm" and .network.decoder == "luong"'
    attn train --preset gnmt --dump-config | jq -e '.network.layers == 8 and .network.decoder == "gnmt"'
    attn train --preset transformer --dump-config | jq -e '.network.embedding == 512 and .network.heads == 8'
}

# What was published with a preset must stay true: a new default does not change it, and a new option is pinned in
# src/cmd/train/preset.c and then written here by `attn train --preset NAME --dump-config`.
@test "a preset stays the same when the defaults change" {
    for preset in d2l bench; do
        attn train --preset $preset --dump-config | diff "$ROOT/tests/data/cli/preset-$preset.json" -
    done
}

@test "presets of networks are of the same text as no preset" {
    text() { attn train --dump-config "$@" | jq '[.corpus, .text, .network.tie, .training["sparse-gradient", "noise"]]'; }
    text > usual
    for preset in luong gnmt transformer transformer-small hybrid; do text --preset $preset | diff usual -; done
    ! text --preset d2l | diff -q usual -
}

@test "presets leave nothing to the corpus, and no preset leaves sizes to it" {
    for preset in d2l bench; do
        attn train --preset $preset --dump-config | jq -e '[del(.corpus) | .. | select(. == "auto")] == []'
    done
    attn train --dump-config | jq -e '.network.hidden == "auto" and .training.dropout == "auto"'
    attn train --dump-config --hidden 7 --dropout auto | jq -e '.network.hidden == 7 and .training.dropout == "auto"'
}

@test "--dump-config prints what follows from the corpus, and its output trains the same model" {
    attn train "$PAIRS" --steps 3 --threads 1 --quiet -o automatic
    attn train "$PAIRS" --steps 3 --threads 1 --quiet --dump-config > config
    jq -e '[del(.corpus) | .. | select(. == "auto")] == [] and .text.vocabulary > 0 and .training["validate-sentences"] == 200' config
    attn train "$PAIRS" --config config --quiet -o dumped
    cmp <(weights_of automatic) <(weights_of dumped)
    attn train "$PAIRS" --config config --quiet --dump-config | diff config -
    attn info --json dumped | jq -e '[del(.corpus) | .. | select(. == "auto")] == []'
}

@test "the help has the rate and the label smoothing that auto means" {
    attn train "$PAIRS" --quiet --dump-config > dumped
    attn help train --all | tr -s ' \n' ' ' > help
    grep -F "twice as wide needs about half; auto: $(jq '.training["learning-rate"]' dumped) [auto]" help
    grep -F "spread over all words; auto: $(jq '.training["label-smoothing"]' dumped) [auto]" help
}

@test "the command line is stronger than the configuration, and that than the preset" {
    echo '{"training": {"epochs": 7, "batch": 8}}' > config
    attn train --batch 9 --preset d2l --config config --dump-config > dumped
    jq -e '.training.batch == 9 and .training.epochs == 7 and .training.clip == 1' dumped
    jq -e '.training["learning-rate"] == 0.005' dumped
}

# ---- The log ----

@test "--log is an object a line with the promised keys" {
    echo "what an older run has said" > log
    learn --quiet --steps 12 --log-every 2 --valid "$PAIRS" --validate-every 5 -o model --log log
    jq -es 'length == 10' log
    jq -es '.[0] | has("options") and (has("step") | not)' log
    tail -n +2 log > steps
    jq -es 'all(.[]; has("step") and has("epoch") and has("seconds") and has("learning_rate"))' steps
    jq -es 'map(select(has("loss")).step) == [2, 4, 6, 8, 10, 12]' log
    jq -es 'all(.[]; has("loss") == has("target_tokens_per_second"))' steps
    jq -es 'map(select(has("valid_loss")).step) == [5, 10, 12]' log
    jq -es 'all(.[]; has("valid_loss") == has("bleu") and has("bleu") == has("chrf"))' log
    jq -es 'all(.[]; .epoch * 3 - .step | -0.001 < . and . < 0.001)' steps
    jq -es 'all(.[]; .seconds >= 0 and .learning_rate > 0)' steps
    jq -es 'all(.[] | select(has("loss")); .loss > 0 and .target_tokens_per_second > 0)' log
    [ "$(wc -l < log)" -eq 10 ]
}

@test "the first line of the log names the run: model, corpus, command and every option as it was settled" {
    learn --quiet --steps 2 --learning-rate 0.003 -o model --log log
    attn train "$PAIRS" "${small[@]}" --quiet --steps 2 --learning-rate 0.003 --dump-config > dumped
    head -n 1 log > first
    jq -e --slurpfile dumped dumped '.options == $dumped[0]' first
    jq -e '.options.training["learning-rate"] == 0.003 and .options.network.hidden == 12' first
    attn info --json model > info
    jq -e --slurpfile info info '. as $run | $info[0].training
        | .command == $run.command and .corpus == $run.corpus and .corpus_hash == $run.corpus_hash
            and .training_pairs == $run.training_pairs and .workers == $run.workers' first
    jq -e '.model == "model" and .corpus == "pairs.tsv" and .corpus_pairs == 14' first
}

@test "a line of the log has the loss since the line before" {
    local fast=(--hidden 32 --embedding 32 --batch 14 --learning-rate 0.01 --dropout 0 --dropout-embedding 0
        --label-smoothing 0.1 --noise 0 --phrases 0 --copy-words 0 --both-directions 0 --steps 100)
    learn --quiet "${fast[@]}" -o model --log-every 1 --log each
    learn --quiet "${fast[@]}" -o model --log-every 2 --log second
    jq -es '.[1].loss > 3 and .[-1].loss < 0.2' each
    jq -r '.loss // empty' each | awk 'NR % 2 { first = $1; next } { print (first + $1) / 2 }' > means
    jq -r '.loss // empty' second | paste - means | awk '$1 - $2 > 0.0001 || $2 - $1 > 0.0001 { exit 1 }'
}

@test "a log that can't be written is an error" {
    fails "cannot write 'no/such/log': No such file or directory" learn --steps 2 -o model --log no/such/log
    holds
    [ -c /dev/full ] || skip "no /dev/full here"
    run -1 --separate-stderr learn --quiet --steps 60 --log-every 5 -o model --log /dev/full
    [ "${stderr_lines[0]}" = "attn: warning: the log cannot be written: No space left on device; training continues" ]
    [ "${stderr_lines[1]}" = "attn: error: cannot write '/dev/full': No space left on device" ]
    [ "${#stderr_lines[@]}" -eq 2 ]
}

# ---- Numbers that fail ----

# Every weight is 0x7e7e7e7e, 8e37, so that sums overflow in any build.
@test "a training that diverges is an error" {
    learn --quiet --steps 1 -o small
    { head -c $(($(wc -c < small) - $(weights_of small | wc -c))) small; weights_of small | tr '\0-\377' '~'; } > huge
    rm small
    run --separate-stderr attn train "$PAIRS" --no-holdout --init ./huge --learning-rate 1 --clip 0 --threads 1 --quiet \
        -o model --log log --log-every 1 --steps 100 --epochs 100
    [ "$status" -eq 1 ]
    [ "$stderr" = "attn: error: the training diverges: the gradient was not finite 5 times in a row; try \
--learning-rate 0.1 (it is 1) or a lower --clip" ]
    holds huge log
    jq -es 'map(select(.step)) | length == 5 and all(.[]; .skipped == 1 and (has("loss") | not))' log
}

# ---- Models that can't be written ----

@test "a model that can't be written is found before the work" {
    fails "no/such/model: cannot be written: No such file or directory" learn none -o no/such/model
    fails ".: cannot be written: Is a directory" learn none -o .
    : > file
    fails "file/model: cannot be written: Not a directory" learn none -o file/model
    [ -d /proc/self ] || skip "no /proc here, where not even root can write"
    run -1 --separate-stderr learn none -o /proc/model
    [[ $stderr == "attn: error: /proc/model: cannot be written: "* ]]
    holds file
}

@test "an input file can't be an output, and two outputs can't be one file" {
    cp "$PAIRS" pairs.tsv
    ln pairs.tsv link
    fails "'pairs.tsv' is read: it cannot be written too" learn pairs.tsv -o pairs.tsv
    fails "'link' is read: it cannot be written too" learn pairs.tsv -o link
    fails "'link' is read: it cannot be written too" learn pairs.tsv -o model --log link
    fails "'pairs.tsv' is read: it cannot be written too" learn --valid pairs.tsv -o pairs.tsv
    fails "'model' cannot be the log and the model too" learn -o model --log model
    fails "'model.state' cannot be the log and the training state too" learn -o model --log model.state
    cmp pairs.tsv "$PAIRS"
    holds link pairs.tsv
}

@test "a disk that is full in the middle leaves the old model and no temporary file" {
    learn --quiet --steps 2 -o model
    cp model old
    for signal in "trap '' XFSZ" ""; do
        run -1 --separate-stderr bash -c "$signal
            ulimit -f 8; '$ATTN' train '$PAIRS' ${small[*]} --quiet --steps 2 --force -o model"
        [ "${stderr_lines[0]}" = "attn: error: model: writing failed: File too large" ]
        cmp model old
        holds model old
    done
}

@test "- is standard output for a log, and no place for a model or a page" {
    learn --quiet --steps 4 --log-every 2 -o model --log - > log
    jq -es '(.[0] | has("options")) and map(.step // empty) == [2, 4]' log
    learn --quiet --steps 4 --log-every 2 -o model --log - | cmp <(head -n 1 log) <(head -n 1)
    learn --quiet --steps 4 --log-every 2 -o model --log - >> log
    [ "$(wc -l < log)" -eq 6 ]
    fails "-o -: standard output is no place for the model; name a file" learn -o -
    fails "-o -: standard output is no place for the model; name a file" attn convert model -o -
    fails "--curves -: standard output is no place for the curves; name a file" learn -o model --log log --curves -
    holds log model
}

@test "a device or a pipe is no place for a model" {
    mkfifo pipe
    fails "pipe: is a device or a pipe, where no model can be kept; name a file with -o" learn none -o pipe
    [ -c /dev/full ] || skip "no /dev/full here"
    ln -s /dev/full full            # so that nothing can go wrong in /dev
    fails "full: is a device or a pipe, where no model can be kept; name a file with -o" learn none -o full
    mkfifo model.state
    fails "model.state: is a device or a pipe, where no model can be kept; name a file with -o" learn none -o model
    holds full model.state pipe
    run -1 --separate-stderr bash -c "'$ATTN' train --dump-config > /dev/full"
    [ "$stderr" = "attn: error: cannot write standard output: No space left on device" ]
    run -1 --separate-stderr bash -c "'$ATTN' train --quiet --dry-run ${small[*]} '$PAIRS' > /dev/full"
    [ "$stderr" = "attn: error: cannot write standard output: No space left on device" ]
}

@test "a file that only looks like a lock is not touched" {
    cp "$PAIRS" model.lock
    fails "model.lock: is needed as a lock, but is no empty file; move it away" learn -o model
    fails "'model.lock' is read: it cannot be written too" learn model.lock -o model
    cmp model.lock "$PAIRS"
}

@test "files that killed runs left half written are removed" {
    touch model.attn.tmp model.state.attn.tmp model.lock other.attn.tmp
    learn --quiet --steps 2 -o model
    holds model other.attn.tmp
}

# ---- Limits ----

@test "steps, epochs, time and validation end a run" {
    run -0 --separate-stderr learn --steps 4 -o model
    [[ $stderr == *"all steps are done after 4 steps"* ]]
    run -0 --separate-stderr learn --epochs 2 -o model
    [[ $stderr == *"all epochs are done after 6 steps"* ]]
    run -0 --separate-stderr learn --steps 0 --time-limit 0.2 -o model
    [[ $stderr == *"the time is up after "* ]]
    paste <(sources) <(targets | tac) > other
    run -0 --separate-stderr learn --steps 0 --valid other --patience 2 --learning-rate 0.01 -o model
    [[ $stderr == *"validation has stopped getting better after "* ]]
    [[ $stderr =~ "model: best validation at step "[0-9]+", loss "[0-9.]+ ]]
    [[ $stderr =~ "step "[0-9]+"  valid loss "[0-9.]+"  perplexity "[0-9.]+"  BLEU "[0-9.]+"  chrF "[0-9.]+ ]]
    holds model other
}

@test "of few pairs the last weights are kept, unless something else is asked for" {
    paste <(sources) <(targets | tac) > other
    run -0 --separate-stderr attn train "$PAIRS" --hidden 8 --embedding 8 --vocabulary 60 --steps 40 --learning-rate 0.05 \
        --valid other --validate-every 5 -o model
    [[ $stderr == *"all steps are done after 40 steps"*"model: the weights of the last step, validation loss "* ]]
    [[ $stderr != *best* ]]
    [ "$(attn info --json model | jq .training.steps)" = 40 ]
}

@test "what is usual for few pairs follows from other options" {
    while IFS=: read -r options expected; do
        # shellcheck disable=SC2086
        attn train "$PAIRS" $options --quiet --dump-config > dumped
        jq -e ".training | $expected" dumped
    done << 'END'
:.["early-stop"] == "none" and .["both-directions"] > 0 and .["r-drop"] == 5
--patience 5:.["early-stop"] == "loss"
--tokens word:.["both-directions"] == 0
--r-drop 0:.["r-drop"] == 0
--preset transformer-small:.["both-directions"] == 0 and .["r-drop"] == 0
--early-stop chrf:.["validate-sentences"] == 1000
END
}

@test "a run of both directions learns to translate back, one whose first tenth has them unlearns it" {
    local pairs=("I am calm." "Je suis calme." "You are here." "Vous êtes ici." "The cat sleeps." "Le chat dort.")
    printf '%s\t%s\n' "${pairs[@]}" > corpus
    for share in 1 0.1; do
        attn train corpus --quiet --no-holdout --tokens word --shared-vocabulary --embedding 16 --hidden 16 \
            --steps 200 --learning-rate 0.02 --dropout 0 --dropout-embedding 0 --threads 1 --both-directions $share \
            -o $share
        cut -f 1 corpus | attn translate --quiet -m $share > there
        cut -f 2 corpus | attn translate --quiet -m $share > back
        [ "$(sed 's/ \././' there)" = "$(cut -f 2 corpus)" ]
        sed -i 's/ \././' back
        [ "$(grep -c . back)" -eq 3 ]
        if [ $share = 1 ]; then cut -f 1 corpus | cmp - back; else run -1 grep -qxFf <(cut -f 1 corpus) back; fi
    done
}

@test "the first update learns both directions whatever their share" {
    for share in 0 0.1; do
        learn --quiet --steps 1 --both-directions $share -o $share
        weights_of $share > $share.weights
    done
    run -1 cmp 0.weights 0.1.weights
}

@test "every tie, normalisation and the conditional decoder make models that translate" {
    local options
    for options in "--tie target" "--tie all --shared-vocabulary" "--layer-norm --layers 2 --residual" \
        "--decoder conditional" "--decoder conditional --cell lstm --layers 2 --layer-norm --tie target"; do
        learn $options -o model --quiet
        attn info --json model | grep -q '"network"'
        [ "$(attn translate -m model <<< "Thank you." | wc -l)" -eq 1 ]
    done
}

@test "what is dropped and how weights decay changes the training" {
    local options
    learn -o plain --quiet
    for options in "--word-dropout-source 0.3" "--word-dropout-target 0.3" "--dropout-recurrent 0.3" \
        "--dropout-mask sentence" "--weight-decay 0.5"; do
        learn $options -o other --quiet
        [ "$(tail -c 400 plain | cksum)" != "$(tail -c 400 other | cksum)" ]
    done
}

@test "Google's network learns and goes on, and layers that don't fit are refused" {
    local google=(--decoder gnmt --layers 3 --cell lstm --bidirectional --bidirectional-layers 1 --residual --residual-from 3)
    learn_by_heart model --steps 200 "${google[@]}" --start project
    sources | attn translate -m model --beam 2 > out
    [ "$(diff out <(targets) | grep -c '^<')" -le 1 ]
    attn info --tensors model > tensors
    grep -qE 'encoder.rnn.weight_ih_l0_reverse ' tensors
    run -1 grep -E 'encoder.rnn.weight_ih_l1_reverse ' tensors
    grep -qE 'decoder.rnn.weight_ih_l2 +\[128,64\]' tensors         # the layer below and the context
    refuses "--residual can't add the input of the encoder's layer 2, of both directions, to its output of one \
(--bidirectional-layers 1); take --residual-from 3" attn train "$PAIRS" --layers 3 --bidirectional-layers 1 --residual
    refuses "--residual-from 4 is above the last of --layers 3; take 3 or less" \
        attn train "$PAIRS" --layers 3 --residual --residual-from 4
}
