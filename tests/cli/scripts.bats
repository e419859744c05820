# scripts.bats - what all scripts have in common.

bats_require_minimum_version 1.5.0

setup()
{
    cd "$BATS_TEST_DIRNAME/../.." || return
}

@test "--help of every script is its own description on stdout" {
    for script in scripts/*; do
        [ -f "$script" ] || continue
        run --separate-stderr "$script" --help
        # shellcheck disable=SC2154  # bats sets stderr
        if [[ $stderr == *"No module named 'torch'"* ]]; then continue; fi
        echo "$script: $status"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [[ $output == *"$(basename "$script" .py)"* ]]
    done
}

@test "shellcheck finds nothing to say" {
    command -v shellcheck > /dev/null || skip "shellcheck is missing"
    for script in scripts/* tests/run .ci/run; do
        case $(head -n 1 "$script" 2> /dev/null) in '#!'*sh) shellcheck -x "$script" ;; esac
    done
}
