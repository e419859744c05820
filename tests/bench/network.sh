#!/bin/sh
# network.sh - the speed of a training by two processes on two hosts with a slow network between them. The hosts are
# network namespaces of this machine, with a core each; a token bucket limits the rate of the link in each direction.
#
#     tests/bench/network.sh 1gbit 64 corpus.tsv [OPTION...]      needs root, iproute2, jq and make MPI=ompi-c
#
# Prints the milliseconds of an update of two processes with one worker each that know nothing of each other, and of two
# that share the training over the link, with as many pairs a process; what they exchange takes the difference, and their
# efficiency is the first by the second. The program is $ATTN. Of STEPS (60) updates the second half counts.
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

# update NAME BATCH COMMAND... - the milliseconds of an update of this attn.
update()
{
    name=$1 size=$2 steps=${STEPS:-60}
    shift 2
    "$@" train "$corpus" --no-holdout --batch "$size" --steps "$steps" --epochs 1000000 --patience 0 \
        --validate-every 0 --show-every 0 --quiet --force --log "$folder/$name.log" --log-every $((steps / 2)) \
        -o "$folder/$name" $options >&2
    jq -s 'map(select(.gflops)) | (.[-1].seconds - .[-2].seconds) / (.[-1].step - .[-2].step) * 1000' \
        "$folder/$name.log"
}

options=$*
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
connect
update first $((batch / 2)) taskset -c 0 "$program" > "$folder/update" &
alone=$(update second $((batch / 2)) taskset -c 1 "$program")
wait $!
together=$(update both "$batch" ip netns exec $one unshare -u sh -c "hostname $one; exec taskset -c 0 \"\$@\"" sh \
    mpirun --bind-to none --host 10.99.0.1,10.99.0.2 -n 2 --mca plm_rsh_agent "$folder/agent" \
    --mca oob_tcp_if_include 10.99.0.0/24 --mca btl_tcp_if_include 10.99.0.0/24 --mca btl tcp,self "$program")
echo "$rate $batch $alone $(cat "$folder/update") $together" | awk '{
    alone = ($3 + $4) / 2
    printf "%s, batch %d: alone %.1f ms, together %.1f ms, exchange %.1f ms, efficiency %.2f\n", $1, $2, alone, $5, \
        $5 - alone, alone / $5
}'
