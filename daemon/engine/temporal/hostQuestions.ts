import { randomUUID } from 'node:crypto';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError, type ErrorCode, type ErrorRecord } from '../../../schemas/errors.ts';
import type { ServerAway } from '../runEngine.ts';
import { CALL_MS, type Connection } from './connect.ts';
import type { Sdk } from './loadSdk.ts';
import type { ServerWatch } from './watchServer.ts';
import { queueOfHost } from './workers.ts';

/** Answers a question of another host, as its own clients would be answered. */
export type Answer = (method: string, params: unknown) => Promise<unknown>;

/** A question and its answer pass through Temporal's database. */
export interface HostQuestions {
  /**
   * Asks another host, and throws what that host throws. Throws `host_unreachable` if it does not take the question in time or
   * stops sending heartbeats. `temporal_unreachable` says nothing about the host.
   */
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
  connection: Pick<Connection, 'withDeadline'>;
  client: import('@temporalio/client').Client;
  server: Pick<ServerWatch, 'away' | 'check' | 'untilAway'>;
  prefix: string;
  aliveWithinMs?: number;
}): HostQuestions {
  const { sdk, connection, client, server, prefix, aliveWithinMs = ALIVE_WITHIN_MS } = options;

  async function ask(hostId: string, method: string, params: unknown): Promise<unknown> {
    const question = await connection.withDeadline(Date.now() + CALL_MS, () =>
      client.activity.start('answer', {
        id: `${prefix}-ask-${randomUUID()}`,
        taskQueue: queueOfHost(prefix, hostId),
        args: [method, params],
        scheduleToStartTimeout: TAKEN_WITHIN_MS,
        heartbeatTimeout: aliveWithinMs,
        startToCloseTimeout: ANSWERED_WITHIN_MS,
        retry: { maximumAttempts: 1 },
      }),
    );
    return ((await question.result()) as { value: unknown }).value;
  }

  return {
    async askHost(hostId, method, params) {
      const known = server.away();
      if (known) throw cannotAsk(hostId, known);
      const over = new AbortController();
      const away = server.untilAway(over.signal).then((since) => Promise.reject(cannotAsk(hostId, since)));
      away.catch(() => {});
      try {
        return await Promise.race([ask(hostId, method, params), away]);
      } catch (error) {
        throw await translated(error, hostId);
      } finally {
        over.abort();
      }
    },
  };

  async function translated(error: unknown, hostId: string): Promise<unknown> {
    if (error instanceof DevflowError) return error;
    const cause = error instanceof sdk.client.ActivityExecutionFailedError ? error.cause : error;
    if (cause instanceof sdk.common.ApplicationFailure && isOurs(cause.details?.[0])) {
      const { code, message, hint, data } = cause.details[0];
      return new DevflowError(code, message, { recoveryHint: hint, data });
    }
    if (error instanceof sdk.client.ActivityExecutionFailedError) {
      const why = cause instanceof sdk.common.TimeoutFailure ? 'does not answer' : 'gave no answer';
      const message = `The host ${hostId} ${why}.`;
      return new DevflowError('host_unreachable', message, { cause: error, data: { host: hostId } });
    }
    const away = await server.check();
    return cannotAsk(hostId, away ?? { since: null, reason: `failed (${toErrorRecord(error).message})` }, error);
  }
}

/** Nothing is known about the host itself. */
function cannotAsk(
  hostId: string,
  { since, reason }: ServerAway | { since: null; reason: string },
  cause?: unknown,
): DevflowError {
  const when = since === null ? '' : ` It was there until ${since}.`;
  const message = `Host ${hostId} cannot be asked: Temporal ${reason}.${when}`;
  return new DevflowError('temporal_unreachable', message, {
    cause,
    recoveryHint: 'Try again once Temporal is back (devflow status). Rejecting a gate and aborting a run work now.',
    data: { host: hostId, since },
  });
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
