# fish completion for devflow: devflow completion fish | source
function __devflow_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $before[1])
    set -e before[1]
    set -l lines ($program __complete fish -- $before "$current" 2>/dev/null)
    set -q lines[1]; or return
    set -l head (string split \t -- $lines[1])
    set -e lines[1]
    switch $head[1]
        case files
            __devflow_paths "$head[2]" __fish_complete_path "$current"
        case directories
            __devflow_paths "$head[2]" __fish_complete_directories "$current"
        case words
            set -q lines[1]; and printf '%s\n' $lines
    end
end
function __devflow_paths --argument-names front list current
    set -l word (string unescape -- (string sub -s (math (string length -- "$front") + 1) -- "$current"))
    for path in ($list "$word")
        printf '%s%s\n' "$front" "$path"
    end
end
complete -c devflow -f -k -a '(__devflow_complete)'
