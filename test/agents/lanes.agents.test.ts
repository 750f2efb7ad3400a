import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { deliveriesOf, realDaemon } from './support/realDaemon.ts';

/** The first file of the write set of each task in the fixture of `dev/dag@1`. The model changes it. */
const CHANGED = ['docs/usage.md', 'src/greet.js'];

/** One role does all tasks, so the lanes of a run have the same program. */
test.each(['claude', 'codex'] as const)('two lanes of %s work at the same time, and both land', async (implementer) => {
  const { daemon, env, model, repo } = await realDaemon();
  await daemon.start(env);
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' }).trim();
  const checkout = () => [git('rev-parse', 'HEAD', 'main'), git('status', '--porcelain', '--ignored')];
  const before = checkout();
  const conversations = () =>
    new Set(model.heard.filter(({ kind }) => kind === 'turn').map(({ prompts }) => `${prompts}`));

  model.play({ implement: 'slow' });
  const backend = { planner: 'claude', implementer } as const;
  const runId = await startRun(daemon, { repo, template: 'parallel-development@1', backend });
  await drive(daemon, runId, { stopAt: nthPrompt(4) });
  // Specification, plan and two tasks: each lane has its own conversation, and the model holds both answers.
  await until('the model answers both lanes', () => conversations().size === 4);
  model.release();

  const events = await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'lane.opened')).toMatchObject([{ laneId: 'lane-1' }, { laneId: 'lane-2' }]);
  expect(payloads(events, 'lane.landed')).toHaveLength(2);
  for (const type of ['lane.drifted', 'merge.ejected']) expect(payloads(events, type)).toEqual([]);
  const result = `devflow/${runId}/main`;
  expect(git('diff', '--name-only', 'main', result).split('\n')).toEqual(CHANGED);
  for (const file of CHANGED) expect(git('show', `${result}:${file}`)).toBe('Changed in implement, attempt 1.');
  expect(conversations().size).toBe(4);
  expect(deliveriesOf(model)).toEqual([1, 1, 1, 1]);
  expect(model.merged).toEqual([]);
  expect(checkout()).toEqual(before);
});

function nthPrompt(nth: number) {
  let sent = 0;
  return ({ type }: EventView) => {
    if (type === 'prompt.sent') sent += 1;
    return sent === nth;
  };
}
