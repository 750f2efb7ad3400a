import { derivedId } from '../../../schemas/ids.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { RowOf } from '../../db/schema/projected.ts';
import { findingView } from '../../kinds/review/findingViews.ts';
import type { Finding } from '../../kinds/review/state.ts';
import type { TableProjection } from './tableProjection.ts';

export const findingRows: TableProjection<'review_findings', Finding> = {
  parts: (run) => phasesOf('review', run).flatMap(({ review }) => review?.findings ?? []),
  row(run, finding) {
    const phase = phasesOf('review', run).find(({ review }) => review?.findings.includes(finding));
    if (!phase) throw new TypeError(`finding ${finding.id} is not of run ${run.id}`);
    return findingRow(run, findingView(run, phase, finding));
  },
};

export function findingRow(run: Pick<Run, 'id' | 'phases'>, finding: FindingView): RowOf<'review_findings'> {
  const { phaseKey, severity, category, path, line, summary, evidence, verifierStatus, state, ...rest } = finding;
  // `run.verify` compares rows, and those of older devflows have no fingerprint.
  const { fingerprint: _, ...details } = rest;
  return {
    id: derivedId('finding', run.id, finding.findingId),
    run_id: run.id,
    phase_id: run.phases.find(({ key }) => key === phaseKey)?.id ?? null,
    reviewer_role: finding.reporters[0]?.roleId ?? '',
    severity,
    category,
    file_path: path,
    line,
    summary,
    evidence: evidence.length > 0 ? evidence.join('\n') : null,
    verifier_status: verifierStatus,
    state,
    details,
  };
}
