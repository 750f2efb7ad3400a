# bash completion for devflow: eval "$(devflow completion bash)"
# Works with the bash 3.2 of macOS and without the bash-completion package. It expands nothing of the line.
_devflow() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word rest at last lead="" kind="" front="" value
  # bash also splits at = : @, so what stands together is one word again.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    rest=${line#"${line%%[![:space:]]*}"}
    last=$((${#words[@]} - 1))
    if ((at > 0)) && [[ $rest == "$line" && -n $line ]]; then
      words[last]+=${line:0:${#word}}
    elif ((at == 0)) || [[ $rest != "$line" ]]; then
      words+=("${rest:0:${#word}}")
    fi
    line=${rest:${#word}}
  done
  word=${words[${#words[@]} - 1]}
  COMPREPLY=()
  # Of that word bash replaces only what follows the last of these; an @ it replaces too.
  local breaks=${COMP_WORDBREAKS//[^=:@]/}
  [[ -z $breaks || $word == [\"\']* ]] || lead=${word%"${word##*[$breaks]}"}
  lead=${lead%@}
  while IFS=$'\t' read -r value rest; do
    if [[ -z $kind ]]; then
      kind=$value front=$rest
    else
      COMPREPLY+=("${value#"$lead"}")
    fi
  done < <("${words[0]/#\~/$HOME}" __complete bash -- "${words[@]:1}" 2>/dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null || _devflow_paths -f "$front" ;;
    directories) compopt -o dirnames 2>/dev/null || _devflow_paths -d "$front" ;;
    words)
      compopt -o nosort 2>/dev/null
      [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
      ;;
  esac
}
_devflow_paths() {
  local IFS=$'\n' path
  for path in $(compgen "$1" -- "${word#"$2"}"); do COMPREPLY+=("$(printf %q "$path")"); done
}
complete -F _devflow devflow
