#!/usr/bin/env bats
# library.bats - libattn as programs in C and Python use it: the same translations as attn's, no symbol but its own, and
# nothing that ends the process, prints or changes its settings.

load helper

setup_file() {
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    build=$(dirname "$ATTN")
    LIB=$build/lib
    [ -e "$LIB/libattn.a" ] || skip "no library beside the program: ATTN=build/release/attn"
    cd "$BATS_TEST_TMPDIR" || return
    MODEL=$BATS_FILE_TMPDIR/model
    SHARED=$(echo "$LIB"/libattn.so.*.*.*)
}

sanitized() {
    nm "$SHARED" | grep -q '__[atu][a-z]*san_'
}

# compile NAME SOURCE LINK... - with the library; in a sanitizer's build with what that adds.
compile() {
    local sanitizer=
    if sanitized; then sanitizer=-fsanitize=address,undefined; fi
    # shellcheck disable=SC2086  # none or one option
    compiler -std=c99 -Wall -Wextra -Wpedantic -Werror $sanitizer -I "$ROOT/src/lib" "$2" -o "$1" "${@:3}"
}

needed() {
    pkg-config --libs libcjson icu-uc libpcre2-8 zlib
}

# expected - the lines as attn translates them.
expected() {
    sources | attn translate -m "$MODEL" --alignment
}

@test "the example in C translates as attn does, with the library of either kind" {
    compile shared "$ROOT/src/lib/examples/translate.c" -L "$LIB" -lattn -Wl,-rpath,"$LIB"
    diff <(sources | start ./shared "$MODEL") <(expected)
    # shellcheck disable=SC2046  # a list of options
    compile static "$ROOT/src/lib/examples/translate.c" "$LIB/libattn.a" $(needed) -lpthread -lm
    diff <(sources | start ./static "$MODEL") <(expected)
    readelf -d shared | grep -q "NEEDED.*libattn\.so\.[0-9]*\]"
    [ -z "$(readelf -d static | grep libattn || true)" ]
}

@test "any linker can link it, and a program may have functions of the names that it uses inside" {
    for linker in bfd gold lld; do
        compiler -fuse-ld=$linker -Wl,--version > /dev/null 2>&1 || continue
        echo "$linker"
        # shellcheck disable=SC2046  # a list of options
        compile "own.$linker" "$ROOT/tests/cli/own_names.c" -fuse-ld=$linker "$LIB/libattn.a" $(needed) -lpthread -lm
        diff <(sources | start "./own.$linker" "$MODEL") <(expected)
    done
}

@test "the example in C reports what is no model and what is no text" {
    compile translate "$ROOT/src/lib/examples/translate.c" -L "$LIB" -lattn -Wl,-rpath,"$LIB"
    run -1 --separate-stderr start ./translate nothing
    [ "$stderr" = "translate: nothing: cannot be opened: No such file or directory" ]
    run -1 --separate-stderr start ./translate "$MODEL" <<< $'caf\xe9'
    [ "$stderr" = "translate: line 0: is not valid UTF-8" ]
    [ -z "$output" ]
}

@test "the example in Python translates as attn does" {
    command -v python3 > /dev/null || skip "there is no python3"
    ! is_emulated || skip "python3 is this machine's, the library is not"
    if sanitized; then skip "a sanitizer's library cannot be loaded into python3"; fi
    export LD_LIBRARY_PATH=$LIB PYTHONDONTWRITEBYTECODE=1
    diff <(sources | "$ROOT/src/lib/examples/translate.py" "$MODEL") <(expected)
    run -1 "$ROOT/src/lib/examples/translate.py" nothing <<< "I am calm."
    [ "${lines[-1]}" = "RuntimeError: nothing: cannot be opened: No such file or directory" ]
}

# defined_in FILE NM_OPTION... - the names that others can use.
defined_in() {
    nm --defined-only --extern-only --format=posix "$@" | awk 'NF > 1 && $2 != "A" { print $1 }' | sort
}

# declared - the functions of attn.h.
declared() {
    grep -oE '\battn_[a-z_]+\(' "$ROOT/src/lib/attn.h" | tr -d '(' | sort -u
}

@test "the library shows the functions of its header, by version, and no other name" {
    diff <(defined_in -D "$SHARED") <(declared | sed 's/$/@@ATTN_0/')
    diff <(defined_in "$LIB/libattn.a" | grep -v '^attn_private_') <(declared)
}

# die() of base/error.c exits with a message where no Mem is entered: nowhere in the library.
@test "nothing but die() and assert() can end the process or print; none changes its settings or loads OpenBLAS" {
    forbidden='_?exit|_Exit|quick_exit|abort|__assert_fail|exec[a-z]+|fork|system|cblas_.*|openblas_.*'
    forbidden+='|v?f?printf|__v?f?printf_chk|f?puts|f?putc(har)?|fwrite|write|perror|std(in|out|err)'
    forbidden+='|setenv|putenv|environ|signal|sigaction|setlocale|chdir'
    if sanitized; then skip "sanitizers do"; fi
    found=$(nm -D --undefined-only "$SHARED" | awk '{ sub("@.*", "", $2); print $2 }' | grep -xE "$forbidden" | xargs)
    echo "$found"
    [ "$found" = "__assert_fail exit fprintf stderr" ]
    found=$(nm -A --undefined-only "$LIB/libattn.a" | awk '$NF == "exit" || $NF == "stderr"' | grep -v ':error.o:' || true)
    [ -z "$found" ]
}

# The kernels, chosen and vector, are chosen when the library is loaded; codes are those of the patterns; the program alone
# sets the speaker of messages.
@test "the library has no variable outside of a thread but its kernels and its patterns" {
    if sanitized; then skip "sanitizers have some"; fi
    found=$(objdump -t "$SHARED" | awk '$4 ~ /^\.t?(bss|data)$/ && $NF !~ /^[._]|^completed/ { print $NF }' | sort | xargs)
    echo "$found"
    [ "$found" = "chosen codes speaker vector" ]
}

@test "loads and frees leave nothing behind (valgrind)" {
    command -v valgrind > /dev/null || skip "there is no valgrind"
    ! is_emulated || skip "valgrind is this machine's, the library is not"
    if sanitized; then skip "the sanitizer finds leaks itself"; fi
    compile load_often "$ROOT/tests/cli/load_often.c" -g -L "$LIB" -lattn -Wl,-rpath,"$LIB"
    run -0 --separate-stderr valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=all \
        --errors-for-leak-kinds=all --suppressions="$ROOT/tests/cli/icu.supp" ./load_often "$MODEL" "${LOADS:-20}"
    echo "$stderr"
    [ "$output" = "${LOADS:-20}" ]
}

@test "a header that changes has the library made again" {
    [ "$build" = build/release ] || [ "$build" = "$ROOT/build/release" ] || skip "make is asked about the release build"
    cd "$ROOT" || return
    make -n -o build/release/command -W src/search/search_options.h library > "$BATS_TEST_TMPDIR/plan"
    grep -q 'compile  build/release/library/src/lib/attn.o' "$BATS_TEST_TMPDIR/plan"
}
