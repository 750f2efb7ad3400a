import type { ApprovalDetail, DiffView } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, errorOf, type QueryOf, query } from '../../model/query.ts';
import { approvalState } from './approvalState.ts';
import { type FileDiff, type ShownDiff, withFiles } from './comments/shownDiff.ts';

const fileQuery = (approvalId: string, path: string): QueryOf<'approval.diff'> =>
  query('approval.diff', { approvalId, path });

/** The files that a person opened. */
export function fileQueries(model: Model, { id }: ApprovalDetail): QueryOf<'approval.diff'>[] {
  return approvalState.get(model).opened.map((path) => fileQuery(id, path));
}

const made = new WeakMap<DiffView, { readonly files: readonly FileDiff[]; readonly diff: ShownDiff }>();

/** The same object for the same files. */
export function diffOf(model: Model, approval: ApprovalDetail): ShownDiff | null {
  const { diff } = approval;
  if (!diff?.truncated) return diff;
  const files = fileQueries(model, approval).flatMap((each) => answerOf(model.data, each) ?? []);
  if (files.length === 0) return diff;
  const known = made.get(diff);
  if (known && known.files.length === files.length && known.files.every((each, nth) => each === files[nth])) {
    return known.diff;
  }
  const shown = withFiles(diff, files);
  made.set(diff, { files, diff: shown });
  return shown;
}

/** Why an opened file is not shown, a sentence each. */
export function fileFaults(model: Model, approval: ApprovalDetail): string[] {
  return fileQueries(model, approval).flatMap((each) => errorOf(model.data, each)?.message ?? []);
}
