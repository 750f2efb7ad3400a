import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import type { Line } from '../../text/line.ts';
import { approvalOf } from './approvalQueries.ts';
import { ANSWERS, type Section, sectionsOf } from './approvalSections.ts';
import { approvalState as state } from './approvalState.ts';
import { type ReviewRow, type ReviewRows, reviewRows } from './comments/reviewRows.ts';
import { draftsIn } from './comments/shownDrafts.ts';
import { takesComments } from './comments/takesComments.ts';

/** Left margin, so that a patch cannot look like part of the frame. */
export const MARGIN = 1;
const NONE: readonly Line[] = [];

export function shownSection(model: Model, approval: ApprovalDetail): Section | undefined {
  const sections = sectionsOf(model, approval);
  return sections.find(({ id }) => id === state.get(model).section) ?? sections[0];
}

/** The text of the section that is shown. */
export function textOf(model: Model): readonly Line[] {
  const approval = approvalOf(model);
  const section = approval && shownSection(model, approval);
  return approval && section ? textOfSection(model, approval, section) : NONE;
}

export function textOfSection(model: Model, approval: ApprovalDetail, section: Section): readonly Line[] {
  return rowsOfSection(model, approval, section)?.lines ?? section.lines(...formOf(model));
}

/** The rows of a section with a cursor, with the comments below them. Answers can be read at any gate. */
function rowsOfSection(model: Model, approval: ApprovalDetail, section: Section): ReviewRows | undefined {
  if (section.spots === undefined || (section.id !== ANSWERS && !takesComments(approval))) return undefined;
  const form = formOf(model);
  return reviewRows(section.lines(...form), section.spots(...form), draftsIn(model, approval, section.id), form[0]);
}

const formOf = (model: Model): [columns: number, raw: boolean] => [
  model.size.columns - 2 * MARGIN,
  state.get(model).raw,
];

/** The rows below the cursor; undefined in a section without one. */
export function reviewRowsOf(model: Model): readonly ReviewRow[] | undefined {
  const approval = approvalOf(model);
  const section = approval && shownSection(model, approval);
  return approval && section && rowsOfSection(model, approval, section)?.rows;
}

/** The rows of a section, also while another one is shown. */
export function rowsIn(model: Model, approval: ApprovalDetail, id: string): readonly ReviewRow[] {
  const section = sectionsOf(model, approval).find((each) => each.id === id);
  if (!section?.spots) return [];
  const form = formOf(model);
  const spots = section.spots(...form);
  return rowsOfSection(model, approval, section)?.rows ?? spots.map((spot) => ({ spot }));
}
