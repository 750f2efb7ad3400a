import { setTimeout as pause } from 'node:timers/promises';
import { DevflowError } from '../../schemas/errors.ts';

/** Before the second and the third try. */
export const SEND_RETRY_DELAYS_MS: readonly number[] = [100, 400];

/**
 * The same envelope again after a recoverable failure: an adapter-level retry, which counts as no attempt. `mayGoOn`
 * is asked before each retry, so that a daemon that stops does not wait for them.
 */
export async function retrySend<T>(
  send: () => Promise<T>,
  delaysMs: readonly number[],
  mayGoOn: () => boolean,
  onRetry: (error: DevflowError) => void,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send();
    } catch (error) {
      const delay = delaysMs[retries];
      const again = error instanceof DevflowError && isTransient(error) && delay !== undefined;
      if (!again || !mayGoOn()) throw error;
      onRetry(error);
      await pause(delay);
      if (!mayGoOn()) throw error;
    }
  }
}

/** What was let go on purpose is not tried again. */
function isTransient(error: DevflowError): boolean {
  return error.class === 'recoverable' && error.code !== 'shutting_down';
}
