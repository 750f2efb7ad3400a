import { describe, expect, test } from 'vitest';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { type ActorPorts, createActor } from '../../../../daemon/engine/local/actor.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { firstPhaseDone, given } from '../../core/support/given.ts';
import { message, takenBack } from '../../core/support/messages.ts';
import { errorRecord, resultsOf } from '../../core/support/outcomes.ts';
import { bindingsFor, newRun } from '../../core/support/run.ts';
import { givenPerform, quiet, silent } from './support/performing.ts';

/** An actor on a log in memory, whose next appends fail with `failures`. */
function givenActor(failures: Error[] = []) {
  const { run, events } = newRun({ template: 'withoutGate' });
  const log: RunEvent[] = [...events];
  const calls: string[] = [];
  const readAfter: number[] = [];
  const performing = givenPerform();
  const ports: ActorPorts = {
    clock: systemClock,
    faults: noFaults,
    log: silent,
    perform: performing.perform,
    agentSlots: createAgentSlots(4, createBus()),
    observe: async () => ({ commits: [], lostArtifacts: [] }),
    runLog: {
      async readEvents(_id, afterSeq) {
        readAfter.push(afterSeq);
        return log.filter(({ seq }) => seq > afterSeq);
      },
      async append(_before, _after, added) {
        const failure = failures.shift();
        if (failure) throw failure;
        log.push(...added);
      },
    },
    onCommitted: (_before, { events: added }) => calls.push(...added.map(({ type }) => type)),
    onFinished: () => calls.push('finished'),
    onSuspended: (_run, { code }) => calls.push(`suspended: ${code}`),
  };
  const act = (from: Run) => createActor(from, ports);
  const bindings = { type: 'bindingsLocked' as const, bindings: bindingsFor(run.template), branch: 'devflow/x' };
  return { ...performing, actor: act(run), act, run, log, calls, readAfter, failures, bindings };
}

const full = () => new DevflowError('disk_full', 'The database has no space left.');

test('records an outcome, announces its events and starts the next effects', async () => {
  const { actor, last, types, log, calls, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  expect(types()).toEqual(['lockBindings', 'startSession']);
  expect(log.map(({ type }) => type)).toContain('run.started');
  expect(log.slice(1).map(({ type }) => type)).toEqual(calls);
  expect(actor.run()).toEqual(replay(log));
});

test('handles inputs one at a time: the second sees the result of the first', async () => {
  const { actor, last, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  const results = await Promise.allSettled([1, 2].map(() => actor.signal({ type: 'pause', reason: 'lunch' })));
  expect(results[0]).toMatchObject({ status: 'fulfilled', value: { changed: true } });
  expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'state_conflict' } });
});

test('records the death of an agent after its delivery, and sends the prompt again as the next attempt', async () => {
  const { actor, begun, last, log, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  const settle = async () => {
    last().settle(resultsOf(last().effect, actor.run())[0]);
    await quiet();
  };
  await settle();
  const { effect, settle: delivered } = last();
  const { id: sessionId = '' } = actor.run().sessions[0] ?? {};
  const error = errorRecord('pane_briefly_unresponsive');
  actor.report({ type: 'sessionLost', sessionId, error });
  await quiet();
  expect(log.at(-1)?.type).toBe('session.ready');
  delivered(resultsOf(effect, actor.run())[0]);
  await quiet();
  const types = log.map(({ type }) => type);
  expect(types.slice(-4)).toEqual(['prompt.sent', 'artifact.expected', 'session.busy', 'session.crashed']);
  expect(last().effect).toMatchObject({ type: 'recoverSession' });
  await settle();
  expect(last().effect).toMatchObject({ type: 'sendPrompt', envelope: { attempt: 2 } });
  expect(begun.filter(({ effect: { type } }) => type === 'sendPrompt')).toHaveLength(2);
});

test('takes in what another daemon wrote, and reads nothing that it knows', async () => {
  const { actor, act, last, log, calls, readAfter, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  const known = actor.run().lastSeq;
  const other = act(actor.run());
  await other.signal({ type: 'pause', reason: 'lunch' });
  calls.length = 0;
  await actor.catchUp(known);
  expect(readAfter).toEqual([]);
  await actor.catchUp();
  await actor.catchUp();
  expect(readAfter).toEqual([known, log.length]);
  expect(actor.run()).toEqual(replay(log));
  expect(calls).toEqual(log.slice(known).map(({ type }) => type));
});

test('decides again on what another daemon wrote first', async () => {
  const { actor, act, last, log, calls, failures, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  const other = act(actor.run());
  await other.signal({ type: 'pause', reason: 'lunch' });
  failures.push(new DevflowError('run_moved', 'Another daemon wrote first.'));
  await expect(actor.signal({ type: 'pause', reason: 'dinner' })).rejects.toMatchObject({ code: 'state_conflict' });
  expect(actor.run()).toEqual(replay(log));
  expect(calls).not.toContain('suspended: run_moved');
});

test('a refusal changes nothing', async () => {
  const { actor, run, log, calls } = givenActor();
  await expect(actor.signal({ type: 'resume' })).rejects.toMatchObject({ code: 'state_conflict' });
  expect(actor.run()).toBe(run);
  expect(log).toHaveLength(1);
  expect(calls).toEqual([]);
});

test('suspends the run after a failed append; a new actor resumes it from the log', async () => {
  const { actor, act, last, begun, run, log, calls, bindings } = givenActor([full()]);
  actor.advance();
  const abort = { type: 'abort', reason: 'over' } as const;
  await expect(actor.signal(abort)).rejects.toMatchObject({ code: 'disk_full' });
  expect(await actor.suspended).toMatchObject({ code: 'disk_full', runId: run.id });
  expect(actor.run()).toBe(run);
  expect(begun[0]?.signal.aborted).toBe(true);
  expect(calls).toEqual([]);
  await expect(actor.signal(abort)).rejects.toMatchObject({ code: 'disk_full' });
  begun[0]?.settle(bindings);
  await quiet();
  expect(calls).toEqual(['suspended: disk_full']);
  expect(log).toHaveLength(1);

  const next = act(replay(log) as Run);
  next.advance();
  last().settle(bindings);
  await quiet();
  expect(log.map(({ type }) => type)).toContain('run.started');
});

test('stop refuses later inputs and waits for the mailbox and every performer', async () => {
  const { actor, begun, calls } = givenActor();
  actor.advance();
  let ended = false;
  const end = actor.stop().then(() => {
    ended = true;
  });
  await expect(actor.signal({ type: 'pause', reason: 'x' })).rejects.toMatchObject({ code: 'shutting_down' });
  await quiet();
  expect(begun[0]?.signal.reason).toMatchObject({ code: 'shutting_down' });
  expect(ended).toBe(false);
  begun[0]?.settle();
  await end;
  expect(calls).toEqual([]);
});

test('an ended run is finished when its last effect has returned', async () => {
  const { actor, begun, types, calls } = givenActor();
  await actor.signal({ type: 'abort', reason: 'over' });
  expect(types()).toEqual(['disposeSessions', 'composeReport']);
  begun[0]?.settle();
  await quiet();
  expect(calls).not.toContain('finished');
  begun[1]?.settle();
  await quiet();
  expect(calls.at(-1)).toBe('finished');
});

describe('a message that is taken back while it is delivered', () => {
  function withdrawing() {
    const made = givenActor();
    const { run } = given({}, ...firstPhaseDone, message('planner'));
    const actor = made.act(run);
    actor.advance();
    const { effect, signal, settle } = made.last();
    const answer = actor.signalWithout(({ type }) => type === 'sendMessage', takenBack());
    return { ...made, actor, effect, signal, settle, answer, delivered: resultsOf(effect, run)[0] };
  }

  test('is taken back if the delivery was given up, and is not tried again', async () => {
    const { actor, signal, settle, answer, begun } = withdrawing();
    expect(signal.aborted).toBe(true);
    settle();
    await answer;
    await quiet();
    expect(actor.run().messages).toMatchObject([{ state: 'withdrawn' }]);
    expect(begun).toHaveLength(1);
  });

  test('stays sent if the agent has it, and the person hears that', async () => {
    const { actor, settle, answer, delivered } = withdrawing();
    settle(delivered);
    await expect(answer).rejects.toMatchObject({ code: 'state_conflict' });
    expect(actor.run().messages).toMatchObject([{ state: 'sent' }]);
  });
});
