import type { StallCause } from '../../schemas/enums.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import { stallState } from '../../schemas/states/stall.ts';
import { duration } from '../../schemas/time/duration.ts';
import type { Run } from '../core/run/state.ts';

/** The stalls of a session by a permission, a limit or a person's draft: their number and length. */
export interface HoldUps {
  sessionId: string;
  roleId: string;
  times: number;
  ms: number;
  causes: Partial<Record<StallCause, number>>;
}

/**
 * One entry for each session that stalled. A stall starts when it is reported. It ends with the next event of that session, as
 * in `evolve`, or with the run. The same cause reported again continues the stall, with other details.
 */
export function holdUpsOf(run: Run, events: readonly RunEvent[]): HoldUps[] {
  return run.sessions.flatMap(({ id: sessionId, roleId }) => {
    const found: HoldUps = { sessionId, roleId, times: 0, ms: 0, causes: {} };
    let open: { cause: StallCause; since: string } | undefined;
    const end = (at: string) => {
      if (open) found.ms += Math.max(0, Date.parse(at) - Date.parse(open.since));
      open = undefined;
    };
    for (const event of events) {
      if (!('sessionId' in event.payload) || event.payload.sessionId !== sessionId) continue;
      const stall = event.type === 'run.stalled' ? event.payload.stall : undefined;
      if (stall && stall.cause === open?.cause) continue;
      if (stall || event.type === 'run.stalled' || event.type.startsWith('session.')) end(event.ts);
      if (!stall) continue;
      open = { cause: stall.cause, since: event.ts };
      found.times += 1;
      found.causes[stall.cause] = (found.causes[stall.cause] ?? 0) + 1;
    }
    end(run.endedAt ?? events.at(-1)?.ts ?? '');
    return found.times > 0 ? [found] : [];
  });
}

/** A sentence without markup. */
export function stallsSentence({ roleId, times, ms, causes }: HoldUps): string {
  const often = times === 1 ? 'once' : `${times} times`;
  const by = Object.entries(causes).map(([cause, count]) => `${count} × ${stallState(cause as StallCause).word}`);
  return `The session of ${roleId} stalled ${often}, ${duration(ms)} in total: ${by.join(', ')}.`;
}
