#!/usr/bin/env bats
# search.bats - options that fix a translation: its beginning, its length, all of it (--score), drawn by chance, or the
# work of several models.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
    learn_by_heart "$BATS_FILE_TMPDIR/other" --seed 2
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ATTN_MODEL=$BATS_FILE_TMPDIR/model
    OTHER=$BATS_FILE_TMPDIR/other
}

# ---- Beginnings ----

@test "--prefix begins every translation" {
    printf 'Thank you.\n\nI am calm. Good night!\n' | attn translate --prefix "Je" > out
    [ "$(sed -n 1p out | cut -c 1-2)" = "Je" ]
    [ "$(sed -n 2p out)" = "" ]
    [ "$(sed -n 3p out)" = "Je suis calme. Bonne nuit !" ]
    sources | attn translate --prefix "" | diff - <(targets)
}

@test "--prefix may hold what the model has never seen" {
    echo "Thank you." | attn translate --json --prefix "寿司 Жж" | grep -q '寿司 Жж'
}

@test "--prefixes gives each line its own beginning" {
    targets | awk '{ print $1 }' | gzip > first.gz
    sources | attn translate --prefixes first.gz > out
    diff out <(targets)
    printf 'Merci\n\nBon\n' > first
    printf 'Good night!\nGood night!\nThank you.\n' | attn translate --prefixes first --batch 1 > out
    [[ $(sed -n 1p out) == Merci* ]]
    [ "$(sed -n 2p out)" = "Bonne nuit !" ]
    [[ $(sed -n 3p out) == Bon* ]]
}

@test "prefixes that don't fit the input are an error" {
    printf 'a\n' > short
    fails "short: has only 1 line, the input has more" attn translate --prefixes short <(sources)
    printf 'a\nb\nc\n' > long
    fails "long:2: has more lines than the input" bash -c "echo 'Thank you.' | '$ATTN' translate --prefixes long"
    printf 'a\n\xff\n' > broken
    fails "broken:2: invalid UTF-8, or a NUL byte" attn translate --prefixes broken <(sources)
    { head -c 1001 /dev/zero | tr '\0' a; echo; } > wide
    fails "wide:1: a prefix of 1001 bytes; at most 1000 are possible" \
        attn translate --prefixes wide <(sources)
    fails "none: cannot be opened: No such file or directory" attn translate --prefixes none <(sources)
}

# ---- Scores ----

@test "--score prints how probable a translation is" {
    attn translate --score "$PAIRS" > scores
    [ "$(grep -c '^-[0-9]*\.[0-9]\{4\}$' scores)" -eq 14 ]
    paste <(sources) <(targets | tac) | attn translate --score > wrong
    [ "$(paste scores wrong | awk '$1 < $2 + 3' | wc -l)" -eq 0 ]
}

@test "a translation has the score that --score gives it" {
    sources | attn translate --json | jq -r '[.source, .translation] | @tsv' > pairs
    sources | attn translate --json --precision float | jq '.log_probability' > found
    attn translate --score --json pairs | jq '.log_probability' > scored
    paste found scored | awk '{ d = $1 - $2; if (d > 1e-4 || d < -1e-4) exit 1 }'
    attn translate --score pairs | paste - found | awk '{ d = $1 - $2; if (d > 1e-4 || d < -1e-4) exit 1 }'
}

@test "--score --json has each token, --alternatives what else it might have been" {
    printf 'I am calm.\tJe suis 寿司.\tignored\n' | attn translate --score --json --alternatives 3 > out
    [ "$(jq -r .source out)" = "I am calm." ]
    [ "$(jq -r .translation out)" = "Je suis 寿司." ]
    jq -e '(.log_probabilities | length) == (.target_tokens | length)' out
    jq -e '(.log_probabilities | add) - .log_probability | . < 1e-4 and . > -1e-4' out
    jq -e '(.alternatives | length) == (.target_tokens | length) and all(.alternatives[]; length == 3)' out
    jq -e 'all(.alternatives[]; .[0][1] >= .[1][1] and .[1][1] >= .[2][1])' out
    jq -e '.alternatives[0][0][0] == .target_tokens[0] and .alternatives[0][0][1] == .log_probabilities[0]' out
}

@test "--score takes lines as they are: empty sides, several sentences, --alignment" {
    printf 'Thank you.\t\n\tMerci.\nThank you. Good night!\tMerci. Bonne nuit !\n' > pairs
    attn translate --score --json pairs > out
    jq -e '.stretches | length == 1' out
    [ "$(jq -c '.target_tokens' out | head -1)" = '["<eos>"]' ]
    [ "$(jq -c '.source_tokens' out | sed -n 2p)" = '["<eos>"]' ]
    [[ $(attn translate --score --alignment "$PAIRS" | head -1) =~ ^-[0-9.]+$'\t'([0-9]+-[0-9]+\ ?)+$ ]]
}

@test "--score names the line that it can't score, after those before it" {
    printf 'Thank you.\tMerci.\nThank you.\n' > pairs
    fails "pairs:2: no tab between source and translation; --score reads both" attn translate --score pairs
    [[ $output =~ ^-[0-9.]+$ ]]
    { echo $'a\tb'; printf 'a\t'; for _ in $(seq 400); do printf 'Merci. '; done; echo; } > pairs
    fails "pairs:2: more than 1000 tokens on a side can't be scored; cut the line into its sentences" \
        attn translate --score pairs
    run -1 attn translate --score -o out pairs
    [ ! -e out ]
}

# ---- Chance ----

@test "--sample draws the same for the same seed, however the lines come" {
    for _ in 1 2 3; do sources; done > in
    attn translate --sample --seed 3 in > one
    attn translate --sample --seed 3 --threads 2 --batch 1 in > two
    attn translate --sample --seed 3 <(head -5 in) <(tail -n +6 in) > three
    attn translate --sample --seed 4 --temperature 2 in > other
    cmp one two
    cmp one three
    run -1 cmp -s one other
    [ "$(wc -l < other)" -eq 42 ]
}

@test "--sample --top-p 0 is greedy, --nbest 7 draws seven" {
    sources | attn translate --sample --top-p 0 | diff - <(sources | attn translate --beam 1)
    echo "Thank you." | attn translate --sample --temperature 3 --nbest 7 > out
    [ "$(wc -l < out)" -eq 7 ]
    [ "$(sort -u out | wc -l)" -gt 1 ]
}

# ---- Length and loops ----

@test "a model keeps how long translations may be, and one warning counts those that are cut" {
    awk 'BEGIN { for (i = 1; i <= 200; i++) { printf "%d\t", i; for (k = i % 30; k >= 0; k--) printf "w%d ", k; print "" } }' > long.tsv
    learner train long.tsv --no-holdout -o long --quiet --hidden 8 --embedding 8 --tokens word --steps 1 --seed 1 --threads 1 \
        --max-ratio 0 --columns 1,2
    [ "$(attn info --json long | jq '.length_ratio > 5 and .length_ratio < 12')" = true ]
    cut -f 1 long.tsv | attn translate --sample --temperature 100 --json -m long > out 2> warning
    [ "$(jq -s 'map(.target_tokens | length) | max > 14' out)" = true ]
    grep -q "^attn: warning: .*:[0-9]*: cut where it had the most tokens for its source ([0-9]* lines in all)$" warning
    [ "$(grep -c "most tokens" warning)" -eq 1 ]
}

# loops OPTION... - how many of the sentences in `in` are translated with the same one to eight tokens more than three
# times in a row.
loops() {
    attn translate -m green --json "$@" in | jq -r '.target_tokens | join(" ")' | grep -cE '(([^ ]+ ){1,8})\1{3}' || true
}

@test "no translation repeats itself for ever, not even of a model that has hardly learned" {
    head -n 60 "$ROOT/data/eng-fra.test.tsv" | cut -f1 > in
    learner train "$ROOT/data/eng-fra.train.tsv" --no-holdout -o green --quiet --tokens char --hidden 32 --embedding 32 \
        --steps 40 --learning-rate 0.01 --threads 1 --no-truecase --no-placeholders
    [ "$(loops --beam 5)" -eq 0 ]
    [ "$(loops --beam 5 --repeats 0)" -gt 0 ]
}

# ---- Several models ----

@test "two models translate together" {
    sources | attn translate -m "$ATTN_MODEL" -m "$OTHER" > out
    diff out <(targets)
    attn translate -m "$ATTN_MODEL" -m "$ATTN_MODEL" --score "$PAIRS" | diff - <(attn translate --score "$PAIRS")
}

@test "models that name words otherwise can't translate together" {
    attn train "$PAIRS" --no-holdout -o small --quiet --hidden 8 --embedding 8 --vocabulary 60 --steps 1 --threads 1
    run -1 --separate-stderr attn translate -m "$ATTN_MODEL" -m small <<< "Thank you."
    [[ ${stderr_lines[0]} == "attn: error: $ATTN_MODEL and small can't translate together: their source vocabularies \
differ: --vocabulary is 150 in one, 60 in the other; train them with the same corpus and the same options of its text" ]]
    run -1 --separate-stderr attn translate -m "$ATTN_MODEL" -m ./none
    [[ $stderr == "attn: error: ./none: cannot be opened: No such file or directory; "* ]]
}

# ---- Unknown words ----

@test "--replace-unknown writes the source's word for <unk>" {
    for name in Tom Mary Ann Bob Sue Jim Kim Max; do
        printf 'I see %s .\tJe vois %s .\n%s is here .\t%s est ici .\n' $name $name $name $name
    done > pairs
    attn train pairs --no-holdout -o words --quiet --hidden 24 --embedding 24 --batch 16 --steps 150 --dropout 0 \
        --learning-rate 0.02 --dropout-embedding 0 --label-smoothing 0.1 --patience 0 --threads 1 --tokens word --min-frequency 3
    printf 'I see Tom .\nZoe is here .\n' > in
    attn translate -m words in > out
    [ "$(grep -c '<unk>' out)" -eq 2 ]
    attn translate -m words --replace-unknown in > out 2> lost
    run -1 grep '<unk>' out
    paste -d ' ' in out | awk '{ for (i = 1; i <= 4; i++) source[$i] = 1
                                 n = $5 == "Je" ? $7 : $5; if (!(n in source)) exit 1; delete source }'
    attn translate -m words --prefix "Marie" in | grep -q '^Marie '
}

# ---- Requests that make no sense ----

@test "options that contradict each other are refused before any work" {
    while IFS=$'\t' read -r arguments message <&8; do
        # shellcheck disable=SC2086
        refuses "$message" attn translate $arguments -m none
    done 8<< 'END'
--score --nbest 2	--score reads the translation; leave out --nbest
--score --sample	--score reads the translation; leave out --sample
--score --prefix a	--score reads the translation; leave out --prefix
--prefix a --prefixes b	--prefix is for all lines; leave out --prefixes
--sample --beam 2	--sample chooses words at random, without a beam; leave out --beam
--sample --beam-threshold 2	--sample chooses words at random, without a beam; leave out --beam-threshold
--top-k 2	--top-k is for sampling; add --sample
--seed 2	--seed is for sampling; add --sample
--alternatives 2	--alternatives are printed with --json only; add --json
--sample --top-p 2	--top-p: '2' is not a number from 0 to 1
END
    refuses "--prefix: invalid UTF-8, or a NUL byte" attn translate --prefix $'\xff' -m none
}
