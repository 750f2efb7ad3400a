import { expect } from 'vitest';
import type { SessionHandle } from '../../../daemon/sessions/contract/adapter.ts';
import type { DeliveryPoint } from '../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import type { TmuxSessionAdapter } from '../../../daemon/sessions/tmux/tmuxAdapter.ts';
import type { Envelope } from '../../../schemas/envelope.ts';
import { until } from '../../helpers/until.ts';
import type { RealSession } from './realSession.ts';

export interface Kill {
  /** Where in the delivery; undefined: before it. */
  at?: DeliveryPoint;
  /** Kills the agent's program besides the daemon. */
  program?: true;
}

/** The daemon at every point. */
export const DAEMON_KILLS: readonly Kill[] = (
  ['queued', 'pasting', 'pasted', 'entering', 'entered', 'proven', 'acknowledged'] as const
).map((at) => ({ at }));

/** Only before Enter: after it the program may have begun its turn, which a recovery asks for again. */
export const PROGRAM_KILLS: readonly Kill[] = [
  { program: true },
  { at: 'pasting', program: true },
  { at: 'pasted', program: true },
];

/** Delivers despite the kill. Returns the adapter of the next daemon, which completes the delivery. */
export async function sendDespiteKill(
  { input, next, end }: Pick<RealSession, 'input' | 'next' | 'end'>,
  adapter: TmuxSessionAdapter,
  envelope: Envelope,
  kill: Kill,
): Promise<TmuxSessionAdapter> {
  await end(adapter);
  let handle: SessionHandle = input;
  const killed = next({
    at(reached) {
      if (reached !== kill.at) return;
      if (kill.program) killProgram(handle);
      throw new Error(`killed at ${reached}`);
    },
  });
  handle = await killed.start(input);
  if (kill.at) await expect(killed.sendPrompt(handle, envelope)).rejects.toThrow(`killed at ${kill.at}`);
  else if (kill.program) killProgram(handle);
  await end(killed);
  if (kill.program) await until('the program has ended', () => !isRunning(handle));
  const nextAdapter = next();
  await nextAdapter.start(input);
  await nextAdapter.sendPrompt(input, envelope);
  return nextAdapter;
}

function killProgram({ pid = 0 }: SessionHandle): void {
  process.kill(-pid, 'SIGKILL');
}

function isRunning({ pid = 0 }: SessionHandle): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
