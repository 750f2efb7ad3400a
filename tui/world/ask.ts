import { randomUUID } from 'node:crypto';
import { listBranches } from '../../cli/client/branches.ts';
import type { Client } from '../../cli/client/connect.ts';
import { editText } from '../../cli/input/editor.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { visible } from '../../schemas/visible.ts';
import { troubleOf } from '../data/reads.ts';
import { STARTING_DAEMON } from '../keys/global.ts';
import type { Trouble } from '../model/data.ts';
import type { TuiEvent } from '../model/event.ts';
import type { Model } from '../model/model.ts';
import { type Ask, type AskCall, type AskStart, type Step, sayTrouble, step, toast } from '../model/step.ts';
import type { Terminal } from '../terminal/blessed.ts';
import { copyText } from './clipboard.ts';
import { completePath, readText } from './files.ts';
import { openInEditor } from './open.ts';
import { devflow, devflowOnTerminal } from './program.ts';
import { runShell } from './shell.ts';

export interface World {
  readonly client: Client | undefined;
  readonly terminal: Terminal;
  readonly cwd: string;
  /** Tokens of starts of which no answer came, by what was asked. */
  readonly unanswered: Map<string, string>;
  send(event: TuiEvent): void;
  connect(): void;
  quit(): void;
}

type Answered = (then: (model: Model) => Step, doing?: string) => void;

/** Does what the model asked for, and tells it what came of it. Never throws. */
export async function doAsk(ask: Ask, world: World): Promise<void> {
  const answered: Answered = (then, doing) => world.send({ type: 'answered', then, doing });
  switch (ask.type) {
    case 'call':
      await callDaemon(ask, world, answered);
      return;
    case 'decide': {
      const params = { ...ask.params, clientToken: randomUUID() };
      await callDaemon({ ...ask, type: 'call', method: 'approval.decide', params } as AskCall, world, answered);
      return;
    }
    case 'start':
      return startRun(ask, world, answered);
    case 'attach': {
      const words = ['attach', ask.sessionId, ...(ask.readOnly ? ['--read-only'] : [])];
      const why = await world.terminal.lend(() => devflowOnTerminal(words));
      return answered((model) => step(why === undefined ? model : sayTrouble(model, why)));
    }
    case 'edit': {
      const text = await world.terminal.lend(() => editText(ask.text, ask.suffix)).catch(troubleOf);
      return answered((model) => (typeof text === 'string' ? ask.then(model, text) : step(sayTrouble(model, text))));
    }
    case 'copy': {
      const copied = await copyText(ask.text, world.terminal.send);
      const shown = visible(ask.text);
      return answered((model) =>
        step(
          'to' in copied
            ? toast(model, 'good', `Copied the ${ask.what} to ${copied.to}: ${shown}`)
            : toast(model, 'bad', `The ${ask.what} is not copied: ${copied.why}: ${shown}`),
        ),
      );
    }
    case 'open': {
      const said = await world.terminal.lend(() => openInEditor(ask)).catch(troubleOf);
      return answered((model) =>
        step(typeof said === 'string' ? toast(model, 'warn', said) : said ? sayTrouble(model, said) : model),
      );
    }
    case 'shell': {
      const why = await world.terminal.lend(() => runShell(ask)).catch(troubleOf);
      return answered((model) => step(why ? sayTrouble(model, why) : model));
    }
    case 'readFile': {
      const text = await readText(ask.path, world.cwd).catch(troubleOf);
      return answered((model) => ask.then(model, text));
    }
    case 'complete': {
      const names = await completePath(ask.path, world.cwd, ask.only);
      return answered((model) => ask.then(model, names));
    }
    case 'branches': {
      const names = await listBranches(ask.repo, world.cwd);
      return answered((model) => ask.then(model, names));
    }
    case 'connect':
      return world.connect();
    case 'startDaemon': {
      world.send({ type: 'asked', doing: STARTING_DAEMON });
      const why = await devflow(['up']);
      answered(step, STARTING_DAEMON);
      if (why === undefined) return world.connect();
      return world.send({ type: 'link', link: { state: 'none', starting: false, why: said(why) } });
    }
    case 'quit':
      return world.quit();
    default:
      return ask satisfies never;
  }
}

/** Asked for again after a connection was lost, it is the same run: that one may have been started. */
async function startRun(ask: AskStart, world: World, answered: Answered): Promise<void> {
  const { unanswered } = world;
  const key = JSON.stringify(ask.params);
  const clientToken = unanswered.get(key) ?? randomUUID();
  unanswered.set(key, clientToken);
  const params = { ...ask.params, dryRun: false, clientToken };
  const trouble = await callDaemon({ ...ask, type: 'call', method: 'run.start', params } as AskCall, world, answered);
  if (trouble?.code !== 'daemon_not_running') unanswered.delete(key);
}

/** Resolves with what went wrong. */
async function callDaemon(
  { method, params, doing, then, failed }: AskCall,
  { client, send }: World,
  answered: Answered,
): Promise<Trouble | undefined> {
  send({ type: 'asked', doing });
  try {
    if (!client) throw new DevflowError('daemon_not_running', 'the daemon is away');
    const result = await client.request(method, params);
    answered((model) => then(model, result as never), doing);
    return undefined;
  } catch (error) {
    const trouble = troubleOf(error);
    answered((model) => failed?.(model, trouble) ?? step(sayTrouble(model, trouble)), doing);
    return trouble;
  }
}

function said({ message, hint }: Trouble): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
