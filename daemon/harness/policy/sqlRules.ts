import { type Finding, unreadable, type Word } from './finding.ts';

const CLIENTS = new Set([
  ...[
    'psql',
    'pgcli',
    'mysql',
    'mariadb',
    'mycli',
    'sqlite3',
    'sqlcmd',
    'cockroach',
    'clickhouse',
    'clickhouse-client',
  ],
  ...['duckdb', 'usql', 'mongosh', 'mongo', 'isql', 'bq', 'snowsql'],
]);
const STATEMENT_OPTIONS = /^(?:-c|--command|-e|--execute|--eval|-q|-Q|--query)$/;
const DROP = /\bdrop\s+(?:database|schema)\b|\bdropDatabase\s*\(/i;
const COMMENTS = /\/\*[\s\S]*?\*\/|--[^\n]*\n/g;

export function isSqlClient(program: string): boolean {
  return CLIENTS.has(program) || program === 'dropdb' || program === 'mysqladmin';
}

/**
 * SQL given to a database client. String literals are searched too: `DO` blocks and `EXECUTE` run them. What a file
 * holds (`psql -f x.sql`) is not read.
 */
export function sqlRule(program: string, args: Word[], input: string | null | undefined): Finding | undefined {
  if (program === 'dropdb') return { rule: 'sql_drop', reason: 'dropdb deletes a database' };
  if (program === 'mysqladmin' && args.some((word) => /^drop$/i.test(word.text))) {
    return { rule: 'sql_drop', reason: 'mysqladmin drop deletes a database' };
  }
  if (!CLIENTS.has(program)) return undefined;
  const texts = [...args.map((word) => word.text.replace(/^-[A-Za-z]/, '')), input ?? ''];
  if (texts.some(dropsDatabase)) return { rule: 'sql_drop', reason: 'the SQL drops a database or schema' };
  const unknown = args.some((word, i) => word.dynamic && STATEMENT_OPTIONS.test(args[i - 1]?.text ?? ''));
  return unknown ? unreadable(`the SQL for ${program} comes from a variable`) : undefined;
}

function dropsDatabase(text: string): boolean {
  return DROP.test(text) || DROP.test(text.replace(COMMENTS, ' '));
}
