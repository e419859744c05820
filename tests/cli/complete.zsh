# complete.zsh FOLDER LINE - what zsh offers where Tab is typed behind LINE, a word a line; the script is in FOLDER. A
# shell of its own, on a terminal of its own, writes to a file what is passed to compadd.
zmodload zsh/zpty
work=$(mktemp -d "${BATS_FILE_TMPDIR:-${TMPDIR:-/tmp}}/zsh.XXXXXX")

# until_there TEST - waits for the other shell, whose output nobody reads, at most ten seconds.
until_there() {
    local i
    for i in {1..1000}; do
        eval "$1" && return
        zpty -rt shell && continue
        sleep 0.01
    done > /dev/null
    return 1
}

zpty shell zsh -f -i
zpty -w shell "
    fpath=('$1' \$fpath) PS1= TERM=dumb
    autoload -Uz compinit && compinit -u -d ${work:h}/zcompdump
    compadd() {
        local -a offered
        if [[ \" \$* \" != *' -'[OAD]' '* ]]; then
            builtin compadd -O offered \"\$@\"
            print -rl -- \$offered >> $work/offered
        fi
        builtin compadd \"\$@\"
    }
    complete-and-end() { zle complete-word; : > $work/end }
    zle -N complete-and-end
    bindkey '^I' complete-and-end
    : > $work/ready"
until_there '[[ -e $work/ready ]]' || exit 1
zpty -nw shell "$2"$'\t'
until_there '[[ -e $work/end ]]' || exit 1
cat $work/offered 2> /dev/null
rm -r $work
