#!/usr/bin/env bats
# cpu.bats - the kernels that the CPU has, that ATTN_CPU asks for, and those of older CPUs, which qemu plays.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# older CPU ARGUMENT... - attn on that CPU.
older() {
    local qemu=qemu-$machine
    ! is_emulated || qemu=
    QEMU_CPU=$1 $qemu "$ATTN" "${@:2}"
}

# emulated - skips where no CPU can be played; leaves in $machine whose CPUs can.
emulated() {
    machine=x86_64
    ! rows | grep -qx neon || machine=aarch64
    command -v "qemu-$machine" > /dev/null || skip "no qemu-$machine here (package qemu-user)"
    rows | grep -qx 'neon\|sse2' || skip "neither x86-64 nor ARM64"
    ! grep -q __asan_init "$ATTN" || skip "qemu has no room for the sanitizer's memory"
}

# each_cpu COMMAND... - calls it with each CPU of this machine's kind, and its rows of kernels.
each_cpu() {
    local of cpu kernels
    while read -r of cpu kernels <&3; do
        [ "$of" != "$machine" ] || "$@" "$cpu" "$kernels"
    done 3<< 'END'
x86_64 Nehalem sse2
x86_64 SandyBridge sse2
x86_64 Haswell sse2 avx2
aarch64 cortex-a72 neon
aarch64 cortex-a76 neon dotprod
aarch64 max neon dotprod i8mm bf16 bf16_i8mm
END
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

# has_kernels CPU KERNELS - takes the last of them, and names all where it is asked for another.
has_kernels() {
    older "$1" --version | grep -x "${2##* } kernels"
    ATTN_CPU=avx512 run -2 older "$1" --version
    [[ $output == *"error: ATTN_CPU: 'avx512' is none of what this CPU has: ${2// /, }"$'\n'* ]]
}

@test "each CPU has its kernels, and refuses those that it lacks" {
    emulated
    each_cpu has_kernels
}

# uses NAME ATTN... - what it learns in float and bf16, and what it translates with that in all precisions: the bytes of
# models, translations and scores, in the folder NAME.
uses() {
    local precision options=(--no-holdout --hidden 16 --embedding 16 --vocabulary 150 --batch 14 --steps 2 --threads 1
        --quiet --force)
    rm -rf "$1"
    mkdir "$1"
    for precision in float bf16; do
        "${@:2}" train "$PAIRS" "${options[@]}" --precision $precision -o model
        cp model "$1/$precision"
    done
    for precision in float bf16 int8; do
        "${@:2}" translate -m model --precision $precision --score "$PAIRS" > "$1/$precision.scores"
        sources | "${@:2}" translate -m model --precision $precision --beam 1 > "$1/$precision.greedy"
        sources | head -n 2 | "${@:2}" translate -m model --precision $precision --beam 5 > "$1/$precision.beam"
    done
}

# works CPU KERNELS - learns and translates as the best CPU does with the same kernels of ours, and of OpenBLAS.
works() {
    export ATTN_CORETYPE=auto
    case $machine in
    x86_64)  export OPENBLAS_CORETYPE=$1 ;;
    aarch64) export OPENBLAS_CORETYPE=ARMV8 ;;
    esac
    uses played older "$1"
    ATTN_CPU=${2##* } uses here attn
    diff -r played here
}

@test "a CPU of an older kind learns and translates in every precision, as this one does with those kernels" {
    emulated
    each_cpu works
}
