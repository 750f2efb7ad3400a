/** What went wrong, as far as a caller may want to act on it. */
export type TmuxErrorCode =
  /** No server listens on the socket. */
  | 'no_server'
  /** The pane, window, session or client is not there (any more). */
  | 'no_target'
  /** A session of that name exists already: adopt it. */
  | 'duplicate_session'
  /** The pane's program has ended; nothing was sent to it. */
  | 'pane_dead'
  /** tmux refused the command; `stderr` says why. */
  | 'command_failed'
  /** The answer never came although the command was handed over: it may or may not have been carried out. */
  | 'outcome_unknown'
  /** Another popup, or a menu, covers the client. */
  | 'popup_taken'
  /** Would kill the server (see `unsafe.ts`), so it was not tried. */
  | 'unsafe'
  /** The caller's argument cannot be given to tmux. */
  | 'bad_argument'
  /** tmux answered with something this driver does not understand. */
  | 'protocol'
  /** The tmux program could not be started. */
  | 'not_installed';

/** Every failure of this driver. `command` is the command line as a person would type it, shortened. */
export class TmuxError extends Error {
  readonly code: TmuxErrorCode;
  readonly command: string;
  readonly stderr: string;

  constructor(
    code: TmuxErrorCode,
    message: string,
    details: { command?: string; stderr?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'TmuxError';
    this.code = code;
    this.command = shorten(details.command ?? '');
    this.stderr = details.stderr ?? '';
  }
}

export function isTmuxError(error: unknown, code?: TmuxErrorCode): error is TmuxError {
  return error instanceof TmuxError && (code === undefined || error.code === code);
}

/** Sentences of tmux 3.3a to 3.6; one that is in none of these rows is a plain `command_failed`. */
const SENTENCES: readonly (readonly [RegExp, TmuxErrorCode])[] = [
  [/no server running on|error connecting to .*(No such file|Connection refused)/, 'no_server'],
  [/server exited|lost server/, 'outcome_unknown'],
  [/can't find (pane|window|session|client)|no such (pane|window|session)|no current (client|target)/, 'no_target'],
  [/duplicate session/, 'duplicate_session'],
];

/** The error for a command that tmux refused with `stderr`. */
export function commandError(command: string, stderr: string): TmuxError {
  const code = SENTENCES.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'command_failed';
  return new TmuxError(code, `tmux: ${stderr.trim() || 'failed without a word'}`, { command, stderr });
}

/** Command lines may carry whole prompts; an error message need not. */
function shorten(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}…` : command;
}
