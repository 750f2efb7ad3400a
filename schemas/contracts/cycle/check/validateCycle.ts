import { type Mode, makeReport, type Report } from '../../report/report.ts';
import type { TreeSnapshot } from '../../report/tree.ts';
import { CYCLE_CONTRACT, statePath } from '../state/cyclePaths.ts';
import { readState } from '../state/readState.ts';
import { checkCycle } from './checkCycle.ts';

/** The contract's findings about a state file. `subject` is the cycle as the caller named it. */
export function validateCycle(
  tree: TreeSnapshot,
  id: string,
  { mode = 'strict', subject = id }: { mode?: Mode; subject?: string } = {},
): Report<Record<string, unknown>> {
  const read = readState(tree, id);
  const path = statePath(id);
  const findings = read.kind === 'read' ? checkCycle(read.state, { id, path }) : [read.finding];
  const parsed = read.kind === 'read' ? read.state : null;
  return makeReport({ contract: CYCLE_CONTRACT, subject, mode, findings, parsed });
}
