import type { CommentView } from '../../schemas/comments/commentView.ts';
import type { RefusedDecision } from '../../schemas/rpc/views/approval.ts';
import type { Sheet } from '../../schemas/rpc/views/sheet.ts';

/** Facts about a gate that the run does not have. The edge reads them, within limits. */
export interface SheetFacts {
  /** The parsed content of artifacts by id; undefined if it is lost or no JSON. */
  contents: ReadonlyMap<string, unknown>;
  /** The last lines of failed commands by id, without secrets. */
  tails: ReadonlyMap<string, string>;
  /** Null without a change, and if the repository lost it. */
  change: Pick<NonNullable<Sheet['change']>, 'base' | 'head' | 'files'> | null;
  /** Null after the decision, and without a worktree. */
  uncommittedFiles: number | null;
  /** What the edge could not read, each as a sentence. */
  unreadable?: readonly string[] | undefined;
  /** The difference of the worktree from what the gate shows. */
  moved?: string | undefined;
  /** Decisions of agents, which devflow refused. */
  refused?: readonly RefusedDecision[] | undefined;
  /** The comments of the run up to this gate, where their lines are now. */
  comments: readonly CommentView[];
}

export const NO_FACTS: SheetFacts = {
  contents: new Map(),
  tails: new Map(),
  change: null,
  uncommittedFiles: null,
  comments: [],
};
