import type { Finding, Word } from './finding.ts';
import { CREATING_VERBS, TOOLS } from './migrationTools.ts';
import { parseOptions } from './options.ts';

const REASON = 'it takes back migrations, which deletes what they stored';
const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'make', 'just', 'task', 'deno', 'composer', 'turbo', 'nx']);
const INTERPRETERS = /^(?:node|bun|tsx|ts-node|deno|python[\d.]*|ruby|php|perl)$/;
const TEXT_OPTIONS = ['-m', '--message', '-n', '--name', '--title'];

export function isMigrationTool(program: string): boolean {
  return Object.hasOwn(TOOLS, program);
}

/** Migration rollback by a known tool, or by a script of a package manager whose name says so. */
export function migrationRule(program: string, args: Word[]): Finding | undefined {
  if (MANAGERS.has(program)) return scriptRule(program, args);
  if (INTERPRETERS.test(program)) {
    const at = args.findIndex((word) => !word.text.startsWith('-'));
    const script = args[at]?.text.replace(/^.*\//, '');
    return script === undefined ? undefined : toolRule(script.replace(/\.[cm]?[jt]s$/, ''), args.slice(at + 1));
  }
  return toolRule(program, args);
}

function toolRule(program: string, args: Word[]): Finding | undefined {
  const forms = TOOLS[program];
  if (!forms) return undefined;
  const { options, operands } = parseOptions(args, TEXT_OPTIONS);
  const creates = operands.findIndex((word) => CREATING_VERBS.has(word.text));
  // After `create` and the like a word such as "down" is the name of the new migration.
  const texts = [
    ...operands.slice(0, creates < 0 ? undefined : creates),
    ...options.map(({ name }) => ({ text: name })),
  ].map((word) => word.text);
  return forms.some((form) => inOrder(form.split(' '), texts))
    ? { rule: 'migration_rollback', reason: REASON }
    : undefined;
}

function inOrder(wanted: string[], texts: string[]): boolean {
  let at = 0;
  for (const text of texts) {
    const want = wanted[at];
    if (want !== undefined && (want.endsWith('*') ? text.startsWith(want.slice(0, -1)) : text === want)) at += 1;
  }
  return at === wanted.length;
}

const RUN_VERBS = new Set(['run', 'run-script', 'rum', 'urn', 'task']);
const BACKWARDS = new Set(['rollback', 'undo', 'revert', 'downgrade', 'down']);
const DELETING = new Set(['reset', 'drop', 'fresh', 'wipe']);
const DATABASE = /^(?:db|database|schema|migrat\w*|knex|prisma|sequelize|typeorm|drizzle|alembic|flyway)$/;

function scriptRule(program: string, args: Word[]): Finding | undefined {
  const { operands } = parseOptions(args, ['-w', '--workspace', '--prefix', '-C', '--filter', '-F', '--cwd', '-f']);
  const name = RUN_VERBS.has(operands[0]?.text ?? '') ? operands[1]?.text : operands[0]?.text;
  const parts = (name ?? '').toLowerCase().split(/[^a-z]+/);
  const database = parts.some((part) => DATABASE.test(part));
  const migration = parts.some((part) => part.startsWith('migrat'));
  const stops =
    parts.some((part) => DELETING.has(part)) ||
    parts.some((part) => BACKWARDS.has(part) && (part !== 'down' || migration));
  if (!database || !stops) return undefined;
  return {
    rule: 'migration_rollback',
    reason: `by its name, ${program} script ${name} takes back migrations or deletes the database`,
  };
}
