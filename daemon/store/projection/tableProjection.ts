import type { Run } from '../../core/run/state.ts';

export type Row = Record<string, unknown>;

/** How the rows of one table follow from a run. */
export interface TableProjection<P = unknown> {
  /** What has a row. A part that a transition did not change is the same object after it. */
  parts(run: Run): readonly P[];
  /** Depends on nothing that changes but the part. */
  row(run: Run, part: P): Row;
}
