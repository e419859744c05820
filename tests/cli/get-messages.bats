# get-messages.bats - scripts/get-messages with catalogs that are made here, and stand-ins for the programs that would
# use the network.

load helper

setup()
{
    cd "$BATS_TEST_TMPDIR" || return
    script=$ROOT/scripts/get-messages
}

# pairs TEXT... - a line for each message and its translation.
pairs() { printf '%s\t%s\n' "$@"; }

@test "each message of each catalog is a line with its translation, and stands there once" {
    pairs 'A\nmessage of  lines' 'Un message\nde lignes' 'E_xit' '_Quitter' 'Save _as' '_Enregistrer sous' \
        'menu\4File' 'Fichier' '%d page\0%d pages' '%d feuille\0%d feuilles' 'my_file &amp; a' 'my_file &amp; un' \
        'AT&T_' 'AT&T_' 'Not yet' '' 'What?' $'Quoi\u202f?' |
        catalog share/fr/LC_MESSAGES/a.mo
    pairs 'File' 'Fichier' 'Folder' 'Dossier' | catalog share/games/fr/LC_MESSAGES/b.mo
    pairs 'File' 'Datei' | catalog share/de/LC_MESSAGES/a.mo
    run -0 --separate-stderr "$script" --from share
    [ "$(sort <<< "$output")" = "$(pairs '%d page' '%d feuille' 'A message of lines' 'Un message de lignes' \
        'Exit' 'Quitter' 'File' 'Fichier' 'Folder' 'Dossier' 'Save as' 'Enregistrer sous' 'my_file &amp; a' \
        'my_file &amp; un' 'AT&T_' 'AT&T_' 'What?' $'Quoi\u202f?' | sort)" ]
    run -0 --separate-stderr "$script" --from share de
    [ "$output" = "$(pairs File Datei)" ]
    (set -o pipefail; "$script" --from share 2> errors | head -n 0) || [ $? -eq 141 ]
    [ ! -s errors ]
    "$script" --from share > /dev/full 2> errors && false
    [ "$(cat errors)" = "get-messages: error: stdout: No space left on device" ]
}

@test "packages are downloaded and unpacked, and nothing stays" {
    mkdir tmp
    PROGRAMS=$PWD/tools
    pairs 'Open' 'Ouvrir' | catalog usr/share/locale/fr/LC_MESSAGES/a.mo
    stand_in apt-get 'shift; for name; do echo > "$name.deb"; done'
    stand_in dpkg-deb "mkdir \"\$3\" && cp -r '$PWD/usr' \"\$3\""
    PATH=$PWD/tools:$PATH TMPDIR=$PWD/tmp run -0 --separate-stderr "$script" fr gimp-data inkscape
    [ "$output" = "$(pairs Open Ouvrir)" ]
    [ -z "$(ls -A tmp)" ]
    stand_in apt-get 'echo "E: Unable to locate package $2"; exit 100'
    PATH=$PWD/tools:$PATH TMPDIR=$PWD/tmp run -1 --separate-stderr "$script" fr nonesuch
    [ -z "$output" ]
    [ "$stderr" = "get-messages: error: apt-get download nonesuch: E: Unable to locate package nonesuch" ]
    [ -z "$(ls -A tmp)" ]
}

@test "what is no folder of catalogs, or no catalog, is named" {
    mkdir -p share/fr/LC_MESSAGES
    run -1 --separate-stderr "$script" --from share
    [ "$stderr" = "get-messages: error: share has no catalogs of 'fr': fr/LC_MESSAGES/*.mo" ]
    echo text > share/fr/LC_MESSAGES/a.mo
    run -1 --separate-stderr "$script" --from share
    [[ $stderr == "get-messages: error: share/fr/LC_MESSAGES/a.mo: no catalog of messages: "* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
    : > share/fr/LC_MESSAGES/a.mo
    run -1 --separate-stderr "$script" --from share
    [[ $stderr == "get-messages: error: share/fr/LC_MESSAGES/a.mo: no catalog of messages: "* ]]
    run -2 --separate-stderr "$script" --from
    [ "$stderr" = "get-messages: error: --from needs a folder, and at most a language behind it; --help says more" ]
    run -2 --separate-stderr "$script" --form share
    [ "$stderr" = "get-messages: error: there is no option '--form'; --help says more" ]
}
