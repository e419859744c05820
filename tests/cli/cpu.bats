#!/usr/bin/env bats
# cpu.bats - the kernels that the CPU has, that ATTN_CPU asks for, and those of older CPUs, which qemu plays.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    # what attn would start itself again to have, without the emulation
    export OPENBLAS_NUM_THREADS=1 ATTN_CORETYPE=auto
}

# older CPU ARGUMENT... - attn on that CPU.
older() {
    qemu-x86_64 -cpu "$1" "$ATTN" "${@:2}"
}

# emulated - skips where no CPU can be played.
emulated() {
    command -v qemu-x86_64 > /dev/null || skip "no qemu-x86_64 here (package qemu-user)"
    [ "$(uname -m)" = x86_64 ] || skip "no x86-64"
    ! grep -q __asan_init "$ATTN" || skip "qemu has no room for the sanitizer's memory"
}

# rows - the names that ATTN_CPU takes here, one a line.
rows() {
    ATTN_CPU=none run -2 attn --version
    sed -n "s/^attn: error: ATTN_CPU: 'none' is none of what this CPU has: //p" <<< "$output" | sed 's/, /\n/g'
}

# usual - the row that is taken without a name: the last, but on Intel's CPUs none with products of bfloat16.
usual() {
    if grep -q AuthenticAMD /proc/cpuinfo; then rows | tail -n 1; else rows | grep -vx avx512_bf16 | tail -n 1; fi
}

@test "ATTN_CPU chooses kernels, the fastest of the CPU's are the default, and what is unknown is refused with the names" {
    [ -n "$(rows)" ]
    for name in $(rows); do
        ATTN_CPU=$name attn --version | grep -x "$name kernels"
    done
    ATTN_CPU='' attn --version | grep -x "$(usual) kernels"
    attn --version | grep -x "$(usual) kernels"
    for wrong in Haswell "$name " "avx9"; do
        ATTN_CPU=$wrong refuses "ATTN_CPU: '$wrong' is none of what this CPU has: $(rows | paste -sd , | sed 's/,/, /g')" \
            attn train
    done
}

@test "each CPU has its kernels, and refuses those that it lacks" {
    emulated
    while read -r cpu kernels; do
        older "$cpu" --version | grep -x "${kernels##* } kernels"
        ATTN_CPU=avx512 run -2 older "$cpu" --version
        [[ $output == *"error: ATTN_CPU: 'avx512' is none of what this CPU has: ${kernels// /, }"$'\n'* ]]
    done << 'END'
Nehalem sse2
SandyBridge sse2
Haswell sse2 avx2
END
}

@test "a CPU without AVX, without AVX2 and without AVX-512 learns and translates, as this one does with those kernels" {
    emulated
    options=(--no-holdout --hidden 16 --embedding 16 --vocabulary 150 --batch 14 --steps 5 --threads 1 --quiet --force)
    for cpu in Nehalem SandyBridge Haswell; do
        export OPENBLAS_CORETYPE=$cpu
        kernels=$(older $cpu --version | sed -n '3s/ kernels$//p')
        for precision in float bf16; do
            older $cpu train "$PAIRS" "${options[@]}" --precision $precision -o model
            older $cpu translate -m model --precision $precision --score "$PAIRS" > scores
            cp model played
            ATTN_CPU=$kernels attn train "$PAIRS" "${options[@]}" --precision $precision -o model
            cmp model played
            ATTN_CPU=$kernels attn translate -m model --precision $precision --score "$PAIRS" | diff - scores
        done
    done
}
