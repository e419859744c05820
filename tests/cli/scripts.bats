# scripts.bats - what all scripts have in common, and a short run of those that have no file of their own here.

load helper

setup()
{
    cd "$ROOT" || return
    export ATTN
}

@test "--help of every script is its own description on stdout" {
    for script in scripts/*; do
        [ -f "$script" ] || continue
        ! grep -q '^import torch' "$script" || continue         # which may be missing, and takes a second to load
        run --separate-stderr "$script" --help
        echo "$script: $status"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [[ $output == *"$(basename "$script" .py)"* ]]
    done
}

# What the demo learns in no time: the last of equal options counts.
TINY="--steps 2 --validate-sentences 0 --hidden 8 --embedding 8 --vocabulary 2000"

@test "the demo learns, translates, scores and draws, and can be given again" {
    run -1 grep -e '--time-limit' scripts/demo          # learns the same however fast the machine is
    mkdir -p "$BATS_TEST_TMPDIR/scripts"
    cp scripts/demo "$BATS_TEST_TMPDIR/scripts"
    ln -s "$ROOT/data" "$ATTN" "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR" || return
    for time in 1 2; do
        BUDGET=$TINY run --separate-stderr scripts/demo
        echo "$output" "$stderr"
        [ "$status" -eq 0 ]
        [[ $output == *$'\n  source       '*$'\n  reference    '*"BLEU"*"--heatmap"*"<eos>"*"The model is in models/demo.safetensors."* ]]
        [ "$(grep -c '^  translation' <<< "$output")" -eq 8 ]
    done
    [ -s models/demo.safetensors ]
}

@test "the demo begins with the model that comes with the program, where there is one, and goes on at its end" {
    needs_terminal
    mkdir -p "$BATS_TEST_TMPDIR/scripts" "$BATS_TEST_TMPDIR/models"
    cp scripts/demo "$BATS_TEST_TMPDIR/scripts"
    ln -s "$ROOT/data" "$ATTN" "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR" || return
    learn_by_heart models/eng-fra.safetensors
    export BUDGET=$TINY
    printf 'Thank you.\n:quit\n' | on_terminal scripts/demo > screen
    run -0 grep -n -e '^Merci\.$' -e '^\$ \./attn t' -e "^The model is in" screen
    [[ ${lines[0]} == *"./attn translate -m eng-fra" ]]
    [[ ${lines[1]} == *:Merci. ]]
    [[ ${lines[2]} == *"./attn train data/eng-fra.train.tsv -o models/demo.safetensors"* ]]
    [[ ${lines[-1]} == *"The model is in models/demo.safetensors."* ]]
}

@test "scripts/domain goes on to some pairs of a domain, and scores it and the rest" {
    cd "$BATS_TEST_TMPDIR" || return
    head -n 600 "$ROOT/data/eng-fra.train.tsv" > corpus
    options="--hidden 8 --embedding 8 --vocabulary 200 --steps 1 --validate-sentences 0 --threads 1"
    grep -iwE 'hot|cold' corpus > weather.tsv
    grep -viwE 'hot|cold' corpus > general.tsv
    ATTN=$ATTN PAIRS=10 BUDGET=$options OPTIONS="--steps 1 --validate-sentences 0" SEEDS="1 2" MODELS=m \
        run -0 --separate-stderr "$ROOT/scripts/domain" general.tsv weather.tsv
    [ "${#lines[@]}" -eq 7 ]
    for row in 2:before 3:"alone, seed 1" 4:"alone, seed 2" 5:"with replay, seed 1" 6:"with replay, seed 2"; do
        [[ ${lines[${row%%:*}]} =~ ^"| weather: ${row#*:} | "[0-9.]+" | "[0-9.]+" | "[0-9]*" |"$ ]]
    done
    [ "$(wc -l < m/weather.train.tsv)" -eq 10 ]
    [ -z "$(sort m/weather.*.tsv | comm -23 - <(sort weather.tsv))" ]
    [ -z "$(comm -12 <(cut -f1 m/weather.train.tsv | sort -u) <(cut -f1 m/weather.test.tsv m/weather.valid.tsv | sort -u))" ]
    [ "$(attn info --json "m/weather.with replay.1.safetensors" | jq -r .training.replay)" = general.tsv ]
}

@test "scripts/make-models teaches nothing that is held out, in either direction, and makes two small models" {
    cd "$BATS_TEST_TMPDIR" || return
    head -n 600 "$ROOT/data/eng-fra.train.tsv" > corpus
    mkdir works
    seq 300 | awk '{ print "law " $1 "\tloi " $1 }' > works/law.tsv
    seq 30 | awk '{ print "game " $1 "\tjeu " $1 }' | gzip > works/game.tsv.gz
    printf 'name\tevery\tpairs\twork\tlicence\tfrom\ncorpus\t1\t600\tIts corpus\tCC0\there\n' > sources
    printf 'law\t4\t75\tLaws\tOpen\tthere\ngame\t1\t30\tA game\tGPL-2+\tDebian\n' >> sources
    export FIRST="--steps 2 --hidden 8 --embedding 8 --vocabulary 200 --validate-sentences 0 --threads 1"
    export LAST="--steps 2 --threads 1" FOLDER=f MODELS=m SOURCES=sources
    run -0 --separate-stderr "$ROOT/scripts/make-models" corpus works
    for name in eng-fra fra-eng; do
        [ "$(attn info --json m/$name.safetensors | jq -r .training.corpus_hash)" = \
            "$(head -n 1 f/$name.last.log | jq -r .corpus_hash)" ]
        [ "$(attn info --json m/$name.safetensors | jq -r .about)" = "Its corpus (CC0); Laws (Open); A game (GPL-2+)" ]
        # What is made, and the phrases of this direction.
        [ "$(awk -F '\t' -v name=$name 'NF < 3 || $3 == name' "$ROOT/data/phrasebook.tsv" |
            cat f/$name.diverse/train.tsv - | wc -l)" -eq "$(wc -l < f/$name.last.tsv)" ]
        # Nothing that is held out, in either direction.
        cut -f 1 f/$name/valid.tsv f/$name/test.tsv | sort -u > held-out
        [ -s held-out ]
        [ -z "$(cut -f 1 f/$name.diverse/train.tsv f/eng-fra.tsv f/fra-eng.tsv | sort -u | comm -12 held-out -)" ]
        # Pairs, of the works too; sources of the corpus alone with their translations; translated targets of these pairs.
        grep -qE "^(law|loi) 8$(printf '\t')" f/$name.diverse/train.tsv
        [ -z "$(grep -E '^(law|loi) ' f/$name.diverse/train.tsv | awk '$2 % 4')" ]
        grep -qE "^(game|jeu) [0-9]+$(printf '\t')" f/$name.diverse/train.tsv
        [ -z "$(grep -E '^(law|loi|game|jeu) [0-9]' f/$name.made f/$name.corpus f/$name.valid)" ]
        [ -s f/$name.valid ]
        grep -qxFf f/$name.made f/$name.diverse/train.tsv
    done
    grep -qxFf <(awk -F '\t' -v OFS='\t' '{ print $2, $1 }' f/fra-eng.made) f/eng-fra.diverse/train.tsv
    # Both directions learn the same pairs: what one holds out the other does not tell.
    awk -F '\t' -v OFS='\t' '{ print $2, $1 }' f/fra-eng.tsv | sort | cmp - <(sort f/eng-fra.tsv)
    grep -qxF "Défense de fumer$(printf '\t')No smoking" f/fra-eng.last.tsv
    [ -z "$(awk -F '\t' 'NF != 2 && !(NF == 3 && ($3 == "eng-fra" || $3 == "fra-eng"))' "$ROOT/data/phrasebook.tsv")" ]
    "$ROOT/scripts/interpolate" f/eng-fra.last f/eng-fra.first 0.25 again
    cmp again f/eng-fra.mixed
    before=$(stat -c %y f/*.first f/*.made f/*.last)
    run -0 "$ROOT/scripts/make-models" corpus works
    [ "$(stat -c %y f/*.first f/*.made f/*.last)" = "$before" ]
    mv works/law.tsv law.tsv
    run -1 "$ROOT/scripts/make-models" corpus works
    [ "$output" = "make-models: error: works has neither law.tsv nor law.tsv.gz: add it, or take its row out of sources" ]
    # Without works the corpus is all that the models name.
    rm f/*.last
    run -0 "$ROOT/scripts/make-models" corpus
    [ "$(attn info --json m/eng-fra.safetensors | jq -r .about)" = "Its corpus (CC0)" ]
}

@test "scripts/interpolate mixes the weights of a model and of the one that it went on from" {
    cd "$BATS_TEST_TMPDIR" || return
    mix() { "$ROOT/scripts/interpolate" "$@"; }
    small=(--hidden 8 --embedding 8 --vocabulary 200 --validate-sentences 0 --threads 1 --quiet)
    attn train --steps 3 "${small[@]}" -o old "$PAIRS"
    awk -F '\t' -v OFS='\t' '{ print $1 " ж", $2 " ж" }' "$PAIRS" > more.tsv      # a letter that old lacks
    attn train --steps 3 --threads 1 --validate-sentences 0 --quiet --init old -o new more.tsv
    mix new old 0 none
    cmp none new
    mix new old 1 all
    mix old new 0 refused 2> message || status=$?
    [ "$status" -eq 1 ]
    grep -q "^interpolate: error: old did not go on from new: encoder.embedding.weight has another shape$" message
    mix new old 0.25 quarter
    python3 - << 'END'
import array, json, struct
def load(name):
    data = open(name, "rb").read()
    size, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])
    return {k: array.array("f", data[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]])
            for k, v in header.items() if k != "__metadata__"}
new, old, quarter, whole = map(load, ("new", "old", "quarter", "all"))
grown = 0
for name, values in new.items():
    count = len(old[name])
    grown += count < len(values)
    assert whole[name][:count] == old[name] and whole[name][count:] == values[count:], name
    for x, y, z in zip(values, old[name], quarter[name]):
        assert abs(0.75 * x + 0.25 * y - z) <= 1e-6 * (abs(x) + abs(y)), (name, x, y, z)
assert grown
END
    echo "Hello" | attn translate --quiet -m quarter
    run -1 mix new old 0.25 quarter
    [ "$output" = "interpolate: error: quarter is there already" ]
    run -1 mix new old 2 x
    [ "$output" = "interpolate: error: '2' is no share from 0 to 1" ]
    run -1 mix new nowhere 0.5 x
    [ "$output" = "interpolate: error: nowhere: No such file or directory" ]
    run -1 mix new "$PAIRS" 0.5 x
    [ "$output" = "interpolate: error: $PAIRS is no safetensors file" ]
    attn convert --quiet -o small new
    run -1 mix small old 0.5 x
    [ "$output" = "interpolate: error: small has weights of 8 bits: attn convert --precision float -o FLOAT small" ]
    run -1 mix new old
    [ ! -e x ]
}

@test "models/README.md has the table of sources that scripts/make-models prints" {
    [ -z "$("$ROOT/scripts/make-models" --sources | grep -vxFf "$ROOT/models/README.md")" ]
    [ "$("$ROOT/scripts/make-models" --sources | wc -l)" -ge 3 ]
}

@test "scripts/vary-names repeats pairs, each time with other names on both sides" {
    cd "$BATS_TEST_TMPDIR" || return
    vary() { "$ROOT/scripts/vary-names" "$@" < pairs; }
    printf 'the page and a stone\tla page et une pierre\n' > corpus
    for _ in $(seq 10); do printf 'Tom is\tTom est\n'; done >> corpus
    printf "Page by Olga Stone, Tom, UN, Al.\tPage d'Olga Stone, Tom, UN, Al.\nWeb\tWeb\n" > pairs
    run -0 vary --keep Web 3 corpus
    [ "${#lines[@]}" -eq 6 ]
    for i in 0 2 4; do
        [[ ${lines[i]} =~ ^"Page by "([AEIOU][a-z]+\ [B-DF-HJ-NP-TV-Z][a-z]+)", Tom, UN, Al."$'\t'"Page d'"(.*)", Tom, UN, Al."$ ]]
        [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
        [ "${lines[i + 1]}" = $'Web\tWeb' ]
    done
    [ "$(printf '%s\n' "${lines[@]}" | grep -v Web | sort -u | wc -l)" -eq 3 ]
    [ "$(vary --keep Web 3 corpus)" = "$output" ]
    run -2 vary 3 nowhere
    for pair in "no tab:line 1 of standard input is no pair; a source, a tab and a target are needed" $'\351\tx:*no UTF-8*'; do
        echo "${pair%%:*}" > pairs
        run -1 vary 3 corpus
        # shellcheck disable=SC2053  # a pattern
        [[ $output == "vary-names: error: "${pair#*:} ]]
    done
    printf 'one\tun\n' > pairs
    run -1 bash -c "'$ROOT/scripts/vary-names' 3 corpus < pairs > /dev/full"
    [[ $output == "vary-names: error: No space left on device"* ]]
    [ "$(LC_ALL=C vary 99999 corpus 2>&1 | head -n 1)" = $'one\tun' ]
}

# ruler_data - pairs of languages, of which some sources are held out, and a sequence.
ruler_data() {
    command -v python3 > /dev/null || skip "python3 is missing"
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p data/fra-eng data/parallel/en-{ru/restricted,ja} data/dev/en-{fr,ja,ru} data/sequence
    repeated 43 cat "$PAIRS" | awk -F '\t' -v OFS='\t' '{ print $1 " " NR, $2 " " NR }' > data/fra-eng/fra.txt
    awk -F '\t' -v OFS='\t' '{ print $1, "Кот " NR }' data/fra-eng/fra.txt | gzip > data/parallel/en-ru/some.tsv.gz
    echo "no pair" | gzip > data/parallel/en-ru/restricted/none.tsv.gz
    awk -F '\t' -v OFS='\t' '{ print $1, "彼は静か" NR }' data/fra-eng/fra.txt | gzip > data/parallel/en-ja/some.tsv.gz
    cp "$PAIRS" data/dev/en-fr/flores200-dev.tsv
    printf '%s\t%s\n' "Tree stands." "Дерево стоит." Berlin Berlin "a page" calm "a cat" Кот \
        > data/dev/en-ru/flores200-dev.tsv
    printf 'Berlin cat\t彼は静かだ\nCatch 22\tCatch 22\n' > data/dev/en-ja/flores200-dev.tsv
    for i in {100..199}; do printf '%s %s\t%s\n' ${i:0:1} ${i:1} $i; done > data/sequence/digits-1.train.tsv
    printf '2 00\t2 00\n2 01\t201\n2 02\t2 02\n2 03\t203\n' > data/sequence/digits-1.dev.tsv
    for part in train dev; do cp data/sequence/digits-{1,2}.$part.tsv; done
    export BUDGET="--steps 2 --hidden 8 --embedding 8 --vocabulary 200 --validate-sentences 0 --threads 1"
}

ruler() {
    run --separate-stderr "$ROOT/scripts/ruler" data ruled "$@"
}

@test "the ruler measures a pair of languages and a sequence, and nothing twice" {
    ruler_data
    ruler digits-1 fra-eng
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    number="[0-9]+\.[0-9]+" scores="N \| N \| N \(N\) \| N \| N \|"
    grep -qE "^\| fra-eng \| 5[0-9]{2} \| [0-9]+ \| 2 \| ${scores//N/$number} ${scores//N/$number}  \|$" <<< "$output"
    grep -qE "^\| digits-1 \| 9[0-9] \| [0-9]+ \| 2 \|(  \|){10} $number \|$" <<< "$output"
    [ "$(attn eval -m ruled/fra-eng/model --part valid --first-reference --json --quiet ruled/fra-eng/corpus.tsv |
        jq .score)" = "$(jq .score ruled/fra-eng/valid.scores)" ]
    table=$output
    ruler fra-eng
    [ "$output$stderr" = "$table" ]
    ruler fra-eng --seed 2
    [ "$status" -eq 2 ]
    [[ $stderr == "ruler: error: 'ruled' holds "*": name another FOLDER; see scripts/ruler --help" ]]
    ruler eng-tur
    [ "$status" -eq 2 ]
    [ "$stderr" = "ruler: error: eng-tur: there is no 'data/parallel/en-tr/*.tsv.gz'; see scripts/ruler --help" ]
}

@test "the ruler counts words left, foreign scripts, lengths and exact lines" {
    ruler_data
    cat > echo <<- 'END'
		#!/bin/bash
		case $1 in
		train)
		    while [ $# -gt 1 ]; do declare "${1//-/_}=$2" 2> /dev/null; shift; done
		    printf '{"training_pairs": 7}\n{"step": 9, "seconds": 1.5}\n' > "$__log"
		    touch "$_o" ;;
		translate) cat "${!#}" ;;
		eval) exec "$REAL" "$@" ;;
		esac
	END
    chmod +x echo
    REAL=$ATTN ATTN=$PWD/echo ruler rus-eng eng-jpn digits-1 digits-2
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    # of the first line both words are left, of the last one none, it is too short
    [[ $output == *"| rus-eng | 7 | 2 | 9 | "*" | 500.0 (250.0) | 500.0 | 0.897 |  |"* ]]
    [[ $output == *"| eng-jpn | 7 | 2 | 9 | "*"* | "*"* | "*" | 500.0 (500.0) | 500.0 | 1.385 |  |"* ]]
    [[ $output == *"| digits, mean of 2 |"*"| 50.0 |" ]]
}

@test "a stopped ruler has saved the state of its training, and goes on from there" {
    ruler_data
    BUDGET="${BUDGET/--steps 2/--steps 1000000} --epochs 1000000 --validate-every 1 --patience 0" \
        "$ROOT/scripts/ruler" data ruled digits-1 > printed 2> told &
    await $! test -e ruled/digits-1/unfinished.state
    kill -TERM $!
    status=0
    wait $! || status=$?
    [ "$status" -eq 143 ]
    [ ! -s printed ]
    rm ruled/budget
    BUDGET="${BUDGET/--steps 2/--steps $(($(tail -n 1 ruled/digits-1/log | jq .step) + 9))}" ruler digits-1
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    grep -q '"training_pairs".*"steps":1000000' ruled/digits-1/log
    [ ! -e ruled/digits-1/unfinished.state ]
}

@test "the textbook's table has a figure of attn and of PyTorch in every row" {
    PROGRAMS=$BATS_TEST_TMPDIR stand_in python '[ "$1" = -c ] || echo "{\"src_vocab\": 184, \"tgt_vocab\": 201," \
        "\"loss\": 0.5, \"target_tokens_per_second\": 7}"'
    EPOCHS=12 PYTHON=$BATS_TEST_TMPDIR/python run --separate-stderr scripts/textbook data/eng-fra.train.tsv
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
    grep -qE '^source words +184 +184 +[1-9][0-9]+$' <<< "$output"
    grep -qE '^target words +201 +201 +[1-9][0-9]+$' <<< "$output"
    grep -qE '^loss +0\.019 +0\.500 +[0-9]\.[0-9]{3}$' <<< "$output"
    grep -qE '^target tokens a second +25753 \(GPU\) +7 +[1-9][0-9.]*$' <<< "$output"
    [ "$(grep -cE '^.* => .* bleu [01]\.[0-9]{3}$' <<< "$output")" -eq 4 ]
}

# needs_torch - once is enough: with the release build.
needs_torch() {
    case $ATTN in */asan/* | */tsan/*) skip "PyTorch is tried with the release build" ;; esac
    /usr/bin/python3 -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("torch"))' 2> /dev/null ||
        skip "PyTorch is missing"
}

@test "the peer in PyTorch trains both networks and decodes" {
    needs_torch
    cd "$BATS_TEST_TMPDIR" || return
    head -n 100 "$ROOT/data/eng-fra.train.tsv" > corpus
    /usr/bin/python3 "$ROOT/scripts/torch_peer.py" d2l corpus --epochs 1 --threads 1 | jq -e '.loss > 0'
    for model in real transformer; do
        /usr/bin/python3 "$ROOT/scripts/torch_peer.py" $model corpus --steps 2 --decode 5 --embed 4 --hidden 4 \
            --threads 1 | jq -e '.decode_tokens_per_second_batch_1 > 0'
    done
}

@test "PyTorch translates with a model file as attn does" {
    needs_torch
    cd "$BATS_TEST_TMPDIR" || return
    learn_by_heart model --no-truecase --no-placeholders
    attn convert --quiet -o small model
    learn_by_heart symbols --tokens symbol
    for name in small symbols; do
        sources | attn translate -m $name --beam 1 > ours
        sources | /usr/bin/python3 "$ROOT/scripts/attn_torch.py" $name | diff - ours
    done
}

@test "the frozen answers of PyTorch are made again" {
    needs_torch
    cd "$BATS_TEST_TMPDIR" || return
    mkdir scripts
    cp "$ROOT"/scripts/make-reference "$ROOT"/scripts/attn_torch.py scripts
    /usr/bin/python3 scripts/make-reference loss adam
    for name in loss adam; do
        shape='map_values(if type == "array" then length else type end)'
        diff <(jq -S "$shape" "tests/data/reference/$name.json") <(jq -S "$shape" "$ROOT/tests/data/reference/$name.json")
    done
    [ "$(ls tests/data/reference)" = "$(printf 'adam.json\nloss.json')" ]
}

@test "check-all goes on after a failure, and says what failed and what was left out" {
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p scripts tools
    cp "$ROOT/scripts/check-all" scripts
    PROGRAMS=$PWD/tools stand_in make 'echo "this is $2"' '[ "$2" != tsan ]'
    for tool in sh sed dirname mkdir date tail; do ln -s "$(command -v $tool)" tools/$tool; done
    run -1 env -u ATTN_CORPUS PATH="$PWD/tools" scripts/check-all test-all tsan arm64 debian fuzz clang
    [[ ${lines[0]} =~ ^"test-all   passed, "[0-9]+" s: build/check-all/test-all.log"$ ]]
    [[ ${lines[1]} == "tsan       FAILED, "* ]]
    [ "${lines[2]}" = "this is tsan" ]
    [[ ${lines[3]} == "fuzz       passed, "* ]]
    [ "${lines[4]}" = "left out:" ]
    [[ ${lines[5]} == *"scripts/get-corpus fetches one" ]]
    [ "${lines[6]}" = "    arm64: apt-get install gcc-aarch64-linux-gnu qemu-user" ]
    [ "${lines[7]}" = "    debian: be root, and apt-get install debootstrap" ]
    [ "${lines[8]}" = "    clang: apt-get install clang" ]
    [ "${lines[9]}" = "failed: tsan" ]
    run -2 scripts/check-all nothing
    [[ $output == "check-all: error: there is no part 'nothing'"* ]]
}

@test "test-debian installs a compiler, make and git in a bare folder, and runs there what README begins with" {
    cd "$BATS_TEST_TMPDIR" || return
    mkdir tools
    for tool in bash sh basename dirname cat cp git grep mkdir rm touch; do ln -s "$(command -v $tool)" tools/$tool; done
    PROGRAMS=$PWD/tools
    stand_in id 'echo 0'
    stand_in debootstrap 'mkdir -p "$3/etc/apt/apt.conf.d"; echo "$2" > "$3/release"'
    stand_in apt-config "echo 'Acquire::http::Proxy \"http://proxy\";'"
    # unshare ... sh -euc SCRIPT ROOT COMMAND...
    stand_in unshare 'shift 7; root=$1; shift; echo "$(cat $root/release $root/etc/apt/apt.conf.d/*) $*" >> asked' \
        '[ "$4" != test ] || [ ! -e broken ]'
    git init -q .
    cp -r "$ROOT/scripts" .
    PATH=$PWD/tools run -0 scripts/test-debian
    for release in bookworm trixie; do
        for command in "apt-get update" "apt-get install --yes --no-install-recommends gcc libc6-dev make git" \
            "make -C /attn demo" "make -C /attn test"; do echo "$release Acquire::http::Proxy \"http://proxy\"; $command"; done
    done | diff - <(paste -sd ' \n' asked)
    [ ! -e build/debian/root ]
    touch broken
    PATH=$PWD/tools run -1 scripts/test-debian trixie
    [ "${lines[-1]}" = "test-debian: error: trixie: make test failed; the folder is build/debian/root" ]
    rm tools/debootstrap
    PATH=$PWD/tools run -1 scripts/test-debian trixie
    [[ $output == "test-debian: error: root and debootstrap are needed; "* ]]
}

@test "shellcheck reports nothing" {
    command -v shellcheck > /dev/null || skip "shellcheck is missing"
    for script in scripts/* tests/run .ci/run; do
        case $(head -n 1 "$script" 2> /dev/null) in '#!'*sh) shellcheck -x "$script" ;; esac
    done
    shellcheck -s bash src/docs/completion.bash
}

@test "scripts/fragments cuts rests of sentences out of pairs" {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' $'I have two cups of tea.\tJ\'ai deux tasses de thé.\tx' $'Is this a dog?\tEst-ce un chien\u202f?' \
        $'I have none.\tJe n\'en ai pas.' $'It\'s a dog!\tC\'est un chien !' $'I have\tJ\'ai' > pairs
    run -0 diff <("$ROOT/scripts/fragments" pairs) - <<< $'two cups of tea\tdeux tasses de thé\na dog\tun chien'
    run -0 diff <("$ROOT/scripts/fragments" --reversed < pairs) - <<< $'deux tasses de thé\ttwo cups of tea\nun chien\ta dog'
    run -2 "$ROOT/scripts/fragments" --no-such-option
}
