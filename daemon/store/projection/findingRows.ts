import { derivedId } from '../../../schemas/ids.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { findingViews } from '../../engine/core/review/findingViews.ts';
import type { Run } from '../../engine/core/run/state.ts';
import type { Row, TableProjection } from './tableProjection.ts';

export const findingRows: TableProjection<FindingView> = { parts: findingViews, row: findingRow };

export function findingRow(run: Pick<Run, 'id' | 'phases'>, finding: FindingView): Row {
  const { phaseKey, severity, category, path, line, summary, evidence, verifierStatus, state, ...details } = finding;
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
