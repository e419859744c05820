# readme.bats - README and the pages beside it are true: the files that they name exist, and the commands run.

setup()
{
    load helper
    cd "$ROOT" || return
}

@test "every file that README names exists" {
    # What is made or downloaded is not in the repository, and <NAME>, * and the like are no names.
    run bash -c "grep -oE '(^|[^A-Za-z0-9_./])(src|tests|scripts|data)/[A-Za-z0-9_./*-]*' README.md |
        grep -oE '(src|tests|scripts|data)/.*' | sed 's/[.]\$//' | grep -vE '^data/fra-eng' | sort -u"
    [ "${#lines[@]}" -gt 30 ]
    for name in "${lines[@]}"; do
        [ -e "$name" ] || { echo "README names $name"; false; }
    done
}

@test "README is for a newcomer: 200 lines at most" {
    [ "$(wc -l < README.md)" -le 200 ]
}

# anchors PAGE - its headings as links name them: small letters, a hyphen for each blank, no punctuation.
anchors() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^[:alnum:] _-]//g; s/ /-/g'
}

@test "every link of the pages leads to a file, and to a heading in it" {
    local count=0
    for page in *.md */*.md */*/*.md; do
        for link in $(tr '\n' ' ' < "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -v ://); do
            local file=$page anchor=
            [[ $link == "#"* ]] || file=$(dirname "$page")/${link%%#*}
            [[ $link != *"#"* ]] || anchor=${link#*#}
            [ -e "$file" ] || { echo "$page leads to $link"; false; }
            [ -z "$anchor" ] || anchors "$file" | grep -qxF -- "$anchor" || { echo "$page leads to $link"; false; }
            count=$((count + 1))
        done
    done
    [ "$count" -gt 50 ]
}

@test "README has a row for each score, order and cell that attn train knows" {
    for option in attention decoder cell; do
        run attn train --$option x pairs.tsv
        # "attn: error: --cell: 'x' is not one of gru, lstm"
        for name in $(sed -n '1s/.* is not one of //p' <<< "$output" | tr -d ,); do
            grep -q "^|.*\`--$option $name\`.*(src/" README.md || { echo "--$option $name"; false; }
        done
    done
}

# training_options - the names of the options that say how a network learns, not what it is.
training_options() {
    attn help train --all | sed -n '/^Training:/,/^Help:/s/^  .*\(--[a-z0-9-]*\).*/\1/p'
}

@test "README has a row for each option that scripts/compare-systems compares" {
    run bash -c "scripts/compare-systems --list | grep -oE -- '--[a-z-]+' | sort -u"
    run -0 grep -vxFf <(training_options) <(printf '%s\n' "${lines[@]/--no-/--}")
    for option in "${lines[@]}"; do
        grep -q "^|.*\`$option[ \`].*(src/" README.md && continue
        # settings of a score or of a layer, and what a score asks for
        [[ " --bidirectional --attention-positions --feed-forward --norm --readout " == *" $option "* ]] ||
            { echo "$option"; false; }
    done
}

@test "every file and function that src/README.md walks through exists" {
    run bash -c "tr '\n' ' ' < src/README.md | grep -oE '[a-z/_0-9]+\.c: [a-z_0-9]+' | sort -u"
    [ "${#lines[@]}" -gt 25 ]
    for walk in "${lines[@]}"; do
        file=src/${walk%%:*} function=${walk##* }
        grep -q "\b$function(" "$file" || { echo "src/README.md names $walk"; false; }
    done
    run bash -c "tr '\n' ' ' < src/README.md | grep -oE '\`[a-z_0-9]+/[a-z/_0-9]+\.[ch]\`' | tr -d '\`' | sort -u"
    [ "${#lines[@]}" -gt 5 ]
    for file in "${lines[@]}"; do
        [ -e "src/$file" ] || { echo "src/README.md names $file"; false; }
    done
}

@test "src/README.md has a row for each folder of the source" {
    for folder in $(find src -mindepth 1 -type d | sed 's/^src\///'); do
        grep -qE "^    $folder/ " src/README.md || { echo "$folder"; false; }
    done
}

# ---- Commands ----

# Options of mpirun and GNU parallel.
of_others='--(bind-to|hostfile|map-by|mca|cleanup|return|sshloginfile|transferfile)'

@test "every option that the pages name exists" {
    local known=$BATS_TEST_TMPDIR/known
    for command in train translate eval info convert help; do options $command; done | sed 's/^/--/' > "$known"
    grep -ohE -- '--[a-z][a-z0-9-]+' scripts/[a-z]* >> "$known" 2> /dev/null || true       # some are folders
    run -0 bash -c "ls *.md */*.md */*/*.md | grep -v CHANGELOG | xargs grep -ohE -- '--[a-z][a-z0-9-]+' | sort -u |
        grep -vxE -- '$of_others'"
    [ "${#lines[@]}" -gt 50 ]
    run grep -vxFf "$known" <<< "$output"
    echo "$output"
    [ "$status" -eq 1 ]
}

# Blocks of code that hold no commands, by how they begin.
no_commands='^main\.c  |^I am calm\.|^BLEU\||^"encoder\.embedding\.weight"|^import json, struct$'

# What runs otherwise than the pages show it, and why. N, PRECISION, WHICH and the like stand for any value.
differences='
s/NAME,NAME,\.\.\./lstm/
s/^[A-Z_]+=[A-Z]+ //
:again
s/ -[-a-z]+ [A-Z][A-Z.]*( |$)/ /
t again
s/compare-systems fra/compare-systems --only default fra/       # hours
s/STEPS=10 BATCHES="64 256 512"/STEPS=1 WIDTHS=8 BATCHES=8/     # minutes
s/^RUNS=1 TABLES=growth/QUICK=1 &/                              # minutes
s/make-models fra.txt works/make-models fra.txt/                # works that are not here
s/opus 32000 512/tiny 100 8/                                    # 60 MB
s/split-corpus/& --force/                                       # another page has made these
s/^attn train --resume$/& || [ $? = 1 ]/                        # no run was interrupted
s/get-corpus --mirror/& || [ $? = 1 ]/                          # the stand-in for curl has another version
'

# blocks FOLDER PAGE... - a file FOLDER/PAGE:LINE for each block of code, with _ for /; of a session what is typed.
blocks() {
    awk -v folder="$1/" '
        function begin() { gsub("/", "_", name); file = sprintf("%s%s:%04d", folder, name, FNR); inside = 1 }
        FNR == 1         { name = FILENAME; inside = 0; before = "" }
        /^\.EX/          { begin(); next }
        /^\.EE/          { inside = 0 }
        FILENAME ~ /md$/ {
            if (!/^    /) inside = 0
            else if (before == "") begin()
            before = $0
            sub(/^    /, "")
        }
        inside           { gsub(/\\-/, "-"); print > file }' "${@:2}"
    for block in "$1"/*; do
        ! grep -q '^\$ ' "$block" || sed -i -n 's/^\$ //p' "$block"
    done
}

# prepare_project - a folder in which trainings are two updates of a tiny network, corpora have some hundred pairs, and
# all files are that the pages give to commands. make says what it would do; nothing asks a network, bats or a cluster.
prepare_project() {
    cp -r "$ROOT/scripts" .
    ln -s "$ROOT/tests" "$ROOT/src" "$ROOT/build" .
    PROGRAMS=$PWD
    mkdir data models folder
    for corpus in "$ROOT"/data/*.tsv; do awk 'NR % 8 == 0' "$corpus" > "data/${corpus##*/}"; done
    cp "$ROOT"/models/???-???.safetensors models
    for name in models/attn models/demo general; do ln models/eng-fra.safetensors $name.safetensors; done
    cut -f 1,2 "$ROOT/data/eng-fra.train.tsv" "$ROOT/data/phrasebook.tsv" > all
    scripts/split-corpus all parts 2> /dev/null                     # what is held out of them is held out of fra.txt
    { cat parts/valid.tsv; head -n 30 parts/test.tsv; awk 'NR % 20 == 0' parts/train.tsv; } > fra.txt
    for name in pairs law corpus general captions manual flores200-dev; do cp fra.txt $name.tsv; done
    awk 'BEGIN { for (i = 1; i <= 1200; i++) print "w" i "\t" i % 7 " " i % 5 }' > sounds.tsv
    cut -f 1 sounds.tsv | head -n 9 > spellings.txt
    cp models/demo.safetensors models/sounds.safetensors
    cp data/eng-fra.test.tsv part.tsv
    for name in article.en lines.txt; do cut -f 1 part.tsv > $name; done
    for name in out a b ref reference; do cut -f 2 part.tsv > $name.fr; done
    python3 "$ROOT/tests/cli/foreign_models.py" write foreign
    mv foreign/self-opus opus-2020-02-26
    mv foreign/self-hugging-face-F32 opus-mt-en-fr
    mv foreign/ssru-bin8-alphas/model.bin model.enfr.intgemm.alphas.bin
    mv foreign/ssru-bin8-alphas/vocab.spm vocab.enfr.spm
    mv foreign/self.argosmodel translate-en_fr.argosmodel
    echo : > hosts

    stand_in attn 'case $1 in' \
        'train) set -- "$@" --steps 2 --validate-sentences 0 --threads 1 --force' \
        '    case " $* " in *" --init "*) ;; *) set -- "$@" --hidden 8 --embedding 8 --vocabulary 300 ;; esac ;;' \
        'convert) set -- "$@" --force ;;' 'esac' "exec '$ATTN' \"\$@\""
    stand_in make "exec '$(command -v make)' -C '$ROOT' -n MAKE=: \"\$@\" > /dev/null"
    stand_in pkg-config '[ "$1" = --exists ] || exec '"'$(command -v pkg-config)'"' "$@"'
    stand_in bats 'exec ls "$@"'
    stand_in curl 'while [ "$1" != --output ]; do shift; done' 'exec python3 -m zipfile -c "$2" fra.txt'
    catalog share/fr/LC_MESSAGES/fra.mo < fra.txt
    stand_in apt-get "exec cp -r '$PWD/share' ."
    stand_in parallel 'for command; do :; done' 'exec xargs -I "{}" sh -c "$command"'
    for launcher in mpirun srun; do stand_in $launcher 'while [ "$1" != attn ]; do shift; done' 'exec "$@"'; done
    stand_in sbatch 'exec sh "$@"'
}

@test "every command that the pages show runs, for a second's work" {
    ! is_emulated || skip "one kind of program is enough"
    command -v python3 > /dev/null || skip "python3 is missing"
    [ -x build/release/attn-roofline ] || skip "make units builds what some of them run"
    mkdir "$BATS_TEST_TMPDIR/blocks" "$BATS_TEST_TMPDIR/project"
    blocks "$BATS_TEST_TMPDIR/blocks" *.md */*.md */*/*.md src/docs/*.[1-8]
    cd "$BATS_TEST_TMPDIR/project" || return
    prepare_project
    unset ATTN
    for block in ../blocks/*; do
        ! head -n 1 "$block" | grep -qE "$no_commands" || continue
        sed -E "$differences" "$block" > commands
        PATH=$PWD:$PATH bash -euo pipefail commands < /dev/null > output 2>&1 ||
            { echo "${block##*/}:"; cat commands output; false; }
    done
}
