import { randomUUID } from 'node:crypto';
import { toErrorRecord } from '../../../schemas/errorRecord.ts';
import { DevflowError, type ErrorCode, type ErrorRecord } from '../../../schemas/errors.ts';
import type { Sdk } from './loadSdk.ts';
import { queueOfHost } from './workers.ts';

/** Answers a question of another host, as its own clients would be answered. */
export type Answer = (method: string, params: unknown) => Promise<unknown>;

/** A question and its answer pass through Temporal's database. */
export interface HostQuestions {
  /** Asks another host. Throws what it throws, or `host_unreachable` if it does not take the question in time, or stops sending heartbeats. */
  askHost(hostId: string, method: string, params: unknown): Promise<unknown>;
}

/** A host that does not take the question in this time is unreachable. */
const TAKEN_WITHIN_MS = 5_000;
/** A host sends heartbeats while it works on an answer. Without one for this time it is unreachable. */
const ALIVE_WITHIN_MS = 30_000;
/** Temporal needs a limit. Verifying a long log or removing a large worktree may take minutes. */
const ANSWERED_WITHIN_MS = 24 * 3_600_000;

export function createHostQuestions(options: {
  sdk: Pick<Sdk, 'client' | 'common'>;
  client: import('@temporalio/client').Client;
  prefix: string;
  aliveWithinMs?: number;
}): HostQuestions {
  const { sdk, client, prefix, aliveWithinMs = ALIVE_WITHIN_MS } = options;
  return {
    async askHost(hostId, method, params) {
      try {
        const { value } = await client.activity.execute<{ value: unknown }>('answer', {
          id: `${prefix}-ask-${randomUUID()}`,
          taskQueue: queueOfHost(prefix, hostId),
          args: [method, params],
          scheduleToStartTimeout: TAKEN_WITHIN_MS,
          heartbeatTimeout: aliveWithinMs,
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

/** The activity that answers. Its heartbeats allow it any time. Its errors keep their codes. */
export function createAnswer(
  { activity, common }: Pick<Sdk, 'activity' | 'common'>,
  answer: () => Answer | undefined,
  aliveWithinMs = ALIVE_WITHIN_MS,
) {
  return async (method: string, params: unknown): Promise<{ value: unknown }> => {
    const context = activity.Context.current();
    context.heartbeat();
    const beat = setInterval(() => context.heartbeat(), aliveWithinMs / 3);
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
    } finally {
      clearInterval(beat);
    }
  };
}
