import { randomUUID } from 'node:crypto';
import type { GateKind } from '../../schemas/enums.ts';
import { blocksRun } from '../../schemas/gates/gateKinds.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { paint, printHeading } from '../print/output.ts';
import { printSheet } from '../print/run/approval.ts';
import { NO_SNAPSHOT, phaseLines, snapshotOf, stateLines } from '../run/progress.ts';
import type { Answer } from './ask.ts';

/** The most lines of a page and of a patch that the demo shows. */
const SHOWN_LINES = 30;

/** Prints the progress of a run and decides its gates. `decide` asks a person, or answers for one. */
export function createTour(
  io: Io,
  client: Client,
  decide: (kind: GateKind) => Promise<Answer>,
): (run: RunDetail) => Promise<void> {
  let last = NO_SNAPSHOT;
  const decided = new Set<string>();

  return async (run) => {
    for (const line of phaseLines(last, run)) io.out(`${paint(io, 'cyan', '▸')} ${line}\n`);
    for (const line of stateLines(last, run)) io.out(`${paint(io, 'bold', line)}\n`);
    last = snapshotOf(run);
    for (const { id, state } of run.approvals.filter(blocksRun)) {
      if (state !== 'pending' || decided.has(id)) continue;
      const approval = await client.call('approval.get', { approvalId: id });
      printHeading(io, `Gate ${approval.gateKey}`);
      printSheet(io, approval, SHOWN_LINES);
      io.out('\n');
      const { action, comment } = await decide(approval.kind);
      await client.call('approval.decide', { approvalId: id, action, comment, clientToken: randomUUID() });
      decided.add(id);
      io.out(`${paint(io, 'green', '✓')} ${approval.gateKey}: ${action.replace('_', ' ')}\n\n`);
    }
  };
}
