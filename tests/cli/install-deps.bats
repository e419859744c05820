# install-deps.bats - scripts/install-deps on invented machines: stand-ins for pkg-config, apt-get, sudo and id
# report what is there and which user asks, and record what was installed.

setup()
{
    tools=$BATS_TEST_TMPDIR/tools
    installed=$BATS_TEST_TMPDIR/installed
    mkdir "$tools"
    touch "$installed"
    for name in sh env cat sed awk head; do ln -s "$(command -v "$name")" "$tools/$name"; done
    libraries="openblas libcjson icu-uc libpcre2-8 libedit zlib pangocairo cmocka ompi-c mpich qemu-x86_64 bash-completion"
    for name in bats jq unzip pgrep parallel mandoc groff zsh fish python3; do stand_in "$name"; done
    stand_in id 'echo 0'
}

# stand_in NAME LINE... - a program of that name on the machine.
stand_in()
{
    printf '%s\n' '#!/bin/sh' "${@:2}" > "$tools/$1"
    chmod +x "$tools/$1"
}

# machine_has LIBRARY... - what pkg-config knows, and what apt-get has installed.
machine_has()
{
    stand_in pkg-config "for name in $* \$(cat '$installed'); do [ \"\$name\" != \"\$2\" ] || exit 0; done; exit 1"
}

# apt_get_brings NAME... - an apt-get that notes its command line, and these as installed.
apt_get_brings()
{
    stand_in apt-get "echo apt-get \"\$@\" >&2" "case \"\$*\" in *install*) echo '$*' >> '$installed' ;; esac"
}

install_deps()
{
    PATH=$tools run "$PWD/scripts/install-deps" "$@"
}

@test "where everything is there nothing happens" {
    machine_has $libraries
    apt_get_brings nothing
    install_deps test
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "root installs what is missing, and only that" {
    machine_has ${libraries/libcjson /}
    apt_get_brings libcjson
    install_deps test
    [ "$status" -eq 0 ]
    [[ $output == *"libcjson "*"JSON"* ]]
    [[ $output == *"apt-get -qq install --no-install-recommends libcjson-dev" ]]
}

@test "building asks for nothing that only the tests need" {
    machine_has openblas libcjson icu-uc libpcre2-8 libedit zlib pangocairo
    install_deps build
    [ "$status" -eq 0 ]
    install_deps test
    [ "$status" -eq 1 ]
    [[ $output == *"cmocka "*"unit tests"* ]]
}

@test "tests ask for MPI, an emulator and shells where apt-get is, and for none elsewhere" {
    rm "$tools/zsh"
    machine_has openblas libcjson icu-uc libpcre2-8 libedit zlib pangocairo cmocka
    install_deps --check test
    [ "$status" -eq 0 ]
    apt_get_brings nothing
    install_deps --check test
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install libopenmpi-dev libmpich-dev qemu-user bash-completion zsh"$'\n'* ]]
    [[ $output == *"dnf install "$'\n'* ]]
    install_deps --check build
    [ "$status" -eq 0 ]
}

@test "fuzzing needs clang and the fuzzer in its runtime, and none of the tests' programs" {
    machine_has openblas libcjson icu-uc libpcre2-8 libedit zlib pangocairo
    rm "$tools/bats"
    install_deps --check fuzz
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install clang libclang-rt-dev"* ]]
    stand_in clang "echo '$BATS_TEST_TMPDIR'"
    install_deps --check fuzz
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install libclang-rt-dev"* ]]
    touch "$BATS_TEST_TMPDIR/libclang_rt.fuzzer-x86_64.a"
    install_deps --check fuzz
    [ "$status" -eq 0 ]
}

@test "others install through sudo where it asks for no password" {
    machine_has libcjson
    apt_get_brings $libraries
    stand_in id 'echo 1000'
    stand_in sudo '[ "$1" = -n ] || exit 1' 'shift' '"$@"'
    install_deps build
    [ "$status" -eq 0 ]
}

@test "without the rights it prints the command for each system" {
    machine_has openblas libcjson libedit zlib pangocairo
    apt_get_brings $libraries
    stand_in id 'echo 1000'
    install_deps build
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install libicu-dev"*"dnf install libicu-devel"*"pacman -S --needed icu"* ]]
    [[ $output == *"apk add icu-dev"*"brew install icu4c"* ]]
    [ ! -s "$installed" ]
}

@test "an installation that did not help is a failure" {
    machine_has openblas
    apt_get_brings nothing
    install_deps build
    [ "$status" -eq 1 ]
}

@test "a failed installation is a failure" {
    machine_has openblas
    stand_in apt-get 'exit 100'
    install_deps build
    [ "$status" -eq 1 ]
}

@test "without pkg-config everything is looked for anew" {
    apt_get_brings nothing
    install_deps --check build
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get install pkg-config libopenblas-dev"* ]]
    [ ! -s "$installed" ]
}

@test "the check installs nothing" {
    machine_has openblas
    apt_get_brings $libraries
    install_deps --check build
    [ "$status" -eq 1 ]
    [ ! -s "$installed" ]
}

@test "an unknown request is refused" {
    install_deps
    [ "$status" -eq 2 ]
    install_deps --check everything
    [ "$status" -eq 2 ]
}
