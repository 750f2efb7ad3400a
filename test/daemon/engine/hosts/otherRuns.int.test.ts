import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { evolve } from '../../../../daemon/core/evolve/evolve.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createCommitter } from '../../../../daemon/db/committer.ts';
import { takeLeadership } from '../../../../daemon/db/leader.ts';
import { listen } from '../../../../daemon/db/listen.ts';
import { createOtherRuns } from '../../../../daemon/engine/hosts/otherRuns.ts';
import { type BusItem, createBus } from '../../../../daemon/events/bus.ts';
import { createRunLog } from '../../../../daemon/store/runLog.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { givenHistory, readHistory } from '../../../helpers/givenHistory.ts';
import { useDatabase } from '../../../helpers/postgres.ts';

const db = useDatabase();
const happy = readHistory('happy').map((event) =>
  event.type === 'run.created' ? { ...event, payload: { ...event.payload, host: 'far' } } : event,
) as RunEvent[];
const GATE = happy.findIndex(({ type }) => type === 'approval.requested');

/** A run of host `far`, up to its first gate, and a daemon on host `near` that follows it. */
async function given({ hostId = 'near', isDriven = false, isMetLater = false } = {}) {
  const { run } = await givenHistory(db(), happy.slice(0, GATE));
  const lease = await takeLeadership(db(), { host: 'far', shared: true, onLost: () => {} });
  const committer = createCommitter(db().connection, lease);
  const log = createRunLog(db().pool, committer);
  const bus = createBus();
  const heard: BusItem[] = [];
  bus.listen(null, (item) => heard.push(item));
  const caughtUp: string[] = [];
  const folded: string[] = [];
  let lists = 0;
  const others = createOtherRuns({
    hostId,
    isHere: ({ host }) => host === hostId,
    drives: () => isDriven,
    runLog: {
      ...log,
      readRun(runId) {
        folded.push(runId);
        return log.readRun(runId);
      },
      listUnfinished() {
        lists += 1;
        return isMetLater && lists === 1 ? Promise.resolve([]) : log.listUnfinished();
      },
    },
    bus,
    catchUp: async (runId) => caughtUp.push(runId),
    log: { warn: (facts: unknown) => expect.fail(JSON.stringify(facts)) },
  });
  let opened = 0;
  const listening = listen(db().connection, 'devflow_commits', {
    onNotice: others.heard,
    onOpen: () => {
      opened += 1;
    },
  });
  onTestFinished(async () => {
    await Promise.all([listening.close(), committer.close(), lease.release()]);
  });
  await expect.poll(() => opened).toBe(1);
  let at: Run = run;
  /** As host `far` writes. */
  async function write(events: readonly RunEvent[]): Promise<void> {
    const after = events.reduce<Run>((before, event) => evolve(before, event), at);
    await log.append(at, after, events);
    at = after;
  }
  return {
    run,
    others,
    heard,
    caughtUp,
    folded,
    write,
    opened: () => opened,
    lists: () => lists,
  };
}

test('knows the open runs of other hosts, and puts what those write on the bus', async () => {
  const { run, others, heard, write } = await given();
  await others.refresh();
  expect(others.openRuns().map(({ id }) => id)).toEqual([run.id]);
  // What was there before is no news.
  expect(heard).toEqual([]);
  const gate = happy[GATE] as RunEvent;
  await write([gate]);
  await expect.poll(() => heard.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual([gate.seq]);
  expect(heard.flatMap(({ hints }) => hints.map(({ event }) => event))).toContain('approval.created');
  expect(others.readRun(run.id)).toEqual(replay(happy.slice(0, GATE + 1)));
  await write(happy.slice(GATE + 1));
  await expect.poll(() => heard.at(-1)?.events.at(-1)?.type).toBe('run.completed');
  expect(others.openRuns()).toEqual([]);
});

test('takes what others wrote to a run of this host to the engine, and nothing from the bus', async () => {
  const { run, others, heard, caughtUp } = await given({ hostId: 'far' });
  others.heard(`near ${run.id}:${run.lastSeq}`);
  await expect.poll(() => caughtUp).toEqual([run.id]);
  // Its own commits are known.
  others.heard(`far ${run.id}:${run.lastSeq}`);
  others.heard('not a notice');
  await others.refresh();
  expect(caughtUp).toEqual([run.id, run.id]);
  expect(heard).toEqual([]);
});

test('leaves the runs that the engine drives to the engine, and folds none of their logs', async () => {
  const { run, others, caughtUp, folded } = await given({ hostId: 'far', isDriven: true });
  others.heard(`near ${run.id}:${run.lastSeq}`);
  await expect.poll(() => caughtUp).toEqual([run.id]);
  await others.refresh();
  expect(caughtUp).toEqual([run.id, run.id]);
  expect(folded).toEqual([]);
});

test('listens again after a loss, and finds what it missed', async () => {
  const { others, heard, write, opened } = await given();
  await others.refresh();
  await db().pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN %'`);
  const gate = happy[GATE] as RunEvent;
  await write([gate]);
  await expect.poll(opened).toBe(2);
  await others.refresh();
  expect(heard.flatMap(({ events }) => events.map(({ seq }) => seq))).toEqual([gate.seq]);
});

test('announces a run that it meets in a later look, once and with its events', async () => {
  const { run, others, heard, write } = await given({ isMetLater: true });
  await others.refresh();
  expect(others.openRuns()).toEqual([]);
  await write(happy.slice(GATE, GATE + 1));
  await others.refresh();
  expect(others.openRuns().map(({ id }) => id)).toEqual([run.id]);
  expect(heard.flatMap(({ hints }) => hints.map(({ event }) => event))).toContain('run.state_changed');
  expect(heard.flatMap(({ events }) => events)).toEqual(happy.slice(0, GATE + 1));
  const before = heard.length;
  await others.refresh();
  expect(heard).toHaveLength(before);
});

test('announces the newest events of a run with a long log that it meets in a later look', async () => {
  const { others, heard, write } = await given({ isMetLater: true });
  await others.refresh();
  const turn = happy.slice(0, GATE).filter(({ type }) => type === 'session.busy' || type === 'session.idle');
  const turns = Array.from({ length: 500 }, () => turn).flat();
  await write(
    turns.map((event, nth) => ({ ...event, seq: GATE + nth + 1, idempotencyKey: `turn ${nth}` }) as RunEvent),
  );
  await others.refresh();
  const seqs = heard.flatMap(({ events }) => events.map(({ seq }) => seq));
  expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([1_000, GATE + 1, GATE + 1_000]);
});

test('announces no old event of a run that it meets by a notice before its first look', async () => {
  const { run, others, heard, write } = await given();
  await write(happy.slice(GATE, GATE + 1));
  await expect.poll(() => others.readRun(run.id)?.lastSeq).toBe(GATE + 1);
  await others.refresh();
  expect(heard.flatMap(({ events }) => events)).toEqual([]);
});

test('announces what is new in a run that has ended', async () => {
  const { run, others, heard, write } = await given();
  await others.refresh();
  await write(happy.slice(GATE));
  await expect.poll(() => heard.at(-1)?.events.at(-1)?.type).toBe('run.completed');
  const gate = happy[GATE] as Extract<RunEvent, { type: 'approval.requested' }>;
  const payload = { ...gate.payload, approvalRequestId: randomUUID(), approvalKey: 'late', kind: 'cleanup' as const };
  await write([{ ...gate, seq: happy.length + 1, idempotencyKey: 'late', payload }]);
  await expect.poll(() => heard.at(-1)?.events.map(({ seq }) => seq)).toEqual([happy.length + 1]);
  expect(heard.at(-1)?.runId).toBe(run.id);
});

test('folds a run that has ended once, though its host owes a report', async () => {
  const { others, heard, folded, write } = await given();
  await others.refresh();
  await write(happy.slice(GATE));
  await expect.poll(() => heard.at(-1)?.events.at(-1)?.type).toBe('run.completed');
  const before = folded.length;
  await others.refresh();
  await others.refresh();
  expect(folded).toHaveLength(before);
});

test('looks once more after a look, however often it was asked meanwhile', async () => {
  const { others, lists } = await given();
  await Promise.all([1, 2, 3, 4].map(() => others.refresh()));
  expect(lists()).toBe(2);
  await others.refresh();
  expect(lists()).toBe(3);
});
