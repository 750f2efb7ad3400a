import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import { textOf } from '../../text/line.ts';
import { sectionsOf } from './approvalSections.ts';

/** Width of a line in the editor. */
const COLUMNS = 100;

/** What is under decision, as the dashboard shows it, for the author of a comment. */
export function commentContext(model: Model, gate: ApprovalDetail): string {
  return sectionsOf(model, gate)
    .filter(({ id }) => ['problem', 'artifact', 'code'].includes(id))
    .flatMap(({ title, lines }) => [`${title}:`, '', ...lines(COLUMNS, false).map(textOf), ''])
    .join('\n');
}
