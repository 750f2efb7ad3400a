import type { PlaceCounts, QueuePlace } from '../../../schemas/rpc/views/queue.ts';
import type { Effect } from '../../core/effect/effect.ts';
import { rankOf } from '../../core/run/rank.ts';
import type { Run } from '../../core/run/state.ts';
import { takesPlace } from '../../core/takesPlace.ts';
import type { EventBus } from '../../events/bus.ts';
import type { AfterRuns, Predecessor } from './afterRuns.ts';

/** The place of one run. */
export interface PlaceOfRun {
  /** Says how the run is now; `effects` are those that it wants. Returns true if it may begin, or has begun. */
  request(run: Run, effects: readonly Effect[]): boolean;
  /** Gives the place back: nobody drives the run any more. */
  release(): void;
}

/** A run that waits for its place. */
export interface Queued {
  runId: string;
  rank: string;
  place: QueuePlace;
  /** How the run is that must come first; absent: none must. */
  predecessor?: Exclude<Predecessor, 'done'>;
}

/**
 * The limit on runs at work, over all runs of this host. Only beginnings wait: a run that has begun goes on, also above the
 * limit, and then nobody begins. It stays in memory: after a restart, the runs say again how they are.
 */
export interface RunPlaces {
  /** `onGranted` is called when the run may begin because another one left, or was moved. */
  forRun(runId: string, onGranted: () => void): PlaceOfRun;
  /** Grants no place before `work` is done, so that `runs`, and what they do, are all counted first. */
  grantAfter(runs: readonly Run[], work: () => void): void;
  /** The runs that wait, in their order. */
  queue(): Queued[];
  counts(): PlaceCounts;
}

interface Claim {
  runId: string;
  rank: string;
  hasPlace: boolean;
  run: Pick<Run, 'after' | 'rank'>;
  onGranted: () => void;
}

export function createRunPlaces(options: {
  limit: number;
  bus: Pick<EventBus, 'hint'>;
  after: Pick<AfterRuns, 'stateOf' | 'onChange'>;
}): RunPlaces {
  const { limit, bus, after } = options;
  const claims = new Map<string, Claim>();
  let isGranting = true;
  let shown = '[]';
  after.onChange(() => grant());

  const list = (which: (claim: Claim) => boolean) => [...claims.values()].filter(which);
  const held = () => list(({ hasPlace }) => hasPlace).length;
  const inOrder = () => list(({ hasPlace }) => !hasPlace).sort(byRank);

  /** Notes how the run is now. Returns true if that can matter to those that wait. */
  function claim(run: Run, effects?: readonly Effect[], onGranted = () => {}): boolean {
    const { id: runId } = run;
    const known = claims.get(runId);
    const isWaiting = run.state === 'created';
    if (!isWaiting && !takesPlace(run, effects)) return claims.delete(runId);
    const hasPlace = !isWaiting || known?.hasPlace === true;
    claims.set(runId, { runId, rank: rankOf(run), hasPlace, run, onGranted });
    return !hasPlace || known?.hasPlace !== true;
  }

  /** Gives the free places to the first that may begin, and tells them, except the one that asks. */
  function grant(askingRunId?: string): void {
    if (!isGranting) return;
    const ready = inOrder().filter(({ run }) => after.stateOf(run) === 'done');
    const served = ready.slice(0, Math.max(0, limit - held()));
    for (const each of served) each.hasPlace = true;
    tell();
    for (const { runId, onGranted } of served) if (runId !== askingRunId) onGranted();
  }

  /** Tells clients that the queue is another one. No event of a run says so. */
  function tell(): void {
    const now = JSON.stringify(queue());
    if (now === shown) return;
    shown = now;
    bus.hint(null, { event: 'queue.changed', data: {} });
  }

  function queue(): Queued[] {
    const waiting = inOrder();
    return waiting.map(({ runId, rank, run }, nth) => {
      const place = { position: nth + 1, of: waiting.length };
      const predecessor = after.stateOf(run);
      if (run.after === null || predecessor === 'done') return { runId, rank, place };
      return { runId, rank, place: { ...place, after: run.after }, predecessor };
    });
  }

  return {
    forRun: (runId, onGranted) => ({
      request(run, effects) {
        if (claim(run, effects, onGranted)) grant(runId);
        return claims.get(runId)?.hasPlace !== false;
      },
      release() {
        if (claims.delete(runId)) grant(runId);
      },
    }),
    grantAfter(runs, work) {
      isGranting = false;
      try {
        for (const run of runs) claim(run);
        work();
      } finally {
        isGranting = true;
      }
      grant();
    },
    queue,
    counts() {
      const atWork = held();
      return { atWork, queued: claims.size - atWork, limit };
    },
  };
}

function byRank(a: Claim, b: Claim): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  return a.runId < b.runId ? -1 : 1;
}

/** Of each queued run, whether only a person can let it begin. */
export function needsOf(queue: readonly Queued[]): Map<string, { needsPerson: boolean }> {
  const isStuck = ({ predecessor = 'open' }: Queued) => predecessor !== 'open';
  return new Map(queue.map((each) => [each.runId, { needsPerson: isStuck(each) }]));
}
