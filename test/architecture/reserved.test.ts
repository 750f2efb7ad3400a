import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, is, Table } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as schema from '../../daemon/db/schema/index.ts';
import { CATALOGUE } from '../../schemas/errors.ts';
import { EVENTS } from '../../schemas/events/index.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { RESERVED_ERRORS, RESERVED_EVENTS, RESERVED_TABLES } from './reserved.ts';
import { unusedNames, unwrittenEvents, unwrittenTables } from './rules.ts';
import { type Source, scan } from './scan.ts';

const sources = scan(packageRoot(), ['schemas', 'daemon', 'tmux', 'cli', 'tui']);
/** The database function that writes most rows is SQL. */
function migrations(): Source[] {
  const paths = globSync('daemon/db/migrations/*.sql', { cwd: packageRoot() });
  return paths.map((path) => ({ path, text: readFileSync(join(packageRoot(), path), 'utf8'), lines: 1, imports: [] }));
}

const TOPICS = ['queue', 'direct', 'schedules', 'news'];

describe('every name without a user is reserved for a later issue, and no other is', () => {
  it('errors', () => {
    // A method's list of errors is a promise, not a use.
    const users = sources.filter(
      ({ path }) => path !== 'schemas/errors.ts' && !path.startsWith('schemas/rpc/methods/'),
    );
    expect(unusedNames(Object.keys(CATALOGUE), users).sort()).toEqual(Object.keys(RESERVED_ERRORS).sort());
  });

  it('methods', () => {
    const clients = sources.filter(({ path }) => /^(?:cli|tui)\//.test(path));
    const names = METHODS.map(({ name }) => name);
    // Only daemons of other hosts ask it.
    expect(unusedNames(names, clients)).toEqual(['session.pane']);
  });

  it('events', () => {
    expect(
      unwrittenEvents(
        EVENTS.map(({ type }) => type),
        sources,
      ).sort(),
    ).toEqual(Object.keys(RESERVED_EVENTS).sort());
  });

  it('tables', () => {
    const tables = Object.entries(schema).flatMap(([variable, table]): [string, string][] =>
      is(table, Table) ? [[getTableName(table), variable]] : [],
    );
    expect(unwrittenTables(tables, [...sources, ...migrations()]).sort()).toEqual(Object.keys(RESERVED_TABLES).sort());
  });

  it('names the topic of the issue that uses it', () => {
    const reasons = [RESERVED_ERRORS, RESERVED_EVENTS, RESERVED_TABLES].flatMap(Object.values);
    expect(reasons.filter((reason) => !TOPICS.some((topic) => reason.startsWith(`${topic}: `)))).toEqual([]);
  });
});

describe('the checks themselves', () => {
  const source = (path: string, text: string): Source => ({ path, text, lines: 1, imports: [] });

  it('an event that is only read, folded or compared has no writer', () => {
    const reading = [
      source('daemon/core/evolve/evolve.ts', "case 'a.made':"),
      source('daemon/core/run/query.ts', "if (event.type === 'a.made' || type !== 'a.made') return;"),
      source('tui/text/eventWords.ts', "'a.made': () => ''"),
    ];
    expect(unwrittenEvents(['a.made'], reading)).toEqual(['a.made']);
    const writing = source('daemon/core/deriveEvents.ts', "const event = { type: ok ? 'a.made' : 'b.made' };");
    expect(unwrittenEvents(['a.made', 'b.made'], [...reading, writing])).toEqual([]);
  });

  it('a table that is only declared or read has no writer', () => {
    const tables: [string, string][] = [['a_rows', 'aRows']];
    const reading = [source('daemon/store/lists.ts', 'db.select().from(aRows); SELECT * FROM a_rows')];
    expect(unwrittenTables(tables, reading)).toEqual(['a_rows']);
    for (const text of [
      'db.insert(aRows).values(x)',
      'INSERT INTO a_rows (id)',
      "const T = { a: aRows };\ndb.insert(T['a'])",
    ]) {
      expect(unwrittenTables(tables, [source('daemon/store/a.ts', text)])).toEqual([]);
    }
  });
});
