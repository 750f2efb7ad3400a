import { expect, test } from 'vitest';
import { whyOf } from '../../../../daemon/api/sessions/why.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import type { AgentStall } from '../../../../daemon/sessions/contract/adapter.ts';
import { stallFact, verdictOf } from '../../../../daemon/sessions/contract/signals.ts';
import type { SessionRow } from '../../../../daemon/store/sessions.ts';
import { approve, bound, committed, given, type Story, sent, started, valid } from '../../core/support/given.ts';

/** The sentence for the first agent of the run, whose adapter reports this stall. */
async function why({ run, events }: Story, stall?: AgentStall): Promise<string> {
  const [session] = run.sessions;
  if (!session) throw new Error('the story has no session');
  const { id, roleId, laneId, state } = session;
  const row = {
    id,
    runId: run.id,
    roleId,
    laneId,
    state,
    backend: 'claude',
    lastActivityAt: null,
  } as unknown as SessionRow;
  const signals = stall ? [{ at: new Date('2030-01-01'), source: 'stall', fact: stallFact(stall) }] : [];
  const { sentence } = await whyOf(row, {
    runLog: { readEvents: async (_, afterSeq) => events.filter(({ seq }) => seq > afterSeq) },
    agentSlots: createAgentSlots(4, createBus()),
    manager: {
      stallOf: () => stall,
      why: async (sessionId, expected) => ({ sessionId, signals, ...verdictOf(signals, expected?.isAtWork ?? true) }),
    },
  });
  return sentence;
}

const ended: AgentStall = { cause: 'idle', detail: 'its turn ended with "Done."' };
const failed: AgentStall = { cause: 'error', detail: 'the API answered 500' };
const atWork = given({}, bound, started, sent);
const atGate = atWork.on(valid, committed).to({ approvals: { spec_approved: 'pending' } });

test('says that an agent without its file ended its turn', async () => {
  expect(await why(atWork, ended)).toContain('ended its turn without its file');
});

test('says that an agent at a gate waits for the decision, and for nothing of the agent', async () => {
  const sentence = await why(atGate, ended);
  expect(sentence).toContain('Its artifact is valid; the run waits for your decision at spec_approved.');
  expect(sentence).not.toContain('without its file');
});

test('an error that ended the turn of an agent without work is no state of it', async () => {
  expect(await why(atWork, failed)).toMatch(/The signals say error/);
  expect(await why(atGate, failed)).not.toMatch(/error/);
});

test('says that the next prompt is due, or that there is no work', async () => {
  expect(await why(given({}, bound, started))).toContain('Its next prompt is due.');
  expect(await why(atGate.on(approve), ended)).not.toContain('without its file');
});
