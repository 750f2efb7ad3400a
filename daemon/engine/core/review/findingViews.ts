import type { FindingView } from '../../../../schemas/rpc/views/findings.ts';
import type { Run } from '../run/state.ts';

/** The findings of all review phases, in the order in which they were first reported. */
export function findingViews(_run: Run): FindingView[] {
  // Filled when phases of kind review exist.
  return [];
}
