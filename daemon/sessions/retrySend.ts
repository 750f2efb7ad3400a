import { setTimeout as pause } from 'node:timers/promises';
import { DevflowError } from '../../schemas/errors.ts';

/** Before the second and the third try. */
export const SEND_RETRY_DELAYS_MS: readonly number[] = [100, 400];

/**
 * Sends the same envelope again after a recoverable failure; this counts as the same attempt. `mayRetry` is asked
 * before each retry, so that a stopping daemon does not wait.
 */
export async function retrySend<T>(
  send: () => Promise<T>,
  delaysMs: readonly number[],
  mayRetry: () => boolean,
  onRetry: (error: DevflowError) => void,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send();
    } catch (error) {
      const delay = delaysMs[retries];
      const again = error instanceof DevflowError && isTransient(error) && delay !== undefined;
      if (!again || !mayRetry()) throw error;
      onRetry(error);
      await pause(delay);
      if (!mayRetry()) throw error;
    }
  }
}

/** A session that was released on purpose is not retried. */
function isTransient(error: DevflowError): boolean {
  return error.class === 'recoverable' && error.code !== 'shutting_down';
}
