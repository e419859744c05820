# training.bash - what tests of `attn train` share: a folder of their own, and a small network.

setup() {
    mkdir "$BATS_TEST_TMPDIR/work"      # bats has files of its own in the folder above
    cd "$BATS_TEST_TMPDIR/work" || return
}

small=(--no-holdout --hidden 12 --embedding 12 --vocabulary 100 --batch 5 --epochs 1000000 --steps 20 --patience 0
    --threads 1)

# learn [CORPUS] OPTION... - trains a small network, of the 14 pairs unless a corpus comes first; what is there is replaced.
learn() {
    local corpus=("$PAIRS")
    case $1 in
    -?*) ;;
    *) corpus=("$1"); shift ;;
    esac
    attn train "${corpus[@]}" "${small[@]}" --force "$@"
}

# at FOLDER COMMAND... - in a folder of its own, so that two runs can have the same command line.
at() {
    local folder=$1
    shift
    mkdir -p "$folder"
    (cd "$folder" && "$@")
}
