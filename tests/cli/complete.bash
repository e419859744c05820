# complete.bash SCRIPT LINE - what bash offers where Tab is typed behind LINE, a word a line.
for folder in /usr/share /usr/local/share /opt/homebrew/share; do
    if [ -r $folder/bash-completion/bash_completion ]; then . $folder/bash-completion/bash_completion; fi
done
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<< "${2//=/ = }"          # = is a word of its own, as readline has it
if [[ $2 == *[\ =] ]]; then COMP_WORDS+=(""); fi
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_attn
if ((${#COMPREPLY[@]})); then printf '%s\n' "${COMPREPLY[@]}"; fi
