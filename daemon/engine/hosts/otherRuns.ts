import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { replayOn } from '../../core/replay.ts';
import type { Run } from '../../core/run/state.ts';
import type { EventBus } from '../../events/bus.ts';
import type { RunLog } from '../../store/runLog.ts';
import { commitOf } from '../local/commitOf.ts';

/** The open runs of other hosts, as their logs say. This daemon drives none of them. */
export interface OtherRuns {
  openRuns(): Run[];
  /** From memory; undefined for a run that is not open, or not of another host. */
  readRun(runId: string): Run | undefined;
  /** A host wrote to a run, up to `seq`. */
  heard(notice: string): void;
  /** Reads what is new in all open runs, whatever was heard. */
  refresh(): Promise<void>;
}

interface OtherRunsOptions {
  /** The id of this host. */
  hostId: string;
  isHere(run: Run): boolean;
  /** True if the engine of this host has the run in memory. Its log need not be folded again. */
  drives(runId: string): boolean;
  runLog: Pick<RunLog, 'readRun' | 'readEvents' | 'readLastSeq' | 'listUnfinished'>;
  bus: EventBus;
  /** Takes in what other hosts wrote to a run of this one. */
  catchUp(runId: string, seq?: number): Promise<unknown>;
  log: Pick<Logger, 'warn'>;
}

/** With more new events than this, the whole log is read, and the newest are announced. */
const PAGE = 1_000;

/** Follows the logs of other hosts' runs, and announces on this daemon's bus what other hosts wrote. */
export function createOtherRuns(options: OtherRunsOptions): OtherRuns {
  const { hostId, isHere, drives, runLog, bus, catchUp, log } = options;
  const known = new Map<string, Run>();
  /** Ended runs whose host has not written the report yet, with the last seq that was read of each. */
  const ended = new Map<string, number>();
  let hasLooked = false;
  /** One read at a time for each run. */
  const turns = new Map<string, Promise<void>>();

  function inTurn(runId: string, read: () => Promise<void>): Promise<void> {
    const turn = (turns.get(runId) ?? Promise.resolve())
      .then(read)
      .catch((err: unknown) => log.warn({ runId, err }, 'what another host wrote could not be read'))
      .finally(() => {
        if (turns.get(runId) === turn) turns.delete(runId);
      });
    turns.set(runId, turn);
    return turn;
  }

  async function follow(runId: string, { seq, isOwn }: { seq: number; isOwn: boolean }): Promise<void> {
    const before = known.get(runId);
    const knownSeq = before?.lastSeq ?? ended.get(runId);
    if (knownSeq === undefined ? isOwn : knownSeq >= seq) return;
    if (drives(runId)) return void (await catchUp(runId, seq));
    const page = before ? await runLog.readEvents(runId, before.lastSeq, PAGE) : [];
    if (before && page.length === 0) return;
    const isAll = before !== undefined && page.length < PAGE;
    const after = isAll ? replayOn(before, page) : await runLog.readRun(runId);
    if (!after) return;
    if (isHere(after)) return void (await catchUp(runId, seq));
    remember(after);
    // The engine of this daemon has announced its own events.
    if (isOwn) return;
    const events = isAll ? page : await readNewest(after, knownSeq);
    bus.publish(commitOf(before, { run: after, events }));
  }

  /** The new events of a run that was not in memory. Before the first look nobody knows which those are. */
  async function readNewest({ id, lastSeq }: Run, knownSeq: number | undefined): Promise<RunEvent[]> {
    if (knownSeq === undefined && !hasLooked) return [];
    const from = Math.max(knownSeq ?? 0, lastSeq - PAGE);
    return runLog.readEvents(id, from, lastSeq - from);
  }

  function remember(run: Run): void {
    const { id, state, lastSeq } = run;
    if (!isTerminal(state)) return void known.set(id, run);
    known.delete(id);
    ended.set(id, lastSeq);
  }

  async function look(runId: string): Promise<void> {
    if (drives(runId)) return void (await catchUp(runId));
    const end = ended.get(runId);
    if (end !== undefined && (await runLog.readLastSeq(runId)) <= end) return;
    if (hasLooked || known.has(runId)) return follow(runId, { seq: Number.POSITIVE_INFINITY, isOwn: false });
    // The first look announces nothing: these runs were there before this daemon.
    const run = await runLog.readRun(runId);
    if (run && isHere(run)) await catchUp(runId);
    else if (run) remember(run);
  }

  async function lookAtAll(): Promise<void> {
    const unfinished = new Set(await runLog.listUnfinished());
    for (const runId of new Set([...unfinished, ...known.keys()])) await inTurn(runId, () => look(runId));
    for (const runId of ended.keys()) if (!unfinished.has(runId)) ended.delete(runId);
    hasLooked = true;
  }

  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** Calls during a look share one more look after it. The current one may already have passed what they are about. */
  function refresh(): Promise<void> {
    if (looking) {
      next ??= looking
        .catch(() => {})
        .then(() => {
          next = undefined;
          return refresh();
        });
      return next;
    }
    looking = lookAtAll().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  return {
    openRuns: () => [...known.values()],
    readRun: (runId) => known.get(runId),
    heard(notice) {
      const [, host, runId, seq] = /^(\S+) (\S+):(\d+)$/.exec(notice) ?? [];
      if (runId !== undefined) void inTurn(runId, () => follow(runId, { seq: Number(seq), isOwn: host === hostId }));
    },
    refresh,
  };
}
