import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { OutcomeOf } from '../../../../daemon/core/effect/outcome.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { checkRule } from '../../../../daemon/engine/performers/checkRule.ts';
import { readWorktree } from '../../../../daemon/repository/worktree/readWorktree.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import type { RefusedDecision } from '../../../../schemas/rpc/views/approval.ts';
import { firstPhaseDone, given as givenStory } from '../../core/support/given.ts';
import { given as givenRepository } from '../../repository/merge/given.ts';
import { gitPorts } from '../local/support/performing.ts';

/** A run at the gate of its specification, with a real worktree. Its agents are no fake ones. */
async function atGate(document: object | string = { openQuestions: [] }) {
  const { repo, base, commitOn, open } = givenRepository();
  const head = commitOn('main', { 'f.txt': '1\n2\n3\n4\nfive\n', 'new.txt': 'a\nb\n' });
  const place = await open('main');
  const { run: told } = givenStory({ template: 'development' }, ...firstPhaseDone);
  const [gate] = openGates(told);
  if (!gate) throw new TypeError('no gate is open');
  const bytes = typeof document === 'string' ? document : JSON.stringify(document);
  const storedPath = join(repo.root, 'ws', 'run', 'artifacts', 'spec.json');
  mkdirSync(dirname(storedPath), { recursive: true });
  writeFileSync(storedPath, bytes);
  const artifact = {
    roleId: 'planner',
    path: join(place.path, 'spec.json'),
    storedPath,
    schema: 'dev/spec@1',
    hash: sha256hex(bytes),
  };
  const worktree = await readWorktree({ ...place, lastKnown: head });
  const subject = { ...gate.subject, artifacts: [artifact], worktree, diff: { from: base, to: head } };
  const run: Run = {
    ...told,
    repoPath: repo.dir,
    worktreeRoot: place.path,
    branch: place.branch,
    baseCommit: base,
    bindings: told.bindings.map((each) => ({ ...each, backend: 'claude' as const })),
    lanes: told.lanes.map((lane) => ({ ...lane, path: place.path, branch: place.branch, base })),
    approvals: [{ ...gate, subject }],
  };
  const perform = async (
    runs: readonly Run[] = [run],
    refused: readonly RefusedDecision[] = [],
    clock = systemClock,
  ) => {
    const effect = { type: 'checkRule' as const, runId: run.id, key: 'key', approvalRequestId: gate.id };
    const refusedAt = (id: string) => (id === gate.id ? refused : []);
    const ports = { ...gitPorts, clock, refusedAt, openRuns: () => [...runs] };
    return (await checkRule(effect, ports, new AbortController().signal)) as OutcomeOf<'ruleChecked'> | undefined;
  };
  return { repo, place, storedPath, run, worktree, perform };
}

test('the facts are those of the worktree, the documents and the change that the gate shows', async () => {
  const { perform, worktree } = await atGate({ openQuestions: ['Which port?'] });
  expect(await perform()).toMatchObject({
    facts: {
      alarms: [],
      questions: 1,
      checks: { green: 0, red: 0, elsewhere: 0 },
      review: null,
      change: { lines: 4, binaries: 0 },
    },
    observed: { worktree },
  });
});

test('a worktree that changed since the gate opened is a reason to look twice', async () => {
  const { perform, place } = await atGate();
  writeFileSync(join(place.path, 'late.txt'), 'late\n');
  const { facts } = (await perform()) ?? {};
  expect(facts?.alarms.join('\n')).toContain('since this gate opened');
});

test('an agent that tried to decide, and a worktree that nobody can read, are reasons to look twice', async () => {
  const { perform, run, place } = await atGate();
  const tried = { sessionId: 'abcdef01', roleId: 'planner', action: 'approve', at: '2026-01-01T00:00:00.000Z' };
  expect((await perform([run], [tried]))?.facts.alarms).toEqual([expect.stringContaining('tried to decide this')]);
  const [gate] = run.approvals;
  if (!gate) throw new TypeError('the run has no gate');
  const { worktree: _, ...subject } = gate.subject;
  const unbound: Run = { ...run, approvals: [{ ...gate, subject }] };
  expect((await perform([unbound]))?.facts.alarms).toEqual([]);
  rmSync(join(place.path, '.git'));
  rmSync(place.path, { recursive: true });
  expect((await perform([unbound]))?.facts.alarms).toEqual(['The worktree cannot be read.']);
});

test('a check that takes long leaves the gate to the person', async () => {
  const { perform, run } = await atGate();
  let hours = 0;
  const clock = { now: () => new Date(3_600_000 * hours++) };
  expect((await perform([run], [], clock))?.facts.alarms).toEqual([expect.stringContaining('took longer than')]);
});

test('a lost document, and one without a list of questions, say so', async () => {
  const lost = await atGate();
  rmSync(lost.storedPath);
  expect((await lost.perform())?.facts).toMatchObject({
    questions: null,
    alarms: [expect.stringContaining('are lost')],
  });
  for (const document of ['# Markdown\n', 'null', '[]', '{"openQuestions": "none"}', '{"summary": "x"}']) {
    expect((await (await atGate(document)).perform())?.facts.questions).toBeNull();
  }
});

test('a run that has ended meanwhile has no outcome', async () => {
  const { perform } = await atGate();
  expect(await perform([])).toBeUndefined();
});
