# bash completion of attn, for bash-completion 2

# Lines COMMAND:NAMES:KIND:VALUES:ABOUT (src/docs/completion.c)
_attn_table='
@TABLE@
'

_attn_offer()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _attn_value KIND VALUES - offers them.
_attn_value()
{
    case $1 in
    words)  _attn_offer "$2" ;;
    model*) _filedir safetensors ;;
    file*)  _filedir ${2:+"@($2)"} ;;
    esac
}

_attn()
{
    local cur prev words cword split
    local command names kind values commands='' options='' topics='' operands=''
    _init_completion -s || return
    local topic=
    if [[ ${words[1]} == help ]] && ((cword == 3)); then topic=${words[2]}; fi
    while IFS=: read -r command names kind values _; do
        if [[ -z $names ]]; then commands+=" $command"; fi
        if [[ $command == "$topic" && $names == --* ]]; then topics+=" ${names%% *}"; fi
        if [[ $command != "${words[1]}" ]]; then continue; fi
        if [[ -z $names ]]; then operands=$kind; continue; fi
        # an optional value is attached: the next word is an operand
        if [[ $kind != flag && " $names " == *" $prev "* ]] && { $split || [[ $kind != *\? ]]; }; then
            _attn_value "$kind" "$values"
            return
        fi
        for name in $names; do
            if [[ $name == --* ]]; then options+=" $name"; fi
        done
    done <<< "$_attn_table"
    if ((cword == 1)); then _attn_offer "$commands --help --version"
    elif $split; then return
    elif [[ $cur == -* ]]; then _attn_offer "$options"
    elif [[ $operands != command ]]; then _attn_value "$operands" ''
    elif ((cword == 2)); then _attn_offer "$commands"
    else _attn_offer "${topics//--/}"
    fi
}

complete -F _attn attn
