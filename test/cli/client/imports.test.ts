import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const CLIENT = resolve(import.meta.dirname, '../../../cli/client');

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

it('the client loads no zod and nothing but sockets: the start of every command waits for it', () => {
  const files = readdirSync(CLIENT).map((name) => join(CLIENT, name));
  const packages = files.flatMap((file) => [...loads(file)]).filter((name) => !name.startsWith('/'));
  expect([...new Set(packages)]).toEqual(['node:net']);
});
