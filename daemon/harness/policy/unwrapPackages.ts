import type { Word } from './finding.ts';
import type { Inner } from './inner.ts';
import { parseOptions } from './options.ts';

const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx']);
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const EXECUTE = new Set(['exec', 'x', 'dlx']);
const VALUED = [
  ...['-p', '--package', '-w', '--workspace', '-C', '--dir', '--cwd', '--prefix', '-F', '--filter', '--config'],
  ...['-c', '--call', '--from'],
];

/** `npx cmd`, `npm exec -- cmd`, `pnpm dlx cmd`, `yarn cmd`, `python -m mod`: the command behind a package runner. */
export function unwrapPackageManager(program: string, args: Word[]): Inner | undefined {
  if (RUNNERS.has(program)) return execute(program === 'pipx' ? afterVerb(args, 'run') : args);
  if (MANAGERS.has(program)) {
    const { operands } = parseOptions(args, VALUED, true);
    const [verb, ...rest] = operands;
    if (!verb) return undefined;
    if (EXECUTE.has(verb.text)) return execute(rest);
    // yarn, pnpm and bun run a program of the project when the word is no command of theirs.
    return program === 'npm' ? undefined : { commands: [{ words: afterOwnVerb(operands), redirects: [] }], own: 'all' };
  }
  if (/^python[\d.]*$/.test(program)) {
    const at = args.findIndex((word) => word.text === '-m');
    if (at >= 0) return { commands: [{ words: args.slice(at + 1), redirects: [] }], own: args.slice(0, at) };
  }
  return undefined;
}

/** `run x` and `workspace name x` come before what is run. */
function afterOwnVerb(operands: Word[]): Word[] {
  const skipped = { run: 1, workspace: 2 }[operands[0]?.text ?? ''] ?? 0;
  return skipped === 0 ? operands : afterOwnVerb(operands.slice(skipped));
}

function execute(args: Word[]): Inner {
  const { options, operands } = parseOptions(args, VALUED, true);
  const script = options.find((option) => option.name === '-c' || option.name === '--call')?.value;
  const [head, ...rest] = operands[0]?.text === '--' ? operands.slice(1) : operands;
  // `knex@3` is the package with a version; `@scope/name` keeps its base name.
  const words = head ? [{ ...head, text: head.text.replace(/(?<=.)@[^/]*$/, '') }, ...rest] : [];
  return { commands: [{ words, redirects: [] }], scripts: script ? [script.text] : [], own: [] };
}

function afterVerb(args: Word[], verb: string): Word[] {
  const at = args.findIndex((word) => word.text === verb);
  return at < 0 ? [] : args.slice(at + 1);
}
