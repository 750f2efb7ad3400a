import type { ApprovalState } from '../../schemas/enums.ts';
import { gateState } from '../gates.ts';
import type { Action } from '../io.ts';
import { printJson, printTable } from '../output.ts';
import { localTime, shortId } from '../text.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  json?: boolean;
  run?: string;
  state?: ApprovalState;
}

export const action: Action = async (_args: [], { json, run, state }: Options, io) => {
  const approvals = await withDaemon(io, (client) => client.call('approval.list', { runId: run, state }));
  if (json) printJson(io, approvals);
  else {
    printTable(
      io,
      approvals,
      [
        { title: 'APPROVAL', cell: (approval) => shortId(approval.id) },
        { title: 'RUN', cell: (approval) => shortId(approval.runId) },
        { title: 'STATE', cell: (approval) => gateState(approval), state: true },
        { title: 'GATE', cell: (approval) => approval.gateKey },
        { title: 'PHASE', cell: (approval) => approval.phaseKey },
        { title: 'CREATED', cell: (approval) => localTime(approval.createdAt) },
      ],
      'There are no approvals.',
    );
  }
  return 0;
};
