import { screenState } from '../../model/state.ts';
import type { FileJumpState } from '../../widgets/fileJumps.ts';
import type { ScrollState } from '../../widgets/scroll.ts';
import { SEARCH_START, type SearchState } from '../../widgets/search.ts';

export interface ApprovalState extends ScrollState, SearchState, FileJumpState {
  /** A comment that was written and not taken: the editor opens with it again. */
  readonly draft?: string | undefined;
  /** The section that is shown; the first where it is absent. */
  readonly section?: string;
  readonly raw: boolean;
  readonly left: number;
  /** When it came into view without being asked for. */
  readonly cameAt: number;
}

export const approvalState = screenState<ApprovalState>('approval', {
  ...{ top: 0, follow: false, raw: false, left: 0, cameAt: 0 },
  ...SEARCH_START,
});
