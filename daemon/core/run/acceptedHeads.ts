import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { AcceptedCommit } from '../../../schemas/rpc/views/movedBranch.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import { lastCommit } from './query.ts';
import type { Run } from './state.ts';
import { boundWorktree } from './worktreeState.ts';

/**
 * The commits at which the branch of an ended run may stand without asking a person: the last that devflow made or landed.
 * Then the one that the last approved gate showed, which may have commits of a person.
 */
export function acceptedHeads(run: Run): AcceptedCommit[] {
  const landed = run.phases.flatMap((phase) => stateRulesOf(phase).landed?.(phase) ?? []).slice(-1);
  const last = lastCommit(run);
  const approved = approvedHead(run);
  const made = [...(last === null ? [] : [last]), ...landed];
  const sourceOf = (commit: string): AcceptedCommit['source'] => {
    if (approved.includes(commit)) return 'gate';
    return made.includes(commit) ? 'devflow' : 'start';
  };
  const all = new Set([last ?? run.reviewHead ?? run.baseCommit, ...landed, ...approved]);
  return [...all].map((commit) => ({ commit, source: sourceOf(commit) }));
}

function approvedHead({ approvals }: Run): string[] {
  const approved = approvals
    .filter(({ state, kind, laneId }) => {
      return state === 'approved' && gateFacts({ kind }).holds !== 'nothing' && (laneId ?? MAIN) === MAIN;
    })
    .flatMap(({ subject, resolvedAt }) => {
      const head = boundWorktree(subject)?.head;
      return head === undefined ? [] : [{ head, at: resolvedAt ?? '' }];
    });
  const newest = approved.toSorted((a, b) => a.at.localeCompare(b.at)).slice(-1);
  return newest.map(({ head }) => head);
}
