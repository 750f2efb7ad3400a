import type { Run } from '../../core/run/state.ts';
import type { ProjectedTable, RowOf } from '../../db/schema/projected.ts';

/** The rows of one table, derived from a run. */
export interface TableProjection<N extends ProjectedTable, P> {
  /** The parts that have a row. A part that a transition did not change is the same object after it. */
  parts(run: Run): readonly P[];
  /** Depends on nothing that changes but the part. */
  row(run: Run, part: P): RowOf<N>;
}
