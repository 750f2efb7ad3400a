import type { CaseRule, CompiledGlob } from '../../../core/glob/compileGlob.ts';
import { compileGlob } from '../../../core/glob/compileGlob.ts';
import { matchesCompiled } from '../../../core/glob/matchesGlob.ts';

/** Two tasks must not write these at the same time, not even different files: they depend on each other. */
export const FORBIDDEN_GLOBS = [
  'pnpm-lock.yaml',
  'package-lock.json',
  '**/migrations/**',
  '**/*.generated.*',
  'tsconfig*.json',
  'biome.json',
  'lefthook.yml',
  '.github/**',
  '.gitlab-ci.yml',
  '.gitattributes',
  '.gitmodules',
] as const;

export type ForbiddenGlob = (typeof FORBIDDEN_GLOBS)[number];

/** Returns a function that finds the globs that forbid a path, to ask of many paths. */
export function forbiddenGlobsOf(rule: CaseRule): (path: string) => ForbiddenGlob[] {
  const list = FORBIDDEN_GLOBS.map((glob) => [glob, [compileGlob(glob, rule)]] as const);
  return (path) => list.flatMap(([glob, compiled]) => (matchesCompiled(path, compiled) === 'yes' ? [glob] : []));
}

/**
 * The entries of the list that a glob is about. `src/**` is about none, although `src/migrations/x` may exist: it would
 * be at odds with every other task. What exists there is a fact that `findOverlaps` gets.
 */
export function forbiddenGlobsIn(glob: CompiledGlob, of: (path: string) => ForbiddenGlob[]): ForbiddenGlob[] {
  return glob.patterns.flatMap(({ sample }) => of(sample));
}
