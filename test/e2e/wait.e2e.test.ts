import { expect, test } from 'vitest';
import { shareDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import { proveEnd, scenario } from './support.ts';

const shared = shareDaemon();

test('wait ends with 7 at a gate, with 0 once the run completed, and with 1 for another end', async () => {
  const daemon = shared();
  const repo = daemon.repo();
  expect((await daemon.cli(['wait', '--any'])).code).toBe(4);
  const runId = await startRun(daemon, { repo: repo.dir, requirements: 'Greet.' });

  const atGate = await daemon.cli(['wait', '--json'], { cwd: repo.dir });
  expect(atGate.code).toBe(7);
  expect(JSON.parse(atGate.stdout)).toMatchObject({ why: 'person', run: { runId, waitsForPerson: true } });
  const again = await daemon.cli(['wait', runId.slice(0, 8)]);
  expect(again.code).toBe(7);
  expect(again.stdout).toMatch(
    /^run [0-9a-f]{8} \(.+\) needs you: a decision at .+\. devflow approval show [0-9a-f]{8}\n$/,
  );
  expect((await daemon.cli(['wait', '--any'])).stdout).toBe(again.stdout);
  expect((await daemon.cli(['wait', runId, '--any'])).code).toBe(2);

  await daemon.call('run.abort', { runId });
  const aborted = await daemon.cli(['wait', runId]);
  expect(aborted).toMatchObject({ code: 1, stdout: expect.stringMatching(/^run [0-9a-f]{8} \(.+\): aborted/) });
  await proveEnd(daemon, runId, 'aborted');
});

test('a paused run needs a person, and a completed one ends the wait at once', async () => {
  const daemon = shared();
  const repo = daemon.repo();
  const backend = { implementer: 'fake' } as const;
  const runId = await startRun(daemon, { repo: repo.dir, template: 'quick-change@1', backend });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  await daemon.call('run.pause', { runId });
  expect(await daemon.cli(['wait', runId])).toMatchObject({
    code: 7,
    stdout: expect.stringMatching(/ needs you: devflow run resume\n$/),
  });
  await daemon.restart();
  expect((await daemon.cli(['wait', '--any'])).code).toBe(7);
  await daemon.call('run.resume', { runId });
  await drive(daemon, runId);
  await ended(daemon, runId);
  expect(await daemon.cli(['wait', runId])).toMatchObject({ code: 0, stdout: expect.stringContaining(': completed') });
  await proveEnd(daemon, runId, 'completed');
});

test('a wait that takes too long ends with 6, and the run goes on', async () => {
  const daemon = shared();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, requirements: scenario('timeout') });
  const late = await daemon.cli(['wait', runId, '--timeout', '1s']);
  expect(late).toMatchObject({ code: 6, stdout: '' });
  expect(late.stderr).toContain('has not ended after 1s');
  expect((await daemon.cli(['wait', '--any', '--timeout', '1s'])).code).toBe(6);
  const waiting = daemon.cli(['wait', '--any']);
  await daemon.call('run.abort', { runId });
  // The wait begins before the end, or finds no open run.
  expect([1, 4]).toContain((await waiting).code);
  await proveEnd(daemon, runId, 'aborted');
});
