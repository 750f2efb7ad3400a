import { isTerminal } from '../../schemas/names.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import { shellWord, visible } from '../../schemas/text/visible.ts';
import type { AttachTarget } from '../attach/runAttach.ts';
import { showPane } from '../attach/show.ts';
import type { Client } from '../client/connect.ts';
import { connectDaemon, readDaemon, withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../define/command.ts';
import type { START } from '../define/start.ts';
import { confirm } from '../input/confirm.ts';
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
  if (params.here && options.each !== undefined) throw usage('--here goes with one run, so not with --each');
  await ensureDaemon(io);
  const all = { ...params, template: params.template ?? LED, backend: backendsOf(backend, isLed) };
  return startRun(io, all, options, {
    async readGiven() {
      if (text.length > 0) return text.join(' ');
      return areGiven(options) ? readRequirements(io, options) : isLed ? '' : undefined;
    },
    mayStart: async (client, request) => !params.here || options.yes || agreesToCheckout(io, client, request),
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

/** Asks before an agent works in the checkout. The question names what devflow itself does there. */
async function agreesToCheckout(io: Io, client: Client, request: RpcParams<'run.start'>): Promise<boolean> {
  const plan = await client.call('run.start', { ...request, dryRun: true });
  if (!('dryRun' in plan)) return false;
  const { repoPath, baseBranch, phases, warnings } = plan;
  const commands = phases.flatMap((phase) =>
    phase.commands.map((argv) => argv.map((word) => shellWord(word)).join(' ')),
  );
  const lines = [
    `The agent works in your checkout ${visible(repoPath)}, on ${visible(baseBranch)}. It changes your files while it works.`,
    'devflow itself changes no file, branch or setting there. Its snapshots are commits that only refs/devflow keeps.',
    commands.length === 0 ? 'devflow finish runs no command.' : `devflow finish runs there: ${commands.join('; ')}.`,
    ...warnings.map((each) => visible(each)),
  ];
  io.err(lines.map((each) => `${each}\n`).join(''));
  return confirm(io, 'Start in your checkout?', {
    message: `A run in your checkout ${repoPath} needs your word, and there is no terminal to ask on.`,
    hint: 'Confirm with --yes, or leave out --here.',
  });
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
