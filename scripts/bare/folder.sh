# folder.sh - a bare Debian in a folder, for scripts that try there what a new machine would show. They source it in the
# project's root, as root: make_folder makes the folder, inside runs a command in it.

root=build/debian/root
log=build/debian/log

fail()
{
    echo "$(basename "$0"): error: $1" >&2
    exit 1
}

# make_folder RELEASE - a copy of a bare system of that release (bookworm, trixie), which is kept for the next time. It
# asks for packages as this machine does.
make_folder()
{
    command -v debootstrap > /dev/null && [ "$(id -u)" = 0 ] ||
        fail "root and debootstrap are needed; on Debian: apt-get install debootstrap"
    bare=build/debian/$1
    if [ ! -e "$bare/done" ]; then
        rm -rf "$bare"
        mkdir -p "$bare"
        debootstrap --variant=minbase "$1" "$bare" > "$log" || fail "debootstrap failed: $log"
        apt-config dump | grep -E '^Acquire::(https?|Check-)' > "$bare/etc/apt/apt.conf.d/acquire" || :
        touch "$bare/done"
    fi
    rm -rf "$root"
    cp -a "$bare" "$root"
}

# inside COMMAND... - in the folder, with nothing of the environment here but a proxy; what it mounts and starts ends
# with it.
inside()
{
    # shellcheck disable=SC2016  # for the inner shell
    unshare --mount --pid --fork --kill-child sh -euc '
        mount -t proc proc "$0/proc"
        mount -t sysfs sysfs "$0/sys"
        mount -t devpts -o newinstance,ptmxmode=666 devpts "$0/dev/pts"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            $(env | grep -i "^[a-z]*_proxy=") chroot "$0" "$@"' "$root" "$@"
}

# quietly COMMAND... - inside, without a word where it succeeds.
quietly()
{
    inside "$@" > "$log" 2>&1 || { cat "$log" >&2; fail "$1 $2 failed"; }
}
