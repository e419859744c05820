# install-deps.bats - scripts/install-deps on invented machines: stand-ins for pkg-config, apt-get, sudo and id say what
# is there and which user asks, and record what was installed.

load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    PROGRAMS=$PWD/programs
    for name in bats jq unzip pgrep parallel mandoc groff fish python3; do stand_in "$name"; done
    for name in sh env cat sed awk head; do ln -s "$(command -v "$name")" "$PROGRAMS/$name"; done
}

building="openblas libcjson icu-uc libpcre2-8 libedit zlib yaml-0.1 pangocairo"
all="$building cmocka ompi-c mpich qemu-x86_64 bash-completion zsh"

# machine HAS BRINGS USER - what it has of `all`; what apt-get brings: some of it, nothing, an error, or - where there is
# no apt-get; the user's number, with `sudo` behind it where that asks for no password.
machine() {
    rm -f "$PROGRAMS"/{zsh,pkg-config,apt-get,sudo}
    : > installed
    [[ " $1 " != *" zsh "* ]] || stand_in zsh
    [ "$1" = "no pkg-config" ] ||
        stand_in pkg-config "for name in $1 \$(cat installed); do [ \"\$name\" != \"\$2\" ] || exit 0; done; exit 1"
    case $2 in
    -)     ;;
    error) stand_in apt-get 'exit 100' ;;
    *)     stand_in apt-get 'echo apt-get "$@" >&2' "case \"\$*\" in *install*) echo '$2' >> installed ;; esac" ;;
    esac
    stand_in id "echo ${3% sudo}"
    [ "$3" = "${3% sudo}" ] || stand_in sudo '[ "$1" = -n ] || exit 1' 'shift' '"$@"'
}

install_deps() {
    PATH=$PROGRAMS run "$ROOT/scripts/install-deps" "$@"
}

@test "what is missing is installed where the user may, and named with the command of each system where not" {
    local count=0
    while IFS='|' read -r has brings user request wanted installed said; do
        has=${has//ALL/$all} has=${has//BUILDING/$building}
        [[ $has != *" but "* ]] || has=$(tr ' ' '\n' <<< "${has% but *}" | grep -vx "${has#* but }" | xargs)
        machine "$has" "${brings//ALL/$all}" "$user"
        # shellcheck disable=SC2086  # --check and a purpose
        install_deps $request
        echo "$has, $brings, $user, $request: $status, $(cat installed): $output"
        # shellcheck disable=SC2053  # patterns
        [[ $status == "$wanted" && $(cat installed) == $installed && $output == $said ]]
        count=$((count + 1))
    done << 'END'
ALL|nothing|0|test|0||
ALL but libcjson|libcjson|0|test|0|libcjson|*libcjson *JSON*apt-get -qq install --no-install-recommends libcjson-dev
BUILDING|-|0|build|0||
BUILDING|-|0|test|1||*cmocka *unit tests*
BUILDING cmocka|-|0|--check test|0||
BUILDING cmocka|nothing|0|--check test|1||*apt-get install libopenmpi-dev libmpich-dev qemu-user bash-completion zsh?*dnf install ?*
BUILDING cmocka|nothing|0|--check build|0||
libcjson|ALL|1000 sudo|build|0|openblas *|*
BUILDING but icu-uc|ALL|1000|build|1||*apt-get install libicu-dev*dnf install libicu-devel*pacman -S --needed icu*apk add icu-dev*brew install icu4c*
openblas|nothing|0|build|1|nothing|*
openblas|error|0|build|1||*
no pkg-config|nothing|0|--check build|1||*apt-get install pkg-config libopenblas-dev*
openblas|ALL|0|--check build|1||*
ALL|nothing|0||2||*
ALL|nothing|0|--check everything|2||*
END
    [ "$count" -eq 15 ]
}

@test "fuzzing needs clang and the fuzzer in its runtime, and none of the tests' programs" {
    machine "$building" - 0
    rm "$PROGRAMS/bats"
    install_deps --check fuzz
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install clang libclang-rt-dev"* ]]
    stand_in clang "echo '$PWD'"
    install_deps --check fuzz
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install libclang-rt-dev"* ]]
    touch libclang_rt.fuzzer-x86_64.a
    install_deps --check fuzz
    [ "$status" -eq 0 ]
}
