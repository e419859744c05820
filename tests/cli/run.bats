# run.bats - tests/run must see every way in which a test program can fail; here the programs are scripts that speak
# TAP, in a project of their own.

bats_require_minimum_version 1.5.0

setup()
{
    harness=$PWD/tests/run
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p tests/unit tests/cli build/some/tests
}

# run_tests SUITE... - bats would wait for the sleeping watches, if they had its third descriptor.
run_tests()
{
    "$harness" "$@" 3>&-
}

# program NAME LINE... - a test program that is this shell script.
program()
{
    touch "tests/unit/test_$1.c"
    printf '%s\n' '#!/bin/sh' "${@:2}" > "build/some/tests/test_$1"
    chmod +x "build/some/tests/test_$1"
}

# sums_up STATUS SUMMARY - checks the last line of a run of all programs.
sums_up()
{
    run run_tests unit:some
    [ "$status" -eq "$1" ]
    [ "${lines[-1]}" = "attn: $2" ]
}

@test "passed and skipped tests are counted over all programs" {
    program one 'printf "1..2\nok 1 - a\nok 2 - b\n"'
    program two 'printf "1..3\nok 1 - c\nok 2 - d # SKIP later\nnot ok 3 # SKIP skipped\n"'
    sums_up 0 "3 passed, 0 failed, 2 skipped"
}

@test "tests that no variant ran are listed with their reasons, and no others" {
    program one 'printf "1..3\nok 1 a\nok 2 b # skip no b here\nok 3 c # skip no c here\n"'
    program two 'printf "1..2\nok 1 - d\nnot ok 2 # SKIP e\n"'
    mkdir -p build/other/tests
    printf '%s\n' '#!/bin/sh' 'printf "1..1\nok 1 - c\n"' > build/other/tests/test_one
    # shellcheck disable=SC2016  # the program's own shell expands it
    printf '%s\n' '#!/bin/sh' 'printf "1..1\nok 1 - $ATTN_CPU\n"' > build/other/tests/test_two
    chmod +x build/other/tests/test_one build/other/tests/test_two
    run run_tests unit:some unit:other@e
    [ "$status" -eq 0 ]
    [[ $output == *$'\nskipped in every variant:\n    test_one: b: no b here\n\nslowest:\n'*$'\nattn: 4 passed, 0 failed, 3 skipped' ]]
}

@test "programs whose source is in a subfolder are run" {
    program one 'printf "1..1\nok 1 - a\n"'
    mkdir -p tests/unit/some/more
    mv tests/unit/test_one.c tests/unit/some/more
    program two 'printf "1..1\nok 1 - b\n"'
    sums_up 0 "2 passed, 0 failed"
}

@test "several groups of one program are added up" {
    program groups 'printf "1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n"'
    sums_up 0 "3 passed, 0 failed"
    program groups 'printf "1..3\nok 1 - a\n1..1\nok 1 - b\n"'
    sums_up 1 "2 passed, 1 failed"
}

@test "a failed test is a failure, and what it said is shown" {
    program good 'printf "1..1\nok 1 - a\n"'
    program bad 'printf "1..3\nok 1 - b\nnot ok 2 - c\n"; echo "said on stderr" >&2' \
        'printf "not ok 3 - d\n# 1 != 2\n"' 'exit 2'
    sums_up 1 "2 passed, 2 failed"
    [[ $output == *"some test_bad"*"not ok 2 - c"*"said on stderr"*"not ok 3 - d"*"# 1 != 2"* ]]
}

@test "a failed test counts even if the program reports success" {
    program liar 'printf "1..1\nnot ok 1 - a\n"'
    sums_up 1 "0 passed, 1 failed"
}

@test "a program that breaks off is a failure" {
    program crash 'printf "1..2\nok 1 - a\n"; kill -SEGV $$'
    sums_up 1 "1 passed, 1 failed"
    [[ $output == *"planned 2 tests, but did not report them all (exit status 139)"* ]]
}

@test "a program that ends early with status 0 is a failure" {
    program early 'printf "1..2\nok 1 - a\n"'
    sums_up 1 "1 passed, 1 failed"
}

@test "a program that prints nothing is a failure" {
    program silent 'exit 0'
    sums_up 1 "0 passed, 1 failed"
    [[ $output == *"reported no test"* ]]
}

@test "a program that fails after its last test is a failure" {
    program leak 'printf "1..1\nok 1 - a\n"; echo "1 byte leaked" >&2; exit 23'
    sums_up 1 "1 passed, 1 failed"
    [[ $output == *"1 byte leaked"*"failed, but not in a test (exit status 23)"* ]]
}

@test "a fuzz target that breaks off at a seed is a failure, and the seed is shown" {
    mkdir tests/fuzz
    touch tests/fuzz/fuzz_reader.c
    printf '%s\n' '#!/bin/sh' 'printf "1..2\n# first\nok 1 - first\n# second\n"; exit 134' > build/some/tests/fuzz_reader
    chmod +x build/some/tests/fuzz_reader
    run run_tests fuzz:some
    [ "$status" -eq 1 ]
    [ "${lines[-1]}" = "attn: 1 passed, 1 failed" ]
    [[ $output == *"some fuzz_reader"*"# second"*"planned 2 tests"* ]]
}

@test "a program that was not built is a failure" {
    touch tests/unit/test_missing.c
    sums_up 1 "0 passed, 1 failed"
}

@test "a bats file is run with the variant's program, and one without tests is a failure" {
    mkdir bin
    printf '%s\n' '#!/bin/sh' '[ "$1" = --tap ] && . "./$2"' > bin/bats      # bats can't run inside bats
    chmod +x bin/bats
    PATH=$PWD/bin:$PATH
    echo 'echo 1..1; echo "ok 1 with $ATTN" | grep -F "$PWD/build/some/attn"' > tests/cli/variant.bats
    run run_tests cli:some
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "attn: 1 passed, 0 failed" ]
    mkdir -p build/asan
    echo 'echo 1..1; echo "ok 1 of a script"' > tests/cli/scripts.bats
    run run_tests cli:some
    [ "${lines[-1]}" = "attn: 2 passed, 0 failed" ]
    sed -i s,build/some,build/asan, tests/cli/variant.bats
    run run_tests cli:asan                               # leaves out what only starts the program once more
    [ "${lines[-1]}" = "attn: 1 passed, 0 failed" ]
    rm tests/cli/*.bats
    printf '%s\n' 'echo 1..1; echo "ok 1 a"' > tests/cli/full.bats
    echo 'echo 1..0' > tests/cli/empty.bats
    run run_tests cli:some
    [ "$status" -eq 1 ]
    [ "${lines[-1]}" = "attn: 1 passed, 1 failed" ]
}

# hangs REASON LINE... - a program of these lines is ended, and this is why.
hangs() {
    program hanging 'echo $$ > pid' "${@:2}"
    export LOOK_EVERY=0.05
    sums_up 1 "1 passed, 1 failed"
    # shellcheck disable=SC2053  # a pattern
    [[ $output == *"test_hanging hung: "$1* ]]
    run -1 kill -0 "$(cat pid)"
}

@test "a program that neither computes nor prints has hung, and is ended with all that it began" {
    IDLE_LOOKS=20 hangs "no output and no CPU time in [0-9]* looks at it" 'printf "1..2\nok 1 - a\n"' \
        'sleep 1d & echo $! > child; wait'
    while kill -0 "$(cat child)"; do sleep 0.05; done
}

@test "a program that computes for ever and prints nothing has hung" {
    BUSY_SECONDS=1 hangs "no output in [0-9]* seconds of CPU time" 'printf "1..2\nok 1 - a\n"' 'while :; do :; done'
}

@test "a slow program that prints or computes has not hung" {
    export LOOK_EVERY=0.1 IDLE_LOOKS=8 BUSY_SECONDS=1
    program slow 'echo 1..1; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; echo "# $i"; done; echo "ok 1 - a"'
    sums_up 0 "1 passed, 0 failed"
}

@test "a folder of unit tests, and the tests of one tag, are suites too" {
    program one 'printf "1..1\nok 1 - a\n"'
    mkdir tests/unit/some
    program two 'printf "1..1\nok 1 - b\n"'
    mv tests/unit/test_two.c tests/unit/some
    run run_tests unit/some:some
    [ "${lines[-1]}" = "attn: 1 passed, 0 failed" ]
    mkdir bin
    printf '%s\n' '#!/bin/sh' 'echo 1..1; echo "ok 1 $*"' > bin/bats      # bats can't run inside bats
    chmod +x bin/bats
    PATH=$PWD/bin:$PATH
    echo '# bats test_tags=smoke' > tests/cli/one.bats
    touch tests/cli/other.bats
    run run_tests cli/smoke:some
    [ "${lines[-1]}" = "attn: 1 passed, 0 failed" ]
    run run_tests cli:some
    [ "${lines[-1]}" = "attn: 2 passed, 0 failed" ]
}

@test "each program's seconds are printed, and the slowest at the end" {
    program quick 'printf "1..1\nok 1 - a\n"'
    program slow 'sleep 0.3; printf "1..1\nok 1 - a\n"'
    run run_tests unit:some
    [[ $output =~ $'\nslowest:\n     '[0-9.]+" s    "[0-9.]+" s CPU  some     test_slow"$'\n     '[0-9.]+" s    "[0-9.]+" s CPU  some     test_quick"$'\n' ]]
}

@test "tests that mostly wait run one after the other, from the start on" {
    mkdir bin
    # shellcheck disable=SC2016  # the program's own shell expands it
    printf '%s\n' '#!/bin/sh' 'echo 1..1; mkdir waits && sleep 0.2 && rmdir waits && echo "ok 1"' > bin/bats
    chmod +x bin/bats
    touch tests/cli/{prompt,run}.bats
    PATH=$PWD/bin:$PATH run run_tests cli:some
    [ "${lines[-1]}" = "attn: 2 passed, 0 failed" ]
}

@test "what is no suite is refused" {
    run run_tests
    [ "$status" -eq 2 ]
    run run_tests some
    [ "$status" -eq 2 ]
}
