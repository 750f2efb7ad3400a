import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectType } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import { HOST_GATE } from '../../../../schemas/gates/ownGates.ts';
import type { Input, Story } from './given.ts';
import { resultsOf } from './outcomes.ts';

/** More steps than any of these runs needs. */
export const ENOUGH = 300;

/** The next thing goes well: a due effect succeeds, the host is back, or a person continues the run or finishes it. */
export function goesWell(run: Run): Outcome | Signal {
  const due = decide(run).filter(({ type }) => type !== 'expireApproval');
  const outcomes = due.flatMap((effect) => resultsOf(effect, run).slice(0, 1));
  // Not always the first, so that lanes take turns.
  const outcome = outcomes[run.lastSeq % outcomes.length];
  if (outcome) return outcome;
  const [gate] = run.frozen ? [] : openGates(run);
  if (!gate) return run.frozen || run.state === 'paused' ? { type: 'resume' } : { type: 'finish', now: true };
  if (gate.gateKey === HOST_GATE) return { type: 'hostReturned' };
  const clientToken = `token ${run.lastSeq}`;
  return { type: 'decide', approvalRequestId: gate.id, action: 'approve', comment: null, clientToken };
}

/** The checks fail at the merge that is due, but not at `main` alone. */
export function redMerge(run: Run): Outcome | undefined {
  return resultsOfMerge(run)[1];
}

/** The merge that is due conflicts, if a lane has landed. */
export function conflictingMerge(run: Run): Outcome | undefined {
  const hasLanded = run.lanes.some(({ id, state }) => id !== 'main' && state === 'landed');
  return hasLanded ? resultsOfMerge(run)[2] : undefined;
}

/** devflow refuses the resolution that is due. */
export function refusedResolution(run: Run): Outcome | undefined {
  const commit = decide(run).find(({ type }) => type === 'commitResolution');
  return commit && resultsOf(commit, run)[1];
}

function resultsOfMerge(run: Run): Outcome[] {
  const test = decide(run).find((effect) => effect.type === 'testMerge' && effect.lanes.length > 0);
  return test ? resultsOf(test, run) : [];
}

/** Whether this gate is open. */
export const isAsked = (gateKey: string) => (run: Run) => openGates(run).some((gate) => gate.gateKey === gateKey);

export function until(story: Story, isThere: (run: Run) => boolean, next: Input = goesWell): Story {
  let at = story;
  for (let step = 0; !isThere(at.run); step += 1) {
    if (step === ENOUGH) throw new Error(`after ${ENOUGH} steps the run is still ${at.run.state}`);
    at = at.on(next);
  }
  return at;
}

export const untilDue = (type: EffectType, story: Story) =>
  until(story, (run) => decide(run).some((effect) => effect.type === type));

export const untilEnd = (story: Story) => until(story, ({ state }) => isTerminal(state));
