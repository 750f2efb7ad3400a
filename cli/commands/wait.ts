import { DevflowError } from '../../schemas/errors.ts';
import { decidable } from '../../schemas/gates/decidable.ts';
import { blocksRun } from '../../schemas/gates/gateKinds.ts';
import { isTerminal } from '../../schemas/names.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { runState } from '../../schemas/states/run.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { connectDaemon, withDaemon } from '../daemon/withDaemon.ts';
import type { Wait } from '../define/run.ts';
import { onlyRun } from '../input/onlyOne.ts';
import { usage } from '../input/parse.ts';
import { INTERRUPTED, onInterrupt } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { shortId, visible } from '../print/text.ts';
import { type Look, lookAtAny, lookAtRun } from '../run/lookForPerson.ts';
import { type WaitLimit, waitTimedOut } from '../run/waitForRun.ts';
import { watchState } from '../run/watchState.ts';

/** A person is needed. No error has this code: the wait did what it should. */
const PERSON_NEEDED = 7;

export const action: Wait = async (_params, { run: named, any, timeout, json }, io) => {
  if (any && named !== undefined) throw usage('name a run or give --any, not both');
  const runId = any ? undefined : await withDaemon(io, (client) => resolveRun(io, client, named));
  let seen: RunDetail | undefined;
  const look =
    runId === undefined
      ? lookAtAny()
      : lookAtRun(runId, (now) => {
          seen = now;
        });
  const found = await waitFor(io, look, timeout);
  if (found === 'interrupted') return INTERRUPTED;
  if (found === 'late') throw timedOut(runId, timeout as WaitLimit, seen);
  if (json) printJson(io, { why: isTerminal(found.state) ? 'ended' : 'person', run: found });
  else io.out(`${sentence(found)}\n`);
  return exitCodeOf(found);
};

type Resolving = Parameters<typeof onlyRun>[1];

/** The whole id: changes name runs by it. */
async function resolveRun(io: Io, client: Resolving, named: string | undefined): Promise<string> {
  if (named === undefined) return onlyRun(io, client, 'any');
  return (await client.call('run.get', { runId: named })).runId;
}

async function waitFor(io: Io, look: Look, limit: WaitLimit | undefined): Promise<RunDetail | 'interrupted' | 'late'> {
  const { signal, release } = onInterrupt();
  const late = new AbortController();
  const timer = limit && setTimeout(() => late.abort(), limit.ms);
  try {
    const found = await watchState({
      connect: () => connectDaemon(io),
      ...look,
      onAway: () => io.err('The daemon does not answer. Waiting for it.\n'),
      signal: AbortSignal.any([signal, late.signal]),
    });
    return found ?? (signal.aborted ? 'interrupted' : 'late');
  } finally {
    clearTimeout(timer);
    release();
  }
}

function timedOut(runId: string | undefined, limit: WaitLimit, seen: RunDetail | undefined): DevflowError {
  if (runId !== undefined) return waitTimedOut(runId, limit, seen);
  return new DevflowError('wait_timeout', `no run has ended or needs a person after ${limit.text}`, {
    recoveryHint: 'The runs go on. See them with devflow ls.',
  });
}

function exitCodeOf({ state }: RunDetail): number {
  if (!isTerminal(state)) return PERSON_NEEDED;
  return state === 'completed' ? 0 : 1;
}

/** One line, for a status bar as well. */
function sentence(run: RunDetail): string {
  const name = `run ${shortId(run.runId)} (${visible(run.title)})`;
  if (!isTerminal(run.state)) {
    const need = inWords(run.waitingFor ?? 'it waits');
    // That of an agent or of a message names its command.
    return `${name} needs you: ${need}${NAMES_COMMAND.test(need) ? '' : `. ${howToGoOn(run)}`}`;
  }
  const why = run.reason && run.state !== 'completed' ? `: ${inWords(run.reason).replace(/\.$/, '')}` : '';
  return `${name}: ${runState(run).word}${why}`;
}

function inWords(text: string): string {
  return visible(withLocalTimes(text));
}

const NAMES_COMMAND = /(^|: )devflow [a-z ]+( [\da-f]+)?$/;

function howToGoOn({ runId, state, approvals }: RunDetail): string {
  const gate = approvals.find((each) => blocksRun(each) && decidable(each, state).length > 0);
  return gate ? `devflow approval show ${shortId(gate.id)}` : `devflow run show ${shortId(runId)}`;
}
