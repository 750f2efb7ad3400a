import type { FindingSeverity, VerifierStatus } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { isAtLeast, worse } from '../../../schemas/findings/severity.ts';
import { comparesClaims } from '../../core/run/behaviour.ts';
import { getBinding } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { artifactOf, type Verdicts } from './artifacts.ts';
import { originalOf } from './finding/originalOf.ts';
import { type ReviewPhase, reviewOf } from './reviewOf.ts';
import type { Finding, ReviewAsk } from './state.ts';

type Verdict = Verdicts['verdicts'][number];

/** The verdicts of a verifier about the findings that it was asked about. */
export function verdictEvents(
  run: Run,
  phase: ReviewPhase,
  { assignment, round, roleId, findings: asked }: ReviewAsk,
): NewEvent[] {
  const { verdicts } = artifactOf<Verdicts>(phase, assignment);
  const { findings } = reviewOf(phase);
  const { backend } = getBinding(run, roleId);
  // Each verdict counts for the next ones.
  const duplicates = new Map(findings.map(({ id, duplicateOf }) => [id, { id, duplicateOf }]));
  const backAgain = new Set<string>();
  const resolved = asked.flatMap((id): NewEvent[] => {
    const finding = findings.find((each) => each.id === id);
    const verdict = verdicts.find((each) => each.id === id);
    if (!finding || !verdict) return [];
    const original = originalOf([...duplicates.values()], verdict)?.id ?? null;
    const severity = severityWithDuplicates(finding, verdicts, findings);
    const status = statusOf({ id, severity }, verdict, original);
    if (finding.state === 'confirmed' && status === 'rejected') {
      return [{ type: 'finding.fixed', phaseId: phase.id, payload: { findingId: id, round, by: [roleId] } }];
    }
    const { reason, quote } = verdict;
    const duplicateOf = status === 'duplicate' ? original : null;
    duplicates.set(id, { id, duplicateOf });
    const facts = { round, nth: finding.resolutions.length + 1, status, by: 'verifier' as const, roleId, backend };
    const payload = { findingId: id, ...facts, reason, quote, duplicateOf };
    const event = { type: 'finding.verifier_resolved' as const, phaseId: phase.id, payload };
    const fixed = findings.find((each) => each.id === duplicateOf && each.state === 'fixed');
    if (!fixed || backAgain.has(fixed.id) || !comparesClaims(run)) return [event];
    backAgain.add(fixed.id);
    const back = { findingId: fixed.id, nth: fixed.resolutions.length + 1, status: 'confirmed' as const };
    return [event, { ...event, payload: { ...payload, ...back, duplicateOf: null } }];
  });
  return [{ type: 'review.verdict_recorded', phaseId: phase.id, payload: { round, assignment } }, ...resolved];
}

/** The worst severity of a finding and its duplicates in these verdicts: to reject the finding rejects them, too. */
function severityWithDuplicates(
  { id, severity }: Finding,
  verdicts: readonly Verdict[],
  findings: readonly Finding[],
): FindingSeverity {
  const duplicates = verdicts.filter(({ verdict, duplicateOf }) => verdict === 'duplicate' && duplicateOf === id);
  const ids = new Set(duplicates.map((each) => each.id));
  return findings
    .filter((each) => ids.has(each.id))
    .map((each) => each.severity)
    .reduce(worse, severity);
}

/** A severe finding is dropped only with a quote that stands in the reviewed commit. Two findings cannot be duplicates of each other. */
function statusOf(
  { id, severity }: Pick<Finding, 'id' | 'severity'>,
  { verdict, isQuoted }: Verdict,
  original: string | null,
): VerifierStatus {
  if (verdict === 'cannot_tell') return 'disputed';
  if (verdict === 'confirmed') return 'confirmed';
  if (verdict === 'duplicate' && (original === null || original === id)) return 'disputed';
  const isProven = isQuoted || !isAtLeast(severity, 'high');
  return isProven ? verdict : 'disputed';
}
