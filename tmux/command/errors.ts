/** The kinds of failure that a caller may act on. */
export type TmuxErrorCode =
  /** No server listens on the socket. */
  | 'no_server'
  /** The pane, window, session or client does not exist, or no longer exists. */
  | 'no_target'
  /** A session of that name already exists: adopt it. */
  | 'duplicate_session'
  /** The pane's program has ended; nothing was sent to it. */
  | 'pane_dead'
  /** tmux refused the command; `stderr` says why. */
  | 'command_failed'
  /** tmux got the command but did not answer: it may or may not have run it. */
  | 'outcome_unknown'
  /** Another popup, or a menu, covers the client. */
  | 'popup_taken'
  /** The command would kill the server (see `refuseUnsafeWindow` in `server/config.ts`), so it was not run. */
  | 'unsafe'
  /** The caller's argument cannot be passed to tmux. */
  | 'bad_argument'
  /** This driver does not understand tmux's answer. */
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

/** Messages of tmux 3.3a to 3.6. Any other message is `command_failed`. */
const MESSAGES: readonly (readonly [RegExp, TmuxErrorCode])[] = [
  [/no server running on|error connecting to .*(No such file|Connection refused)/, 'no_server'],
  [/server exited|lost server/, 'outcome_unknown'],
  [/can't find (pane|window|session|client)|no such (pane|window|session)|no current (client|target)/, 'no_target'],
  [/duplicate session/, 'duplicate_session'],
];

/** The error for a command that tmux refused with `stderr`. */
export function commandError(command: string, stderr: string): TmuxError {
  const code = MESSAGES.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'command_failed';
  return new TmuxError(code, `tmux: ${stderr.trim() || 'the command failed without a message'}`, { command, stderr });
}

/** Command lines may contain whole prompts. */
function shorten(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}…` : command;
}
