import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OwnDecision } from '../../core/phases/kindRules.ts';
import { failRun, rejection } from '../../core/run/endRun.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { resolvedEvent } from './derive.ts';
import { type ReviewPhase, reviewOf } from './reviewOf.ts';

/** The events of a person's decision about findings. */
export function reviewDecided(
  run: Run,
  phase: ReviewPhase,
  approval: Approval,
  { action, comment }: OwnDecision,
): NewEvent[] {
  if (action === 'reject') return failRun(run, phase, rejection(approval, comment));
  const { findings: ids = [], round = 1 } = approval.subject as { findings?: string[]; round?: number };
  const findings = reviewOf(phase).findings.filter(({ id }) => ids.includes(id));
  if (approval.gateKey === 'review_dispute') {
    const status = action === 'approve' ? 'rejected' : 'confirmed';
    const reason = comment ?? 'A person decided.';
    return findings.map((finding) => resolvedEvent(phase, finding, { round, status, by: 'person', reason }));
  }
  if (action !== 'approve') return [];
  return findings.map(({ id: findingId }) => {
    return { type: 'finding.accepted', phaseId: phase.id, payload: { findingId, round, comment } };
  });
}
