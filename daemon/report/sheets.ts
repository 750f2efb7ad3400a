import type { RunEvent } from '../../schemas/events/index.ts';
import type { Sheet } from '../../schemas/rpc/views/sheet.ts';
import { evolve } from '../core/evolve/evolve.ts';
import type { Run } from '../core/run/state.ts';
import { settle } from '../core/settle.ts';
import { composeSheet } from '../sheet/composeSheet.ts';
import { NO_FACTS } from '../sheet/sheetFacts.ts';

/** The page of a gate as it was when a person decided it. */
export interface DecidedSheet {
  approvalId: string;
  sheet: Sheet;
}

/**
 * The pages of all decided gates, in one pass over the log: each is of the run as it was just before. So nothing that came later
 * changes them. They have no diff, and the artifacts only as far as devflow still has them.
 */
export function decidedSheets(
  events: readonly RunEvent[],
  contents: Readonly<Record<string, unknown>> = {},
): DecidedSheet[] {
  if (events[0]?.type !== 'run.created') return [];
  const facts = { ...NO_FACTS, contents: new Map(Object.entries(contents)) };
  const sheets: DecidedSheet[] = [];
  let run: Run | undefined;
  for (const event of events) {
    if (run && event.type === 'approval.resolved') {
      const { approvalRequestId: approvalId } = event.payload;
      const before = settle(run);
      const approval = before.approvals.find(({ id }) => id === approvalId);
      if (approval) sheets.push({ approvalId, sheet: composeSheet(before, approval, facts) });
    }
    run = evolve(run, event);
  }
  return sheets;
}
