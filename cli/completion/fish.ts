import type { CommandNode, Offer } from './tree.ts';

/** One `complete` line for each word there is. */
export function fishScript(nodes: readonly CommandNode[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => path);
  return `# fish completion for devflow: devflow completion fish | source
function __devflow_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$path/$word" ${paths.join(' ')}
      set path "$path/$word"
    end
  end
  echo "$path"
end
function __devflow_at
  test (__devflow_path) = "$argv[1]"
end
complete -c devflow -f
${nodes.flatMap(lines).join('\n')}
`;
}

function lines({ path, children, options, args }: CommandNode): string[] {
  const at = `complete -c devflow -n '__devflow_at "${path}"'`;
  return [
    ...children.map(({ name, summary }) => `${at} -a ${name} -d ${quote(summary)}`),
    ...args.map((arg) => `${at}${offer(arg, '')}`).filter((line) => line !== at),
    ...options.map(
      ({ flag, summary, value }) => `${at} -l ${flag.slice(2)} -d ${quote(summary)}${value ? offer(value, ' -x') : ''}`,
    ),
  ];
}

function offer(value: Offer, exclusive: string): string {
  switch (value.type) {
    case 'words':
      return `${exclusive} -a ${quote(value.words.join(' '))}`;
    case 'files':
      return exclusive ? ' -r -F' : ' -F';
    case 'directories':
      return `${exclusive} -a '(__fish_complete_directories)'`;
    case 'dynamic':
      return `${exclusive} -a '(devflow __complete ${value.kind} 2>/dev/null)'`;
    case 'nothing':
      return exclusive;
    default:
      return value satisfies never;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
