import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Effect, EffectType } from '../../../../daemon/core/effect/effect.ts';
import { PERFORMERS } from '../../../../daemon/engine/allPerformers.ts';
import { createPerform } from '../../../../daemon/engine/local/perform.ts';
import type { PerformerPorts } from '../../../../daemon/engine/performers/performer.ts';
import type { SessionManager } from '../../../../daemon/sessions/manager.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { DevflowError, type ErrorCode } from '../../../../schemas/errors.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { bound, dies, firstPhaseDone, given, type Input, sent, started } from '../../core/support/given.ts';
import { message } from '../../core/support/messages.ts';
import { silent } from '../local/support/performing.ts';

const INPUTS: [EffectType, Input[]][] = [
  ['startSession', [bound]],
  ['sendPrompt', [bound, started]],
  ['sendMessage', [...firstPhaseDone, message('planner')]],
  ['awaitArtifact', [bound, started, sent]],
  ['recoverSession', [bound, started, sent, dies('planner')]],
];

/** The outcome of the due effect of this type if the session manager refuses all requests. */
function refused(type: EffectType, inputs: Input[], code: ErrorCode) {
  const no = async () => {
    throw new DevflowError(code, 'The agent is not to be had.');
  };
  const sessions = { start: no, ensure: no, sendPrompt: no, recover: no } as unknown as SessionManager;
  const runLog = { readRun: async () => undefined };
  const ports = { sessions, runLog, faults: noFaults, log: silent } as unknown as PerformerPorts;
  const perform = createPerform(PERFORMERS, ports);
  const effect = decide(given({}, ...inputs).run).find((due) => due.type === type);
  if (!effect) throw new TypeError(`${type} is not due`);
  return perform(inWorktree(effect), new AbortController().signal);
}

/** With a worktree that exists: what is missing here is only the agent. */
function inWorktree(effect: Effect): Effect {
  if (!('session' in effect)) return effect;
  const lane = { ...effect.session.lane, path: packageRoot() };
  return { ...effect, session: { ...effect.session, lane } } as Effect;
}

test.each(INPUTS)('%s reports nothing after a shutdown', async (type, inputs) => {
  expect(await refused(type, inputs, 'shutting_down')).toBe(undefined);
});

test.each(INPUTS)('%s reports a lost session', async (type, inputs) => {
  expect(await refused(type, inputs, 'pane_briefly_unresponsive')).toMatchObject({ type: 'sessionLost' });
});
