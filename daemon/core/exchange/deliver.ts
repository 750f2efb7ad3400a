import { isTerminal } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { EffectOf } from '../effect/effect.ts';
import type { Outcome } from '../effect/outcome.ts';
import { deliversAtEnd } from '../run/behaviour.ts';
import { placeOf } from '../run/lanes.ts';
import { lastCommit } from '../run/query.ts';
import type { Run } from '../run/state.ts';

/** True from the end of a run until its branch has the last files of its exchange. */
export function isDelivering(run: Run): boolean {
  const { state, exchange, delivered, branch, reportPath } = run;
  if (!isTerminal(state) || !deliversAtEnd(run) || delivered !== null || reportPath !== null) return false;
  return branch !== null && Object.keys(exchange?.files ?? {}).length > 0;
}

export function deliverFiles(run: Run, sessions: EffectOf<'deliverFiles'>['sessions']): EffectOf<'deliverFiles'> {
  return {
    type: 'deliverFiles',
    runId: run.id,
    key: `deliverFiles:${run.id}`,
    lane: placeOf(run, MAIN),
    since: lastCommit(run) ?? run.baseCommit,
    files: run.exchange?.files ?? {},
    sessions,
  };
}

/**
 * The events that may still follow after the end. A run whose files cannot be committed has ended, too, and says so.
 */
export function filesDelivered(run: Run, outcome: Outcome): NewEvent[] {
  if (!isDelivering(run)) return [];
  if (outcome.type === 'filesDelivered') {
    const { commit, onto, ignored, reason } = outcome;
    const named = reason === undefined ? {} : { reason };
    return [delivered({ commit, onto, ...(ignored.length > 0 ? { ignored } : {}), ...named })];
  }
  if (outcome.type !== 'effectFailed' || outcome.key !== deliverFiles(run, []).key) return [];
  return [delivered({ commit: null, onto: null, reason: outcome.error.message })];
}

/** A note for a person if the branch of a run lacks some of its last files; null otherwise. */
export function deliveryNote({ delivered }: Pick<Run, 'delivered'>): string | null {
  const reason = delivered?.reason ?? null;
  return reason && `The run's branch does not have all its last files: ${reason.replace(/\.?$/, '.')}`;
}

function delivered(payload: Extract<NewEvent, { type: 'run.delivered' }>['payload']): NewEvent {
  return { type: 'run.delivered', phaseId: null, payload };
}
