import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ApiError } from './apiError.ts';
import type { Model, Toast } from './model.ts';

/** What the model asks of the world. The app does it; what comes of it is told by an event. */
export type Command =
  | CallCommand
  | DecideCommand
  | StartCommand
  /** Gives the terminal to `devflow attach`, and comes back afterwards. */
  | { readonly type: 'attach'; readonly sessionId: string; readonly readOnly: boolean }
  /** Gives the terminal to the person's editor. */
  | {
      readonly type: 'edit';
      readonly text: string;
      readonly suffix: string;
      readonly then: (model: Model, text: string) => Step;
    }
  | CopyCommand
  | OpenCommand
  /** Gives the terminal to a shell in that worktree. */
  | { readonly type: 'shell'; readonly path: string; readonly label: string }
  /** Reads a file of the person's, or lists names that complete a path. */
  | {
      readonly type: 'readFile';
      readonly path: string;
      readonly then: (model: Model, text: string | ApiError) => Step;
    }
  | {
      readonly type: 'complete';
      readonly path: string;
      readonly only: 'directories' | 'files';
      readonly then: (model: Model, names: readonly string[]) => Step;
    }
  | {
      readonly type: 'branches';
      readonly repo: string;
      readonly then: (model: Model, names: readonly string[]) => Step;
    }
  /** Tries again to reach the daemon. */
  | { readonly type: 'connect' }
  | { readonly type: 'startDaemon' }
  | { readonly type: 'quit' };

/** To the clipboard and the tmux buffer. `what` says what it is: `branch`. */
export interface CopyCommand {
  readonly type: 'copy';
  readonly what: string;
  readonly text: string;
}

/** Gives the terminal to the person's editor, on something that is there already. */
export interface OpenCommand {
  readonly type: 'open';
  readonly what: string;
  readonly path: string;
  /** A copy where nobody may change it; a file only inside `root`, wherever links lead. */
  readonly as: 'directory' | 'file' | 'copy';
  readonly root?: string | undefined;
}

export interface CallCommand<N extends MethodName = MethodName> {
  readonly type: 'call';
  readonly method: N;
  readonly params: RpcParams<N>;
  /** Shown while it is under way. */
  readonly doing: string;
  readonly then: (model: Model, result: RpcResult<N>) => Step;
  /** Absent: a toast says what went wrong. */
  readonly failed?: (model: Model, error: ApiError) => Step;
}

/** A decision of a person. The performer gives it its token, which is random and so none of the model's. */
export interface DecideCommand extends Pick<CallCommand<'approval.decide'>, 'doing' | 'then' | 'failed'> {
  readonly type: 'decide';
  readonly params: Omit<RpcParams<'approval.decide'>, 'clientToken'>;
}

/** The start of a run. Its token is the performer's, too: one that may have come to something is asked for with it again. */
export interface StartCommand extends Pick<CallCommand<'run.start'>, 'doing' | 'then' | 'failed'> {
  readonly type: 'start';
  readonly params: Omit<RpcParams<'run.start'>, 'clientToken' | 'dryRun'>;
}

export interface Step {
  readonly model: Model;
  readonly commands: readonly Command[];
}

export function step(model: Model, ...commands: Command[]): Step {
  return { model, commands };
}

/** A call whose answer has the method's type. */
export function call<N extends MethodName>(
  method: N,
  params: RpcParams<N>,
  more: Pick<CallCommand<N>, 'doing' | 'then' | 'failed'>,
): Command {
  return { type: 'call', method, params, ...more } as unknown as Command;
}

const TOAST_MS: Readonly<Record<Toast['tone'], number>> = { good: 4_000, warn: 8_000, bad: 10_000 };
const MOST_TOASTS = 4;

/** Says something in passing; what is said again is there once. */
export function toast(model: Model, tone: Toast['tone'], text: string, gates?: number): Model {
  const id = model.lastToast + 1;
  const news = { id, tone, text, until: model.now + TOAST_MS[tone], gates };
  const others = model.toasts.filter((each) => each.text !== text);
  return { ...model, lastToast: id, toasts: [...others, news].slice(-MOST_TOASTS) };
}

export function toastError(model: Model, { message, hint }: ApiError): Model {
  return toast(model, 'bad', hint === undefined ? message : `${message} ${hint}`);
}
/** What is under way while the daemon starts. */
export const STARTING_DAEMON = 'starting the daemon';
