import { expect, test } from 'vitest';
import { systemClock } from '../../../../daemon/clock.ts';
import { replay } from '../../../../daemon/engine/core/evolve/evolve.ts';
import type { Run } from '../../../../daemon/engine/core/state.ts';
import { type ActorPorts, createActor } from '../../../../daemon/engine/local/actor.ts';
import { noFaults } from '../../../../daemon/faults.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { errorRecord, resultsOf } from '../core/support/outcomes.ts';
import { bindingsFor, newRun } from '../core/support/run.ts';
import { givenPerform, quiet, silent } from './support/performing.ts';

/** An actor on a log in memory, whose next appends can be made to fail. */
function givenActor(failures: Error[] = []) {
  const { run, events } = newRun({ template: 'withoutGate' });
  const log: RunEvent[] = [...events];
  const told: string[] = [];
  const performing = givenPerform();
  const ports: ActorPorts = {
    clock: systemClock,
    faults: noFaults,
    log: silent,
    perform: performing.perform,
    observe: async () => ({ commits: [], lostArtifacts: [] }),
    runLog: {
      async append(_before, _after, added) {
        const failure = failures.shift();
        if (failure) throw failure;
        log.push(...added);
      },
    },
    onCommitted: (_before, { events: added }) => told.push(...added.map(({ type }) => type)),
    onFinished: () => told.push('finished'),
    onParked: (_run, { code }) => told.push(`parked: ${code}`),
  };
  const act = (from: Run) => createActor(from, ports);
  const bindings = { type: 'bindingsLocked' as const, bindings: bindingsFor(run.template), branch: 'devflow/x' };
  return { ...performing, actor: act(run), act, run, log, told, bindings };
}

const full = () => new DevflowError('disk_full', 'The database has no space left.');

test('an outcome is written, told, and followed by what is due then', async () => {
  const { actor, last, types, log, told, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  expect(types()).toEqual(['lockBindings', 'startSession']);
  expect(log.map(({ type }) => type)).toContain('run.started');
  expect(log.slice(1).map(({ type }) => type)).toEqual(told);
  expect(actor.run()).toEqual(replay(log));
});

test('inputs take their turns: the second one sees what the first one left', async () => {
  const { actor, last, bindings } = givenActor();
  actor.advance();
  last().settle(bindings);
  await quiet();
  const answers = await Promise.allSettled([1, 2].map(() => actor.signal({ type: 'pause', reason: 'lunch' })));
  expect(answers[0]).toMatchObject({ status: 'fulfilled', value: { changed: true } });
  expect(answers[1]).toMatchObject({ status: 'rejected', reason: { code: 'state_conflict' } });
});

test('an agent that dies with its prompt is recorded after the delivery, and its successor gets the next attempt', async () => {
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
  actor.tell({ type: 'sessionLost', sessionId, error });
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

test('a refusal leaves everything as it was', async () => {
  const { actor, run, log, told } = givenActor();
  await expect(actor.signal({ type: 'resume' })).rejects.toMatchObject({ code: 'state_conflict' });
  expect(actor.run()).toBe(run);
  expect(log).toHaveLength(1);
  expect(told).toEqual([]);
});

test('an append that fails parks the run once its performers have returned; a new actor goes on from the log', async () => {
  const { actor, act, last, begun, run, log, told, bindings } = givenActor([full()]);
  actor.advance();
  const abort = { type: 'abort', reason: 'over' } as const;
  await expect(actor.signal(abort)).rejects.toMatchObject({ code: 'disk_full' });
  expect(await actor.parked).toMatchObject({ code: 'disk_full', runId: run.id });
  expect(actor.run()).toBe(run);
  expect(begun[0]?.signal.aborted).toBe(true);
  expect(told).toEqual([]);
  await expect(actor.signal(abort)).rejects.toMatchObject({ code: 'disk_full' });
  begun[0]?.settle(bindings);
  await quiet();
  expect(told).toEqual(['parked: disk_full']);
  expect(log).toHaveLength(1);

  const next = act(replay(log) as Run);
  next.advance();
  last().settle(bindings);
  await quiet();
  expect(log.map(({ type }) => type)).toContain('run.started');
});

test('the end refuses what comes later, and waits for the mailbox and for every performer', async () => {
  const { actor, begun, told } = givenActor();
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
  expect(told).toEqual([]);
});

test('a run that has ended is finished when the last of its effects has returned', async () => {
  const { actor, begun, types, told } = givenActor();
  await actor.signal({ type: 'abort', reason: 'over' });
  expect(types()).toEqual(['disposeSessions', 'composeReport']);
  begun[0]?.settle();
  await quiet();
  expect(told).not.toContain('finished');
  begun[1]?.settle();
  await quiet();
  expect(told.at(-1)).toBe('finished');
});
