# readme.bats - what README names is there.

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

@test "README has a row for each option that scripts/compare-systems compares" {
    run bash -c "scripts/compare-systems --list | grep -oE -- '--[a-z-]+' | sort -u"
    for option in "${lines[@]}"; do
        grep -q "^|.*\`$option[ \`].*(src/" README.md && continue
        # settings of a score, and what a score asks for
        [[ $option == --no-bidirectional || $option == --attention-positions ]] || { echo "$option"; false; }
    done
}
