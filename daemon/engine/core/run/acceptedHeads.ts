import { MAIN } from '../../../../schemas/mainLane.ts';
import { lastCommit } from './query.ts';
import type { Run } from './state.ts';
import { boundWorktree } from './worktreeState.ts';

/**
 * The commits at which the branch of an ended run may stand without a further word of a person: the last that devflow made or
 * landed, then the one that the last approved gate showed, which may have commits of a person.
 */
export function acceptedHeads(run: Run): string[] {
  const landed = run.phases.flatMap(({ dag }) => dag?.landings.at(-1)?.commit ?? []);
  const made = lastCommit(run) ?? run.reviewHead ?? run.baseCommit;
  return [...new Set([made, ...landed.slice(-1), ...approvedHead(run)])];
}

function approvedHead({ approvals }: Run): string[] {
  const approved = approvals
    .filter(({ state, kind, laneId }) => {
      return state === 'approved' && (kind === 'gate' || kind === 'recovery') && (laneId ?? MAIN) === MAIN;
    })
    .flatMap(({ subject, resolvedAt }) => {
      const head = boundWorktree(subject)?.head;
      return head === undefined ? [] : [{ head, at: resolvedAt ?? '' }];
    });
  const last = approved.reduce<(typeof approved)[number] | undefined>(
    (newest, each) => (newest === undefined || each.at >= newest.at ? each : newest),
    undefined,
  );
  return last === undefined ? [] : [last.head];
}
