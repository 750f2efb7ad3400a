import type { ApprovalState } from '../../../schemas/enums.ts';
import { gateAbout } from '../../../schemas/gates/gateWords.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { GATE_STATES, gateState } from '../../../schemas/states/gate.ts';
import { age } from '../../../schemas/time/duration.ts';
import { calls, withDaemon } from '../../daemon/withDaemon.ts';
import type { Approval } from '../../define/approval.ts';
import { emptyWords, limitOf, printCutNote } from '../../input/lists.ts';
import { onlyGate } from '../../input/onlyOne.ts';
import { type Column, printJson, printList } from '../../print/output.ts';
import { printApproval, printDocuments, printFileDiff } from '../../print/run/approval.ts';
import { localTime, shortId, visible } from '../../print/text.ts';

export const actions: Pick<Approval, 'list' | 'show' | 'diff'> = {
  async list(params, { json }, io) {
    const limit = limitOf(params.limit, params.all);
    return withDaemon(io, async (client) => {
      const approvals = await client.call('approval.list', { ...params, limit });
      printList(io, { json, rows: approvals, columns: COLUMNS, whenEmpty: whenEmpty(params) });
      await printCutNote(io, client, { of: 'approvals', ...params, shown: approvals.length, limit });
      return 0;
    });
  },
  async show(_params, { gate, json, raw }, io) {
    return withDaemon(io, async (client) => {
      const approvalId = gate ?? (await onlyGate(client));
      // Not `call`, which drops what only a newer daemon says.
      const found = (await client.request('approval.get', { approvalId })) as ApprovalDetail;
      if (json) printJson(io, found);
      else if (raw) printDocuments(io, found);
      else printApproval(io, found);
      return 0;
    });
  },
  diff: calls('approval.diff', printFileDiff),
};

type Filter = { all?: boolean; state?: ApprovalState; repo?: string; search?: string; runId?: string };

export function whenEmpty({ all, ...filter }: Filter): string {
  const filtered = emptyWords('gate', filter, GATE_STATES);
  if (filtered) return filtered;
  if (all) return 'There are no gates.';
  return 'No gate waits for a decision. devflow approval list --all also shows decided gates.';
}

/** The subject of the gate, and the last words of the agent. */
function about(approval: ApprovalSummary): string | null {
  const name = gateAbout(approval);
  if (!approval.words) return name;
  const words = visible(approval.words);
  return name === null ? words : `${name}: ${words}`;
}

export const COLUMNS: Column<ApprovalSummary>[] = [
  { title: 'APPROVAL', cell: (approval) => shortId(approval.id) },
  { title: 'RUN', cell: (approval) => shortId(approval.runId) },
  { title: 'TITLE', cell: (approval) => approval.runTitle, cuts: true },
  { title: 'STATE', cell: (approval) => gateState(approval) },
  { title: 'GATE', cell: (approval) => approval.gateKey },
  { title: 'PHASE', cell: (approval) => approval.phaseKey, spare: 2 },
  { title: 'ABOUT', cell: about, spare: 3 },
  { title: 'CREATED', cell: (approval) => localTime(approval.createdAt), spare: 1 },
  {
    title: 'WAITING',
    cell: (approval) => (approval.resolvedAt === null ? age(approval.createdAt) : null),
    align: 'right',
  },
];
