#!/usr/bin/env bats
# disk.bats - disks that are full, read-only or faulty: the old file stays whole, an error names the file and the step,
# and a training goes on as long as it can.

load helper

setup_file() {
    load helper
    learn_by_heart "$BATS_FILE_TMPDIR/model"
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"      # bats has files of its own in the folder above
    cd "$BATS_TEST_TMPDIR/work" || return
    faulty=$(dirname "$ATTN")/tests/attn-faults
    model=$BATS_FILE_TMPDIR/model
}

# ---- Calls that fail (tests/faults/faults.h) ----

# with_fault N COMMAND... - call N fails; its name to $call, empty where there are fewer calls.
with_fault() {
    local n=$1
    shift
    rm -f fault
    ATTN_FAULTS=$n ATTN_FAULTS_LOG=fault run --separate-stderr "$faulty" "$@"
    call=$(cat fault 2> /dev/null || true)
}

# every_fault_keeps FILE COMMAND... - the command writes FILE; each call fails in turn. Only the last of them, that the
# folder is on the disk too, comes after the file was replaced.
every_fault_keeps() {
    local file=$1 n calls= message
    shift
    attn "$@" --force > /dev/null 2>&1
    cp "$file" new
    for ((n = 1; ; n++)); do
        echo old > "$file"
        with_fault $n "$@" --force
        [ -n "$call" ] || break
        calls+="$call "
        [ "$status" -eq 1 ]
        message="^attn: error: ([^:]*/)?$file: (cannot be written|[a-z ]+ failed): [A-Z][A-Za-z/ ]+\$"
        [[ ${stderr_lines[-1]} =~ $message ]]
        if [[ $stderr == *"fsync of the folder failed"* ]]; then cmp "$file" new; else [ "$(cat "$file")" = old ]; fi
        [ "$(ls -A)" = "$(printf '%s\n' fault "$file" new pairs.tsv)" ]
    done
    [ "$status" -eq 0 ]
    cmp "$file" new
    [[ $calls == "open fchmod fdopen "*"fflush fsync fclose rename fsync " ]]
}

@test "translate --output and eval --save keep the old file, whichever call fails" {
    [ -x "$faulty" ] || skip "'make units' makes $faulty"
    cp "$PAIRS" pairs.tsv
    every_fault_keeps kept translate -m "$model" -o kept --beam 1 pairs.tsv
    rm kept
    every_fault_keeps kept eval -m "$model" --beam 1 --save kept pairs.tsv
}

# A training with validation tries again where it can; else it reports the failure before it begins, or at its end. Only
# two calls don't matter: they close the file that tests whether model and state can be written, and that is removed.
@test "train ends with the same model or with an error, whichever call fails" {
    local training=(train "$PAIRS" --no-holdout --valid "$PAIRS" --validate-sentences 0 --hidden 4 --embedding 4
        --vocabulary 60 --batch 14 --steps 2 --validate-every 2 --patience 0 --threads 1 --log log --log-every 1
        -o model --quiet)
    [ -x "$faulty" ] || skip "'make units' makes $faulty"
    attn "${training[@]}" 2> /dev/null
    mv model whole
    for ((n = 1; ; n++)); do
        rm -f model model.state log
        with_fault $n "${training[@]}"
        [ -n "$call" ] || break
        if [ "$status" -eq 0 ]; then
            [[ "$call $n" == "fclose "[36] || $stderr == "attn: warning: "*model*"; training continues" ]]
            cmp model whole
        else
            [ "$status" -eq 1 ]
            [[ $stderr =~ "attn: error: model"(.state|.lock)?": cannot be written: " ||
                $stderr == *"attn: error: cannot write 'log': "* ]]
            [ ! -e model ] || cmp model whole
        fi
    done
    [ "$status" -eq 0 ]
    [ "$n" -gt 30 ]
}

# ---- Real file systems ----

@test "a read-only disk is found before the work" {
    local alone=(unshare -rmpf --mount-proc --kill-child)
    "${alone[@]}" mount -t tmpfs tmpfs . 2> /dev/null || skip "no file system can be mounted here"
    run -0 "${alone[@]}" bash -ec '
        mount -t tmpfs -o size=1m tmpfs "$PWD"
        cd "$PWD"
        cp "$2" old
        cp "$3" pairs.tsv
        mount -o remount,ro .
        for command in "train none -o" "translate -m old -o" "eval -m old pairs.tsv --save"; do
            "$1" $command new < /dev/null 2>&1 && false || echo $?
        done' bash "$ATTN" "$model" "$PAIRS"
    for line in 0 2 4; do
        [[ ${lines[line]} == "attn: error: new: cannot be written: Read-only file system" ]]
        [ "${lines[line + 1]}" = 1 ]
    done
}
