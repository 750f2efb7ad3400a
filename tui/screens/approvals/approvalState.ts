import type { Draft } from '../../../schemas/comments/draft.ts';
import { screenState } from '../../model/place.ts';
import type { FileJumpState } from '../../widgets/fileJumps.ts';
import type { ScrollState } from '../../widgets/scroll.ts';
import { SEARCH_START, type SearchState } from '../../widgets/search.ts';

export interface ApprovalState extends ScrollState, SearchState, FileJumpState {
  /** A review from the editor that had faults, and the drafts that its numbers name. */
  readonly review?: { readonly text: string; readonly drafts: readonly Draft[] } | undefined;
  /** What the person made of a document, until the daemon takes it. */
  readonly edited?: { readonly artifact: string; readonly text: string } | undefined;
  /** The section shown; absent: the first. */
  readonly section?: string;
  /** The row of the cursor, where there is one, and the row where a range begins. */
  readonly cursor: number;
  readonly from?: number | undefined;
  /** Files beyond a patch that is cut off, which the person opened. */
  readonly opened: readonly string[];
  readonly raw: boolean;
  readonly left: number;
}

export const approvalState = screenState<ApprovalState>('approval', {
  top: 0,
  follow: false,
  cursor: 0,
  opened: [],
  raw: false,
  left: 0,
  ...SEARCH_START,
});
