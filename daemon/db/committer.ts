import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { isConnectionLoss, unreachable } from './pgErrors.ts';

/** One event as `devflow_commit` takes it; `ts` in ISO 8601, the database's clock when absent. */
export interface CommitEvent {
  type: string;
  phaseId: string | null;
  /** Unique within the run: the same key again is the same event, or a defect. */
  key: string;
  payload: unknown;
  ts?: string;
}

/** The tables a transition may write, besides the log. */
export type ProjectedTable =
  | 'runs'
  | 'run_inputs'
  | 'run_bindings'
  | 'run_phases'
  | 'approval_requests'
  | 'approval_decisions'
  | 'tui_sessions'
  | 'artifacts'
  | 'commands';

/** One move of one run: its events and the rows they lead to, all or nothing. */
export interface CommitRequest {
  runId: string;
  /** The run's last seq as the caller knows it; null does not check. */
  expectedSeq: number | null;
  events: CommitEvent[];
  /** Whole projected rows keyed by column name: a column that is left out becomes null. */
  rows?: Partial<Record<ProjectedTable, Record<string, unknown>[]>>;
}

export interface Committer {
  /**
   * Resolves when the transition is durable, with the seq of each of its events. Transitions of one run are written in the
   * order of the calls. Rejects with `fenced`, `internal_state_corruption` (another payload under a key, a wrong
   * expectedSeq), `disk_full`, `db_unreachable` (whether it was written is then unknown; the same call again is safe), or with the
   * driver's own error (constraint violations).
   */
  commit(transition: CommitRequest): Promise<{ seqs: number[] }>;
  /** Waits for what is queued, then ends the connection. */
  close(): Promise<void>;
}

interface Queued {
  transition: CommitRequest;
  resolve(answer: { seqs: number[] }): void;
  reject(error: unknown): void;
}

const LARGEST_BATCH = 200;

/**
 * The self-clocking batcher: while a call is in flight the next ones queue, and go together in one when it returns. An
 * idle committer adds no delay, a busy one shares one fsync among up to 200 transitions. It holds one connection, opened
 * at the first commit and again after it was lost.
 */
export function createCommitter(config: pg.ClientConfig, options: { epoch: number | null }): Committer {
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
      await fresh.connect();
    } catch (error) {
      throw unreachable(error);
    }
    return fresh;
  }

  async function send(batch: Queued[]): Promise<number[][]> {
    client ??= await connect();
    const answer = await client.query({
      name: 'devflow_commit',
      text: 'SELECT devflow_commit($1, $2) AS seqs',
      values: [options.epoch, JSON.stringify(batch.map((entry) => entry.transition))],
    });
    return answer.rows[0].seqs;
  }

  /** Writes a batch and settles its members; throws only when the connection is gone and nothing else can be sent. */
  async function settle(batch: Queued[]): Promise<void> {
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
      else await settleOneByOne(batch);
    }
  }

  /** One member was refused and took the others with it: alone, only that one fails. */
  async function settleOneByOne(batch: Queued[]): Promise<void> {
    for (const [i, entry] of batch.entries()) {
      try {
        await settle([entry]);
      } catch (lost) {
        for (const rest of batch.slice(i + 1)) rest.reject(lost);
        throw lost;
      }
    }
  }

  async function work(): Promise<void> {
    try {
      // One microtask: calls of the same tick go together.
      await null;
      while (queue.length > 0) await settle(queue.splice(0, LARGEST_BATCH));
    } catch (lost) {
      // What waits behind a lost transition was decided on top of it: it must not be tried on its own.
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
  if (error.code === 'DF001') {
    return new DevflowError('fenced', 'Another daemon leads this database now.', { runId, cause: error });
  }
  if (error.code === 'DF002' || error.code === 'DF003') {
    return new DevflowError('internal_state_corruption', `The log refused an event: ${error.message}.`, {
      runId,
      cause: error,
      data: { sqlstate: error.code },
    });
  }
  // Serialization failure, deadlock: the same call again may pass.
  if (error.code === '40001' || error.code === '40P01') {
    return new DevflowError('db_serialization_retry', `The database took another first: ${error.message}.`, {
      runId,
      cause: error,
    });
  }
  if (error.code === '53100') {
    return new DevflowError('disk_full', `The database has no space left: ${error.message}.`, { runId, cause: error });
  }
  return error;
}
