import { expect, test } from 'vitest';
import { shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type DriveOptions, drive, ended } from '../helpers/drive.ts';
import { asked, FILE, reasons, startReviewed } from './reviewRuns.ts';
import { payloads } from './support.ts';

async function reviewed(
  daemon: TestDaemon,
  words: readonly string[],
  options: DriveOptions & { verify?: string[][] } = {},
) {
  const { repo, runId } = await startReviewed(daemon, words, options.verify);
  const events = await drive(daemon, runId, { patienceMs: 200_000, ...options });
  const { findings } = await daemon.ask('run.findings', { runId });
  return { repo, runId, events, findings, run: await ended(daemon, runId) };
}

/** Goes on until a person is asked. */
const untilAsked = (daemon: TestDaemon, runId: string) =>
  drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.requested' });

const daemon = shareDaemon();

test('a change without defects passes after one look', async () => {
  const { run, events } = await reviewed(daemon(), []);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'iteration.completed')).toMatchObject([{ outcome: 'pass' }]);
  expect(await daemon().ask('run.verify', { runId: run.runId })).toMatchObject({ ok: true, differences: [] });
});

test('a confirmed defect is fixed, looked at again, and found fixed', async () => {
  const { events, findings, repo, runId } = await reviewed(daemon(), [`Finds: high ${FILE}:1 The title is wrong`]);
  expect(reasons(events)).toEqual(['full', 'delta', 'closing']);
  expect(findings).toMatchObject([
    { state: 'fixed', path: FILE, line: 1, verifierStatus: 'confirmed', isAnchored: true },
  ]);
  expect(findings[0]?.history.map(({ what }) => what)).toEqual(['reported', 'confirmed', 'answered', 'fixed']);
  const id = findings[0]?.findingId.slice(0, 8);
  expect(repo.git('show', `devflow/${runId}/main:${FILE}`)).toContain(`fixed ${id}`);
  expect(await daemon().ask('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('a reviewer that echoes an empty list cannot pass', async () => {
  const { runId } = await startReviewed(daemon(), ['Quotes: none']);
  const events = await untilAsked(daemon(), runId);
  expect(asked(events)).toEqual(['recovery']);
  const errors = payloads(events, 'artifact.invalid').flatMap((payload) => payload.errors as { path: string }[]);
  expect(new Set(errors.map(({ path }) => path))).toEqual(new Set(['/coverage']));
  await daemon().ask('run.abort', { runId });
});

test('a wrong quote is repaired like any artifact', async () => {
  const { run, events } = await reviewed(daemon(), ['Quotes: wrong']);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'artifact.invalid')).toHaveLength(1);
});

test('a command of a finding that fails confirms it, and checks that fail are fixed', async () => {
  const words = [`Finds: high ${FILE}:1 The title is wrong`, `Reproduce: grep -q ^fixed ${FILE}`, 'Verdicts: rejected'];
  const { events, findings } = await reviewed(daemon(), words, { verify: [['grep', '-q', '^fixed', FILE]] });
  expect(findings).toMatchObject([{ state: 'fixed', resolution: { by: 'reproduction' } }]);
  expect(payloads(events, 'review.checked').map(({ what }) => what)).toEqual(['reproductions', 'checks', 'checks']);
});

test('a critical finding that nobody can refute with a quote is never dropped', async () => {
  for (const verdicts of ['misquoted', 'unquoted']) {
    const words = [`Finds: critical ${FILE}:1 The title is wrong`, `Verdicts: ${verdicts}`];
    const { runId } = await startReviewed(daemon(), words);
    const events = await untilAsked(daemon(), runId);
    expect(asked(events)).toEqual(['review_dispute']);
    expect((await daemon().ask('run.findings', { runId })).findings).toMatchObject([
      { state: 'disputed', isBlocker: true },
    ]);
    await daemon().ask('run.abort', { runId });
  }
});

test('a person is asked after the second fix in a row that brings new defects', async () => {
  const words = [`Finds: medium ${FILE}:1 The title is wrong`, 'Finds-Defects: yes', `Fixes: adds ${FILE} 2`];
  const { runId } = await startReviewed(daemon(), words);
  const events = await untilAsked(daemon(), runId);
  expect(asked(events)).toEqual(['review_unconverged']);
  expect(reasons(events)).toEqual(['full', 'delta', 'delta']);
  await daemon().ask('run.abort', { runId });
});

test('a fix that moves lines and renames the file keeps the finding, and nothing comes back', async () => {
  const words = [
    `Finds: high ${FILE}:1 The title is wrong`,
    `Finds: low ${FILE}:3 The digest is ugly`,
    'Finds-Closing: low fake/moved.md:43 The digest is ugly',
    `Fixes: moves ${FILE} fake/moved.md 40`,
  ];
  const { findings, run } = await reviewed(daemon(), words);
  expect(run.state).toBe('completed');
  expect(findings.map(({ path, line, state, reporters }) => [path, line, state, reporters.length])).toEqual([
    ['fake/moved.md', 41, 'fixed', 1],
    ['fake/moved.md', 43, 'unverified', 2],
  ]);
});
