import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ApiError } from './apiError.ts';
import type { Model, Toast } from './model.ts';

/** A side effect that the model wants. `effects/` runs it and reports the result as an event. */
export type Command =
  | CallCommand
  | DecideCommand
  | StartCommand
  /** Lends the terminal to `devflow attach`. */
  | { readonly type: 'attach'; readonly sessionId: string; readonly readOnly: boolean }
  /** Lends the terminal to the person's editor. */
  | {
      readonly type: 'edit';
      readonly text: string;
      readonly suffix: string;
      readonly then: (model: Model, text: string) => Step;
    }
  | CopyCommand
  | OpenCommand
  /** Lends the terminal to a shell in a worktree. */
  | { readonly type: 'shell'; readonly path: string; readonly label: string }
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
  | { readonly type: 'connect' }
  | { readonly type: 'startDaemon' }
  | { readonly type: 'quit' };

/** Copies to the clipboard and the tmux buffer. `what` names it in the toast: `branch`. */
export interface CopyCommand {
  readonly type: 'copy';
  readonly what: string;
  readonly text: string;
}

/** Opens an existing path in the person's editor. */
export interface OpenCommand {
  readonly type: 'open';
  readonly what: string;
  readonly path: string;
  /** A copy is read-only. A file must be inside `root`, also after links are resolved. */
  readonly as: 'directory' | 'file' | 'copy';
  readonly root?: string | undefined;
  /** Where to put the cursor, if the editor can. */
  readonly line?: number | undefined;
}

export interface CallCommand<N extends MethodName = MethodName> {
  readonly type: 'call';
  readonly method: N;
  readonly params: RpcParams<N>;
  /** Shown in the footer while it runs. */
  readonly doing: string;
  readonly then: (model: Model, result: RpcResult<N>) => Step;
  /** Absent: a toast shows the error. */
  readonly failed?: (model: Model, error: ApiError) => Step;
}

/** A decision of a person. The model is pure, so `effects/` adds the random token. */
export interface DecideCommand extends Pick<CallCommand<'approval.decide'>, 'doing' | 'then' | 'failed'> {
  readonly type: 'decide';
  readonly params: Omit<RpcParams<'approval.decide'>, 'clientToken'>;
}

/** The start of a run. `effects/` adds the token, and reuses it if the first try may have started the run. */
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

/** A call. `then` gets the result type of the method. */
export function call<N extends MethodName>(
  method: N,
  params: RpcParams<N>,
  more: Pick<CallCommand<N>, 'doing' | 'then' | 'failed'>,
): Command {
  return { type: 'call', method, params, ...more } as unknown as Command;
}

const TOAST_MS: Readonly<Record<Toast['tone'], number>> = { good: 4_000, warn: 8_000, bad: 10_000 };
const MAX_TOASTS = 4;

/** One that would stay for longer than any is from before the clock was set back. */
export function isShown({ until }: Toast, now: number): boolean {
  return until > now && until - now <= Math.max(...Object.values(TOAST_MS));
}

/** Shows a message for some seconds. The same text is never shown twice. */
export function toast(model: Model, tone: Toast['tone'], text: string, gates?: number): Model {
  const id = model.lastToast + 1;
  const added = { id, tone, text, until: model.now + TOAST_MS[tone], gates };
  const others = model.toasts.filter((each) => each.text !== text);
  return { ...model, lastToast: id, toasts: [...others, added].slice(-MAX_TOASTS) };
}

export function toastError(model: Model, { message, hint }: ApiError): Model {
  return toast(model, 'bad', hint === undefined ? message : `${message} ${hint}`);
}
/** The `doing` text while the daemon starts. */
export const STARTING_DAEMON = 'starting the daemon';
