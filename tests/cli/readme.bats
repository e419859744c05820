# readme.bats - the files that README names exist.

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

@test "every link inside the repository leads somewhere" {
    run bash -c "tr '\n' ' ' < README.md | grep -oE '\]\([^)#]*\)' | sed 's/^](//; s/)\$//' | grep -v ://"
    [ "${#lines[@]}" -gt 20 ]
    for name in "${lines[@]}"; do
        [ -e "$name" ] || { echo "README leads to $name"; false; }
    done
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

@test "every link of the measurements leads somewhere" {
    run bash -c "grep -oE '\]\([^)#]+\)' data/results.md | sed 's/^](//; s/)\$//'"
    [ "${#lines[@]}" -gt 2 ]
    for name in "${lines[@]}"; do
        [ -e "data/$name" ] || { echo "data/results.md leads to $name"; false; }
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
