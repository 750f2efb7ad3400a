import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { MissedStart } from '../../../schemas/enums.ts';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';

/** The starts that a person wants again and again. They belong to no run, so no log has them. */
export const schedules = pgTable(
  'schedules',
  {
    id: id(),
    /** The host that starts the runs; null: the one whose daemon leads alone. */
    host: text('host'),
    title: text('title'),
    /** Five fields, as cron has them, or a name such as `@daily`. */
    expression: text('expression').notNull(),
    /** An IANA name. */
    zone: text('zone').notNull(),
    repoPath: text('repo_path').notNull(),
    /** The rest of what `run.start` takes. */
    request: jsonb('request').notNull(),
    missed: text('missed').$type<MissedStart>().notNull(),
    paused: boolean('paused').notNull().default(false),
    createdAt: createdAt(),
    /** Null: it has no time any more. */
    nextAt: instant('next_at'),
    /** The time that it was last started for. */
    lastAt: instant('last_at'),
    lastRunId: uuid('last_run_id'),
    /** What became of the last start, if there is no run. */
    lastNote: text('last_note'),
    updatedAt: updatedAt(),
  },
  (t) => [oneOf('schedules_missed_check', t.missed, MissedStart.options)],
);
