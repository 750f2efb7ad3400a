import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { decidable } from '../../../../schemas/gates/decidable.ts';
import { awaited, session, waiting, work } from '../support/agent.ts';
import {
  abort,
  approve,
  committed,
  decision,
  dies,
  given,
  type Input,
  recovered,
  type Story,
  sent,
  stalls,
  timedOut,
  valid,
} from '../support/given.ts';

const IDLE_MS = 20_000;
const before = given({ idleTimeoutMs: IDLE_MS }, ...waiting);
const ended = before.on(stalls('planner', 'idle'));
const goesOn = stalls('planner', null);

const due = ({ run }: Story) => decide(run).find(({ type }) => type === 'sendPrompt') as EffectOf<'sendPrompt'>;
const words = (story: Story) => due(story).envelope.instructions;
const whole = words(given({}, ...waiting.slice(0, 2)));
const states = ({ run }: Story) => run.approvals.map(({ gateKey, state }) => `${gateKey} ${state}`);

test('a turn that ends without its file is a question at once, with the last words of the agent', () => {
  ended.records('run.stalled', 'approval.requested').to({ run: 'planning', approvals: { turn_ended: 'pending' } });
  const [gate] = ended.run.approvals;
  expect(gate).toMatchObject({
    kind: 'turn',
    assignment: 'planner',
    subject: {
      sessionId: session(ended)?.id,
      words: 'it is idle',
      reason: 'planner (fake) ended its turn without its file',
    },
  });
  expect(gate && decidable(gate, ended.run.state)).toEqual(['approve', 'reject', 'request_changes', 'abort']);
  const reason = 'planner (fake) ended its turn without its file: it is idle; devflow reminds it after a while';
  expect(waitsFor(ended.run)).toEqual([
    { party: 'person', sentence: 'a decision at turn_ended (spec, planner)', approvalRequestId: gate?.id },
    { party: 'agent', sentence: reason },
  ]);
  // The file may still come.
  ended.decides('awaitArtifact');
});

test.each<[string, Input[], string]>([
  ['a new turn begins', [goesOn], 'turn_ended aborted'],
  ['the file comes', [valid, committed], 'turn_ended aborted'],
  ['the agent ends', [dies('planner')], 'turn_ended aborted'],
  ['the run is aborted', [abort], 'turn_ended aborted'],
])('the gate closes when %s', (_, inputs, state) => {
  expect(states(ended.on(...inputs))[0]).toBe(state);
});

test('the end of the next turn is another question', () => {
  const again = ended.on(goesOn, stalls('planner', 'idle'));
  expect(states(again)).toEqual(['turn_ended aborted', 'turn_ended pending']);
  expect(replay(again.events)).toEqual(again.run);
});

test('to wait leaves the agent alone, and the deadline begins again', () => {
  const waits = ended.on(approve).decides('awaitArtifact');
  expect(states(waits)).toEqual(['turn_ended approved']);
  expect(awaited(waits)).toMatchObject({ timeoutMs: 60_000, since: waits.run.updatedAt });
  expect(session(waits)?.stall?.cause).toBe('idle');
  waits.on(valid, committed).to({ approvals: { spec_approved: 'pending' } });
});

test('a message goes on in the same conversation, without the whole prompt', () => {
  const asked = ended.on(decision('request_changes', 'Use PostgreSQL.')).decides('sendPrompt');
  expect(work(asked)).toMatchObject({ status: 'to_prompt', attempt: 2, answers: ['Use PostgreSQL.'] });
  expect(words(asked)).toMatch(
    /^A person answered you:\nUse PostgreSQL\.\n\nThe file .* is still missing; it is due by /,
  );
  expect(words(asked)).not.toContain(whole);
  const told = asked.on(sent).records('session.idle', 'prompt.sent', 'artifact.expected', 'session.busy');
  expect(session(told)).toMatchObject({ stall: null, recoveryAttempts: 0 });
  told.on(valid, committed).to({ approvals: { spec_approved: 'pending' } });
});

test('an agent that starts a new conversation gets the whole prompt, with the answer', () => {
  const told = ended.on(decision('request_changes', 'Use PostgreSQL.'), sent);
  const resumed = told.on(dies('planner'), recovered);
  expect(words(resumed)).toContain(whole);
  expect(words(resumed)).toContain('A person answered you:\nUse PostgreSQL.');
  const lost = ended.on(
    decision('request_changes', 'Use PostgreSQL.'),
    dies('planner'),
    dies('planner'),
    dies('planner'),
  );
  const renewed = lost.decides('recoverSession').on(recovered).decides('sendPrompt');
  expect(session(renewed)).toMatchObject({ conversation: 2 });
  expect(words(renewed)).toContain(whole);
  expect(words(renewed)).toContain('Use PostgreSQL.');
});

test('without a comment the agent is only reminded', () => {
  const asked = ended.on(decision('request_changes'));
  expect(words(asked)).toMatch(
    /^The file that this phase expects is still missing; it is due by 2026-01-01 00:01:\d\d UTC\./,
  );
});

test('devflow reminds once, then asks a person; it never sends the whole prompt again', () => {
  expect(Date.parse(awaited(ended).since) + (awaited(ended).timeoutMs ?? 0)).toBe(
    Date.parse(session(ended)?.stall?.since ?? '') + IDLE_MS,
  );
  const reminded = ended.on(timedOut).records('artifact.missing').decides('sendPrompt');
  expect(states(reminded)).toEqual(['turn_ended aborted']);
  expect(words(reminded)).toMatch(/^The file that this phase expects is still missing/);
  expect(session(reminded)).toMatchObject({ recoveryAttempts: 0, stall: null });
  const again = reminded.on(sent, stalls('planner', 'idle')).to({ approvals: { turn_ended: 'pending' } });
  const asked = again.on(timedOut).records('approval.requested').to({ run: 'paused' });
  expect(states(asked)).toEqual(['turn_ended aborted', 'turn_ended aborted', 'recovery pending']);
  expect(asked.run.approvals.at(-1)?.subject).toMatchObject({
    code: 'turn_without_artifact',
    reason: 'planner (fake) ended its turn again without its file; its last words: it is idle',
  });
  const retried = asked.on(decision('request_changes', 'Just write it.')).decides('sendPrompt');
  expect(words(retried)).toContain('A person answered you:\nJust write it.');
  expect(words(retried)).not.toContain(whole);
  expect(work(retried)).toMatchObject({ reminded: false, changeRequest: null });
  expect(replay(retried.events)).toEqual(retried.run);
});

test('a deadline that passes while the agent works is followed by a reminder in the same conversation', () => {
  const late = before.on(timedOut).records('artifact.timeout').on(recovered).decides('sendPrompt');
  expect(words(late)).toMatch(/^The file that this phase expects is still missing/);
  const third = late.on(sent, timedOut, recovered, sent, timedOut, recovered);
  expect(session(third)).toMatchObject({ conversation: 2 });
  expect(words(third)).toContain(whole);
  expect(words(third)).toContain('An earlier prompt for this brought no artifact in time.');
});
