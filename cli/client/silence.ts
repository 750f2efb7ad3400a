import { DevflowError } from '../../schemas/errors.ts';
import { isStopped, readPid, stateOf } from '../../schemas/pidFile.ts';

export interface Patience {
  /** Silence after which the daemon is looked at, and asked something that it answers at once. */
  lookMs: number;
  /** Silence after that question which no living daemon keeps. */
  giveUpMs: number;
}

export const PATIENCE: Patience = { lookMs: 2000, giveUpMs: 10_000 };

export interface SilenceWatch {
  /** Something came from the daemon. */
  heard(): void;
  stop(): void;
}

/**
 * Tells a daemon that does not answer from one that needs long. A call may take minutes; a question that costs the daemon
 * nothing (`ask`) is answered meanwhile, unless its process is stopped or hangs.
 */
export function watchSilence(options: {
  socketPath: string;
  patience: Patience;
  isWaiting(): boolean;
  ask(): void;
  onDead(error: DevflowError): void;
}): SilenceWatch {
  const { socketPath, patience, isWaiting, ask, onDead } = options;
  let since = Date.now();
  let asked: number | undefined;

  function look(): void {
    const now = Date.now();
    if (!isWaiting()) {
      since = now;
      asked = undefined;
      return;
    }
    if (now - since < patience.lookMs) return;
    const pid = readPid(socketPath);
    if (pid !== undefined && isStopped(pid)) onDead(notAnswering(pid, socketPath));
    else if (asked === undefined) {
      asked = now;
      ask();
    } else if (now - asked >= patience.giveUpMs) onDead(notAnswering(pid, socketPath));
  }

  const timer = setInterval(look, Math.max(10, patience.lookMs / 4)).unref();
  return {
    heard() {
      since = Date.now();
      asked = undefined;
    },
    stop: () => clearInterval(timer),
  };
}

function notAnswering(pid: number | undefined, socketPath: string): DevflowError {
  const data = { pid, socketPath };
  if (pid === undefined) {
    return new DevflowError('daemon_unresponsive', `the daemon on ${socketPath} does not answer`, { data });
  }
  if (isStopped(pid)) {
    const message = `the daemon (pid ${pid}) does not answer: it is stopped (state ${stateOf(pid)})`;
    const recoveryHint = `Let it go on: kill -CONT ${pid}. Or end it: kill -KILL ${pid}, then devflow up; no acknowledged work is lost.`;
    return new DevflowError('daemon_unresponsive', message, { recoveryHint, data });
  }
  const recoveryHint = `See its log. If it stays so, end it: kill -KILL ${pid}, then devflow up; no acknowledged work is lost.`;
  return new DevflowError('daemon_unresponsive', `the daemon (pid ${pid}) does not answer`, { recoveryHint, data });
}
