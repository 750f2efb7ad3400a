import { DevflowError } from '../../../../schemas/errors.ts';
import { isTmuxError, type TmuxErrorCode } from '../../../../tmux/errors.ts';
import { type Server, serverArgv } from '../../../../tmux/server/server.ts';

/** A server that was killed or does not answer, a pane that is gone: another try finds out. */
const PASSING: readonly TmuxErrorCode[] = ['no_server', 'no_target', 'pane_dead', 'outcome_unknown'];

/**
 * The error for a person, where only a person can help; a recoverable one for what passes; any other as it is. A user's
 * server is never started: it would have the daemon's environment and directory instead of a login shell's, and nobody
 * at it when its configuration asks.
 */
export function toServerError(server: Server, error: unknown): unknown {
  const [, , flag, address] = serverArgv(server);
  const which = `The tmux server of tmux ${flag} ${address}`;
  if (server.owner === 'theirs' && isTmuxError(error, 'no_server')) {
    return unavailable(error, `${which} is not running, and devflow never starts a server of yours.`, {
      hint: 'Start tmux, or set tmux.server: own; then approve the gate.',
    });
  }
  if (server.owner === 'theirs' && isTmuxError(error, 'unsafe')) {
    return unavailable(error, `${which} has window-size manual for all windows, and would die of a new one.`, {
      hint: 'Say tmux set-option -gw window-size latest, or set tmux.server: own; then approve the gate.',
    });
  }
  if (isTmuxError(error, 'not_installed')) {
    return unavailable(error, error.message, { hint: 'Install tmux (devflow doctor); then approve the gate.' });
  }
  if (isTmuxError(error) && PASSING.includes(error.code)) {
    return new DevflowError('network_blip', error.message, { cause: error });
  }
  return error;
}

function unavailable(cause: unknown, message: string, { hint }: { hint: string }): DevflowError {
  return new DevflowError('backend_unavailable', message, { cause, recoveryHint: hint });
}
