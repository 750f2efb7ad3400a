import { isTerminal } from '../../schemas/enums.ts';
import { holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { needsPerson } from '../../schemas/states/stall.ts';
import { STATUS_LINE, serverAwayStatus } from '../../schemas/states/statusLine.ts';
import { openGates } from '../core/run/query.ts';
import type { Run } from '../core/run/state.ts';

/** Counts each open run once, under the most urgent heading. */
export interface Tally {
  /** Something went wrong, or an agent waits in its pane for a person. */
  trouble: number;
  /** Finished work waits for a decision. */
  approvals: number;
  running: number;
}

export type Charset = 'utf-8' | 'ascii';

export function tallyOf(runs: readonly Run[]): Tally {
  const tally: Tally = { trouble: 0, approvals: 0, running: 0 };
  for (const run of runs) {
    const column = columnOf(run);
    if (column !== undefined) tally[column] += 1;
  }
  return tally;
}

function columnOf(run: Run): keyof Tally | undefined {
  if (isTerminal(run.state)) return undefined;
  const gates = openGates(run);
  if (gates.some(holdsFailure)) return 'trouble';
  if (run.sessions.some(({ stall }) => stall !== null && needsPerson(stall.cause))) return 'trouble';
  if (gates.some(({ state }) => state === 'pending')) return 'approvals';
  // The person who paused it knows.
  return run.state === 'paused' ? undefined : 'running';
}

/**
 * `▸2 ?1 !1`: two runs work, one waits for a decision, one is in trouble. Each character is one cell wide. `awaySince`: since
 * then the server of the engine does not answer.
 */
export function statusText(tally: Tally, charset: Charset, awaySince?: string): string {
  const parts = Object.entries(STATUS_LINE) as [keyof Tally, (typeof STATUS_LINE)[keyof Tally]][];
  const counts = parts
    .filter(([part]) => tally[part] > 0)
    .map(([part, { sign, ascii }]) => `${charset === 'utf-8' ? sign : ascii}${tally[part]}`);
  return [...counts, ...(awaySince ? [serverAwayStatus(awaySince)] : [])].join(' ');
}
