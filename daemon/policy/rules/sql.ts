import type { Call, CallRule, Inner } from '../call/call.ts';
import { unreadable, type Violation } from '../call/violation.ts';

const CLIENTS = [
  ...['psql', 'pgcli', 'mysql', 'mariadb', 'mycli', 'sqlite3', 'sqlite', 'litecli', 'sqlcmd', 'sqlplus', 'cockroach'],
  ...['clickhouse', 'clickhouse-client', 'duckdb', 'usql', 'mongosh', 'mongo', 'isql', 'bq', 'snowsql', 'cqlsh'],
];
const STATEMENT_OPTIONS = /^(?:-c|--command|-e|--execute|--eval|-q|-Q|--query)$/;
const DROP = /\bdrop\s+(?:database|schema|keyspace|owned)\b|\bdropDatabase\b/i;
const DROP_STATEMENT = /(?:^|;)\s*drop\s+(?:database|schema|keyspace|owned)\s+\S/i;
const FLUSH = /^\s*flush(?:all|db)\b/im;
/** Lines with which a client runs a shell command. */
const SHELL_ESCAPE = /\\!\s*(.+)|^\s*(?:\.(?:shell|system)|system|!)\s+(.+)/gm;

/**
 * SQL given to a database client, including string literals: `DO` blocks and `EXECUTE` run them. It does not read files
 * (`psql -f x.sql`).
 */
function* clientRule({ name, args, input }: Call): Generator<Violation | Inner> {
  const texts = [...args.map((word) => word.text.replace(/^-[A-Za-z](?=.)/, '')), input ?? ''];
  if (texts.some((text) => readings(text).some((reading) => DROP.test(reading))))
    yield { rule: 'sql_drop', reason: 'the SQL drops a database or schema' };
  for (const text of texts) {
    for (const [, anywhere, line] of text.matchAll(SHELL_ESCAPE)) yield { script: anywhere ?? line ?? '' };
    // COPY … FROM PROGRAM '…' runs its literal.
    if (/\bprogram\b/i.test(text))
      for (const [, inner] of text.matchAll(/'((?:[^']|'')*)'/g)) yield { text: inner ?? '' };
  }
  if (args.some((word, i) => word.dynamic && STATEMENT_OPTIONS.test(args[i - 1]?.text ?? '')))
    yield unreadable(`the SQL for ${name} comes from a variable`);
}

function* dropdbRule({ args }: Call): Generator<Violation> {
  if (args.some((word) => !/^--(?:help|version)$/.test(word.text)))
    yield { rule: 'sql_drop', reason: 'dropdb deletes a database' };
}

function* redisRule({ args, input }: Call): Generator<Violation> {
  if ([...args.map((word) => word.text), input ?? ''].some((text) => FLUSH.test(text)))
    yield { rule: 'sql_drop', reason: 'FLUSHALL and FLUSHDB delete a whole database' };
}

/** A statement given to a program that is no known database client: `wrangler d1 execute x --command "drop …"`. */
export function isDropStatement(text: string): boolean {
  return readings(text).some((reading) => DROP_STATEMENT.test(reading));
}

/** The text without line comments; and the text with comments, conditional comments and concatenations resolved. */
function readings(text: string): string[] {
  // A dash inside a literal starts no comment.
  const code = text.replace(/^([^'"`\n]*?)--(?:\s[^\n]*|$)/gm, '$1');
  const resolved = code
    .replace(/\/\*M?!\d*([\s\S]*?)\*\//g, ' $1 ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'\s*\|\|\s*'/g, '');
  return [code, resolved];
}

export const SQL: Record<string, CallRule> = {
  ...Object.fromEntries(CLIENTS.map((name) => [name, clientRule])),
  dropdb: dropdbRule,
  'redis-cli': redisRule,
  'valkey-cli': redisRule,
  iredis: redisRule,
};
