import { ABORT_DETAIL } from '../../schemas/states/gate.ts';
import { runState } from '../../schemas/states/run.ts';
import { isTerminal } from '../../schemas/terminalStates.ts';
import type { Client } from '../client/connect.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import { confirmEnd, DECLINED } from '../input/confirm.ts';
import type { Action, Io } from '../io/io.ts';
import { paintState, printJson } from '../print/output.ts';
import { shortId } from '../print/text.ts';

const METHODS = { pause: 'run.pause', resume: 'run.resume', abort: 'run.abort' } as const;

interface Options {
  json?: boolean;
  reason?: string;
  yes?: boolean;
}

/** `run pause`, `run resume` and `run abort`. */
export const action: Action = async ([runId]: [string], { json, reason, yes }: Options, io, name) => {
  const method = METHODS[name as keyof typeof METHODS];
  return withDaemon(io, async (client) => {
    if (name === 'abort' && !(await confirmAbort(io, client, runId, yes))) return DECLINED;
    const moved = await client.call(method, { runId, reason });
    if (json) printJson(io, moved);
    else
      io.out(
        `The state of run ${moved.runId} ${moved.changed ? 'is now' : 'was already'} ${paintState(io, runState(moved))}.\n`,
      );
    return 0;
  });
};

async function confirmAbort(io: Io, client: Client, ref: string, yes?: boolean): Promise<boolean> {
  const { runId, state } = await client.call('run.get', { runId: ref });
  if (isTerminal(state)) return true;
  return confirmEnd(io, {
    question: `Abort the run ${shortId(runId)}? Its state is ${runState({ state }).word}.`,
    detail: ABORT_DETAIL,
    yes,
  });
}
