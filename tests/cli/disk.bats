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

# on_disk SIZE SCRIPT - runs a shell script in a new file system of that size, with the function `learn`, which validates;
# what the script leaves running ends with it.
on_disk() {
    local alone=(unshare -rmpf --mount-proc --kill-child)
    "${alone[@]}" mount -t tmpfs tmpfs . 2> /dev/null || skip "no file system can be mounted here"
    run --separate-stderr "${alone[@]}" bash -c "
        set -e
        mount -t tmpfs -o size=$1 tmpfs '$PWD'
        cd '$PWD'
        attn() { '$ATTN' \"\$@\"; }
        options=(--no-holdout --hidden 12 --embedding 12 --vocabulary 100 --batch 5 --epochs 1000000 --patience 0
            --decoder bahdanau --no-layer-norm --no-shared-vocabulary --threads 1 --valid '$PAIRS' --validate-every 50
            --validate-sentences 2)
        learn() { attn train '$PAIRS' \"\${options[@]}\" \"\$@\"; }
        $2"
}

@test "a disk that is full for a while is reported, and the model is the same" {
    on_disk 2m '
        mkfifo log
        exec 5<> log
        learn --steps 1500 --log log --log-every 1 -o model --quiet 2> ../errors 5>&- &
        run=$!
        until read -r line <&5; [[ $line == *valid_loss* ]]; do :; done
        dd if=/dev/zero of=filler bs=4k 2> /dev/null || true
        until grep -q "No space left on device; training continues" ../errors; do read -r line <&5; done
        rm filler
        cat <&5 > /dev/null &
        reader=$!
        wait $run
        kill $reader
        mkdir whole
        mv model whole/disturbed
        cd whole
        learn --steps 1500 --log log --log-every 1 -o model --quiet
        cmp model disturbed
        cat ../../errors'
    [ "$status" -eq 0 ]
    run -1 grep -v "^attn: warning: .*model.*: writing failed: No space left on device; training continues$" <<< "$output"
}

@test "a read-only disk is found before the work" {
    on_disk 1m 'cp "'"$model"'" old; cp "'"$PAIRS"'" pairs.tsv; mount -o remount,ro .
        for command in "train none -o" "translate -m old -o" "eval -m old pairs.tsv --save"; do
            attn $command new < /dev/null 2>&1 && false || echo $?
        done'
    [ "$status" -eq 0 ]
    for line in 0 2 4; do
        [[ ${lines[line]} == "attn: error: new: cannot be written: Read-only file system" ]]
        [ "${lines[line + 1]}" = 1 ]
    done
}
