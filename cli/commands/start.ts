import { isTerminal } from '../../schemas/names.ts';
import type { AttachTarget } from '../attach/runAttach.ts';
import { showPane } from '../attach/show.ts';
import { connectDaemon, readDaemon, withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../define/command.ts';
import type { START } from '../define/start.ts';
import { backendsOf, LED } from '../input/ledStart.ts';
import { usage } from '../input/parse.ts';
import { areGiven, readRequirements } from '../input/requirements.ts';
import { onInterrupt } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { startedSentence } from '../print/run/startNotes.ts';
import { shortId } from '../print/text.ts';
import { watchRun } from '../run/watchRun.ts';
import { startRun } from './run/start.ts';
import { action as up } from './up.ts';

export const action: Action<typeof START> = async (params, { text, attach, backend, ...options }, io) => {
  if (text.length > 0 && (areGiven(options) || options.each !== undefined))
    throw usage('give what to do in one way: as words, -m, --requirements or --each');
  const isLed = params.template === undefined;
  if (attach && (options.wait || options.json || options.each !== undefined))
    throw usage('--attach goes with none of --wait, --json and --each');
  await ensureDaemon(io);
  const all = { ...params, template: params.template ?? LED, backend: backendsOf(backend, isLed) };
  return startRun(io, all, options, {
    async readGiven() {
      if (text.length > 0) return text.join(' ');
      return areGiven(options) ? readRequirements(io, options) : isLed ? '' : undefined;
    },
    said: isLed ? ledSentence : startedSentence,
    onceStarted: async (runId) => (attach ? attachOnceThere(io, runId) : undefined),
  });
};

function ledSentence(started: Parameters<typeof startedSentence>[0]): string {
  const id = shortId(started.runId);
  const [first = ''] = startedSentence(started).split(' Follow it');
  return `${first}
Go to its agent with devflow attach ${id}, or write to it: devflow message ${id} "…".
Say that its work is finished with devflow finish ${id}.
`;
}

/** A first start needs no other command before it. What this says goes to standard error. */
async function ensureDaemon(io: Io): Promise<void> {
  if (await readDaemon(io, () => Promise.resolve(true))) return;
  await up({}, {}, { ...io, out: io.err }, 'up');
}

/** Waits until the agent of a run has a pane, and shows it. Ctrl-C ends the wait; the run goes on. */
async function attachOnceThere(io: Io, runId: string): Promise<void> {
  const { signal, release } = onInterrupt();
  const there = new AbortController();
  let target: AttachTarget | undefined;
  io.err('Waiting for its agent; Ctrl-C leaves it alone.\n');
  try {
    const ended = await watchRun({
      connect: () => connectDaemon(io),
      runId,
      signal: AbortSignal.any([signal, there.signal]),
      onChange: async ({ state }) => {
        target = isTerminal(state) ? undefined : await paneOf(io, runId);
        if (target) there.abort();
      },
    });
    if (ended) io.err(`The run has ended: devflow show ${shortId(runId)}.\n`);
  } finally {
    release();
  }
  if (target) await showPane(io, target, { readOnly: false });
}

/** Undefined before its agent starts. */
async function paneOf(io: Io, runId: string): Promise<AttachTarget | undefined> {
  return withDaemon(io, async (client) => {
    const target = await client.call('session.attachTarget', { target: runId }).catch(() => undefined);
    return target;
  });
}
