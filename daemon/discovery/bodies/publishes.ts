import { nameOf } from '../candidate/paths.ts';
import { innerCommand } from '../candidate/wrappers.ts';

/** Commands that reach outside with the person's rights. A check never needs them. */
const PUBLISHING: Readonly<Record<string, RegExp>> = {
  git: /^push$/,
  npm: /^publish$/,
  pnpm: /^publish$/,
  yarn: /^publish$/,
  bun: /^publish$/,
  cargo: /^(?:publish|yank|owner)$/,
  poetry: /^publish$/,
  uv: /^publish$/,
  hatch: /^publish$/,
  flit: /^publish$/,
  twine: /^upload$/,
  gem: /^push$/,
  docker: /^push$/,
  podman: /^push$/,
  gh: /^(?:release|pr|issue|api|repo|workflow)$/,
  'semantic-release': /^/,
};
/** Options of git before its subcommand that have a value. */
const VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree']);

/** The thing that a command publishes; undefined for one that publishes nothing. */
export function publishes(argv: readonly string[]): string | undefined {
  const [program = '', ...words] = innerCommand(argv);
  const name = nameOf(program);
  if (!Object.hasOwn(PUBLISHING, name)) return undefined;
  const verb = words.find((each, at) => !each.startsWith('-') && !VALUED.has(words[at - 1] ?? '')) ?? '';
  return PUBLISHING[name]?.test(verb) ? `${name} ${verb}`.trim() : undefined;
}
