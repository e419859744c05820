# table.sh - numbers and rows, for scripts/bench.

# median - of numbers, one a line; nothing where there are none.
median() {
    sort -g | awk -v OFMT=%.9g '{ v[NR] = $1 }
        END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# ratio A B - A / B, or "-" where there is no B.
ratio() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { if (b > 0) printf "%.2f", a / b; else printf "-" }'; }
share() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.0f %%", 100 * a / b; else printf "-" }'; }

# heading NAME [OTHER] and row NAME OURS [OTHERS [RATIO [GOAL]]]
row() { printf '%-66s %13s %13s %7s %9s\n' "$1" "${2-}" "${3-}" "${4-}" "${5-}"; }
heading() { echo; row "$1" attn "${2-}" "${2:+ratio}" goal; }

# against NAME OURS OTHERS [GOAL] - a row of rates: how many times theirs ours is.
against() { row "$1" "$2" "$3" "$(ratio "$2" "$3")" "${4:+>= $4}"; }

# values KEY - the numbers of that key in lines of JSON.
values() { sed -n "s/.*\"$1\":[[:space:]]*\([-0-9.e+]*\).*/\1/p"; }

# seconds_since BEGIN - BEGIN is a $(date +%s.%N).
seconds_since() { awk -v begun="$1" -v ended="$(date +%s.%N)" 'BEGIN { printf "%.4f\n", ended - begun }'; }

# seconds COMMAND... - how long it takes; its output goes nowhere.
seconds() {
    begun=$(date +%s.%N)
    "$@" > "$folder/output"
    seconds_since "$begun"
}

# median_seconds COMMAND... - of all runs.
median_seconds() {
    for run in $(seq "$runs"); do seconds "$@"; done | median
}

milliseconds() { awk -v s="$1" 'BEGIN { printf "%.0f", 1000 * s }'; }

# high_water PROCESS - the most megabytes it has had in memory, read twenty times a second until it ends: the kernel's
# own mark, and so without what the last twentieth adds.
high_water() {
    while mark=$(grep VmHWM "/proc/$1/status" 2> "$folder/messages"); do
        echo "$mark" > "$folder/mark"
        sleep 0.05
    done
    awk '{ printf "%.0f", $2 * 1024 / 1e6 }' "$folder/mark"
}
