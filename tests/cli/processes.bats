#!/usr/bin/env bats
# processes.bats - one training by several processes. `make mpi` builds the program with each MPI that is here, in
# folders beside that of the other program; what none of them can show is skipped. So is all of a program that is older
# than what it is made of: it would fail with no visible reason.

load helper

mpis=${ATTN_MPIS:-ompi-c mpich}

setup_file() {
    cd "$ROOT" || return
    OUTDATED=$(for mpi in $mpis; do outdated "$mpi"; done)
    export OUTDATED
}

# folder_of MPI - where the programs with this MPI are.
folder_of() {
    case $ATTN in
    "$ROOT/attn") echo "$ROOT/build/release-$1" ;;
    *)            echo "$(dirname "$ATTN")-$1" ;;
    esac
}

# outdated MPI - which part of its program is newer than that, if there are both: one line, or none.
outdated() {
    local folder part
    folder=$(folder_of "$1")
    [ -x "$folder/attn" ] || return 0
    for part in "${folder%-"$1"}/objects.a" src/train/mpi/*; do
        if [ "$part" -nt "$folder/attn" ]; then
            echo "${folder#"$ROOT"/}/attn is older than ${part#"$ROOT"/}: make mpi"
            return
        fi
    done
}

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work" || return
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none  # since 5
    export OMPI_MCA_plm_rsh_agent=sh TMPDIR=$BATS_TEST_TMPDIR       # no ssh; short names for sockets
    export OMPI_MCA_odls_base_sigkill_timeout=0                    # what one process takes with it is killed at once
}

# The rank of a process, for either launcher.
rank='${OMPI_COMM_WORLD_RANK:-$PMI_RANK}'

# use MPI - the program, its twin with calls that fail, and the launcher of this MPI, for several and together; status 1
# where there is none.
use() {
    [ -z "$OUTDATED" ] || skip "$OUTDATED"
    program=$(folder_of "$1")/attn faulty=$(folder_of "$1")/tests/attn-faults
    case $1 in
    ompi-c) launcher=mpirun.openmpi ;;
    mpich)  launcher=mpirun.mpich ;;
    esac
    [[ " $mpis " == *" $1 "* && -x $program ]] && command -v "$launcher" > /dev/null
}

# each_mpi COMMAND... - runs it with each MPI that is here, in a folder of its own.
each_mpi() {
    local found=0 mpi
    for mpi in $mpis; do
        use "$mpi" || continue
        found=1
        mkdir -p "$mpi"
        pushd "$mpi" > /dev/null
        "$@"
        popd > /dev/null
    done
    [ $found = 1 ] || skip "no program with MPI here: install mpi-default-dev and mpich, then make mpi"
}

# together COUNT ARGUMENT... - attn with these arguments, so many processes; stdin is empty.
together() {
    "$launcher" -n "$1" "$program" "${@:2}" < /dev/null
}

# as_each COUNT SCRIPT - the same by a script of the shell, which executes $program.
as_each() {
    program=$program exec "$launcher" -n "$1" sh -c "$2" < /dev/null
}

# Four workers; more parameters than one message of a sum, and batches that are no multiple of the workers. Without a
# cooldown, and in both directions to the end, nothing depends on the limit of steps, which a test changes when it
# resumes.
small=(--no-holdout --hidden 64 --embedding 96 --vocabulary 150 --batch 9 --epochs 1000000 --steps 12 --patience 0
    --threads 4 --valid "$PAIRS" --validate-every 4 --cooldown 0 --both-directions 1
    -o model)

# train_once COUNT NAME OPTION... - leaves NAME/model and NAME/log.
train_once() {
    mkdir "$2"
    (cd "$2" && together "$1" train "$PAIRS" "${small[@]}" --log log --log-every 3 --quiet "${@:3}")
}

# without_times LOG - its lines but for what depends on the clock.
without_times() {
    jq -c 'del(.seconds, .target_tokens_per_second, .gflops)' "$1"
}

# the_same_from "COUNT..." [OPTION...] - the program without MPI and so many processes learn the same.
the_same_from() {
    local counts=$1
    shift
    (program=$ATTN launcher=sh_once train_once 1 alone "$@")
    for count in $counts; do
        train_once $count of$count "$@"
        cmp of$count/model alone/model
        diff <(without_times of$count/log) <(without_times alone/log)
    done
    rm -r alone of?
}

# weights_of MODEL - the bytes behind the header; the first 8 bytes of the file are its length.
weights_of() {
    tail -c +$((9 + $(od -An -t u8 -N 8 "$1"))) "$1"
}

# The launcher of the program without MPI.
sh_once() {
    "${@:3}"
}

@test "so many workers learn the same bytes, however they are divided over processes" {
    each_mpi the_same_from "1 3 4"
}

@test "the same where several networks are learned, one after the other" {
    each_mpi the_same_from "2 3" --ensemble 2
}

@test "the same with rows of embeddings that only some batches read, and sums of several batches" {
    rows() {
        "$@" --tie none --tokens word --both-directions 0 --accumulate 2 --average 0.9 --weight-decay 0.01 \
            --precision float --early-stop chrf
    }
    each_mpi rows the_same_from "2 3"
}

# Each process holds its share, here more than the least that stays in memory, and every pair is noisy in its own way.
@test "the same from a corpus that is streamed in parts, also with batches of so many tokens" {
    streamed() {
        repeated 60 cat "$PAIRS" | awk -F '\t' '{ print NR, $1 "\t" NR, $2 }' > many
        [ "$(together 3 train many --memory 0.01 --dry-run 2> errors | jq .shards)" -gt 4 ]
        PAIRS=$PWD/many the_same_from 3 --memory 0.01 --batch 100 --steps 16 --noise 0.2 --bpe-dropout 0.1 \
            --phrases 0.5
        PAIRS=$PWD/many the_same_from 2 --memory 0.01 --batch-tokens 700 --max-length 40 --steps 16
    }
    each_mpi streamed
}

# What is rounded are sums and changes, each by at most a 256th part of itself.
@test "an exchange in bfloat16 learns nearly the same, and the same again" {
    half() {
        train_once 2 full
        train_once 2 half --exchange bf16
        train_once 2 again --exchange bf16
        run -1 cmp -s <(weights_of full/model) <(weights_of half/model)
        cmp half/model again/model
        jq -se 'map(.valid_loss // empty) | length == 6 and
            ([.[0:3], .[3:6]] | transpose | all(.[1] / .[0] - 1 | fabs < 1 / 256))' full/log half/log
    }
    each_mpi half
}

# ---- One voice ----

@test "the first process alone reports, and names how many there are" {
    report() {
        together 3 train "$PAIRS" "${small[@]}" --steps 4 > out 2> errors
        [ ! -s out ]
        [ "$(grep -c '^network .* 4 workers of 3 processes; ' errors)" -eq 1 ]
        [ "$(grep -c '^network' errors)" -eq 1 ]
        [ "$(grep -c '^epoch .* valid loss' errors)" -eq 1 ]
        [ "$(tail -1 errors)" = "next        attn translate -m model" ]
        together 2 train "$PAIRS" --dry-run > out 2> errors
        [ "$(jq -s length out)" -eq 1 ]
    }
    each_mpi report
}

# one_error STATUS MESSAGE COMMAND... - this message once, and no other of attn.
one_error() {
    run "-$1" --separate-stderr "${@:3}"
    [ "$(grep '^attn: ' <<< "$stderr")" = "attn: error: $2" ]
}

@test "a wrong request is an error of each process, and what all miss is one error" {
    refused() {
        run ! --separate-stderr together 3 train --nonsense         # all say why, before they know each other
        [ "$(grep -o '^attn: error: .*' <<< "$stderr" | sort -u)" = "attn: error: unknown option '--nonsense'" ]
        one_error 1 "none: cannot be opened: No such file or directory" together 3 train none
        one_error 1 "--threads 2 are workers of all 3 processes, of which each needs one" \
            together 3 train "$PAIRS" --threads 2 -o model
        local input="standard input reaches only one of 2 processes"
        one_error 1 "$input; put the corpus into a file that all can read" together 2 train - -o model
        [ ! -e model ]
    }
    each_mpi refused
}

@test "what is wrong on one machine is reported once, with its name" {
    wrong() {
        mkdir 0 1
        cp "$PAIRS" 0/pairs
        sed 2d "$PAIRS" > 1/pairs
        local name script="cd $rank; exec \$program train pairs --no-holdout --threads 2 -o model"
        name="$(uname -n) (process 1)"
        run -1 --separate-stderr as_each 2 "$script"
        local why="the corpus is another here than in process 0: 13 pairs, hash "
        [[ $(grep "^attn: " <<< "$stderr") == "attn: error: $name: $why"* ]]
        rm 1/pairs
        one_error 1 "$name: pairs: cannot be opened: No such file or directory" as_each 2 "$script --quiet"
        [ "$(ls 0 1 | wc -l)" -eq 4 ]
        rm -r 0 1
    }
    each_mpi wrong
}

@test "processes with other options are refused before they read anything" {
    differ() {
        local name
        name="$(uname -n) (process 1)"
        run -1 --separate-stderr as_each 2 "exec \$program train none --threads 2 --dropout 0.$rank -o model"
        local why="the configuration is another here than in process 0: "
        [[ $(grep "^attn: " <<< "$stderr") == "attn: error: $name: $why"* ]]
    }
    each_mpi differ
}

@test "processes with kernels of different kinds are refused" {
    [ "$(uname -m)" = x86_64 ] || skip "only x86-64 has kernels that give different bytes and are on every machine"
    attn --version | grep -q '^a[mv]x' || skip "no other kernels than sse2 here"
    mixed() {
        run -1 --separate-stderr as_each 2 "[ $rank = 1 ] || export ATTN_CPU=sse2; ATTN_CORETYPE=auto \
            exec \$program train '$PAIRS' --no-holdout --precision float --threads 2 -o model"
        local message="the kind of CPU is another here than in process 0: "
        [[ $(grep "^attn: error: " <<< "$stderr") == *"$message"*", on machines of one kind"* ]]
        [ ! -e model ]
    }
    each_mpi mixed
}

# ---- Ends and new beginnings ----

# begin COUNT OPTION... - an endless run in the background, in $run, that has logged ten updates; the processes' ids are
# in pid.0, pid.1, ...
begin() {
    rm -f log pid.*
    as_each "$1" "echo \$\$ > pid.$rank; exec \$program train '$PAIRS' ${small[*]} --steps 0 --save-every 1h \
        --validate-every 1000000 --log log --log-every 1 --force ${*:2}" 2> errors 3>&- &
    run=$!
    await $run has_lines 11 log
}

# ended - the run ends, and so do its processes; $status is that of the launcher.
ended() {
    status=0
    wait $run || status=$?
    for file in pid.*; do await $$ is_over "$(cat "$file")"; done
}

# is_over PID - whether there is no such process, or one that only waits to be buried.
is_over() {
    [[ $(ps -o stat= -p "$1") != [!Z]* ]]
}

@test "a signal to any process saves and ends all, and another division goes on to the same bytes" {
    go_on() {
        begin 2
        kill -TERM "$(cat pid.1)"
        ended
        [ "$status" -ne 0 ]
        [ "$(grep -c '^the state is saved; attn train --resume -o model continues the run$' errors)" -eq 1 ]
        steps=$(($(jq -s 'last.step' log) + 8))
        for count in 1 3; do
            mkdir $count
            cp model.state $count
            (cd $count && together $count train --resume -o model --steps $steps --log log --quiet)
        done
        (program=$ATTN launcher=sh_once train_once 1 alone --steps $steps --validate-every 1000000)
        for count in 1 3; do cmp <(weights_of $count/model) <(weights_of alone/model); done
        rm -r 1 3 alone model.state
    }
    each_mpi go_on
}

# overflow_weights STATE - its first block, of four, becomes numbers near the largest (the bytes ~~~~).
overflow_weights() {
    local header bytes
    header=$((8 + $(od -An -t u8 -N 8 "$1")))
    bytes=$((($(wc -c < "$1") - header) / 4))
    head -c $bytes /dev/zero | tr '\0' '~' | dd of="$1" bs=1M oflag=seek_bytes seek=$header conv=notrunc status=none
}

@test "gradients that are not finite end all with one error" {
    diverge() {
        begin 2
        kill -TERM "$(cat pid.1)"
        ended
        steps=$(($(jq -s 'last.step' log) + 9))
        overflow_weights model.state
        run together 2 train --resume -o model --steps $steps --log log --log-every 1 --quiet
        [ "$status" -ne 0 ]
        [[ $output == *"the training diverges: the gradient was not finite 5 times in a row"* ]]
        rm model.state
    }
    each_mpi diverge
}

@test "SIGUSR1 to the launcher saves, and the run goes on" {
    save() {
        begin 2
        [ ! -e model.state ]
        kill -USR1 $run
        await $run test -s model.state
        await $run has_lines $(($(wc -l < log) + 1)) log
        kill -TERM "$(cat pid.0)"
        ended
        rm model.state
    }
    each_mpi save
}

# The launcher's status is its own: the proxy of MPICH 4.2.1 now and then forgets how a killed process ended, and all is 0.
@test "a process that is killed ends all, whichever it is" {
    killed() {
        for victim in 0 1; do
            begin 2 --quiet
            kill -KILL "$(cat pid.$victim)"
            ended
        done
    }
    each_mpi killed
}

# dies VICTIM FUNCTION NUMBER - begins a run of $steps in a folder of its own, whose process VICTIM is killed as it calls
# this function for the so many eth time.
dies() {
    mkdir "$*"
    cd "$*" || return
    ATTN_KILLED="$*" as_each 2 "echo \$\$ > pid.$rank; exec $faulty train '$PAIRS' \
        ${small[*]} --steps $steps --threads 2 --quiet" 2> errors
}

@test "so does one that is killed before, within or after an exchange, in any call" {
    killed_in() {
        steps=0 dies $1 3>&- &
        run=$!
        await $run test -d "$1"
        cd "$1"
        ended
        cd ..
    }
    in_any_call() {
        local case
        for case in "1 MPI_Ibcast 1" "0 MPI_Iallgather 9" "1 MPI_Iallgatherv 9" "0 MPI_Iallreduce 9" "1 MPI_Irecv 9" \
            "0 MPI_Isend 9"; do
            killed_in "$case"
        done
        (steps=12 dies 0 MPI_Isend 1000)
        [ -s "0 MPI_Isend 1000/model" ]
    }
    each_mpi in_any_call
}

@test "so does one that ends before it joins the others" {
    lost() {
        run ! as_each 2 "[ $rank = 0 ] || exit 3; exec \$program train '$PAIRS' ${small[*]} --quiet"
        [ ! -e model ]
    }
    use ompi-c || skip "needs Open MPI: MPICH's launcher does not notice it, and attn waits for half a minute"
    lost
}

@test "a disk that becomes full on the first machine is one error" {
    command -v prlimit > /dev/null || skip "no prlimit here"
    full() {
        begin 2 --quiet
        prlimit --pid "$(cat pid.0)" --fsize=4096
        kill -TERM "$(cat pid.1)"
        ended
        [ "$status" -ne 0 ]
        [ "$(grep '^attn: error: ' errors)" = "attn: error: model.state: writing failed: File too large" ]
        [ ! -e model.state ]
    }
    each_mpi full
}

@test "a machine without memory is named" {
    case $ATTN in */asan/*) skip "the sanitizer keeps memory of its own" ;; esac
    poor() {
        run ! --separate-stderr as_each 2 "[ $rank = 0 ] || ulimit -v 1000000; exec \$program train '$PAIRS' \
            ${small[*]} --quiet --hidden 1024"
        [[ $(grep -m 1 '^attn: error: ' <<< "$stderr") == "attn: error: $(uname -n) (process 1): out of memory: "* ]]
    }
    each_mpi poor
}

# ---- The program and its launcher ----

@test "make MPI=1 builds with the MPI of the system, or with what else is here" {
    mkdir bin
    printf '%s\n' '#!/bin/sh' 'for name in $KNOWN; do [ "$*" != "--exists $name" ] || exit 0; done' 'exit 1' > bin/pkg-config
    chmod +x bin/pkg-config
    for known in "ompi-c mpich" mpich; do
        KNOWN=$known PATH=$PWD/bin:$PATH run -0 make -n -C "$ROOT" MPI=1
        [[ $output == *" -o build/release-${known%% *}/attn "* ]]
    done
    PATH=$PWD/bin:$PATH run -2 make -n -C "$ROOT" MPI=1
    [[ $output == *" MPI=1: pkg-config knows no mpich; on Debian and Ubuntu: apt-get install mpi-default-dev. "* ]]
}

@test "--version names the MPI, if there is one" {
    names() {
        "$program" --version | grep -qE '^(Open MPI|MPICH) .*[0-9.]+$'
    }
    run -1 grep MPI <(attn --version)
    each_mpi names
}

@test "a program with MPI trains without a launcher, too" {
    alone() {
        "$program" train "$PAIRS" "${small[@]}" --quiet
        (program=$ATTN launcher=sh_once train_once 1 other)
        cmp <(weights_of model) <(weights_of other/model)
    }
    each_mpi alone
}

@test "processes of another MPI's launcher are refused: each would write the same model" {
    use ompi-c && use mpich || skip "needs Open MPI and MPICH"
    # Two singletons of Open MPI at once can fail to make one folder, before the program can say anything.
    run ! --separate-stderr "$launcher" -n 2 sh -c 'export TMPDIR=$TMPDIR/$PMI_RANK; mkdir "$TMPDIR"; exec "$@"' sh \
        "$(dirname "$program" | sed s/mpich/ompi-c/)/attn" train "$PAIRS" -o model
    local why="2 of this program were started together, but MPI connects only 1: "
    grep -q "^attn: error: $why" <<< "$stderr"
    [ ! -e model ]
}

@test "without MPI a program that is started several times says so, and ends" {
    local why="2 of this program were started together, which was built without MPI, and all would write the same"
    why+=" model; build it with 'make MPI=1', or start it once"
    for names in "OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK" "PMI_SIZE PMI_RANK" "SLURM_STEP_NUM_TASKS SLURM_PROCID"; do
        read -r size number <<< "$names"
        fails "$why" env $size=2 $number=0 "$ATTN" train "$PAIRS" -o model
        fails "$why" env $size=2 $number=1 "$ATTN" train "$PAIRS" -o model
        env $size=1 $number=0 "$ATTN" train "$PAIRS" --dry-run 2> errors | jq -e .pairs
    done
    run -1 env PMIX_RANK=1 "$ATTN" train "$PAIRS" -o model
    SLURM_NTASKS=2 SLURM_PROCID=0 attn train "$PAIRS" --dry-run 2> errors | jq -e .pairs       # a batch script
    [ ! -e model ]
}

@test "the script for Slurm starts a process a machine, and all end with one" {
    mkdir bin
    printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$@"' > bin/srun
    chmod +x bin/srun
    PATH=$PWD/bin:$PATH ATTN='' run -0 "$ROOT/scripts/attn.sbatch" "a corpus" -o model
    [ "$(echo $output)" = "--mpi=pmix --cpu-bind=none --kill-on-bad-exit=1 attn train a corpus -o model" ]
    [ "${lines[5]}" = "a corpus" ]
    PATH=$PWD/bin:$PATH ATTN=other ATTN_MPI=pmi2 run -0 "$ROOT/scripts/attn.sbatch" --resume
    [ "$(echo $output)" = "--mpi=pmi2 --cpu-bind=none --kill-on-bad-exit=1 other train --resume" ]
    run -2 "$ROOT/scripts/attn.sbatch"
}

# ---- Many machines without MPI ----

@test "a file that is split is translated to the same lines, by the command of data/results/scaling.md too" {
    learn_by_heart model
    sources > article.en
    attn translate -m model < article.en > whole
    split -n l/3 article.en piece.
    for piece in piece.??; do attn translate -m model < "$piece" > "$piece.out"; done
    cat piece.??.out | cmp - whole
    command -v parallel > /dev/null || skip "no GNU parallel here"
    echo : > hosts                              # this one, without ssh
    command=$(sed -n '/^    split -n l.8 article.en/,/> article.fr$/p' "$ROOT/data/results/scaling.md")
    PATH=$(dirname "$ATTN"):$PATH ATTN_MODEL=$PWD/model HOME=$PWD eval "$command"
    cmp article.fr whole
}
