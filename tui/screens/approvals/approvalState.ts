import { screenState } from '../../model/place.ts';
import type { FileJumpState } from '../../widgets/fileJumps.ts';
import type { ScrollState } from '../../widgets/scroll.ts';
import { SEARCH_START, type SearchState } from '../../widgets/search.ts';

export interface ApprovalState extends ScrollState, SearchState, FileJumpState {
  /** A comment that was not sent: the editor opens with it again. */
  readonly draft?: string | undefined;
  /** The section shown; absent: the first. */
  readonly section?: string;
  readonly raw: boolean;
  readonly left: number;
  /** When the gate replaced another one. */
  readonly cameAt: number;
}

export const approvalState = screenState<ApprovalState>('approval', {
  top: 0,
  follow: false,
  raw: false,
  left: 0,
  cameAt: 0,
  ...SEARCH_START,
});
