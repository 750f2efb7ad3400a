import { randomUUID } from 'node:crypto';
import type { Client } from '../../cli/client/connect.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { troubleOf } from '../data/reads.ts';
import type { Trouble } from '../model/data.ts';
import type { TuiEvent } from '../model/event.ts';
import type { Model } from '../model/model.ts';
import { type Ask, type AskCall, type Step, sayTrouble, step } from '../model/step.ts';
import type { Terminal } from '../terminal/blessed.ts';
import { editText } from './editor.ts';
import { completePath, readText } from './files.ts';
import { listBranches } from './git.ts';
import { devflow, devflowOnTerminal } from './program.ts';

export interface World {
  readonly client: Client | undefined;
  readonly terminal: Terminal;
  readonly cwd: string;
  send(event: TuiEvent): void;
  connect(): void;
  quit(): void;
}

/** Does what the model asked for, and tells it what came of it. Never throws. */
export async function doAsk(ask: Ask, world: World): Promise<void> {
  const answered = (then: (model: Model) => Step, doing?: string) => world.send({ type: 'answered', then, doing });
  switch (ask.type) {
    case 'call':
      return callDaemon(ask, world, answered);
    case 'decide': {
      const params = { ...ask.params, clientToken: randomUUID() };
      return callDaemon({ ...ask, type: 'call', method: 'approval.decide', params } as AskCall, world, answered);
    }
    case 'attach': {
      const words = ['attach', ask.sessionId, ...(ask.readOnly ? ['--read-only'] : [])];
      const why = await world.terminal.lend(() => devflowOnTerminal(words));
      return answered((model) => step(why === undefined ? model : sayTrouble(model, why)));
    }
    case 'edit': {
      const text = await world.terminal.lend(() => editText(ask.text, ask.suffix)).catch(troubleOf);
      return answered((model) => (typeof text === 'string' ? ask.then(model, text) : step(sayTrouble(model, text))));
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
      const why = await devflow(['up']);
      if (why === undefined) return world.connect();
      return world.send({ type: 'link', link: { state: 'none', starting: false, why: said(why) } });
    }
    case 'quit':
      return world.quit();
    default:
      return ask satisfies never;
  }
}

async function callDaemon(
  { method, params, doing, then, failed }: AskCall,
  { client, send }: World,
  answered: (then: (model: Model) => Step, doing?: string) => void,
): Promise<void> {
  send({ type: 'asked', doing });
  try {
    if (!client) throw new DevflowError('daemon_not_running', 'the daemon is away');
    const result = await client.request(method, params);
    answered((model) => then(model, result as never), doing);
  } catch (error) {
    const trouble = troubleOf(error);
    answered((model) => failed?.(model, trouble) ?? step(sayTrouble(model, trouble)), doing);
  }
}

function said({ message, hint }: Trouble): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
