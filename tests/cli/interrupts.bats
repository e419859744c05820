#!/usr/bin/env bats
# interrupts.bats - a run that signals end, or that goes on: it comes to the model of one that nothing interrupted.

load helper
load training

# One run that all tests interrupt. Its log is a pipe, and so it is never more than a page of lines ahead of its reader.
updates=200
long=(train "$PAIRS" "${small[@]}" --valid "$PAIRS" --validate-every 50 --validate-sentences 2 --steps $updates \
    --log log --log-every 1 -o model)

# begin [OPTION...] - the run in the background, in $run; returns when it has saved a state, in the network $network of an
# ensemble. Its log is the file "told". The command in the array at_start runs as soon as the log has a line.
at_start=()
begin() {
    local line saved=
    rm -f log
    mkfifo log
    exec 5<> log 6< log         # 5 so that nobody waits for the other to open it
    perl -e 'fcntl(STDIN, 1031, 4096) or die "the size of a pipe: $!"' <&6      # F_SETPIPE_SZ
    "$ATTN" "${long[@]}" "$@" 2> errors 5<&- 6<&- &
    run=$!
    while kill -0 $run; do
        read -r -t 1 -u 6 line || continue
        [ -e told ] || "${at_start[@]}"
        echo "$line" >> told
        [ -z "$saved" ] || return 0
        [[ $line != *${network:+'"network":'$network,}*valid_loss* ]] || saved=yes
    done
    return 1
}

# end SIGNAL - sends it, and leaves in $status what the run ended with.
end() {
    kill -"$1" $run
    cat <&6 >> told 5<&- &
    local reader=$!
    status=0
    wait $run || status=$?
    exec 5<&- 6<&-
    wait $reader
    rm log
}

# goes_on_to_the_same_bytes [OPTION...] - resumes, and compares with a run that nothing interrupted.
goes_on_to_the_same_bytes() {
    attn "${long[@]}" "$@" --resume 2> errors
    at whole attn "${long[@]}" "$@" 2> /dev/null
    cmp model whole/model
    [ ! -e model.state ]
}

@test "signals that stop a run save the state and print how to go on, and the run goes on to the same bytes" {
    for signal in INT TERM HUP USR2 XCPU; do
        set -m              # else a run in the background ignores SIGINT
        begin
        set +m
        end $signal
        [ "$status" -eq $((128 + $(kill -l $signal))) ]
        grep -q '^interrupted after [0-9]* steps, ' errors
        [ "$(tail -1 errors)" = "the state is saved; attn train --resume -o model continues the run" ]
        holds errors model model.state told
        [ $signal != INT ] || goes_on_to_the_same_bytes
        rm -rf whole model model.state told
    done
}

@test "a run with all options against overfitting goes on to the same bytes" {
    local options=(--tie target --layer-norm --decoder conditional --dropout-recurrent 0.1 --dropout-mask sentence
        --word-dropout-source 0.1 --word-dropout-target 0.1 --weight-decay 0.01 --r-drop 1 --both-directions 0.9)
    begin "${options[@]}"
    end TERM
    goes_on_to_the_same_bytes "${options[@]}"
}

# bats test_tags=sanitizers
@test "a run that was killed goes on from its last state to the same bytes" {
    begin
    end KILL
    [ "$status" -eq 137 ]
    attn "${long[@]}" --resume=on 2> errors
    at whole attn "${long[@]}" 2> /dev/null
    cmp model whole/model
}

# A folder in the model's place keeps the run from saving anything after the validation.
@test "a run that was killed between a validation's line in the log and its state logs that validation once" {
    at_start=(mkdir model)
    begin
    end KILL
    rmdir model
    mv told log
    attn "${long[@]}" --resume 2> errors
    jq -es 'map(select(has("valid_loss")).step) == [50, 100, 150, 200]' log
    jq -es 'map(select(has("loss")).step) == [range(1; 201)]' log
}

@test "an ensemble goes on from the network that was interrupted or killed, to the same bytes; until then it is the finished ones" {
    local network ensemble=(--ensemble 3)
    for signal in TERM:2 KILL:3; do                        # the last one writes from right to left
        network=${signal#*:}
        begin "${ensemble[@]}"
        end "${signal%:*}"
        attn info --json model > info
        jq -e "(.networks // 1) == $network - 1 and .right_left == null" info
        [ "$network" -eq 3 ] || [ "$(tail -1 errors)" = "model: has the finished network, 1 of 3" ]
        cp model.state earlier
        goes_on_to_the_same_bytes "${ensemble[@]}"
        mv earlier model.state              # as if the run had been killed before it removed its state
        attn "${long[@]}" "${ensemble[@]}" --resume 2> errors
        cmp model whole/model
        rm -r whole model told info
    done
}

@test "an interrupted ensemble whose finished networks are gone or another run's is not resumed" {
    local network=3 ensemble=(--ensemble 3) beginning="the networks before number 3 were in the model; model:"
    local end="; put it back, or begin anew with --force in place of --resume"
    begin "${ensemble[@]}"
    end TERM
    mv model finished
    local again=("${long[@]}" "${ensemble[@]}" --resume --log log -q)
    fails "$beginning cannot be opened: No such file or directory$end" attn "${again[@]}"
    attn train "$PAIRS" "${small[@]}" -q -o other
    cp other model
    fails "$beginning has 1 of the 2 networks that were finished$end" attn "${again[@]}"
    head -9 "$PAIRS" > other.tsv
    attn train other.tsv "${small[@]}" -q --ensemble 2 -o other --force
    mv other model
    run -1 --separate-stderr attn "${again[@]}"
    [[ ${stderr_lines[0]} == *"model: is the model of another run;"* ]]
    mv finished model
    attn "${again[@]}"
}

@test "a further network can be resumed before its first validation, and not with less time than the finished ones took" {
    local limit
    for limit in 2 4 8 16; do           # long enough for the second network to be there when it is killed
        "$ATTN" train "$PAIRS" "${small[@]}" --steps 0 --time-limit $limit --ensemble 2 -o model --log log --log-every 1 \
            --force 2> errors &
        await $! grep -qs '"network":2' log
        kill -KILL $!
        wait $! || true
        [ ! -e model.state ] || break
    done
    rm -f model.lock
    holds errors log model model.state
    run -1 --separate-stderr attn train --resume -o model --time-limit 0.5 -q
    [[ $stderr == *"its finished networks have taken "*" s, and --time-limit 0.5 asks for no more" ]]
    attn train --resume -o model -q
    attn info --json model | jq -e '.networks == 2'
}

# The run waits for a reader of its log, which is full, and can't stop by itself. Signals that it gets while it is stopped
# come one right after the other.
@test "a second SIGINT ends a run at once, but not its echo" {
    case $ATTN in */tsan/*) skip "the sanitizer holds signals back until a write has ended" ;; esac
    set -m
    begin
    set +m
    run -1 dd if=/dev/zero of=log bs=4096 oflag=nonblock
    await $run sleeps $run
    kill -STOP $run
    kill -INT $run
    kill -TERM $run
    kill -CONT $run
    sleep 0.3                   # an echo comes within 0.2 seconds
    kill -HUP $run
    kill -XCPU $run
    await $run sleeps $run
    while kill -INT $run 2> /dev/null; do sleep 0.3; done
    status=0
    wait $run || status=$?
    exec 5<&- 6<&-
    [ "$status" -eq 130 ]
    rm log
    holds errors model model.state told
    goes_on_to_the_same_bytes
}

# endless OPTION... - a run in the background, in $run, that has begun and saves nothing by itself; started by the command
# in $through.
endless() {
    rm -f log
    "${through[@]}" "$ATTN" train "$PAIRS" "${small[@]}" --steps 0 --save-every 1h --log log --log-every 1 -o model --quiet "$@" &
    run=$!
    await $run test -s log
}

# ended - leaves in $status what the run ended with.
ended() {
    status=0
    wait $run || status=$?
}

@test "SIGUSR1 saves the state and the run goes on" {
    endless
    [ ! -e model.state ]
    kill -USR1 $run
    await $run test -s model.state
    await $run has_lines $(($(wc -l < log) + 1)) log
    rm model.state
    kill -TERM $run
    ended
    [ "$status" -eq 143 ]
    holds log model.state
}

@test "signals that are ignored at the start stay so, as under nohup and in the background of a script" {
    local ignored="HUP INT TERM USR1 USR2 XCPU"
    local through=(bash -c "trap '' $ignored; exec \"\$@\"" bash)
    endless
    for signal in $ignored; do kill -$signal $run; done
    await $run has_lines $(($(wc -l < log) + 10)) log
    [ ! -e model.state ]
    kill -KILL $run
    ended
    [ "$status" -eq 137 ]
}

@test "a signal that comes twice, as from timeout, stops a run as one does, and nobody needs to read the output of a run" {
    "$ATTN" train "$PAIRS" "${small[@]}" --steps 0 --log log --log-every 1 -o model 2> errors &
    run=$!
    await $run test -s log
    kill -STOP $run
    kill -TERM $run
    kill -CONT $run
    kill -TERM $run 2> /dev/null || true
    ended
    [ "$status" -eq 143 ]
    [ "$(tail -1 errors)" = "the state is saved; attn train --resume -o model continues the run" ]
    holds errors log model.state
    rm errors log
    { learn --steps 200 --valid "$PAIRS" --validate-every 2 -o model; echo $? > status; } 2>&1 | true
    [ "$(cat status)" -eq 0 ]
    holds model status
}

@test "two runs that write one file notice each other" {
    ln -s model link
    endless
    fails "model.lock: process $run holds this lock and writes the same file; wait for its end, or write \
another file" learn --steps 2 -o model
    fails "model.lock: process $run holds this lock and writes the same file; wait for its end, or write \
another file" learn --steps 2 -o link
    learn --quiet --steps 2 -o other
    kill -KILL $run
    ended
    learn --quiet --steps 2 -o link
    holds link log model other
}

@test "a model that is being replaced is always read whole" {
    "$ATTN" train "$PAIRS" "${small[@]}" --steps 0 --valid "$PAIRS" --validate-every 1 --validate-sentences 0 \
        --learning-rate 0.0001 -o model --quiet &
    run=$!
    await $run test -s model
    first=$(attn info --json model | jq .training.steps)
    for _ in {1..20}; do attn translate -m model --beam 1 <<< "Thank you." > /dev/null; done
    later() { [ "$(attn info --json model | jq .training.steps)" -gt "$first" ]; }
    await $run later
    kill -TERM $run
    ended
    [ "$status" -eq 143 ]
}

# timeless LOG - the log without the fields that depend on the clock.
timeless() {
    jq -c 'del(.seconds, .target_tokens_per_second, .gflops)' "$1"
}

# What ends a run does so at any moment: before the first state, while it is saved, in a validation, at the end; also
# between two lines of the log.
@test "whatever signals a run gets and whenever, it comes to the same model and the same log, but for times" {
    local signals=(KILL KILL KILL TERM INT HUP) kills=0 most=20 seed=8 longest=100       # milliseconds
    case $ATTN in */asan/*) most=5 ;; esac
    ! is_emulated || most=5
    often=(train "$PAIRS" "${small[@]}" --quiet --threads 2 --steps 60 --valid "$PAIRS" --validate-every 7 \
        --save-every 0 --log log --log-every 4 -o model)
    at whole attn "${often[@]}"
    while [ "$kills" -lt "$most" ]; do
        rm -f model log
        while true; do
            resume=--force
            [ ! -e model.state ] || resume=--resume
            status=0
            seed=$(((seed * 1103515245 + 12345) % 2147483648))
            set -m              # else a run in the background ignores SIGINT
            "$ATTN" "${often[@]}" $resume &
            set +m
            run=$!
            sleep "$(printf '%d.%03d' $((seed / 65536 % longest / 1000)) $((seed / 65536 % longest % 1000)))"
            kill -"${signals[seed / 65536 % 6]}" $run 2> /dev/null || true
            wait $run || status=$?
            longest=$((longest + longest / 8))      # however long a start takes here, some run gets further
            [ "$status" -ne 0 ] || break
            kills=$((kills + 1))
        done
        longest=$((longest / 2 + 8))
        cmp model whole/model
        diff <(timeless log) <(timeless whole/log)
        holds log model whole
    done
}

@test "a run goes on again and again, also by several threads, and its log with it" {
    for resume in "" --resume --resume; do
        begin --threads 2 ${resume:+"$resume"}
        end TERM
        [ "$status" -eq 143 ]
    done
    jq -es 'map(select(has("loss")).step) == [range(1; map(.step) | max + 1)]' told
    cp told log
    goes_on_to_the_same_bytes --threads 2
    jq -es "map(select(has(\"loss\")).step) == [range(1; $((updates + 1)))]" log
}

@test "a run that goes on with another log, or without its log, first writes the line that names the run" {
    begin
    end TERM
    attn "${long[@]}" --resume --log new 2> errors
    jq -es '(.[0] | has("options")) and (.[1:] | all(has("step")))' new
    cmp <(head -n 1 told | jq 'del(.command)') <(head -n 1 new | jq 'del(.command)')
}

@test "--resume refuses what it can't go on with" {
    fails "model.state: there is no such state to go on from, as no training was interrupted, or it has ended; leave out \
--resume to begin anew, or go on from a finished model with --init" \
        attn "${long[@]}" --resume --quiet
    begin
    end TERM
    fails "cannot resume from 'model.state': --hidden was 12 and is 8 now; go on with the same, or begin anew \
with --force in place of --resume" attn "${long[@]}" --resume --quiet --hidden 8
    local end="go on with the same; --init in place of --resume begins a training with another from the weights of a model"
    fails "cannot resume from 'model.state': --pairs was 0 and is 9 now; $end" attn "${long[@]}" --resume --quiet --pairs 9
    fails "cannot resume from 'model.state': --columns was auto and is 2,1 now; $end" attn "${long[@]}" --resume --quiet --columns 2,1
    run -1 --separate-stderr attn train --resume --learning-rate 0.01 -o model
    [[ $stderr == "attn: error: cannot resume from 'model.state': --learning-rate was 0.0"*" and is 0.01 now; $end" ]]
    run -1 --separate-stderr attn train --preset d2l --resume -o model
    [[ $stderr == "attn: error: cannot resume from 'model.state': "*" was "*" and is "*" now; "* ]]
    echo "What I wrote since." > log
    fails "log: is there already; --force replaces it, --log names another file" attn train --resume -o model
    [ "$(cat log)" = "What I wrote since." ]
    rm log
    head -3 "$PAIRS" > fewer
    fails "cannot resume from 'model.state': the text of --valid is not the same as before; $end" \
        attn train --resume --quiet -o model --valid fewer
    fails "cannot resume from 'model.state': the text of the corpus, or of --replay, is not the same as before; $end" \
        attn train fewer --resume --quiet -o model
}

@test "a run that begins anew replaces a state only with --force" {
    begin
    end TERM
    run -1 --separate-stderr attn train "$PAIRS" "${small[@]}" -o model
    [[ $stderr =~ ^"attn: error: model.state: is of a training that was interrupted after step "[0-9]+"; --resume \
continues it, --force begins again, -o names another model"$ ]]
    holds errors model model.state told
    run -0 --separate-stderr attn train "$PAIRS" "${small[@]}" --quiet --steps 2 --force -o model
    [ -z "$stderr" ]
    holds errors model told
}

# ---- --resume alone ----

@test "--resume needs nothing but the model, and takes the options that may change" {
    local options=(--preset luong --columns 2,1 --hidden 12 --embedding 12 --dropout 0.123456789012345678)
    begin "${options[@]}"
    end TERM
    grep -q '^the state is saved; attn train --resume -o model continues the run$' errors
    mkdir elsewhere
    cp model model.state elsewhere
    attn train --resume -o model 2> errors
    at whole attn "${long[@]}" "${options[@]}" 2> /dev/null
    cmp model whole/model
    jq -es "map(select(has(\"loss\")).step) | .[-1] == $updates" log
    cp log all
    (cd elsewhere && attn train --resume -o model --steps $((updates + 5)) --threads 2 --quiet --log other --log-every 1)
    cmp log all
    jq -es "map(select(has(\"loss\")).step) | .[-1] == $((updates + 5))" elsewhere/other
    attn info --json elsewhere/model > info
    jq -e ".training.workers == 2 and .training.recipe.steps == $((updates + 5))" info
    [[ $(jq -r .training.command info) == *" -o model ${options[*]} --steps $((updates + 5)) --threads 2" ]]
}

@test "a run goes on with the workers that it began with, on fewer cores too" {
    command -v taskset > /dev/null || skip "no taskset here"
    begin --threads 0
    end TERM
    workers=$(grep -o '[0-9]* workers;' errors | grep -o '^[0-9]*') || skip "one core"
    taskset -c "$(taskset -pc $$ | grep -o '[0-9]*$')" "$ATTN" train --resume -o model --quiet
    [ "$(attn info --json model | jq .training.workers)" -eq "$workers" ]
}

@test "a corpus that has moved is named anew, one from standard input is asked for" {
    cp "$PAIRS" pairs.tsv
    "$ATTN" train pairs.tsv "${small[@]}" --quiet --steps 100000 --save-every 0 -o model &
    run=$!
    await $run test -s model.state
    kill -KILL $run
    wait $run || true
    mkdir away
    mv pairs.tsv away
    fails "pairs.tsv: cannot be read: No such file or directory; if the corpus of this run has moved, name it: \
attn train --resume -o model CORPUS" attn train --resume -o model
    steps=$(($(attn train --resume -o model --steps 1 away/pairs.tsv 2>&1 | sed -n 's/.* are done, at step \([0-9]*\);.*/\1/p') + 9))
    attn train --resume -o model --steps $steps --quiet away/pairs.tsv
    [ "$(attn info --json model | jq .training.steps)" -eq $steps ]
    "$ATTN" train - "${small[@]}" --quiet --steps 100000 --save-every 0 -o piped < "$PAIRS" &
    run=$!
    await $run test -s piped.state
    kill -KILL $run
    wait $run || true
    fails "the corpus of this run came from standard input: name it again: attn train --resume -o piped - < CORPUS" \
        attn train --resume -o piped
    attn train --resume -o piped --steps 1 - < "$PAIRS" 2>&1 | grep -q "all steps are done"
}

# The names have bytes that are no UTF-8, and letters that look like JSON's words for one.
@test "names that are no UTF-8 are in the model and in the log, and --resume finds the files again" {
    local bad=$'\xe9\\xE9\xff' folder=$'dossier\xe9' names model
    mkdir "$folder" 2> /dev/null || skip "no such names here"
    cd "$folder"
    cp "$PAIRS" "$bad.tsv"
    names=("$bad.tsv" "${small[@]}" --quiet --valid "$bad.tsv" --log "log$bad" --curves "$bad.html" -o "$bad")
    "$ATTN" train "${names[@]}" --steps 100000 --save-every 0 &
    run=$!
    until [ -s "$bad.state" ]; do kill -0 $run; sleep 0.01; done
    kill -KILL $run
    wait $run || true
    steps=$(attn train --resume -o "$bad" --steps 1 2>&1 | grep -ao 'are done, at step [0-9]*' | grep -o '[0-9]*$')
    attn train --resume -o "$bad" --steps $((steps + 2)) --quiet
    cd ..
    attn info --json "$folder/$bad" > info
    model='\xE9\x5CxE9\xFF'
    jq -e --arg model "$model" '.training.corpus == $model + ".tsv" and .model == "dossier\\xE9/" + $model' info
    jq -es --arg model "$model" '.[0].model == $model and .[-1].step == '$((steps + 2)) "$folder/log$bad"
    grep -qF ">attn train $model.tsv " "$folder/$bad.html"
    iconv -f UTF-8 -t UTF-8 "$folder/$bad.html" > /dev/null
    attn translate -m "$folder/$bad" <<< "Thank you." > out
    attn train "$PAIRS" "${small[@]}" --quiet --steps 1 --init "$folder/$bad" -o next
    attn info --json next | jq -e --arg model "$model" '.training.init == $model'
}
