import { bigserial, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** News for the webhook, until it took them or devflow gave up. The id follows from the news, so none is told twice. */
export const webhookNotices = pgTable(
  'webhook_notices',
  {
    id: uuid('id').primaryKey(),
    /** The order in which they are sent. */
    nth: bigserial('nth', { mode: 'number' }).notNull(),
    /** The host whose daemon sends it; null: the one that leads alone. */
    host: text('host'),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    /** The bytes that are sent and signed. */
    body: text('body').notNull(),
    tries: integer('tries').notNull().default(0),
    nextAt: instant('next_at').notNull(),
    sentAt: instant('sent_at'),
    gaveUp: boolean('gave_up').notNull().default(false),
  },
  (t) => [index('webhook_notices_nth_idx').on(t.nth)],
);
