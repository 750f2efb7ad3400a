import { expect, onTestFinished, test, vi } from 'vitest';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { createAgentEvents } from '../../../../daemon/engine/local/agentEvents.ts';
import type { AgentStall } from '../../../../daemon/sessions/contract/adapter.ts';
import type { LostListener, StallListener } from '../../../../daemon/sessions/manager.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { bound, given, sent, stalls, started } from '../../core/support/given.ts';
import { quiet } from './support/performing.ts';

const PERMISSION: AgentStall = { cause: 'permission', detail: 'Bash' };
const ready = given({}, bound, started);
const prompted = ready.on(sent);
const id = ready.run.sessions[0]?.id ?? '';

/** Agent events with the last reported stall, and the stall that a probe finds. */
function givenAgentEvents(lastReported?: AgentStall, probed?: AgentStall, isThere = () => false) {
  const outcomes: Outcome[] = [];
  const report = (outcome: Outcome) => void outcomes.push(outcome);
  let lose: LostListener | undefined;
  let stall: StallListener | undefined;
  const agentEvents = createAgentEvents({
    actorOf: (sessionId) => (sessionId === id ? { report, run: () => prompted.run } : undefined),
    isThere,
    sessions: {
      onLost: (listener) => {
        lose = listener;
        return () => {
          lose = undefined;
        };
      },
      onStall: (listener) => {
        stall = listener;
        return () => {
          stall = undefined;
        };
      },
      stallOf: () => lastReported,
      probe: async () => ({ alive: true, paneActive: false, ...(probed ? { stall: probed } : {}) }),
    },
  });
  return { agentEvents, outcomes, report, lose: () => lose, stall: () => stall };
}

test('reports stalls, their end and the death of an agent to its run', () => {
  const { outcomes, stall, lose, agentEvents } = givenAgentEvents();
  stall()?.(id, { cause: 'quota', detail: 'limit', until: new Date('2026-01-01T10:00:00Z') });
  stall()?.(id, { cause: 'quota', detail: 'limit', resumesItself: true });
  stall()?.(id, PERMISSION);
  stall()?.(id, undefined);
  stall()?.('of no run', PERMISSION);
  lose()?.(id, new DevflowError('pane_briefly_unresponsive', 'it ended'));
  expect(outcomes).toEqual([
    {
      type: 'sessionStalled',
      sessionId: id,
      stall: { cause: 'quota', detail: 'limit', until: '2026-01-01T10:00:00.000Z' },
    },
    { type: 'sessionStalled', sessionId: id, stall: { cause: 'quota', detail: 'limit', until: null, goesOn: true } },
    { type: 'sessionStalled', sessionId: id, stall: { cause: 'permission', detail: 'Bash', until: null } },
    { type: 'sessionStalled', sessionId: id, stall: null },
    expect.objectContaining({ type: 'sessionLost', sessionId: id }),
  ]);
  agentEvents.stop();
  expect([stall(), lose()]).toEqual([undefined, undefined]);
});

test('reports a question that came before the prompt was recorded', async () => {
  const { agentEvents, outcomes, report } = givenAgentEvents(PERMISSION, PERMISSION);
  agentEvents.reprobeStalled(ready.latest, report);
  await quiet();
  expect(outcomes).toEqual([expect.objectContaining({ type: 'sessionStalled', sessionId: id })]);
});

test('reports an idle agent that was idle before its prompt was recorded', async () => {
  const idle: AgentStall = { cause: 'idle', detail: 'its turn has ended' };
  const { agentEvents, outcomes, report } = givenAgentEvents(idle, idle);
  agentEvents.reprobeStalled(ready.latest, report);
  await quiet();
  expect(outcomes).toEqual([expect.objectContaining({ type: 'sessionStalled', sessionId: id })]);
});

test('reports an idle agent only while its file is not there', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const idle: AgentStall = { cause: 'idle', detail: 'Which one?' };
  let isThere = true;
  const { outcomes, stall, agentEvents } = givenAgentEvents(idle, idle, () => isThere);
  stall()?.(id, idle);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(outcomes).toEqual([]);
  isThere = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outcomes).toEqual([{ type: 'sessionStalled', sessionId: id, stall: { ...idle, until: null } }]);
  agentEvents.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, AgentStall | undefined, AgentStall | undefined]>([
  ['has no reported stall', undefined, PERMISSION],
  ['is no longer stalled', PERMISSION, undefined],
  ['hung before', PERMISSION, { cause: 'hung', detail: 'it does not move' }],
])('reports nothing for an agent that %s', async (_, lastReported, probed) => {
  const { agentEvents, outcomes, report } = givenAgentEvents(lastReported, probed);
  agentEvents.reprobeStalled(ready.latest, report);
  agentEvents.reprobeStalled(ready.on(stalls('planner', 'draft')).latest, report);
  await quiet();
  expect(outcomes).toEqual([]);
});
