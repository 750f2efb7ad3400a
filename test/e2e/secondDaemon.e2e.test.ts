import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';

test('a second daemon ends with 3, and the first one keeps its database', async () => {
  const daemon = await startDaemon({ database: 'embedded' });
  const program = join(inject('built'), 'dist', 'daemon.cjs');
  const second = spawnSync(process.execPath, [program, '--migrate'], { env: daemon.env, encoding: 'utf8' });
  expect(second.stderr).toContain(`(pid ${daemon.pid()} on`);
  expect(second.status).toBe(3);
  expect((await daemon.call('daemon.status', {})).database.ok).toBe(true);
});
