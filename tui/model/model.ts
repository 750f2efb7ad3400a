import type { Draft, DraftAct, Review, ReviewedGate, Sending } from '../../schemas/comments/draft.ts';
import { SCREENS } from '../../schemas/names.ts';
import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Line } from '../text/line.ts';
import type { ApiError } from './apiError.ts';
import type { Field } from './field.ts';
import type { Data } from './query.ts';

export { SCREENS };
export type ScreenId = (typeof SCREENS)[number];

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The connection to the daemon. */
export type Link =
  | { readonly state: 'connecting' | 'up' }
  /** The connection was lost; the dashboard reconnects. `why`: a sentence of the keeper of the daemon. */
  | { readonly state: 'away'; readonly since: number; readonly why?: string }
  /** No daemon answers. */
  | { readonly state: 'none'; readonly starting: boolean; readonly why: string }
  | { readonly state: 'other version'; readonly theirs: string; readonly ours: string };

/** The first `count` events of the array, oldest first. Later models share the array, which only grows. */
export interface Log {
  readonly events: readonly EventView[];
  readonly count: number;
}

/** The output of an agent's pane, rendered. */
export interface Transcript {
  readonly lines: readonly Line[];
  readonly count: number;
  /** False until the existing output is read. */
  readonly complete: boolean;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
  readonly until: number;
  /** The number of new gates that this toast announces. */
  readonly gates?: number;
}

export interface Place {
  readonly screen: ScreenId;
  /** The id of the run, approval or session it shows. */
  readonly id?: string;
}

/**
 * Everything that decides what is on screen. It knows no terminal, socket or clock. Overlays and commands name the step to the
 * next model, so they stand in this file.
 */
export interface Model {
  readonly size: Size;
  /** The time of the last event, in milliseconds since the epoch. */
  readonly now: number;
  readonly version: string;
  readonly cwd: string;
  readonly link: Link;
  readonly place: Place;
  /** The places `back` returns to, newest last. */
  readonly history: readonly Place[];
  readonly data: Data;
  readonly logs: ReadonlyMap<string, Log>;
  readonly transcripts: ReadonlyMap<string, Transcript>;
  /** What the person has written at gates and not sent, by the gate. */
  readonly reviews: ReadonlyMap<string, Review>;
  /** The state of each screen, by its name and place. See `screenState`. */
  readonly states: ReadonlyMap<string, unknown>;
  readonly overlay: Overlay | undefined;
  readonly toasts: readonly Toast[];
  readonly lastToast: number;
  /** The `doing` texts of the requests in flight. */
  readonly busy: readonly string[];
}

export function initialModel(given: Pick<Model, 'size' | 'now' | 'version' | 'cwd'> & { place: Place }): Model {
  return {
    ...given,
    link: { state: 'connecting' },
    history: [],
    data: new Map(),
    logs: new Map(),
    transcripts: new Map(),
    reviews: new Map(),
    states: new Map(),
    overlay: undefined,
    toasts: [],
    lastToast: 0,
    busy: [],
  };
}

/** One item to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** A short description next to the label. */
  readonly description?: string;
}

/** An answer to a question. */
export interface Reply {
  readonly key: string;
  readonly label: string;
  readonly then: (model: Model) => Step;
}

/** A window over the screen that gets every key. */
export type Overlay =
  | {
      readonly kind: 'confirm';
      /** Absent: `Are you sure?`. */
      readonly title?: string;
      readonly question: string;
      /** The consequences of yes, and what stays as it is. */
      readonly detail?: string;
      /** The affected items. A long list can be scrolled. */
      readonly list?: readonly Line[];
      readonly top?: number;
      /** The key that confirms. Every other key cancels. */
      readonly yes: string;
      /** The action of the key, such as `abort the run`. */
      readonly label?: string;
      readonly then: (model: Model) => Step;
      /** Further answers, each with a key of its own. */
      readonly others?: readonly Reply[];
    }
  | {
      readonly kind: 'input';
      readonly title: string;
      readonly field: Field;
      /** False: Enter does nothing while the field is empty. */
      readonly mayBeEmpty: boolean;
      /** A sentence below the field. */
      readonly description?: string;
      /** The action of Enter. Absent: `send`. */
      readonly label?: string;
      /** Ctrl-J begins a new line. */
      readonly manyLines?: true;
      /** Ctrl-E goes on with the text in the person's editor. */
      readonly editor?: (model: Model, text: string) => Step;
      /** Tab completes a path. */
      readonly complete?: 'files' | 'directories';
      /** The names that Tab found. */
      readonly names?: readonly string[];
      readonly then: (model: Model, text: string) => Step;
    }
  | {
      readonly kind: 'choose';
      readonly title: string;
      readonly choices: readonly Choice[];
      readonly field: Field;
      readonly selected: number;
      readonly then: (model: Model, value: string) => Step;
    }
  | { readonly kind: 'palette'; readonly field: Field; readonly selected: number }
  /** A text to read. Any key that does not scroll closes it. */
  | { readonly kind: 'message'; readonly title: string; readonly lines: readonly Line[]; readonly top: number }
  | { readonly kind: 'help'; readonly top: number };

export type OverlayOf<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

/** A side effect that the model wants. `effects/` runs it and reports the result as an event. */
export type Command =
  | CallCommand
  | DecideCommand
  | SendReviewCommand
  | DraftsCommand
  | StartCommand
  /** Lends the terminal to `devflow attach`. */
  | { readonly type: 'attach'; readonly sessionId: string; readonly readOnly: boolean }
  /** Lends the terminal to the person's editor. */
  | {
      readonly type: 'edit';
      readonly text: string;
      readonly suffix: string;
      readonly then: (model: Model, text: string) => Step;
      /** The editor failed. Absent: a toast says so. */
      readonly failed?: (model: Model, error: ApiError) => Step;
    }
  /** Writes a text of the person to a new file and says where it is. */
  | { readonly type: 'keepText'; readonly text: string; readonly name: string }
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

/** Changes files of a review, and reads it again. `failed`: not all of it was written. Absent: a toast says so. */
export interface DraftsCommand {
  readonly type: 'drafts';
  readonly gate: ReviewedGate;
  readonly acts: readonly DraftAct[];
  readonly then?: (model: Model) => Step;
  readonly failed?: (model: Model, error: ApiError) => Step;
}

/** Sends drafts as one decision. `effects/` notes its token first, so that a crash never makes two decisions. */
export interface SendReviewCommand extends Pick<CallCommand<'approval.decide'>, 'doing' | 'then' | 'failed'> {
  readonly type: 'sendReview';
  readonly gate: ReviewedGate;
  /** The comments that the person saw: drafts, or an earlier try. Nothing else is sent. */
  readonly listed: readonly Draft[] | Sending;
  /** Nothing was sent, because another client has begun or ended a try. */
  readonly other: (model: Model) => Step;
}

/** The start of a run. `effects/` adds the token, and reuses it if the first try may have started the run. */
export interface StartCommand extends Pick<CallCommand<'run.start'>, 'doing' | 'then' | 'failed'> {
  readonly type: 'start';
  readonly params: Omit<RpcParams<'run.start'>, 'clientToken' | 'dryRun'>;
}

/** The `doing` text while the daemon starts. */
export const STARTING_DAEMON = 'starting the daemon';

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
