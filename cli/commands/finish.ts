import { randomUUID } from 'node:crypto';
import { blocksRun } from '../../schemas/gates/gateKinds.ts';
import { isTerminal } from '../../schemas/names.ts';
import type { ApprovalDetail } from '../../schemas/rpc/views/approval.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { connectDaemon, withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../define/command.ts';
import type { FINISH } from '../define/start.ts';
import { choose, readAnswer } from '../input/confirm.ts';
import { onlyLedRun } from '../input/onlyOne.ts';
import { INTERRUPTED, onInterrupt } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { printSheet } from '../print/run/approval.ts';
import { shortId, visible } from '../print/text.ts';
import { followToEnd } from '../run/waitForRun.ts';
import { watchRun } from '../run/watchRun.ts';
import { action as apply } from './run/apply.ts';

export const action: Action<typeof FINISH> = async (params, { run: given, json }, io) => {
  const moved = await withDaemon(io, async (client) => {
    const runId = given ?? (await onlyLedRun(io, client));
    return client.call('run.finish', { ...params, runId });
  });
  const { runId } = moved;
  if (json) {
    printJson(io, moved);
    return 0;
  }
  if (!io.inIsTty || !io.outIsTty) {
    io.out(`${await whatFollows(io, runId, moved.changed)}\n`);
    return 0;
  }
  return decideAtGate(io, runId);
};

/** Who it waits for, if the commit does not begin at once. */
async function whatFollows(io: Io, runId: string, isNew: boolean): Promise<string> {
  const { waitingFor } = await withDaemon(io, (client) => client.call('run.get', { runId }));
  const word = isNew ? 'The work' : 'Already said: the work';
  return visible(
    `${word} of run ${shortId(runId)} is finished after ${waitingFor ?? 'its commit'}. See it with devflow show ${shortId(runId)}.`,
  );
}

/** Follows the run to its gate, shows it, and asks what becomes of the work. */
async function decideAtGate(io: Io, runId: string): Promise<number> {
  io.err('Finishing; Ctrl-C leaves the run alone.\n');
  const run = await untilGate(io, runId);
  if (run === undefined) return INTERRUPTED;
  const gate = run.approvals.find((each) => each.state === 'pending' && blocksRun(each));
  if (!gate) {
    io.out(`The run has ended: devflow show ${shortId(runId)}.\n`);
    return run.state === 'completed' ? 0 : 1;
  }
  const approval = await withDaemon(io, (client) => client.call('approval.get', { approvalId: gate.id }));
  printSheet(io, approval);
  const answer = await choose(io, 'Apply the work, go on with the agent, or decide later?', {
    a: 'apply',
    g: 'go on',
    l: 'later',
  } as const);
  if (answer === 'apply') return applyWork(io, approval);
  if (answer === 'go on') return goOn(io, approval);
  io.err(
    `Decide later with devflow approve ${shortId(gate.id)} or devflow changes ${shortId(gate.id)} --comment "…".\n`,
  );
  return 0;
}

async function untilGate(io: Io, runId: string): Promise<RunDetail | undefined> {
  const { signal, release } = onInterrupt();
  const there = new AbortController();
  let found: RunDetail | undefined;
  let said = '';
  try {
    await watchRun({
      connect: () => connectDaemon(io),
      runId,
      signal: AbortSignal.any([signal, there.signal]),
      onChange(run) {
        const isAtGate = run.approvals.some((each) => each.state === 'pending' && blocksRun(each));
        // An agent at rest is named until the commit is made.
        const next = run.waitsForPerson && !isAtGate ? said : (run.waitingFor ?? '');
        if (next !== said && !isAtGate) io.err(`Waiting for ${visible(next)}\n`);
        said = next;
        if (!isAtGate && !isTerminal(run.state)) return;
        found = run;
        there.abort();
      },
    });
    return found;
  } finally {
    release();
  }
}

async function applyWork(io: Io, approval: ApprovalDetail): Promise<number> {
  await decide(io, approval, 'approve');
  const ended = await followToEnd(io, approval.runId);
  if (ended?.state !== 'completed') return ended ? 1 : INTERRUPTED;
  return (await apply({}, { run: approval.runId }, io, 'apply')) ?? 0;
}

async function goOn(io: Io, approval: ApprovalDetail): Promise<number> {
  const comment = await readAnswer(io, 'What should it do?');
  if (comment === undefined || comment === '') {
    io.err('Nothing is changed.\n');
    return 0;
  }
  await decide(io, approval, 'request_changes', comment);
  io.out(`Its agent gets that. Finish again with devflow finish ${shortId(approval.runId)}.\n`);
  return 0;
}

function decide(
  io: Io,
  { id: approvalId, sheet }: ApprovalDetail,
  action: 'approve' | 'request_changes',
  comment?: string,
) {
  return withDaemon(io, (client) =>
    client.call('approval.decide', { approvalId, action, comment, clientToken: randomUUID(), shown: sheet?.shown }),
  );
}
