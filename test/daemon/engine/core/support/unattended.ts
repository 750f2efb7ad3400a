import { decide } from '../../../../../daemon/engine/core/decide.ts';
import type { Signal } from '../../../../../daemon/engine/core/handleSignal.ts';
import type { EffectType } from '../../../../../daemon/engine/core/run/effect.ts';
import type { Outcome } from '../../../../../daemon/engine/core/run/outcome.ts';
import { openGates } from '../../../../../daemon/engine/core/run/query.ts';
import type { Run } from '../../../../../daemon/engine/core/run/state.ts';
import { isTerminal } from '../../../../../schemas/enums.ts';
import type { Input, Story } from './given.ts';
import { resultsOf } from './outcomes.ts';

/** More steps than any of these runs needs. */
export const ENOUGH = 300;

/** The next thing goes well: a due effect succeeds, or else a person continues the run. */
export function goesWell(run: Run): Outcome | Signal {
  const due = decide(run).filter(({ type }) => type !== 'expireApproval');
  const outcomes = due.flatMap((effect) => resultsOf(effect, run).slice(0, 1));
  // Not always the first, so that lanes take turns.
  const outcome = outcomes[run.lastSeq % outcomes.length];
  if (outcome) return outcome;
  const [gate] = run.frozen ? [] : openGates(run);
  if (!gate) return { type: 'resume' };
  const clientToken = `token ${run.lastSeq}`;
  return { type: 'decide', approvalRequestId: gate.id, action: 'approve', comment: null, clientToken };
}

/** The checks fail at the merge that is due, but not at `main` alone. */
export function redMerge(run: Run): Outcome | undefined {
  const test = decide(run).find((effect) => effect.type === 'testMerge' && effect.lanes.length > 0);
  return test && resultsOf(test, run)[1];
}

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
