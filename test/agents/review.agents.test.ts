import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../schemas/enums.ts';
import type { FindingView } from '../../schemas/rpc/views/findings.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { deliveriesOf, type RealDaemon, realDaemon } from './support/realDaemon.ts';

/** What the repository says to agents. */
const SAID = 'Greet politely, says the repository.';

/** A whole review: a look of each reviewer, a fix, a look at it, and a closing look. */
async function review(template: string, requirements: readonly string[], backend: Record<string, Backend>) {
  const real = await realDaemon();
  const { daemon, env, repo } = real;
  writeFileSync(join(repo, 'AGENTS.md'), `${SAID}\n`);
  execFileSync('git', ['-C', repo, 'add', 'AGENTS.md']);
  execFileSync('git', ['-C', repo, 'commit', '-qm', 'Say something to agents']);
  await daemon.start(env);
  const runId = await startRun(daemon, { repo, template, requirements: requirements.join('\n'), backend });
  // A killed daemon finds the reviewers at work.
  await drive(daemon, runId, { stopAt: isLook });
  await daemon.kill('SIGKILL');
  await daemon.start(env);
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'iteration.started').map(({ reason }) => reason)).toEqual(['full', 'delta', 'closing']);
  const { findings } = await daemon.call('run.findings', { runId });
  for (const finding of findings) {
    expect(finding).toMatchObject({ state: 'fixed', verifierStatus: 'confirmed', isAnchored: true });
    expect(finding.history.map(({ what }) => what)).toEqual(expect.arrayContaining(['answered', 'fixed']));
    const fixed = execFileSync('git', ['-C', repo, 'show', `devflow/${runId}/main:${finding.path}`], {
      encoding: 'utf8',
    });
    expect(fixed).toContain(`fixed ${finding.findingId.slice(0, 8)}`);
  }
  proveReading(real, events);
  expect(deliveriesOf(real.model).filter((times) => times !== 1)).toEqual([]);
  expect(real.model.merged).toEqual([]);
  // Every role of every program heard it, also after the daemon's end.
  const turns = real.model.heard.filter(({ kind }) => kind === 'turn');
  expect(turns.filter(({ system }) => !system.includes(SAID))).toEqual([]);
  return findings.map(summaryOf).sort((a, b) => a.path.localeCompare(b.path));
}

const isLook = ({ type, payload }: EventView) =>
  type === 'prompt.sent' && payload.expectedSchema === 'dev/review-finding-batch@2';

/** Every reader has read the diff, though git ignores it. */
function proveReading({ model }: RealDaemon, events: readonly EventView[]): void {
  const readers = payloads(events, 'prompt.sent').filter(({ expectedSchema }) =>
    ['dev/review-finding-batch@2', 'dev/review-verdict@1'].includes(String(expectedSchema)),
  );
  for (const { promptId, roleId } of readers) {
    expect(model.results(String(promptId))[0], `what ${roleId} read`).toContain('+Changed in implement, attempt 1.');
  }
}

const summaryOf = ({ path, reporters, resolution }: FindingView) => ({
  path,
  reporters: reporters.map(({ backend }) => backend).sort(),
  by: resolution?.by,
  judge: resolution?.backend,
});

test('development@2: four programs make, review, verify and fix a change', async () => {
  // The first files of the write sets in the fixture of `dev/dag@1`: each task changes one of them.
  const finds = ['Finds: high src/greet.js:1 It is rude', 'Finds: reviewer#0=medium docs/usage.md:1 It is vague'];
  // The other roles as the template prefers: Claude plans, Codex makes the change, Claude and Gemini review it.
  const findings = await review('development@2', finds, { verifier: 'opencode' });
  expect(findings).toEqual([
    { path: 'docs/usage.md', reporters: ['claude'], by: 'verifier', judge: 'opencode' },
    { path: 'src/greet.js', reporters: ['claude', 'gemini'], by: 'votes', judge: null },
  ]);
});

test('quick-change@2: Codex finds, Gemini confirms and Claude fixes', async () => {
  const finds = ['Finds: high stub/implement-1.md:1 It is rude'];
  const backend = { implementer: 'claude', reviewer: 'codex', verifier: 'gemini' } as const;
  const findings = await review('quick-change@2', finds, backend);
  expect(findings).toEqual([{ path: 'stub/implement-1.md', reporters: ['codex'], by: 'verifier', judge: 'gemini' }]);
});
