import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive, ended, startRun } from '../../helpers/drive.ts';
import { commentsOf, requestingOnce } from '../commentRuns.ts';
import { payloads, scenario } from '../support.ts';
import { killAtPoints } from './killing.ts';

/** Between the decision and the prompt, and where the answers were read and are not recorded. */
const OF_COMMENTS: readonly CrashPoint[] = [
  'sendPrompt.before_delivery',
  'sendPrompt.after_delivery',
  'awaitArtifact.found',
  'awaitArtifact.stored',
];

test('a kill between decision, prompt, artifact and answers loses no comment, and asks and answers none twice', async () => {
  const daemon = await startDaemon();
  const killing = await killAtPoints(daemon, OF_COMMENTS);
  const requirements = scenario('ok-then-no-answers-then-ok');
  const backend = { implementer: 'fake' } as const;
  const runId = await startRun(daemon, { repo: daemon.repo().dir, template: 'quick-change@1', requirements, backend });
  const comments = [{ path: 'fake/implement-1.md', line: 1, text: 'Otherwise.' }, { text: 'Is it all?' }];
  const events = await drive(daemon, runId, {
    patienceMs: 200_000,
    decide: requestingOnce('changes_approved', comments),
  });
  await ended(daemon, runId);
  const { deaths, unvisited } = await killing.stop();
  expect([unvisited, deaths >= OF_COMMENTS.length]).toEqual([[], true]);
  const sent = [...payloads(events, 'prompt.sent'), ...payloads(events, 'prompt.repaired')].map(
    ({ dedupKey }) => dedupKey,
  );
  expect(new Set(sent).size).toBe(sent.length);
  expect(payloads(events, 'approval.resolved').filter((each) => each.comments)).toHaveLength(1);
  expect(payloads(events, 'artifact.validated').flatMap(({ answers = [] }) => answers)).toHaveLength(2);
  expect((await commentsOf(daemon, runId)).map(({ state, answers }) => [state, answers.length])).toEqual([
    ['answered', 1],
    ['answered', 1],
  ]);
  expect(await daemon.ask('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});
