import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { RunMoved } from '../../../schemas/rpc/views/run.ts';
import { ABORT_DETAIL } from '../../../schemas/states/gate.ts';
import { movedSentence } from '../../../schemas/states/movedSentence.ts';
import { runState } from '../../../schemas/states/run.ts';
import { calls, withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { confirmEnd, DECLINED } from '../../input/confirm.ts';
import { usage } from '../../input/parse.ts';
import type { Io } from '../../io/io.ts';
import { shortId } from '../../print/text.ts';

/** Commands that move a run. */
export const actions: Pick<Run, 'pause' | 'resume' | 'abort' | 'move' | 'skip' | 'reopen' | 'progress'> = {
  pause: calls('run.pause', printState),
  resume: calls('run.resume', printState),
  async abort(params, own, io) {
    const isSure = await confirmAbort(io, params.runId, own.yes);
    return isSure ? calls('run.abort', printState)(params, own, io) : DECLINED;
  },
  move: ({ runId, before, after, release }, { first, last, json }, io) => {
    if (first && last) throw usage('say either --first or --last');
    const to = first ? ('first' as const) : last ? ('last' as const) : undefined;
    const print = (_: Io, moved: RpcResult<'run.move'>) => io.out(queueSentence(moved));
    return calls('run.move', print)({ runId, before, after, release, ...defined({ to }) }, { json }, io);
  },
  skip: calls('run.skip', (io, { runId, changed }, { phase }) =>
    io.out(`${changed ? 'Skipped' : 'Already skipped:'} ${phase} of run ${runId}.\n`),
  ),
  reopen: calls('run.reopen', (io, { runId }, { lane }) =>
    io.out(`${lane} of run ${runId} is taken up again, with the tasks that depend on it.\n`),
  ),
  progress: calls('run.progress', (io, { runId }) => io.out(`Recorded for run ${runId}.\n`)),
};

function printState(io: Io, moved: RunMoved): void {
  io.out(`${movedSentence(moved)}\n`);
}

function confirmAbort(io: Io, ref: string, yes?: boolean): Promise<boolean> {
  return withDaemon(io, async (client) => {
    const { runId, state } = await client.call('run.get', { runId: ref });
    if (isTerminal(state)) return true;
    return confirmEnd(io, {
      question: `Abort the run ${shortId(runId)}? Its state is ${runState({ state }).word}.`,
      detail: ABORT_DETAIL,
      yes,
    });
  });
}

function queueSentence({ runId, queue, changed }: RpcResult<'run.move'>): string {
  const run = `Run ${shortId(runId)}`;
  if (!queue) return `${run} begins.\n`;
  const { position, of, after } = queue;
  const waits = after === undefined ? '' : ` It still waits for run ${shortId(after)}; --release ends that.`;
  return `${run} is ${changed ? 'now ' : ''}${position} of ${of} in the queue.${waits}\n`;
}
