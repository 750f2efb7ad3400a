import pg from 'pg';
import { damageError } from '../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { connectClient } from './connect.ts';
import { isConnectionLoss, unreachable } from './pgErrors.ts';
import type { ProjectedTable } from './schema/projected.ts';

/** One event for `devflow_commit`. `ts` is ISO 8601; without it the database's clock counts. */
export interface CommitEvent {
  type: string;
  phaseId: string | null;
  /** Unique within the run: a repeated key must mean the same event. */
  key: string;
  payload: unknown;
  ts?: string;
}

/** One transition of one run: its events and the changed rows, all or nothing. */
export interface CommitRequest {
  runId: string;
  /** The run's last seq as the caller knows it; null skips the check. */
  expectedSeq: number | null;
  events: CommitEvent[];
  /** Another host than the run's may write this: a person's decision. Counts only where several hosts have daemons. */
  anyHost?: boolean;
  /** Whole projected rows by column name. A missing column becomes null. A task or finding with only its id is removed. */
  rows?: Partial<Record<ProjectedTable, Record<string, unknown>[]>>;
}

export interface Committer {
  /**
   * Resolves when the transition is durable, with the seq of each event. Transitions of one run are written in the
   * order of the calls. Rejects with one of these errors, or with the driver's own for a violated constraint.
   * `run_moved`: a wrong expectedSeq; read the run again and decide again.
   * `internal_state_corruption`: another payload under a key.
   * `db_unreachable`: it may have been written; repeating the call is safe.
   * `fenced`, `run_elsewhere`, `disk_full`, `db_damaged`.
   */
  commit(transition: CommitRequest): Promise<{ seqs: number[] }>;
  /** Waits for queued commits, then ends the connection. */
  close(): Promise<void>;
}

interface Queued {
  transition: CommitRequest;
  resolve(answer: { seqs: number[] }): void;
  reject(error: unknown): void;
}

const LARGEST_BATCH = 200;

/** The daemon that writes. `host`: null or absent for a daemon that leads alone. */
export interface Writer {
  host?: string | null;
  epoch: number | null;
}

/**
 * A self-clocking batcher: while a call is in flight the next ones queue, and then go in one call. An idle committer adds no
 * delay; a busy one shares one fsync among up to 200 transitions. It opens its one connection at the first commit, and again
 * after a loss.
 */
export function createCommitter(config: pg.ClientConfig, { host = null, epoch }: Writer): Committer {
  const queue: Queued[] = [];
  let client: pg.Client | undefined;
  let working: Promise<void> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client(config);
    fresh.on('error', () => {
      if (client === fresh) client = undefined;
    });
    fresh.on('end', () => {
      if (client === fresh) client = undefined;
    });
    try {
      await connectClient(fresh);
    } catch (error) {
      throw unreachable(error);
    }
    return fresh;
  }

  async function send(batch: Queued[]): Promise<number[][]> {
    client ??= await connect();
    const transitions = JSON.stringify(batch.map((entry) => entry.transition));
    const answer = await client.query(
      host === null
        ? { name: 'devflow_commit', text: 'SELECT devflow_commit($1, $2) AS seqs', values: [epoch, transitions] }
        : {
            name: 'devflow_commit_of_host',
            text: 'SELECT devflow_commit($1, $2, $3) AS seqs',
            values: [host, epoch, transitions],
          },
    );
    return answer.rows[0].seqs;
  }

  /** Writes a batch and resolves or rejects its members. Throws only if the connection is lost. */
  async function writeBatch(batch: Queued[]): Promise<void> {
    try {
      const seqs = await send(batch);
      for (const [i, entry] of batch.entries()) entry.resolve({ seqs: seqs[i] ?? [] });
    } catch (error) {
      if (isConnectionLoss(error)) {
        client = undefined;
        const lost = unreachable(error);
        for (const entry of batch) entry.reject(lost);
        throw lost;
      }
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) only.reject(translate(error, only.transition));
      else await writeOneByOne(batch);
    }
  }

  /** One refused member fails the whole batch, so each is sent alone. */
  async function writeOneByOne(batch: Queued[]): Promise<void> {
    for (const [i, entry] of batch.entries()) {
      try {
        await writeBatch([entry]);
      } catch (lost) {
        for (const rest of batch.slice(i + 1)) rest.reject(lost);
        throw lost;
      }
    }
  }

  async function work(): Promise<void> {
    try {
      // Wait one microtask, so that calls of the same tick share a batch.
      await null;
      while (queue.length > 0) await writeBatch(queue.splice(0, LARGEST_BATCH));
    } catch (lost) {
      // Queued transitions build on the lost one, so they must not be sent without it.
      for (const entry of queue.splice(0)) entry.reject(lost);
    } finally {
      working = undefined;
    }
  }

  return {
    commit(transition) {
      if (closed) return Promise.reject(new DevflowError('shutting_down', 'The database writer is closed.'));
      return new Promise((resolve, reject) => {
        queue.push({ transition, resolve, reject });
        working ??= work();
      });
    },
    async close() {
      closed = true;
      await working;
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

function translate(error: unknown, { runId }: CommitRequest): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const damage = damageError(error);
  if (damage) return damage;
  if (error.code === 'DF001') {
    return new DevflowError('fenced', 'Another daemon now leads this database.', { runId, cause: error });
  }
  if (error.code === 'DF003') {
    return new DevflowError('run_moved', `The run has events that this daemon has not read: ${error.message}.`, {
      runId,
      cause: error,
      data: { sqlstate: error.code },
    });
  }
  if (error.code === 'DF004') {
    return new DevflowError('run_elsewhere', `Only its own host may write this: ${error.message}.`, {
      runId,
      cause: error,
      data: { sqlstate: error.code },
    });
  }
  if (error.code === 'DF002') {
    return new DevflowError('internal_state_corruption', `The log refused an event: ${error.message}.`, {
      runId,
      cause: error,
      data: { sqlstate: error.code },
    });
  }
  // Serialization failure or deadlock: a retry may succeed.
  if (error.code === '40001' || error.code === '40P01') {
    return new DevflowError('db_serialization_retry', `Serialization conflict: ${error.message}.`, {
      runId,
      cause: error,
    });
  }
  if (error.code === '53100') {
    return new DevflowError('disk_full', `The database has no space left: ${error.message}.`, { runId, cause: error });
  }
  return error;
}
