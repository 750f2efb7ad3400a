import { randomUUID } from 'node:crypto';
import { DevflowError, type ErrorCode, type ErrorRecord, toErrorRecord } from '../../../schemas/errors.ts';
import type { Sdk } from './loadSdk.ts';
import { queueOfHost } from './workers.ts';

/** Answers a question of another host, as its own clients would be answered. */
export type Answer = (method: string, params: unknown) => Promise<unknown>;

/** A question and its answer pass through Temporal's database. */
export interface HostQuestions {
  /** Asks another host. Throws what it throws, or `host_unreachable` if it does not take the question in time. */
  askHost(hostId: string, method: string, params: unknown): Promise<unknown>;
}

/** An answer must not keep a person waiting. */
const TAKEN_WITHIN_MS = 5_000;
const ANSWERED_WITHIN_MS = 60_000;

export function createHostQuestions(options: {
  sdk: Pick<Sdk, 'client' | 'common'>;
  client: import('@temporalio/client').Client;
  prefix: string;
}): HostQuestions {
  const { sdk, client, prefix } = options;
  return {
    async askHost(hostId, method, params) {
      try {
        const { value } = await client.activity.execute<{ value: unknown }>('answer', {
          id: `${prefix}-ask-${randomUUID()}`,
          taskQueue: queueOfHost(prefix, hostId),
          args: [method, params],
          scheduleToStartTimeout: TAKEN_WITHIN_MS,
          startToCloseTimeout: ANSWERED_WITHIN_MS,
          retry: { maximumAttempts: 1 },
        });
        return value;
      } catch (error) {
        throw translated(error, hostId);
      }
    },
  };

  function translated(error: unknown, hostId: string): unknown {
    const cause = error instanceof sdk.client.ActivityExecutionFailedError ? error.cause : error;
    if (cause instanceof sdk.common.ApplicationFailure && isOurs(cause.details?.[0])) {
      const { code, message, hint, data } = cause.details[0];
      return new DevflowError(code, message, { recoveryHint: hint, data });
    }
    const isSilent = cause instanceof sdk.common.TimeoutFailure;
    const why = isSilent ? 'does not answer' : `could not be asked: ${toErrorRecord(cause).message}`;
    return new DevflowError('host_unreachable', `The host ${hostId} ${why}.`, { cause: error, data: { host: hostId } });
  }
}

type SentError = ErrorRecord & { data: Record<string, unknown> };

function isOurs(detail: unknown): detail is SentError {
  return typeof detail === 'object' && detail !== null && typeof (detail as { code?: ErrorCode }).code === 'string';
}

/** The activity that answers. Its errors keep their code on the way. */
export function createAnswer({ common }: Pick<Sdk, 'common'>, answer: () => Answer | undefined) {
  return async (method: string, params: unknown): Promise<{ value: unknown }> => {
    try {
      const ready = answer();
      if (!ready) throw new DevflowError('shutting_down', 'The daemon of this host is not ready.');
      return { value: (await ready(method, params)) ?? null };
    } catch (error) {
      const record: SentError = { ...toErrorRecord(error), data: error instanceof DevflowError ? error.data : {} };
      throw common.ApplicationFailure.create({
        message: record.message,
        type: record.code,
        nonRetryable: true,
        details: [record],
      });
    }
  };
}
