import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Packages and modules of Node that a folder's files load when they run. */
function packagesOf(folder: string, but: readonly string[] = []): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.d)\.ts$/.test(name) && !but.includes(name),
  );
  const packages = files
    .flatMap((file) => [...loads(join(ROOT, folder, file))])
    .filter((name) => !name.startsWith('/'));
  return [...new Set(packages)].sort();
}

/** What a file loads when it runs, here and through what it loads itself; type imports vanish. */
function loads(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, clause, from] of source.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)'/gm)) {
    if (clause?.startsWith('type ') || from === undefined) continue;
    if (from.startsWith('.')) loads(resolve(dirname(file), from), seen);
    else seen.add(from);
  }
  return seen;
}

const DRAFTS = ['durable.ts', 'draftFiles.ts', 'sendOnce.ts', 'watchReviews.ts'].map((name) => `drafts/${name}`);

it('loads no zod and few modules, because every command waits for the client', () => {
  // Only completion, lists and the dashboard use these.
  expect(packagesOf('cli/client', [...DRAFTS, 'listBranches.ts', 'paths.ts', 'tuiTheme.ts'])).toEqual([
    'get-east-asian-width',
    'node:fs',
    'node:net',
  ]);
});

it('the dashboard loads no zod either: its first paint waits for it', () => {
  expect(packagesOf('tui').filter((name) => !name.startsWith('node:'))).toEqual([
    'canonicalize',
    'diff',
    'get-east-asian-width',
    'neo-blessed/lib/program.js',
  ]);
});
