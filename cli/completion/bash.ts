import type { CommandNode, Offer } from './tree.ts';

/** Works with the bash 3.2 of macOS and without the bash-completion package. */
export function bashScript(nodes: readonly CommandNode[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => path);
  return `# bash completion for devflow: eval "$(devflow completion bash)"
_devflow_ids() {
  local word description
  while IFS=$'\\t' read -r word description; do
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" __complete "$1" 2>/dev/null)
  _devflow_words "\${COMPREPLY[*]}"
}
_devflow_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_devflow_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_devflow() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" position=0 i word skip=""
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$path/$word" in
      ${paths.join(' | ')}) path="$path/$word"; position=0; continue ;;
    esac
    case "$path:$word" in
      ${valueOptions(nodes).join(' | ') || '-'}) skip=1 ;;
      *:-*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  case "$path:$prev" in
${nodes.flatMap(({ path, options }) => options.flatMap(({ flag, value }) => (value ? [`    '${path}:${flag}') ${offer(value)}; return ;;`] : []))).join('\n')}
  esac
  case "$path" in
${nodes.map(choices).join('\n')}
  esac
}
complete -F _devflow devflow
`;
}

function valueOptions(nodes: readonly CommandNode[]): string[] {
  return nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) => (value ? [`'${path}:${flag}'`] : [])),
  );
}

function choices({ path, children, options, args }: CommandNode): string {
  const flags = [
    ...options.map(({ flag }) => flag),
    ...(options.some(({ flag }) => flag === '--help') ? [] : ['--help']),
  ];
  const names = children.map(({ name }) => name);
  const lines = [`    '${path}')`, `      if [[ $cur == -* ]]; then _devflow_words "${flags.join(' ')}"; return; fi`];
  if (names.length > 0)
    lines.push(`      if [[ $position == 0 ]]; then _devflow_words "${names.join(' ')}"; return; fi`);
  args.forEach((arg, at) => {
    lines.push(`      if [[ $position == ${at} ]]; then ${offer(arg)}; return; fi`);
  });
  if (names.length + args.length === 0) lines.push(`      _devflow_words "${flags.join(' ')}"`);
  return [...lines, '      ;;'].join('\n');
}

function offer(value: Offer): string {
  switch (value.type) {
    case 'words':
      return `_devflow_words "${value.words.join(' ')}"`;
    case 'files':
      return '_devflow_files -f';
    case 'directories':
      return '_devflow_files -d';
    case 'dynamic':
      return `_devflow_ids ${value.kind}`;
    case 'nothing':
      return ':';
    default:
      return value satisfies never;
  }
}
