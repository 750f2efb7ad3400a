import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';

/** With umask 000 a directory made without a mode would be open to everyone. */
test('every mkdir has an explicit mode', () => {
  const files = globSync('{schemas,daemon,tmux,cli,tui}/**/*.ts', { cwd: packageRoot() });
  const open = files.flatMap((file) => {
    const text = readFileSync(join(packageRoot(), file), 'utf8');
    const calls = text.match(/\bmkdir(?:Sync)?\((?:[^()]|\([^()]*\))*\)/g) ?? [];
    return calls.filter((call) => !/mode[:,]|mode }/.test(call)).map((call) => `${file}: ${call}`);
  });
  expect(files.length).toBeGreaterThan(100);
  expect(open).toEqual([]);
});
