import type { ReviewSettings } from '../../../schemas/kinds/review/settings.ts';
import { failedChecks } from './checks.ts';
import { mustBeFixed } from './finding/blockers.ts';
import { fixOf, type ReviewPhase, reviewOf } from './reviewOf.ts';
import type { ReviewRound } from './state.ts';
import type { RoundFacts } from './stopRules.ts';

/** A red check counts like a finding of this severity. */
const RED = 'high' as const;

/** The facts for the stop rules: the rounds since the last full look, or since a person asked for more. */
export function roundFacts(phase: ReviewPhase, settings: ReviewSettings): RoundFacts[] {
  const { rounds, findings } = reviewOf(phase);
  const first = rounds.findLastIndex(({ reason }) => reason === 'full' || reason === 'changes_requested');
  const looks = rounds.slice(first).filter(({ look }) => look !== null);
  return looks.map((round) => {
    const asked = fixOf(round);
    const isLast = round === looks.at(-1);
    const open = isLast
      ? findings.filter((each) => mustBeFixed(each, settings))
      : findings.filter(({ id }) => asked?.findings.includes(id));
    const fresh = open.filter(({ reporters }) => reporters[0]?.round === round.round);
    const isRed = failedChecks(round).length > 0;
    return {
      blockers: [...open.map(({ severity }) => severity), ...(isRed ? [RED] : [])],
      newBlockers: fresh.length,
      // Late findings are those that a look at a fix found elsewhere.
      newOnFix: round.reason === 'delta' ? fresh.filter(({ isLate }) => !isLate).length : 0,
      cameBack: open
        .filter(({ cameBackIn }) => cameBackIn.includes(round.round))
        .map(({ path, line }) => `${path}:${line}`),
      fixChangedTree: fixBefore(rounds, round),
    };
  });
}

/** True if the fix before a look changed anything; null if there was none. */
function fixBefore(rounds: readonly ReviewRound[], { round }: ReviewRound): boolean | null {
  const fix = rounds
    .filter((each) => each.round < round)
    .flatMap((each) => fixOf(each) ?? [])
    .at(-1);
  const isLast = fix && fix.round === round - 1;
  return isLast && fix.work ? fix.work.commit !== null : null;
}
