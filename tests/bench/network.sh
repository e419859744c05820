#!/bin/sh
# network.sh - the speed of a training by two processes on two hosts with a slow network between them. The hosts are
# network namespaces of this machine, with a core each; a token bucket limits the rate of the link in each direction.
#
#     tests/bench/network.sh 1gbit 64 corpus.tsv [OPTION...]      needs root, iproute2 and make MPI=ompi-c
#
# Prints the target tokens/s of one process with one worker and half of the batch, which exchanges nothing, of two such
# processes with the link, and their efficiency: the second by twice the first. The program is $ATTN.
set -eu

case ${1-} in
'' | -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
esac
rate=$1 batch=$2 corpus=$(realpath "$3")
shift 3
program=$(realpath "${ATTN:-build/release-ompi-c/attn}")
one=attn-one two=attn-two folder=$(mktemp -d)

clean()
{
    ip netns del $one 2>/dev/null || true
    ip netns del $two 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT
trap 'exit 130' INT TERM

# limit HOST DEVICE - a bucket of two milliseconds, and as long a queue as a switch has.
limit()
{
    ip netns exec "$1" tc qdisc add dev "$2" root tbf rate "$rate" burst 2mb limit 4mb
}

connect()
{
    ip netns add $one
    ip netns add $two
    ip link add attn0 netns $one type veth peer name attn1 netns $two
    ip -n $one addr add 10.99.0.1/24 dev attn0
    ip -n $two addr add 10.99.0.2/24 dev attn1
    for device in lo attn0; do ip -n $one link set $device up; done
    for device in lo attn1; do ip -n $two link set $device up; done
    limit $one attn0
    limit $two attn1
}

# As ssh, for mpirun: the second host has a name and a core of its own.
cat > "$folder/agent" <<END
#!/bin/sh
shift
exec ip netns exec $two unshare -u sh -c "hostname $two; exec taskset -c 1 sh -c '\$*'"
END
chmod +x "$folder/agent"

# rate_of BATCH COMMAND... - the target tokens/s that this attn reaches.
rate_of()
{
    size=$1
    shift
    "$@" train "$corpus" --no-holdout --batch "$size" --steps "${STEPS:-60}" --epochs 1000000 --patience 0 \
        --validate-every 0 --show-every 0 --quiet --force --log "$folder/log" --log-every "${STEPS:-60}" \
        -o "$folder/model" $options >&2
    tail -n 1 "$folder/log" | sed 's/.*"target_tokens_per_second":\([0-9]*\).*/\1/'
}

options=$*
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
connect
alone=$(rate_of $((batch / 2)) taskset -c 0 "$program")
both=$(rate_of "$batch" ip netns exec $one unshare -u sh -c "hostname $one; exec taskset -c 0 \"\$@\"" sh \
    mpirun --bind-to none --host 10.99.0.1,10.99.0.2 -n 2 --mca plm_rsh_agent "$folder/agent" \
    --mca oob_tcp_if_include 10.99.0.0/24 --mca btl_tcp_if_include 10.99.0.0/24 --mca btl tcp,self "$program")
echo "$rate batch $batch: one $alone, two $both, efficiency $(echo "scale=3; $both / 2 / $alone" | bc)"
