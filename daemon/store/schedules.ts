import type pg from 'pg';
import type { MissedStart } from '../../schemas/enums.ts';
import type { ParsedParams } from '../../schemas/rpc/methods/index.ts';
import { titleOf } from '../../schemas/text/titleOf.ts';

/** What each start asks for, beside its repository and title. */
export type ScheduledRequest = Pick<
  ParsedParams<'schedule.add'>,
  'requirements' | 'template' | 'base' | 'bind' | 'backend' | 'sandbox' | 'settings' | 'parallel'
>;

export interface Schedule {
  id: string;
  /** Null: the host whose daemon leads alone. */
  host: string | null;
  title: string | null;
  expression: string;
  zone: string;
  repoPath: string;
  request: ScheduledRequest;
  missed: MissedStart;
  paused: boolean;
  createdAt: Date;
  /** Null: it is paused, or has no time any more. */
  nextAt: Date | null;
  /** The time that it was last started for, or should have been. */
  lastAt: Date | null;
  lastRunId: string | null;
  /** What a person should know of the last time: why there was no start, or what the run does without. */
  lastNote: string | null;
  /** When its next time was computed, by the clock of its machine. */
  updatedAt: Date | null;
}

export function scheduleTitle({ title, request }: Pick<Schedule, 'title' | 'request'>): string {
  return title ?? titleOf(request.requirements);
}

export type NewSchedule = Omit<Schedule, 'paused' | 'createdAt' | 'lastAt' | 'lastRunId' | 'lastNote'>;
/** A key that is absent stays. */
export type ScheduleChange = Partial<
  Pick<Schedule, 'paused' | 'nextAt' | 'lastAt' | 'lastRunId' | 'lastNote' | 'updatedAt'>
>;

export interface Schedules {
  /** The same id again changes nothing. */
  add(schedule: NewSchedule): Promise<Schedule>;
  read(id: string): Promise<Schedule | undefined>;
  /** Of all hosts, or of this one; the oldest first. `isUnpinned`: with those that name none. */
  list(of?: { host: string; isUnpinned: boolean }): Promise<Schedule[]>;
  /** The schedule then; undefined if there is none any more. */
  change(id: string, change: ScheduleChange): Promise<Schedule | undefined>;
  remove(id: string): Promise<void>;
}

const COLUMNS = `id, host, title, expression, zone, repo_path AS "repoPath", request, missed, paused,
  created_at AS "createdAt", next_at AS "nextAt", last_at AS "lastAt", last_run_id AS "lastRunId",
  last_note AS "lastNote", updated_at AS "updatedAt"`;

/** The columns that change after the beginning. */
const CHANGES = {
  paused: 'paused',
  nextAt: 'next_at',
  lastAt: 'last_at',
  lastRunId: 'last_run_id',
  lastNote: 'last_note',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof ScheduleChange, string>;

export function createSchedules(pool: pg.Pool): Schedules {
  async function read(id: string): Promise<Schedule | undefined> {
    const { rows } = await pool.query(`SELECT ${COLUMNS} FROM schedules WHERE id = $1`, [id]);
    return rows[0];
  }

  return {
    read,
    async add(schedule) {
      const { id, host, title, expression, zone, repoPath, request, missed, nextAt, updatedAt } = schedule;
      const { rows } = await pool.query(
        `INSERT INTO schedules (id, host, title, expression, zone, repo_path, request, missed, next_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
        [id, host, title, expression, zone, repoPath, JSON.stringify(request), missed, nextAt, updatedAt],
      );
      return rows[0] ?? (await read(id));
    },
    async list(of) {
      const { rows } = await pool.query(
        `SELECT ${COLUMNS} FROM schedules
         WHERE $1::text IS NULL OR host = $1 OR ($2 AND host IS NULL) ORDER BY created_at, id`,
        [of?.host ?? null, of?.isUnpinned ?? false],
      );
      return rows;
    },
    async change(id, change) {
      const given = (Object.keys(CHANGES) as (keyof ScheduleChange)[]).filter((key) => change[key] !== undefined);
      if (given.length === 0) return read(id);
      const sets = given.map((key, index) => `${CHANGES[key]} = $${index + 2}`);
      const { rows } = await pool.query(`UPDATE schedules SET ${sets.join(', ')} WHERE id = $1 RETURNING ${COLUMNS}`, [
        id,
        ...given.map((key) => change[key]),
      ]);
      return rows[0];
    },
    async remove(id) {
      await pool.query('DELETE FROM schedules WHERE id = $1', [id]);
    },
  };
}
