import { DevflowError } from '../../../../schemas/errors.ts';
import { isTmuxError, type TmuxErrorCode } from '../../../../tmux/command/errors.ts';
import { type Server, serverArgv } from '../../../../tmux/server/server.ts';

/** These pass: the server was killed or does not answer, or the pane is gone. A retry finds out. */
const PASSING_ERRORS: readonly TmuxErrorCode[] = ['no_server', 'no_target', 'pane_dead', 'outcome_unknown'];

/**
 * Turns failures that only a person can end into errors for a person, and passing ones into recoverable errors. Others
 * stay unchanged. devflow never starts a user's server. It would have the daemon's environment and directory instead of
 * a login shell's. Nobody could answer if its configuration asks.
 */
export function toServerError(server: Server, error: unknown): unknown {
  const [, , flag, address] = serverArgv(server);
  const which = `The tmux server of tmux ${flag} ${address}`;
  if (server.owner === 'theirs' && isTmuxError(error, 'no_server')) {
    return unavailable(error, `${which} is not running. devflow does not start your server.`, {
      hint: 'Start tmux, or set tmux.server: own; then approve the gate.',
    });
  }
  if (server.owner === 'theirs' && isTmuxError(error, 'unsafe')) {
    return unavailable(error, `${which} has window-size manual for all windows. A new window would kill it.`, {
      hint: 'Run tmux set-option -gw window-size latest, or set tmux.server: own; then approve the gate.',
    });
  }
  if (isTmuxError(error, 'not_installed')) {
    return unavailable(error, error.message, { hint: 'Install tmux (devflow doctor); then approve the gate.' });
  }
  if (isTmuxError(error) && PASSING_ERRORS.includes(error.code)) {
    return new DevflowError('network_blip', error.message, { cause: error });
  }
  return error;
}

function unavailable(cause: unknown, message: string, { hint }: { hint: string }): DevflowError {
  return new DevflowError('backend_unavailable', message, { cause, recoveryHint: hint });
}
