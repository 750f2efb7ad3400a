import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readStartTime } from '../../../daemon/commands/processIdentity.ts';
import { startOrAdopt } from '../../../daemon/commands/runner.ts';
import { removeLeftovers } from '../../../daemon/discovery/removeLeftovers.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { eventually } from '../../helpers/eventually.ts';

test('ends what a killed discovery left running, and removes its checkout', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-leftovers-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'discover-a', 'checkout');
  const dir = join(root, 'discover-a', 'commands');
  mkdirSync(cwd, { recursive: true });
  const daemon = new AbortController();
  const argv = ['sh', '-c', 'sleep 300 & sleep 300'];
  const probe = { commandId: 'fact', argv, cwd, dir, timeoutMs: 300_000, startedAt: new Date() };
  const running = startOrAdopt({ ...probe, signal: daemon.signal }).catch((error: unknown) => error);
  const pid = await eventually(() => {
    const [found] = readFileSync(join(dir, 'fact.pid'), 'utf8').split(' ');
    expect(found).toMatch(/^\d+$/);
    return Number(found);
  });
  // The command goes on, as it does when a daemon is killed.
  daemon.abort(new DevflowError('shutting_down', 'The daemon ends.'));
  await running;
  expect(await readStartTime(pid)).toBeDefined();

  await removeLeftovers(root);
  await eventually(async () => expect(await readStartTime(pid)).toBeUndefined());
  expect(readdirSync(root)).toEqual([]);
  await removeLeftovers(join(root, 'missing'));
});
