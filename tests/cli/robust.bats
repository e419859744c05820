# robust.bats - scripts/robust: its altered test sets, the items in their translations, its table, and what is refused.

load helper

# A corpus whose sources are their own translations: a translator that writes what it reads keeps all.
setup_file()
{
    load helper
    command -v python3 > /dev/null || skip "python3 is missing"
    export ATTN TWINS=$BATS_FILE_TMPDIR/twins.tsv
    printf '%s\n' 'I know Tom well.' 'He has 50 cats.' "I don't know Anna." 'Où est le vieux chat ?' |
        sed 's/.*/&\t&/' > "$TWINS"
    "$ROOT/scripts/robust" --with cat "$TWINS" "$BATS_FILE_TMPDIR/f" > "$BATS_FILE_TMPDIR/table"
}

setup()
{
    command -v python3 > /dev/null || skip "python3 is missing"
    cd "$BATS_FILE_TMPDIR" || return
}

# cell KIND COLUMN TABLE
cell()
{
    sed 's/ %//g' "$3" | awk -v kind="$1" -v column="$2" '$1 == kind { print $column }'
}

@test "a translator that keeps all has 100 %, one that writes nothing has none" {
    head -n 1 table | grep -qxE 'kind +lines +BLEU +plain +share +items +kept'
    [ "$(wc -l < table)" -eq 24 ]
    "$ROOT/scripts/robust" --with 'sed s/.*//' "$TWINS" nothing > none
    for kind in names numbers addresses codes placeholders emoji tags aside; do
        [ "$(cell $kind 7 table)" = 100.0 ]
        [ "$(cell $kind 7 none)" = 0.0 ]
    done
    for kind in plain capitals small no_final small_no_final joined bullet emoji tags aside; do
        [ "$(cell $kind 5 table)" = 100.0 ]
    done
    for kind in swap drop double neighbour accents apostrophe no_apostrophes; do
        [ "$(cell $kind 3 table)" != 100.00 ]
        [ "$(cell $kind 4 table)" = 100.00 ]
    done
    [ "$(cell capitals 2 table)" -eq 4 ]
    [ "$(cell accents 2 table)" -eq 1 ]
    [ "$(cell joined 2 table)" -eq 1 ]
    [ "$(cell marks 2 table)" -eq 0 ]
    [ ! -e f/marks.tsv ]
}

@test "the altered sets hold what people type, and the items of each line; the seed decides" {
    diff f/plain.tsv "$TWINS"
    head -n 1 f/capitals.tsv | diff - <(printf 'I KNOW TOM WELL.\tI know Tom well.\n')
    cut -f 1 f/small_no_final.tsv | sed -n 4p | grep -qx 'où est le vieux chat'
    cut -f 1 f/accents.tsv | grep -qx 'Ou est le vieux chat ?'
    cut -f 1 f/no_apostrophes.tsv | grep -qx 'I dont know Anna.'
    grep -qxE '(-|\*|•|[123]\.) I know Tom well\.'$'\t''(-|\*|•|[123]\.) I know Tom well\.' f/bullet.tsv
    for kind in names numbers; do
        [ "$(grep -c . f/$kind.items)" -ge 50 ]
        # Each item is in the source and in the target.
        paste f/$kind.items f/$kind.tsv | awk -F '\t' '!index($2, $1) || !index($3, $1) { exit 1 }'
    done
    run -1 grep -w -e Tom -e Anna f/names.tsv
    "$ROOT/scripts/robust" "$TWINS" again
    rm f/*.hyp
    diff -r f again
    "$ROOT/scripts/robust" --seed 2 "$TWINS" other
    run -1 cmp f/names.tsv other/names.tsv
}

@test "an item is counted exactly, as often as it is to be there; a number with other separators, too" {
    printf '%s\n' Drov Drov Drov $'Drov\tDrov' 1,299.50 1,299.50 24 24 '%s' '' > items
    printf '%s\n' 'Drov est là.' Drovell 'Drov, Drov.' "Drov et d'Drov" '1 299,50 €' 1299 '24.' 2,24 '(%s)' none > translation
    run -0 "$ROOT/scripts/robust" --count items translation
    diff - <(printf '%s\n' "${lines[@]}") << 'END'
translation:2: Drov: 0 times, not 1
translation:3: Drov: 2 times, not 1
translation:6: 1,299.50: 0 times, not 1
translation:8: 24: 0 times, not 1
5 of 9 items kept: 55.6 %
END
}

@test "any script has its letters altered, and no letter loses its marks" {
    printf '%s\tx\n' 'बाहर निकल जाओ।' 'すごい！' 'Он не потерял.' > scripts.tsv
    "$ROOT/scripts/robust" scripts.tsv scripts
    cut -f 1 scripts/no_final.tsv | diff - <(printf '%s\n' 'बाहर निकल जाओ' 'すごい' 'Он не потерял')
    [ "$(cut -f 1 scripts/drop.tsv | diff - <(cut -f 1 scripts.tsv) | grep -c '^<')" -eq 3 ]
    cut -f 1 scripts/tags.tsv | grep -qE '^(<b>बाहर</b> निकल जाओ|बाहर <b>निकल</b> जाओ|बाहर निकल <b>जाओ</b>)।$'
    cut -f 1 scripts/tags.tsv | grep -qx '<b>すごい</b>！'
}

@test "what can't be done is one line of error" {
    refused() { run -1 "$ROOT/scripts/robust" "${@:2}"; [ "$output" = "robust: error: $1" ]; }
    refused "nowhere: No such file or directory" nowhere new
    refused "f: File exists" "$TWINS" f
    printf 'caf\351\tx\n' > latin
    refused "latin: is no UTF-8; 'iconv -t UTF-8' converts it" latin new
    echo 'no tab' > none.tsv
    refused "none.tsv: no line is a pair: a source, a tab and a target are needed" none.tsv new
    [ ! -e new ]
    refused "false: failed with exit status 1" --force --with false "$TWINS" f
    run -1 "$ROOT/scripts/robust" --force --with 'head -n 3' "$TWINS" f
    [[ $output == "robust: error: head -n 3: wrote 3 lines, not "*"; a translation of each line is needed" ]]
    refused "none.tsv and f/names.items have 1 and 100 lines; those of one kind are needed" --count f/names.items none.tsv
    run -2 "$ROOT/scripts/robust" "$TWINS"
}
