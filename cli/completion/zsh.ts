import type { CommandNode, Offer } from './tree.ts';

/** One function a command, in the form that `_arguments` takes. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef devflow
# zsh completion for devflow: eval "$(devflow completion zsh)"
_devflow_ids() {
  local -a found
  local word description
  while IFS=$'\\t' read -r word description; do
    found+=("\${word//:/\\\\:}:$description")
  done < <(devflow __complete "$1" 2>/dev/null)
  _describe "$1" found
}
${nodes.map(commandFunction).join('\n')}
if [[ \${funcstack[1]} == _devflow ]]; then _devflow "$@"; else compdef _devflow devflow; fi
`;
}

function commandFunction({ path, children, options, args }: CommandNode): string {
  const name = functionName(path);
  const specs = options.map(({ flag, summary, value }) => {
    const repeatable = /repeatable/.test(summary) ? '*' : '';
    return quote(`${repeatable}${flag}[${bracketed(summary)}]${value ? `:value:${offer(value)}` : ''}`);
  });
  if (children.length === 0) {
    const places = args.map((arg, at) => quote(`${at + 1}:argument:${offer(arg)}`));
    return `${name}() { _arguments ${[...specs, ...places].join(' ') || ':'} }`;
  }
  const described = children.map((child) => quote(`${child.name}:${bracketed(child.summary)}`));
  const cases = children.map((child) => `      ${child.name}) ${functionName(`${path}/${child.name}`)} ;;`);
  return `${name}() {
  local line state
  local -a commands
  commands=(${described.join(' ')})
  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(' ')}
  case $state in
    command) _describe command commands ;;
    rest)
    case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`;
}

function functionName(path: string): string {
  return `_devflow${path.replaceAll('/', '_').replaceAll('-', '_')}`;
}

function offer(value: Offer): string {
  switch (value.type) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'files':
      return '_files';
    case 'directories':
      return '_files -/';
    case 'dynamic':
      return `_devflow_ids ${value.kind}`;
    case 'nothing':
      return ' ';
    default:
      return value satisfies never;
  }
}

function bracketed(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
