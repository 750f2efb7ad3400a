import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import { textOf } from '../../text/line.ts';
import { sectionsOf } from './approvalSections.ts';

/** Cells of a line in the editor. */
const COLUMNS = 100;

/** What is under decision, as the dashboard lays it out: what a comment speaks of. */
export function commentContext(model: Model, gate: ApprovalDetail): string {
  return sectionsOf(model, gate)
    .filter(({ id }) => ['trouble', 'artifact', 'code'].includes(id))
    .flatMap(({ title, lines }) => [`${title}:`, '', ...lines(COLUMNS, false).map(textOf), ''])
    .join('\n');
}
