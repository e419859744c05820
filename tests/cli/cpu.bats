#!/usr/bin/env bats
# cpu.bats - a program that was built for this CPU, on an older one that qemu plays.

load helper

setup() {
    command -v qemu-x86_64 > /dev/null || skip "no qemu-x86_64 here (package qemu-user)"
    [ "$(uname -m)" = x86_64 ] || skip "no x86-64"
    ! grep -q __asan_init "$ATTN" || skip "qemu has no room for the sanitizer's memory"
    cd "$BATS_TEST_TMPDIR" || return
}

# older CPU ARGUMENT... - attn on that CPU.
older() {
    run --separate-stderr qemu-x86_64 -cpu "$1" "$ATTN" "${@:2}"
}

@test "on a CPU that lacks what this one has, every command prints one line" {
    for arguments in "--version" "help train" "info nowhere" ""; do
        # shellcheck disable=SC2086
        older Nehalem $arguments
        if [ "$status" -eq 0 ]; then
            [[ $output == "attn "* ]]
            skip "this attn was built for any CPU"
        fi
        [ "$status" -eq 1 ] && [ -z "$output" ]
        [[ $stderr =~ ^"attn: error: this attn was built for a CPU with avx"[a-z0-9]*", which this one does not have; build it here, \
or with 'make PORTABLE=1'"$ ]]
    done
}
