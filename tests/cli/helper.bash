# helper.bash - what all command-line tests share: the program, a folder, and a small model.
#
# Run from the project root by `bats tests/cli`; ATTN=build/asan/attn tests another build.

bats_require_minimum_version 1.5.0

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PAIRS=$ROOT/tests/data/cli/pairs.tsv        # 14 sentence pairs
ATTN=$(realpath "${ATTN:-$ROOT/attn}")
unset ATTN_MODEL NO_COLOR COLORTERM
export LC_ALL=C.UTF-8 TERM=dumb XDG_STATE_HOME=$BATS_FILE_TMPDIR/state

attn() {
    "$ATTN" "$@"
}

# jq ARGUMENT... - where no value comes -e is an error, too, as it is for jq 1.7, but not for 1.6.
jq() {
    local values
    case $1 in
    -e*) values=$(command jq "$@") && [ -n "$values" ] && echo "$values" ;;
    *)   command jq "$@" ;;
    esac
}

# learner ARGUMENT... - the program that only has to bring a model: that of LEARNER, where $ATTN is emulated or has
# sanitizers and takes many times as long.
learner() {
    "${LEARNER:-$ATTN}" "$@"
}

# learn_by_heart FILE OPTION... - a model that knows the 14 pairs by heart, in less than a second.
learn_by_heart() {
    learner train "$PAIRS" --no-holdout -o "$1" --quiet --hidden 32 --embedding 32 --vocabulary 150 --batch 14 \
        --steps 100 --learning-rate 0.01 --dropout 0 --dropout-embedding 0 --patience 0 --seed 1 --threads 1 \
        --label-smoothing 0.1 --both-directions 0 --decoder bahdanau --no-layer-norm --precision float "${@:2}"
}

sources() {
    cut -f1 "$PAIRS"
}

targets() {
    cut -f2 "$PAIRS"
}

# repeated COUNT COMMAND... - the lines of the command, over and over.
repeated() {
    "${@:2}" | awk -v count="$1" '{ line[NR] = $0 } END { while (count--) for (i = 1; i <= NR; i++) print line[i] }'
}

# is_emulated - whether the program is one of scripts/test-arm64, a script that calls qemu.
is_emulated() {
    [ "$(head -c 2 "$ATTN")" = '#!' ]
}

# compiler ARGUMENT... - as cc, for the machine of $ATTN; start PROGRAM ARGUMENT... - runs what that made.
compiler() {
    if is_emulated; then "$(dirname "$ATTN")/cc" "$@"; else cc "$@"; fi
}

start() {
    if is_emulated; then "$(dirname "$ATTN")/run" "$@"; else "$@"; fi
}

# holds FILE... - the folder has these files and no other.
holds() {
    [ "$(ls -A)" = "$(printf '%s\n' "$@")" ]
}

# await PID COMMAND... - until the command succeeds. It fails once the process has ended without that, or does not come to
# it for so long (SLOWNESS of tests/run: longer on a slow machine) that something hangs.
await() {
    local pid=$1 looks=$((6000 * ${SLOWNESS:-1}))
    shift
    until "$@"; do
        kill -0 "$pid" 2> /dev/null || { "$@"; return; }
        [ $((looks -= 1)) -gt 0 ] || { echo "never: $*" >&2; return 1; }
        sleep 0.05
    done
}

# sleeps PID - whether the process waits for something, and goes on waiting.
sleeps() {
    for _ in 1 2 3; do
        [[ $(cat "/proc/$1/stat") == *") S "* ]] || return
        sleep 0.05
    done
}

# has_lines COUNT FILE - whether there are so many at least.
has_lines() {
    [ -e "$2" ] && [ "$(wc -l < "$2")" -ge "$1" ]
}

# has_run PID CENTISECONDS - whether the process has computed for so long.
has_run() {
    local line
    read -r line < "/proc/$1/stat" || return
    # shellcheck disable=SC2086  # its fields, from the third on
    set -- ${line##*) } "$2"
    [ $((100 * (${12} + ${13}))) -ge $((${!#} * $(getconf CLK_TCK))) ]
}

# fewer NUMBER - so many, or a part of them where programs take longer: of what no CPU does otherwise.
fewer() {
    echo $(($1 / ${TIME_FACTOR:-1}))
}

# refuses MESSAGE COMMAND... - status 2, one line of error, a pointer to the help, nothing on stdout.
refuses() {
    local message=$1
    shift
    run -2 --separate-stderr "$@"
    [ -z "$output" ]
    [ "${stderr_lines[0]}" = "attn: error: $message" ]
    [[ ${stderr_lines[1]} == "Try 'attn help"*"'." ]]
    [ "${#stderr_lines[@]}" -eq 2 ]
}

# fails MESSAGE COMMAND... - status 1 and this line of error.
fails() {
    local message=$1
    shift
    run -1 --separate-stderr "$@"
    [ "${stderr_lines[0]}" = "attn: error: $message" ]
}

# options COMMAND - the names of its options, each with the form that turns it off where that is a form of its own.
options() {
    attn help "$1" --all | sed -nE 's/^  (-., |    )--(\[no-\])?([a-z0-9-]+).*/\2\3/p' | sed -E 's/^\[no-\](.*)/\1\nno-\1/' |
        grep -vx help
}

# catalog FILE - writes what msgfmt would make of the lines of stdin: a message, a tab, its translation, with escapes
# as in Python.
catalog() {
    mkdir -p "$(dirname "$1")"
    python3 -c '
import struct, sys
pairs = [["", "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n>1;\n"]]
for line in sys.stdin:
    line = line.rstrip("\n").replace("\\n", "\n").replace("\\4", "\4").replace("\\0", "\0")
    pairs.append(line.split("\t"))
texts = [text.encode() for column in zip(*sorted(pairs)) for text in column]
count, begin = len(pairs), 28 + 16 * len(pairs)
file = struct.pack("<7I", 0x950412de, 0, count, 28, 28 + 8 * count, 0, 0)
for text in texts:
    file += struct.pack("<2I", len(text), begin)
    begin += len(text) + 1
open(sys.argv[1], "wb").write(file + b"".join(text + b"\0" for text in texts))' "$1"
}

# needs_terminal - skips the test where no pseudo-terminal can be had, as in a chroot without devpts.
needs_terminal() {
    local answer
    command -v script > /dev/null || skip "no terminal here: there is no script"
    answer=$(script -qec true /dev/null 2>&1 < /dev/null) || skip "no terminal here: ${answer##*$'\n'}"
}

# on_terminal COMMAND - runs a shell command on a terminal of its own, stdin typed in; shows what the screen got.
on_terminal() {
    script -qec "$1" /dev/null | tr -d '\r'
}

# at_prompt COMMAND - the same for `attn translate`, with :quit at the end. stdin ends after the command: before script
# ends the terminal's, it looks four times a second whether all of it was read.
at_prompt() {
    mkfifo left
    { cat; echo :quit; cat left; } | { script -qec "$1" /dev/null; : > left; } | tr -d '\r'
    rm left
}

# stand_in NAME LINE... - a shell script of that name in the folder PROGRAMS, in place of another program.
stand_in() {
    mkdir -p "$PROGRAMS"
    printf '%s\n' '#!/bin/sh' "${@:2}" > "$PROGRAMS/$1"
    chmod +x "$PROGRAMS/$1"
}
