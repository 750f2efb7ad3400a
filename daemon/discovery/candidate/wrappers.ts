import { nameOf } from './paths.ts';

/** Programs that run the command after them, each with the subcommands that do; empty: without any. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  sudo: [],
  time: [],
  nice: [],
  env: [],
  npx: [],
  bunx: [],
  'cross-env': [],
  'xvfb-run': [],
  c8: [],
  nyc: [],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  npm: ['exec'],
  uv: ['run'],
  uvx: [],
  poetry: ['run'],
  pipenv: ['run'],
  pdm: ['run'],
  rye: ['run'],
  hatch: ['run'],
  bundle: ['exec'],
  coverage: ['run'],
  python: ['-m'],
  python3: ['-m'],
};
const OPTIONS_WITH_VALUE = /^(?:-n|-u|-p|-c|--with|--group|--extra|--package|--python|--project|--directory|--source)$/;

/** The command that wrappers such as `env A=b`, `npx` and `uv run` run in the end. */
export function innerCommand(argv: readonly string[]): string[] {
  let words = [...argv];
  for (let depth = 0; depth < 8; depth++) {
    while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) words = words.slice(1);
    const [called = '', ...rest] = words;
    const program = nameOf(called);
    if (!Object.hasOwn(WRAPPERS, program)) return words;
    const own = WRAPPERS[program] ?? [];
    if (own.length > 0 && !own.includes(rest[0] ?? '')) return words;
    const inner = own.length > 0 ? rest.slice(1) : rest;
    // After `-m` comes the module itself; `coverage run -m pytest` has both.
    const from = inner.findIndex((word, at) => !word.startsWith('-') && !OPTIONS_WITH_VALUE.test(inner[at - 1] ?? ''));
    if (from < 0) return words;
    words = inner.slice(from);
  }
  return words;
}

/** Shells by name, which run the text or the file that they get. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
/** They run scripts of package.json. */
export const NODE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** They print or do nothing, and fail only with the machine. */
export const QUIET: ReadonlySet<string> = new Set(['echo', 'printf', 'true', ':']);
