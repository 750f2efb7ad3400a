import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { decide } from '../../../../../daemon/core/decide.ts';
import type { Effect } from '../../../../../daemon/core/effect/effect.ts';
import { PERFORMERS } from '../../../../../daemon/engine/allPerformers.ts';
import { createPerform } from '../../../../../daemon/engine/local/perform.ts';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import type { WorktreeSetup } from '../../../../../schemas/repository/worktreeSetup.ts';
import { isolatedEnv, makeRepo } from '../../../../helpers/testRepo.ts';
import { bound, given, type Story } from '../../../core/support/given.ts';
import type { Shape } from '../../../core/support/run.ts';
import { gitPorts } from '../../local/support/performing.ts';

const NOTHING: WorktreeSetup = {
  isGuess: false,
  copy: [],
  clone: [],
  link: [],
  commands: [],
  again: [],
  teardown: [],
  ports: [],
  env: {},
};

export const shell = (script: string) => ({ argv: ['sh', '-c', script] });

/** A repository with ignored files, and the shape of a run there. */
export function givenRepo() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-setup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const repo = makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home')));
  repo.write({ '.gitignore': '.env\nnode_modules/\n', 'package-lock.json': '1\n', 'a.ts': 'a\n' });
  repo.git('add', '.');
  repo.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'files');
  const where = { repoPath: repo.dir, baseCommit: repo.git('rev-parse', 'HEAD'), workspaceRoot: join(root, 'ws') };
  const shape = (setup: Partial<WorktreeSetup>, more: Shape = {}): Shape => {
    return { template: 'onlyCommands', where, setup: { ...NOTHING, ...setup }, ...more };
  };
  return { repo, where, shape };
}

export const performWith = (ports: Partial<PerformerPorts> = {}) => {
  const perform = createPerform(PERFORMERS, { ...gitPorts, ...ports });
  return (effect: Effect) => perform(begunNow(effect), new AbortController().signal);
};

/** The time of a story is long over. */
function begunNow(effect: Effect): Effect {
  return effect.type === 'runCommand' ? { ...effect, startedAt: new Date().toISOString() } : effect;
}

export const isOfSetup = (effect: Effect): boolean =>
  effect.type === 'placeWorktree' ||
  effect.type === 'finishSetup' ||
  (effect.type === 'runCommand' && effect.kind === 'setup');

/** Performs what is due for the set-up, until nothing of it is. */
export async function setUp(story: Story, perform = performWith()): Promise<Story> {
  let at = story;
  for (let due = decide(at.run).find(isOfSetup); due; due = decide(at.run).find(isOfSetup)) {
    const outcome = await perform(due);
    if (!outcome) throw new TypeError(`${due.type} brought nothing`);
    at = at.on(outcome);
  }
  return at;
}

export const begin = (shape: Shape) => given(shape, bound);
export const mainOf = ({ run }: Story) => run.lanes[0]?.setup ?? expect.fail('nothing was set up');
