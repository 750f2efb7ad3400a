import type pg from 'pg';
import type { NewsKind } from '../../schemas/enums.ts';

/** News for the webhook, as it was written before the first try. */
export interface NewNotice {
  id: string;
  at: Date;
  kind: NewsKind;
  body: string;
}

export interface WaitingNotice {
  id: string;
  at: Date;
  body: string;
  tries: number;
  nextAt: Date;
}

/** The outbox of one host. Only its daemon sends from it. */
export interface WebhookNotices {
  /** Adds those that no host has yet. Returns how many are new, and how many unsent ones had to go for them. */
  add(notices: readonly NewNotice[]): Promise<{ added: number; dropped: number }>;
  /** The first that was neither sent nor given up. */
  readOldest(): Promise<WaitingNotice | undefined>;
  noteSent(id: string, at: Date): Promise<void>;
  noteGivenUp(id: string): Promise<void>;
  noteTry(id: string, tries: number, nextAt: Date): Promise<void>;
  /** When the newest was added; undefined: none was ever. */
  readNewestAt(): Promise<Date | undefined>;
  /** How many wait, and since when. */
  countWaiting(): Promise<{ waiting: number; since: Date | null }>;
  /** The runs that ended since, the first of them first. */
  listEndedSince(at: Date): Promise<string[]>;
}

/** So many stay, sent ones too: they are how devflow knows what it has told. */
export const MOST_NOTICES = 1000;

const OF_HOST = 'host IS NOT DISTINCT FROM $1';
const IS_WAITING = 'sent_at IS NULL AND NOT gave_up';

/** `host`: null for a daemon that leads alone. */
export function createWebhookNotices(pool: pg.Pool, host: string | null, most = MOST_NOTICES): WebhookNotices {
  /** Sent ones go first, then the oldest. */
  async function dropSurplus(): Promise<number> {
    const { rows } = await pool.query(
      `DELETE FROM webhook_notices WHERE id IN (
         SELECT id FROM webhook_notices WHERE ${OF_HOST} ORDER BY (${IS_WAITING}), nth
         LIMIT greatest(0, (SELECT count(*) FROM webhook_notices WHERE ${OF_HOST}) - $2)
       ) RETURNING (${IS_WAITING}) AS waiting`,
      [host, most],
    );
    return rows.filter(({ waiting }) => waiting).length;
  }

  return {
    async add(notices) {
      const { rowCount } = await pool.query(
        `INSERT INTO webhook_notices (id, host, at, kind, body, next_at)
         SELECT id, $1, at, kind, body, at
         FROM unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) WITH ORDINALITY AS t (id, at, kind, body, nth)
         ORDER BY t.nth ON CONFLICT DO NOTHING`,
        [
          host,
          notices.map(({ id }) => id),
          notices.map(({ at }) => at),
          notices.map(({ kind }) => kind),
          notices.map(({ body }) => body),
        ],
      );
      const added = rowCount ?? 0;
      return { added, dropped: added === 0 ? 0 : await dropSurplus() };
    },
    async readOldest() {
      const { rows } = await pool.query(
        `SELECT id, at, body, tries, next_at AS "nextAt" FROM webhook_notices
         WHERE ${OF_HOST} AND ${IS_WAITING} ORDER BY nth LIMIT 1`,
        [host],
      );
      return rows[0];
    },
    async noteSent(id, at) {
      await pool.query('UPDATE webhook_notices SET sent_at = $2, tries = tries + 1 WHERE id = $1', [id, at]);
    },
    async noteGivenUp(id) {
      await pool.query('UPDATE webhook_notices SET gave_up = true WHERE id = $1', [id]);
    },
    async noteTry(id, tries, nextAt) {
      await pool.query('UPDATE webhook_notices SET tries = $2, next_at = $3 WHERE id = $1', [id, tries, nextAt]);
    },
    async readNewestAt() {
      const { rows } = await pool.query(`SELECT max(at) AS at FROM webhook_notices WHERE ${OF_HOST}`, [host]);
      return rows[0]?.at ?? undefined;
    },
    async countWaiting() {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS waiting, min(at) AS since FROM webhook_notices WHERE ${OF_HOST} AND ${IS_WAITING}`,
        [host],
      );
      return rows[0];
    },
    async listEndedSince(at) {
      const { rows } = await pool.query('SELECT id FROM runs WHERE ended_at >= $1 ORDER BY ended_at, id', [at]);
      return rows.map(({ id }) => id);
    },
  };
}
