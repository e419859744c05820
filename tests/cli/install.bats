#!/usr/bin/env bats
# install.bats - make install and uninstall, and folders with blanks and quotes in their names.

load helper

setup() {
    case $ATTN in
    "$ROOT"/build/*/attn) variant=$(basename "$(dirname "$ATTN")") ;;
    *) skip "make installs what it has built: ATTN=build/release/attn" ;;
    esac
    cd "$BATS_TEST_TMPDIR" || return
}

# make_as_built TARGET VARIABLE... - with the program as it is: another compiler would build it anew.
make_as_built() {
    make --no-print-directory -C "$ROOT" -o "build/$variant/attn" VARIANT="$variant" "$@" > made
}

@test "make install and uninstall take a folder of any name, and touch no other" {
    mkdir -p a b/usr/bin
    echo mine > b/usr/bin/attn
    for folder in "a b" "it's" 'q"`x`;y'; do
        make_as_built install DESTDIR="$PWD/$folder" PREFIX="/usr"
        cmp "$folder/usr/bin/attn" "$ATTN"
        [ -x "$folder/usr/bin/attn" ]
        make_as_built uninstall DESTDIR="$PWD/$folder" PREFIX="/usr"
        [ ! -e "$folder/usr/bin/attn" ]
    done
    make_as_built install PREFIX="$PWD/p q"
    cmp "p q/bin/attn" "$ATTN"
    [ "$(cat b/usr/bin/attn)" = mine ]
    [ -z "$(ls -A a)" ]
}

@test "the folder of the project, and that of tests/run's results, may have a blank" {
    mkdir -p "p q/tests/unit" "p q/build/some/tests" "t u"
    cp "$ROOT/tests/run" "p q/tests"
    touch "p q/tests/unit/test_one.c"
    printf '#!/bin/sh\nprintf "1..1\\nok 1 - a\\n"\n' > "p q/build/some/tests/test_one"
    chmod +x "p q/build/some/tests/test_one"
    cd "p q"
    TMPDIR="$BATS_TEST_TMPDIR/t u" run tests/run unit:some
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "attn: 1 passed, 0 failed" ]
}
