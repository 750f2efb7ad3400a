import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyRun } from '../../../../daemon/api/runs/apply.ts';
import { createCleanup } from '../../../../daemon/api/runs/cleanup.ts';
import { diffOfRun } from '../../../../daemon/api/runs/diff.ts';
import { lookAtRun } from '../../../../daemon/api/runs/ends/lookAtRun.ts';
import { findMissingCommits } from '../../../../daemon/api/runs/missingCommits.ts';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Effect, EffectOf } from '../../../../daemon/core/effect/effect.ts';
import { commitWork as commitEffect } from '../../../../daemon/core/phases/commitWork.ts';
import { sampleRun } from '../../../../daemon/core/rehearse/sampleRun.ts';
import { placeOf } from '../../../../daemon/core/run/lanes.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { createObserve } from '../../../../daemon/engine/local/observe.ts';
import { createPerform } from '../../../../daemon/engine/local/perform.ts';
import { commitWork } from '../../../../daemon/engine/performers/commitWork.ts';
import { inspectWorktree } from '../../../../daemon/engine/performers/inspectWorktree.ts';
import { leaveOutOfBranches } from '../../../../daemon/engine/performers/leaveOutOfBranches.ts';
import type { Performers } from '../../../../daemon/engine/performers/performer.ts';
import { removeReaders } from '../../../../daemon/engine/performers/removeReaders.ts';
import { reportOfRun } from '../../../../daemon/engine/performers/reportOfRun.ts';
import { readOwnRefs } from '../../../../daemon/repository/ends/ownBranches.ts';
import { worktreeOf } from '../../../../daemon/repository/git/worktreePlace.ts';
import { gitPlaces } from '../../../../daemon/sandbox/gitPlaces.ts';
import { personGitconfig } from '../../../../daemon/sandbox/personGitconfig.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { MAIN } from '../../../../schemas/mainLane.ts';
import { bytesOf } from '../../../helpers/bytesOf.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { gitPorts, silent } from './support/performing.ts';

const TEMPLATE = Template.parse({
  name: 'checks',
  version: 1,
  roles: [{ id: 'implementer', requiredCapabilities: ['code_edit'], preferredBackends: ['fake'] }],
  phases: [{ key: 'finish', title: 'Check', kind: 'command', risk: 'low', gates: ['changes_approved'], commands: [] }],
});

/** A run in the checkout of a person, who has changed a file. */
function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const baseCommit = repo.git('rev-parse', 'HEAD');
  repo.write({ 'new.txt': 'new\n' });
  const run = inCheckout(repo.dir, baseCommit);
  const before = bytesOf(repo.root);
  const check = (what: string) => expect(bytesOf(repo.root), what).toEqual(before);
  return { ...repo, run, baseCommit, check };
}

function inCheckout(path: string, baseCommit: string): Run {
  return sampleRun(TEMPLATE, { repoPath: path, worktreeRoot: path, workspaceRoot: '/runs', baseCommit, here: true });
}

/** The run after this work, ended. */
const ended = (run: Run, lastCommit: string | null): Run => ({ ...run, state: 'completed', lastCommit });

const never = new AbortController().signal;

it('leaves the checkout byte for byte as it is, from the work to the cleanup', async () => {
  const { dir, root, run, check, baseCommit } = given();
  const phase = run.phases[0] as Run['phases'][number];
  const effect = commitEffect(run, phase) as EffectOf<'commitWork'>;
  const outcome = await commitWork({ ...effect, hasGate: true }, gitPorts, never);
  check('commitWork');
  expect(outcome).toMatchObject({ work: { files: 1, insertions: 1 }, worktree: { files: [], uncommitted: null } });
  const commit = outcome?.type === 'workCommitted' ? outcome.work.commit : null;
  const after = ended(run, commit);
  expect(worktreeOf(after)).toMatchObject({ head: commit, isCheckout: true });

  await leaveOutOfBranches(after, silent);
  await removeReaders(after, silent);
  await reportOfRun(after, { readEvents: async () => [] });
  check('the end');
  expect(await findMissingCommits(after)).toEqual([]);
  expect(await diffOfRun(after)).toMatchObject({
    branch: null,
    base: baseCommit,
    head: commit,
    files: [{ path: 'new.txt' }],
  });
  check('reads');

  const parts = { engine: { recordApplied: () => Promise.reject(), openRuns: () => [] }, log: silent };
  await expect(applyRun(after, { way: 'auto', dryRun: false }, parts)).rejects.toMatchObject({
    code: 'state_conflict',
  });
  const cleanup = createCleanup({
    engine: {},
    gitCommands: { add: async () => {} },
    filters: [],
    log: silent,
  } as never);
  for (const force of [false, true])
    expect(await cleanup(after, { force })).toMatchObject({ removed: [], gone: [], kept: [] });
  const refs = await readOwnRefs(dir);
  expect(refs && (await lookAtRun(after, refs, { applied: true, branches: true, bases: new Map() }))).toEqual([]);
  check('cleanup');

  const place = worktreeOf(after);
  await personGitconfig(place, undefined, join(root, 'sandbox'));
  const mounts = await gitPlaces(place);
  expect(mounts.every(({ how }) => how === 'read')).toBe(true);
  expect(mounts.map(({ path }) => path)).toContain(join(dir, '.git'));
  check('sandbox');
});

it('binds a gate to the files of the checkout, and sees that they changed', async () => {
  const { dir, run, check } = given();
  const atGate: Run = { ...run, state: 'executing', phases: run.phases.map((each) => ({ ...each, state: 'running' })) };
  const effect = decide(atGate).find((each): each is EffectOf<'inspectWorktree'> => each.type === 'inspectWorktree');
  const read = effect && (await inspectWorktree(effect, gitPorts, never));
  const bound = read?.type === 'worktreeRead' ? read.worktree : undefined;
  const observe = createObserve([], async () => gitPorts.registry);
  const gate = { gateKey: 'changes_approved', subject: { worktree: bound } } as unknown as Approval;
  expect((await observe(run, gate)).worktree).toEqual(bound);
  check('inspectWorktree');
  writeFileSync(join(dir, 'new.txt'), 'other\n');
  expect((await observe(run, gate)).worktree).not.toEqual(bound);
});

it('performs no effect that would write into a checkout', async () => {
  const { run, check } = given();
  const performed: string[] = [];
  const performers = new Proxy({}, { get: (_, type) => () => performed.push(String(type)) }) as Performers;
  const perform = createPerform(performers, gitPorts);
  const lane = placeOf(run, MAIN);
  const refused = ['sendPrompt', 'awaitArtifact', 'placeWorktree', 'finishSetup', 'publishArtifact', 'deliverFiles'];
  const about = [{ lane }, { main: lane }, { session: { lane } }];
  for (const type of [...refused, 'prepareReview', 'prepareLane', 'landMerge', 'performStep', 'restoreBest'])
    for (const fields of about) {
      const effect = { type, key: 'key', runId: run.id, ...fields } as unknown as Effect;
      expect(await perform(effect, never), type).toMatchObject({ type: 'effectFailed', error: { code: 'internal' } });
    }
  expect(performed).toEqual([]);
  await perform({ type: 'startSession', key: 'key', runId: run.id, session: { lane } } as never, never);
  expect(performed).toEqual(['startSession']);
  check('nothing');
});

it('refuses to bring the work of another run into a checkout while an agent works there', async () => {
  const { dir, run, baseCommit } = given();
  const here = { ...run, sessions: [{ state: 'BUSY' }] } as unknown as Run;
  const other = { ...ended(sampleRun(TEMPLATE), baseCommit), repoPath: dir, baseCommit };
  const parts = { engine: { recordApplied: () => Promise.reject(), openRuns: () => [here] }, log: silent };
  await expect(applyRun(other, { way: 'auto', dryRun: true }, parts)).rejects.toMatchObject({
    code: 'checkout_unready',
  });
});
