import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxWords } from '../../schemas/sandboxWords.ts';
import { noSandboxBecause } from '../helpers/canSandbox.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { proveEnd } from './support.ts';

describe.skipIf(noSandboxBecause)('a run with its agents in sandboxes', () => {
  test('ends as any other, and says what held', async () => {
    const panes = await makePanes('busy-ms=150');
    const { daemon } = panes;
    await daemon.start();
    const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, sandbox: 'agents' });
    await drive(daemon, runId);
    const { run, report } = await proveEnd(daemon, runId, 'completed');
    expect(run.sandbox).toMatchObject({ level: 'agents', by: expect.stringMatching(/^bubblewrap \d/) });
    expect(report.inputs).toMatchObject({ sandbox: run.sandbox });
    const shown = await daemon.cli(['run', 'show', runId]);
    expect(shown.stdout).toContain(run.sandbox && sandboxWords(run.sandbox));
  });

  test('runs its commands in them, too, if all is asked for', async () => {
    const { daemon } = await makePanes('busy-ms=150');
    await daemon.start();
    const repo = daemon.repo();
    const secret = join(daemon.root, 'secret');
    writeFileSync(secret, 'SECRET');
    const script = `test -e .git && test ! -e ${secret} && test ! -e ${repo.dir}/README.md && git status && echo x >~/made`;
    const verify = { verify: [['sh', '-c', script]] };
    const request = { repo: repo.dir, backend: ROLES, extra: verify };
    const inside = await startRun(daemon, { ...request, sandbox: 'all' });
    await drive(daemon, inside);
    const { run } = await proveEnd(daemon, inside, 'completed');
    expect(run.commands.map(({ exitCode }) => exitCode)).toEqual([0]);
    // The same command outside fails: its gate asks.
    const outside = await startRun(daemon, { ...request, sandbox: 'agents', parallel: true });
    await drive(daemon, outside, { stopAt: ({ type }) => type === 'command.failed' });
    await daemon.ask('run.abort', { runId: outside, reason: 'seen' });
    await proveEnd(daemon, outside, 'aborted');
    await daemon.ask('run.cleanup', { runId: inside, force: false });
    expect(existsSync(join(daemon.workspaceRoot, inside, 'sandbox'))).toBe(false);
  });
});

test('a start is refused where no sandbox can be made, and nothing is written', async () => {
  const { daemon } = await makePanes('busy-ms=150');
  const bin = join(daemon.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  await daemon.start({ PATH: `${bin}:${daemon.env.PATH}` });
  const started = startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, sandbox: 'agents' });
  await expect(started).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    recoveryHint: expect.stringContaining('namespaces'),
  });
  expect(await daemon.call('run.list', {})).toEqual([]);
  expect(await daemon.call('daemon.doctor', {})).toContainEqual(
    expect.objectContaining({ name: 'sandbox', status: 'warn' }),
  );
});
