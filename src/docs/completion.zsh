#compdef attn
# zsh completion of attn

# Lines COMMAND:NAMES:KIND:VALUES:ABOUT (src/docs/completion.c)
local table='
@TABLE@
'

local -a names topics specifications part
local row name value attached again
for row in ${(f)table}; do
    part=("${(@s.:.)row}")
    if [[ -z $part[2] ]]; then
        names+=("$part[1]:$part[5]")
    elif [[ $words[2] = help && $words[3] = $part[1] && $part[2] = --* ]]; then
        topics+=("${${part[2]%% *}#--}:$part[5]")
    fi
    [[ $words[2] = $part[1] ]] || continue
    case $part[3] in
    words)  value=":word:($part[4])" ;;
    model*) value=':MODEL:_files -g "*.safetensors"' ;;
    file*)  value=":FILE:_files${part[4]:+ -g \"*.($part[4])\"}" ;;
    free)   value=':value: ' ;;
    *)      value= ;;
    esac
    if [[ $part[3] = *\? ]]; then value=:$value; fi
    if [[ $part[3] = *\* ]]; then again='*'; else again=; fi
    if [[ $part[3] = command ]]; then
        specifications+=('1:command:{_describe command names}' '2:option:{_describe option topics}')
    elif [[ -z $part[2] ]]; then
        specifications+=("*$value")
    fi
    for name in ${=part[2]}; do
        case $part[3]:$name in
        flag:*)   attached= ;;
        *\?:--*)  attached='=-' ;;
        *:--*)    attached='=' ;;
        *)        attached='+' ;;
        esac
        specifications+=("$again$name${attached}[$part[5]]$value")
    done
done

if (( CURRENT == 2 )); then
    _describe command names
else
    shift words
    (( CURRENT-- ))
    _arguments -s -S $specifications
fi
