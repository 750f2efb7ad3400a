import { randomUUID } from 'node:crypto';
import type { Client } from '../../cli/client/connect.ts';
import { listBranches } from '../../cli/client/listBranches.ts';
import { editText, keepText } from '../../cli/input/editor.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { visible } from '../../schemas/text/visible.ts';
import { type ApiError, toApiError } from '../model/apiError.ts';
import type { TuiEvent } from '../model/event.ts';
import {
  type CallCommand,
  type Command,
  type Model,
  STARTING_DAEMON,
  type StartCommand,
  type Step,
  step,
} from '../model/model.ts';
import { toast, toastError } from '../model/toast.ts';
import type { Terminal } from '../terminal/blessed.ts';
import { copyText } from './clipboard.ts';
import { devflow, devflowOnTerminal } from './devflowProcess.ts';
import { changeDrafts, sendReview } from './drafts.ts';
import { completePath, readText } from './files.ts';
import { openInEditor } from './openInEditor.ts';
import { runShell } from './shell.ts';

export interface CommandContext {
  readonly client: Client | undefined;
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly stateDir: string;
  /** Tokens of starts that were not answered, by their parameters. */
  readonly unanswered: Map<string, string>;
  send(event: TuiEvent): void;
  connect(): void;
  quit(): void;
}

type Answered = (then: (model: Model) => Step, doing?: string) => void;

/** Runs a command and sends its result to the model. Never throws. */
export async function runCommand(command: Command, context: CommandContext): Promise<void> {
  const answered: Answered = (then, doing) => context.send({ type: 'commandEnded', then, doing });
  switch (command.type) {
    case 'call':
      await callDaemon(command, context, answered);
      return;
    case 'decide': {
      const params = { ...command.params, clientToken: randomUUID() };
      await callDaemon(
        { ...command, type: 'call', method: 'approval.decide', params } as CallCommand,
        context,
        answered,
      );
      return;
    }
    case 'drafts':
      return changeDrafts(command, context);
    case 'sendReview':
      return sendReview(command, context);
    case 'start':
      return startRun(command, context, answered);
    case 'attach': {
      const words = ['attach', command.sessionId, ...(command.readOnly ? ['--read-only'] : [])];
      const why = await context.terminal.lend(() => devflowOnTerminal(words));
      return answered((model) => step(why === undefined ? model : toastError(model, why)));
    }
    case 'edit': {
      const text = await context.terminal.lend(() => editText(command.text, command.suffix)).catch(toApiError);
      return answered((model) =>
        typeof text === 'string'
          ? command.then(model, text)
          : (command.failed?.(model, text) ?? step(toastError(model, text))),
      );
    }
    case 'keepText': {
      const kept = await keepText(command.text, command.name).catch(toApiError);
      return answered((model) =>
        step(
          typeof kept === 'string'
            ? toast(model, 'warn', `Your text is kept: ${visible(kept)}`)
            : toastError(model, kept),
        ),
      );
    }
    case 'copy': {
      const copied = await copyText(command.text, context.terminal.send);
      const shown = visible(command.text);
      return answered((model) =>
        step(
          'to' in copied
            ? toast(model, 'good', `Copied the ${command.what} to ${copied.to}: ${shown}`)
            : toast(model, 'bad', `The ${command.what} was not copied: ${copied.why}: ${shown}`),
        ),
      );
    }
    case 'open': {
      const said = await context.terminal.lend(() => openInEditor(command)).catch(toApiError);
      return answered((model) =>
        step(typeof said === 'string' ? toast(model, 'warn', said) : said ? toastError(model, said) : model),
      );
    }
    case 'shell': {
      const why = await context.terminal.lend(() => runShell(command)).catch(toApiError);
      return answered((model) => step(why ? toastError(model, why) : model));
    }
    case 'readFile': {
      const text = await readText(command.path, context.cwd).catch(toApiError);
      return answered((model) => command.then(model, text));
    }
    case 'complete': {
      const names = await completePath(command.path, context.cwd, command.only);
      return answered((model) => command.then(model, names));
    }
    case 'branches': {
      const names = await listBranches(command.repo, context.cwd);
      return answered((model) => command.then(model, names));
    }
    case 'connect':
      return context.connect();
    case 'startDaemon': {
      context.send({ type: 'commandStarted', doing: STARTING_DAEMON });
      const why = await devflow(['up']);
      answered(step, STARTING_DAEMON);
      if (why === undefined) return context.connect();
      return context.send({ type: 'link', link: { state: 'none', starting: false, why: errorText(why) } });
    }
    case 'quit':
      return context.quit();
    default:
      return command satisfies never;
  }
}

/** A start that lost its connection keeps its token: trying again never starts a second run. */
async function startRun(command: StartCommand, context: CommandContext, answered: Answered): Promise<void> {
  const { unanswered } = context;
  const key = JSON.stringify(command.params);
  const clientToken = unanswered.get(key) ?? randomUUID();
  unanswered.set(key, clientToken);
  const params = { ...command.params, dryRun: false, clientToken };
  const error = await callDaemon(
    { ...command, type: 'call', method: 'run.start', params } as CallCommand,
    context,
    answered,
  );
  if (error?.code !== 'daemon_not_running') unanswered.delete(key);
}

/** Resolves with the error, if there is one. */
async function callDaemon(
  { method, params, doing, then, failed }: CallCommand,
  { client, send }: CommandContext,
  answered: Answered,
): Promise<ApiError | undefined> {
  send({ type: 'commandStarted', doing });
  try {
    if (!client) throw new DevflowError('daemon_not_running', 'the connection to the daemon is lost');
    const result = await client.request(method, params);
    answered((model) => then(model, result as never), doing);
    return undefined;
  } catch (error) {
    const apiError = toApiError(error);
    answered((model) => failed?.(model, apiError) ?? step(toastError(model, apiError)), doing);
    return apiError;
  }
}

function errorText({ message, hint }: ApiError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
