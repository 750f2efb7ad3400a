import { expect, test } from 'vitest';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { proveEnd } from '../e2e/support.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { deliveriesOf, realDaemon } from './support/realDaemon.ts';

test.each([
  { planner: 'claude', implementer: 'codex' },
  { planner: 'codex', implementer: 'claude' },
] as const)(
  'development@1 with $planner as planner, its daemon killed in each phase',
  async (backend) => {
    const { daemon, env, model, repo } = await realDaemon();
    await daemon.start(env);
    const runId = await startRun(daemon, { repo, backend });
    for (const phase of ['spec', 'plan', 'implement']) {
      const events = await drive(daemon, runId, { stopAt: isAsked(phase) });
      expect(events.at(-1)?.type).toBe('prompt.sent');
      await daemon.kill('SIGKILL');
      await daemon.start(env);
    }
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    const { artifacts } = await daemon.call('run.get', { runId });
    expect(artifacts.map(({ phaseKey }) => phaseKey)).toEqual(['spec', 'plan', 'implement']);
    expect(deliveriesOf(model)).toEqual([1, 1, 1]);
    expect(model.merged).toEqual([]);
  },
  240_000,
);

/** A prompt of that phase was sent: the agent is working. */
function isAsked(phase: string) {
  return ({ type, payload }: EventView) =>
    type === 'prompt.sent' && String(payload.expectedArtifact).includes(`/artifacts/${phase}/`);
}
