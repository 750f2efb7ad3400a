import type { VerifierStatus } from '../../../../schemas/enums.ts';
import type { NewEvent } from '../../../../schemas/events/index.ts';
import type { Finding, ReviewAsk } from '../run/reviewState.ts';
import type { Phase, Run } from '../run/state.ts';
import { answerOf, type Verdicts } from './answers.ts';
import { isAtLeast } from './finding/votes.ts';
import { reviewOf } from './reviewOf.ts';

type Verdict = Verdicts['verdicts'][number];

/** What a verifier says of the findings that it was asked about. */
export function verdictEvents(
  run: Run,
  phase: Phase,
  { assignment, round, roleId, findings: asked }: ReviewAsk,
): NewEvent[] {
  const { verdicts } = answerOf<Verdicts>(phase, assignment);
  const { findings } = reviewOf(phase);
  const backend = run.bindings.find((binding) => binding.roleId === roleId)?.backend ?? null;
  const resolved = asked.flatMap((id): NewEvent[] => {
    const finding = findings.find((each) => each.id === id);
    const verdict = verdicts.find((each) => each.id === id);
    if (!finding || !verdict) return [];
    const status = statusOf(finding, verdict);
    if (finding.state === 'confirmed' && status === 'rejected') {
      return [{ type: 'finding.fixed', phaseId: phase.id, payload: { findingId: id, round, by: [assignment] } }];
    }
    const { reason, quote, duplicateOf } = verdict;
    const facts = { round, nth: finding.answers.length + 1, status, by: 'verifier' as const, roleId, backend };
    const isDuplicate = status === 'duplicate';
    const payload = { findingId: id, ...facts, reason, quote, duplicateOf: isDuplicate ? duplicateOf : null };
    return [{ type: 'finding.verifier_resolved', phaseId: phase.id, payload }];
  });
  return [{ type: 'review.verdict_recorded', phaseId: phase.id, payload: { round, assignment } }, ...resolved];
}

/** A severe finding is dropped only with a quote that stands in the reviewed commit. */
function statusOf({ severity }: Finding, { verdict, isQuoted }: Verdict): VerifierStatus {
  if (verdict === 'cannot_tell') return 'disputed';
  if (verdict === 'confirmed') return 'confirmed';
  const isProven = isQuoted || !isAtLeast(severity, 'high');
  return isProven ? verdict : 'disputed';
}
