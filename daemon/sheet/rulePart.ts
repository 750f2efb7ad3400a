import { commitOfCommand, shownCommit } from '../core/rules/knownCommits.ts';
import type { RuleFacts } from '../core/run/approval.ts';
import { seqAt } from '../core/run/query.ts';
import type { Approval, Run } from '../core/run/state.ts';
import { reviewSummaries } from '../kinds/review/reviewSummaries.ts';
import { checksOf } from './checks.ts';
import { checkedInReview } from './reviewPart.ts';

/** The checks that the page of the gate lists. A failure counts wherever it was, and a success at the commit that is shown. */
export function checksAt(run: Run, approval: Approval): RuleFacts['checks'] {
  const shown = shownCommit(run, approval);
  const commands = checksOf(run, approval).map((command) => ({ ...command, commit: commitOfCommand(run, command) }));
  const ofReview = checkedInReview(run, seqAt(run, approval));
  const checks =
    commands.length > 0 ? commands : ofReview.results.map((result) => ({ ...result, commit: ofReview.commit }));
  const passed = checks.filter(({ exitCode }) => exitCode === 0);
  const green = passed.filter(({ commit }) => commit === shown).length;
  return { green, red: checks.length - passed.length, elsewhere: passed.length - green };
}

/** The newest review that the page of the gate shows. */
export function reviewAt(run: Run, approval: Approval): RuleFacts['review'] {
  const until = seqAt(run, approval);
  const keys = run.phases.filter(({ seq }) => seq <= until).map(({ key }) => key);
  const review = reviewSummaries(run).findLast(({ phaseKey }) => keys.includes(phaseKey));
  return review ? { verdict: review.verdict, elsewhere: review.head !== shownCommit(run, approval) } : null;
}
