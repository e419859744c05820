#!/usr/bin/env bats
# install.bats - make install, uninstall and dist, and folders with blanks and quotes in their names.

load helper

setup() {
    case $ATTN in
    "$ROOT"/build/*/attn) variant=$(basename "$(dirname "$ATTN")") ;;
    *) skip "make installs what it has built: ATTN=build/release/attn" ;;
    esac
    [ -e "$ROOT/build/$variant/lib/libattn.a" ] || skip "there is no library to install: make library"
    cd "$BATS_TEST_TMPDIR" || return
}

# make_as_built TARGET VARIABLE... - with the program as it is: another compiler would build it anew.
make_as_built() {
    local old=(-o "build/$variant/attn" -o "build/$variant/write-docs")
    for file in "$ROOT/build/$variant/lib"/libattn.{a,so.*.*}; do old+=(-o "${file#"$ROOT/"}"); done
    make --no-print-directory -C "$ROOT" "${old[@]}" BUILD="build/$variant" "$@" > made
}

# contents FOLDER - each file below it with a sum of its bytes, each link with what it points to.
contents() {
    (cd "$1" && find . -type f -exec sha256sum {} + -o -type l -printf '%l  %p\n' | sort -k 2)
}

# names - of contents.
names() {
    sed 's,^[^ ]*  \./,,' | sort
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

@test "make install puts all where it belongs and lists it, and uninstall removes exactly these" {
    local installed before name
    mkdir -p usr/bin usr/lib usr/share/attn/models usr/share/man/man1
    for name in bin/other lib/libattn.so.9 share/attn/models/mine share/man/man1/mine.1; do
        echo mine > "usr/$name"
    done
    before=$(contents usr)
    make_as_built install DESTDIR="$PWD" PREFIX=/usr
    installed=$(comm -13 <(echo "$before" | names) <(contents usr | names))
    diff <(sort usr/share/attn/installed) <(echo "$installed" | sed 's,^,/usr/,')
    for name in bin/attn include/attn.h lib/libattn.a lib/pkgconfig/attn.pc share/doc/attn/CHANGELOG.md \
        share/attn/installed; do
        grep -qx "$name" <<< "$installed"
    done
    (cd "$(dirname "$ATTN")" && find share -type f 2> /dev/null || true) | while read -r name; do
        grep -qx "$name" <<< "$installed"
    done
    [ "$(stat -c %a usr/bin/attn usr/include/attn.h usr/lib/libattn.a | xargs)" = "755 644 644" ]
    make_as_built uninstall DESTDIR="$PWD" PREFIX=/usr
    [ "$(contents usr)" = "$before" ]
    make_as_built uninstall DESTDIR="$PWD" PREFIX=/usr
    [ "$(contents usr)" = "$before" ]
}

@test "a program is built with pkg-config and the installed library, also in a folder with a blank" {
    if nm "$ATTN" | grep -q '__[atu][a-z]*san_'; then skip "a sanitizer's library needs its runtime"; fi
    make_as_built install PREFIX="$PWD/p q" LIBDIR="$PWD/p q/lib 64"
    export PKG_CONFIG_PATH="$PWD/p q/lib 64/pkgconfig" LD_LIBRARY_PATH="$PWD/p q/lib 64"
    [ "$(pkg-config --modversion attn)" = "$(attn --version | sed -n 's/^attn //p')" ]
    eval "compiler '$ROOT/src/lib/examples/translate.c' $(pkg-config --cflags --libs attn) -o translate"
    run -1 --separate-stderr start ./translate nothing
    [ "$stderr" = "translate: nothing: cannot be opened: No such file or directory" ]
    make_as_built uninstall PREFIX="$PWD/p q" LIBDIR="$PWD/p q/lib 64"
    [ -z "$(find "p q" ! -type d)" ]
}

# make_dist FOLDER FILE - the tarball of that clone.
make_dist() {
    make --no-print-directory -C "$1" dist DIST="$PWD/$2" > made
}

@test "make dist writes the same bytes anywhere, any time, for anyone: the files of the last commit" {
    [ -e "$ROOT/.git" ] || skip "no clone of the repository"
    git clone --quiet "$ROOT" clone
    make_dist "$ROOT" one.tar.gz
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C make_dist clone other.tar.gz)
    cmp one.tar.gz other.tar.gz
    version=$(attn --version | sed -n 's/^attn //p')
    diff <(tar -tzf one.tar.gz | grep -v '/$' | sort) <(git -C clone ls-files | sed "s,^,attn-$version/," | sort)
    echo mine >> clone/LICENSE
    make_dist clone changed.tar.gz
    cmp one.tar.gz changed.tar.gz
}

@test "the newest of the changes are those of this version" {
    newest=$(sed -n '/^## /{ s/## //p; q; }' "$ROOT/src/CHANGELOG.md")
    [ "$(attn --version | head -n 1)" = "attn $newest" ]
}

@test "models are installed where the installed program finds them" {
    ! is_emulated || skip "the script that emulates is installed, and starts the program where that is"
    learn_by_heart eng-fra.safetensors
    mkdir -p p/share/attn/models
    touch p/share/attn/models/mine.safetensors
    make_as_built install PREFIX="$PWD/p" MODELS="$PWD/eng-fra.safetensors"
    mv p moved
    mkdir elsewhere
    cd elsewhere
    [ "$(echo "Thank you." | env -u XDG_DATA_HOME HOME=/nowhere ../moved/bin/attn translate)" = Merci. ]
    [ "$(../moved/bin/attn info --json eng-fra | jq -r .model)" = "${PWD%/*}/moved/share/attn/models/eng-fra.safetensors" ]
    cd ..
    mv moved p
    make_as_built uninstall PREFIX="$PWD/p" MODELS="$PWD/eng-fra.safetensors"
    [ "$(ls p/share/attn/models)" = mine.safetensors ]
    rm p/share/attn/models/mine.safetensors
    make_as_built uninstall PREFIX="$PWD/p" MODELS="$PWD/eng-fra.safetensors"
    [ ! -e p/share/attn ]
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
