import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { scan } from './scan.ts';

const DECISION = 'docs/adr/0012-own-file-watch.md';

test('whatever watches files by itself is named in the decision about watches', () => {
  const sources = scan(packageRoot(), ['daemon', 'cli', 'tui', 'schemas', 'tmux']).map(({ path }) => path);
  const watching = sources.filter((path) => /import \{[^}]*\bwatch\b[^}]*\} from 'node:fs'/.test(read(path)));
  expect(watching.sort()).toEqual([
    'cli/client/drafts/watchReviews.ts',
    'daemon/commands/commandWait.ts',
    'daemon/sessions/tmux/observe/pathWatch.ts',
    'daemon/system/watchDirectory.ts',
    'tmux/process/watchPane.ts',
  ]);
  for (const path of watching) expect(read(DECISION)).toContain(`\`${path}\``);
});

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');
