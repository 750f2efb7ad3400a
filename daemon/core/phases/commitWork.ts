import { defined } from '../../../schemas/defined.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Effect } from '../effect/effect.ts';
import { manifestsOf, stepCommits } from '../exchange/newestPlan.ts';
import { bindsWorktree } from '../run/behaviour.ts';
import { isInCheckout, placeOf } from '../run/lanes.ts';
import { isLedPhase } from '../run/led.ts';
import { definitionOf, lastCommit, nextGate } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { runTitle } from '../run/title.ts';
import { aboutWork } from './aboutWork.ts';

/** Commits what the phase left in the run's worktree. */
export function commitWork(run: Run, phase: Phase): Effect {
  const since = lastCommit(run) ?? run.baseCommit;
  const manifests = manifestsOf(run, phase, since);
  return {
    type: 'commitWork',
    runId: run.id,
    key: `commitWork:${phase.id}:${phase.attempts}`,
    phaseId: phase.id,
    phaseKey: phase.key,
    attempt: phase.attempts,
    lane: placeOf(run, MAIN),
    since,
    // What a person asked for says more than what the template calls it.
    title: isLedPhase(phase) ? runTitle(run) : definitionOf(run, phase).title,
    bindsWorktree: bindsWorktree(run) && (run.branch !== null || isInCheckout(run)),
    hasGate: nextGate(run, phase) !== undefined,
    except: run.exchangePaths,
    wantsChanges: run.template.exchange === 'cycle',
    manifests,
    // Contracts with manifests read the subjects of devflow's commits.
    ...(manifests ? {} : aboutWork(phase.assignments)),
    ...defined({ eachStep: manifests && stepCommits(run) }),
  };
}
