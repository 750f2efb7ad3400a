import { DevflowError } from '../../schemas/errors.ts';
import { readPid } from '../../schemas/files/pidFile.ts';
import { isAlive, isStopped, processState } from '../../schemas/process/processes.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';

export interface Patience {
  /** After this silence the client checks the daemon's process and asks it something simple. */
  lookMs: number;
  /** A live daemon answers that question within this time. */
  giveUpMs: number;
}

export const PATIENCE: Patience = { lookMs: 2000, giveUpMs: 10_000 };

/** Without a pid to look at. */
const LOOK = 'Read its log, and find what listens on that socket before you end it.';

export interface SilenceWatch {
  /** Something came from the daemon. */
  heard(): void;
  stop(): void;
}

/**
 * Distinguishes a dead daemon from a slow call. A call may take minutes; meanwhile a live daemon answers a cheap question
 * (`ask`). A stopped or hung process does not.
 */
export function watchSilence(options: {
  socketPath: string;
  patience: Patience;
  isWaiting(): boolean;
  ask(): void;
  onDead(error: DevflowError): void;
}): SilenceWatch {
  const { socketPath, patience, isWaiting, ask, onDead } = options;
  let since = steadyNow();
  let asked: number | undefined;

  function look(): void {
    const now = steadyNow();
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
      since = steadyNow();
      asked = undefined;
    },
    stop: () => clearInterval(timer),
  };
}

function notAnswering(pid: number | undefined, socketPath: string): DevflowError {
  const data = { pid, socketPath };
  // A daemon that was killed left the file. Its pid may be another process by now.
  if (pid === undefined || !isAlive(pid)) {
    return new DevflowError('daemon_unresponsive', `the daemon on ${socketPath} does not answer`, {
      recoveryHint: LOOK,
      data,
    });
  }
  if (isStopped(pid)) {
    const message = `the daemon (pid ${pid}) does not answer: it is stopped (state ${processState(pid)})`;
    const recoveryHint = `Continue it: kill -CONT ${pid}. Or end it: kill -KILL ${pid}, then devflow up; no acknowledged work is lost.`;
    return new DevflowError('daemon_unresponsive', message, { recoveryHint, data });
  }
  const recoveryHint = `Read its log. If it stays silent, end it: kill -KILL ${pid}, then devflow up; no acknowledged work is lost.`;
  return new DevflowError('daemon_unresponsive', `the daemon (pid ${pid}) does not answer`, { recoveryHint, data });
}
