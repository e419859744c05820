#!/bin/sh
# exchange.sh - how much of their speed P machines keep when they share a training: a model of the exchange, fed with
# times of this machine.
#
#     tests/bench/exchange.sh corpus.tsv > table.md       needs jq; the program is $ATTN or ./attn
#
# Measured here: T(b), the seconds of an update with batches of b pairs by all cores, and the parameters n.
# Computed, for P machines, each with b pairs of every batch, and a network of R bytes/s in each direction: an update
# takes T(b) + X, where with w bytes a value, pieces of 65,536 values and L = 50 microseconds a message
#
#     X = n w / R (1 + 1 / P)                     the sums, in and out again (src/train/update/processes.h); of 2 machines
#                                                 one only sends them, the other only returns them: n w / R
#       + (P - 1) (65536 w / R + L)               until the first piece has come to the last machine
#       + n w / R (P - 1) / P + (P - 1) L         the new weights, in a ring
#       + 6 L log2(P)                             what all agree on
#
# and the efficiency is T / (T + X). Nothing overlaps with the computation. At 10 Gbit/s bfloat16 is left out: what it
# saves there, rounding takes. STEPS (30) updates are timed after 10 others.
set -eu

case ${1-} in
'' | -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
esac
corpus=$(realpath "$1")
program=$(realpath "${ATTN:-attn}")
steps=${STEPS:-30}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# update WIDTH BATCH - "WIDTH BATCH SECONDS PARAMETERS TOKENS_A_SECOND" of one update.
update()
{
    "$program" train "$corpus" --no-holdout --hidden "$1" --embedding "$1" --batch "$2" --steps $((steps + 10)) \
        --epochs 1000000 --patience 0 --validate-every 0 --quiet --force --log "$folder/log" \
        --log-every 10 -o "$folder/model"
    jq -sr --arg width "$1" --arg batch "$2" --arg bytes "$(wc -c < "$folder/model")" --arg steps "$steps" '
        map(select(.gflops)) | "\($width) \($batch) \((last.seconds - first.seconds) / ($steps | tonumber)) \(
            ($bytes | tonumber) / 4) \(map(.target_tokens_per_second) | sort | .[length / 2 | floor])"' "$folder/log"
}

for width in ${WIDTHS:-256 512}; do
    for batch in ${BATCHES:-64 128 256 512}; do update $width $batch; done
done | awk '
    function exchange(n, w, rate, P)
    {
        return n * w / rate * (P > 2 ? 1 + 1 / P : 1) + (P - 1) * (65536 * w / rate + L) + n * w / rate * (P - 1) / P \
            + (P - 1) * L + 6 * L * log(P) / log(2)
    }
    BEGIN {
        L = 50e-6
        print "| width | pairs a machine | update, ms | Gbit/s | exchange | 2 | 4 | 8 | 16 |"
        print "|---:|---:|---:|---:|---|---:|---:|---:|---:|"
    }
    {
        for (gigabits = 1; gigabits <= 10; gigabits *= 10)
            for (w = 4; w >= (gigabits < 10 ? 2 : 4); w /= 2) {
                printf "| %d | %d | %.0f | %d | %s |", $1, $2, 1000 * $3, gigabits, w == 4 ? "float" : "bf16"
                for (P = 2; P <= 16; P *= 2) printf " %.2f |", $3 / ($3 + exchange($4, w, gigabits * 1.25e8, P))
                print ""
            }
        if ($2 == 512) {
            whole = $3 + exchange($4, 4, 1.25e9, 8)
            speed = 8 * $5 * $3 / whole
            notes = notes sprintf("%d wide, 8 machines, 512 pairs each, 10 Gbit/s, float: %.0f target tokens/s; " \
                "36 million pairs of 30 target tokens take %.1f hours\n", $1, speed, 36e6 * 30 / speed / 3600)
        }
    }
    END { printf "\n%s", notes }'
