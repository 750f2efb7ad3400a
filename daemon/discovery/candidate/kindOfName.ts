import type { FactKind } from '../../../schemas/repoFacts.ts';

/** Scripts that never end, change files or reach outside: they check nothing. */
const NO_CHECK = new Set(
  'watch dev develop start serve server preview fix write update upgrade debug deploy publish release clean ui open prepare'.split(
    ' ',
  ),
);

const GATHERING = new Set('ci qa validate preflight precommit presubmit'.split(' '));

/** The first line that has one of the words decides. */
const WORDS: readonly (readonly [FactKind, string])[] = [
  ['backtest', 'backtest backtests backtesting'],
  ['bench', 'bench benchmark benchmarks'],
  ['typecheck', 'typecheck types typing tsc mypy pyright'],
  ['format', 'format fmt formatting prettier black'],
  ['lint', 'lint linter linting lints eslint biome ruff flake8 pylint clippy vet stylelint'],
  ['test', 'test tests testing unit e2e integration spec specs coverage pytest jest vitest check checks verify'],
  ['build', 'build compile bundle dist all'],
  ['install', 'install deps dependencies setup bootstrap'],
];
const KINDS = new Map(WORDS.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)));
const ORDER = WORDS.map(([kind]) => kind);

/**
 * The kind of a script or target by its name. Undefined if the name does not say it, or says that it checks nothing.
 */
export function kindOfName(name: string): FactKind | undefined {
  const words = wordsOf(name);
  if (words.some((word) => NO_CHECK.has(word))) return undefined;
  if (words.includes('type') && (words.includes('check') || words.includes('checks'))) return 'typecheck';
  const kinds = new Set(words.flatMap((word) => KINDS.get(word) ?? []));
  return ORDER.find((kind) => kinds.has(kind));
}

/** The name says that it checks nothing. */
export function isNoCheck(name: string): boolean {
  return wordsOf(name).some((word) => NO_CHECK.has(word));
}

/** The name says that it gathers checks. Its text says which. */
export function isGathering(name: string): boolean {
  return wordsOf(name).some((word) => GATHERING.has(word)) && !isNoCheck(name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
