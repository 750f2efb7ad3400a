#compdef devflow
# zsh completion for devflow: eval "$(devflow completion zsh)"
_devflow() {
  local kind front value description text program=${(Q)words[1]}
  local -a before lines spaced open
  (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
  lines=("${(@f)$("${program/#\~/$HOME}" __complete zsh -- "${before[@]}" "${(Q)IPREFIX}${(Q)PREFIX}" 2>/dev/null)}")
  kind=${lines[1]%%$'\t'*} front=${lines[1]#*$'\t'}
  case $kind in
    files | directories)
      [[ -z $front ]] || compset -P '*='
      if [[ $kind == files ]]; then _files; else _files -/; fi
      ;;
    words)
      for text in "${(@)lines[2,-1]}"; do
        value=${text%%$'\t'*} description=${text#*$'\t'}
        text=${value//\\/\\\\}
        text=${text//:/\\:}${description:+:$description}
        if [[ $value == *= ]]; then open+=("$text"); else spaced+=("$text"); fi
      done
      (( $#spaced )) && _describe -V devflow spaced
      (( $#open )) && _describe -V devflow open -S ''
      (( $#spaced + $#open ))
      ;;
    *) return 1 ;;
  esac
}
if [[ ${funcstack[1]} == _devflow ]]; then
  _devflow "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _devflow devflow
fi
