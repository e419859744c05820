# fish completion of attn

# Lines COMMAND:NAMES:KIND:VALUES:ABOUT (src/docs/completion.c)
set -l table '
@TABLE@
'

function __attn_lacks_command
    set -l words (commandline -opc)
    test (count $words) = 1; or test "$words[2..]" = help
end

function __attn_runs
    set -l words (commandline -opc)
    test "$words[2]" = $argv[1]
end

function __attn_explains
    set -l words (commandline -opc)
    test "$words[2..]" = "help $argv[1]"
end

function __attn_models
    set -l begun (string replace -r '^-[^=]*=' '' -- (commandline -ct))
    string match -r '^.*(?:\.safetensors|/)$' -- (complete -C "'' $begun")
end

complete -c attn -f
complete -c attn -n 'not __fish_seen_subcommand_from help' -s V -l version -d 'print the version'
for row in (string split -n \n -- $table)
    set -l part (string split : -- $row)
    set -l value
    switch $part[3]
        case words
            set value -x -a $part[4]
        case 'model*'
            set value -x -a '(__attn_models)'
        case file 'file\*'
            set value -r -F
        case free
            set value -x
    end
    if test -z "$part[2]"
        complete -c attn -n __attn_lacks_command -a $part[1] -d $part[5]
        switch $part[3]
            case model
                complete -c attn -n "__attn_runs $part[1]" -a '(__attn_models)'
            case file
                complete -c attn -n "__attn_runs $part[1]" -F
        end
    else if string match -q -- '--*' $part[2]
        complete -c attn -n "__attn_explains $part[1]" -a (string match -r '[a-z][^ ]*' -- $part[2]) -d $part[5]
    end
    for name in (string split -n ' ' -- $part[2])
        set -l bare (string trim -l -c - -- $name)
        set -l kind -l
        string match -q -- '--*' $name; or set kind -s
        complete -c attn -n "__attn_runs $part[1]" $kind $bare $value -d $part[5]
    end
end
