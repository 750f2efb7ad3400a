import type { Call, CallRule } from '../call/call.ts';
import { parseOptions } from '../call/options.ts';
import type { Rule, Violation } from '../call/violation.ts';

const RAILS = ['db:rollback', 'db:drop*', 'db:reset*', 'db:migrate:down', 'db:migrate:redo', 'db:migrate:reset'].concat(
  ['db:purge*', 'db:truncate_all', 'db:migrate VERSION=0'],
);
const SEQUELIZE = ['db:migrate:undo*', 'db:drop'];
const DJANGO = ['migrate zero', 'flush', 'reset_db'];
const TYPEORM = ['migration:revert', 'schema:drop'];

/** Per tool, the words that roll back or drop. Other words may come between them. `*` matches any rest. */
const TOOLS: Record<string, readonly string[]> = {
  ace: ['migration:rollback', 'migration:reset', 'migration:refresh', 'migration:fresh', 'db:wipe'],
  aerich: ['downgrade'],
  alembic: ['downgrade'],
  artisan: ['migrate:rollback', 'migrate:reset', 'migrate:refresh', 'migrate:fresh', 'db:wipe'],
  atlas: ['migrate down', 'schema clean'],
  console: ['doctrine:migrations:migrate prev', 'doctrine:migrations:migrate first', 'doctrine:*:drop'],
  'db-migrate': ['down', 'reset'],
  dbmate: ['down', 'rollback', 'drop'],
  diesel: ['migration revert', 'migration redo', 'database reset', 'database drop'],
  'django-admin': DJANGO,
  dotnet: ['ef database drop', 'ef migrations remove', 'ef database update 0'],
  'dotnet-ef': ['database drop', 'migrations remove', 'database update 0'],
  'drizzle-kit': ['drop', 'push --force'],
  flask: ['db downgrade'],
  flyway: ['undo', 'clean'],
  goose: ['down', 'down-to', 'reset', 'redo'],
  'graphile-migrate': ['reset'],
  hasura: ['migrate apply --down'],
  knex: ['migrate:rollback', 'migrate:down'],
  kysely: ['migrate:rollback', 'migrate:down', 'migrate rollback', 'migrate down'],
  liquibase: [
    'rollback',
    'rollbackCount',
    'rollbackToDate',
    'rollback-count',
    'rollback-to-date',
    'dropAll',
    'drop-all',
  ],
  'manage.py': DJANGO,
  migrate: ['down', 'drop'],
  'mikro-orm': ['migration:down', 'schema:drop', 'schema:fresh', 'migration:fresh', 'database:drop'],
  mix: ['ecto.rollback', 'ecto.drop', 'ecto.reset'],
  'node-pg-migrate': ['down', 'redo'],
  phinx: ['rollback'],
  prisma: ['migrate reset', 'db push --force-reset', 'db push --accept-data-loss', 'migrate resolve --rolled-back'],
  rails: RAILS,
  rake: RAILS,
  'sea-orm-cli': ['migrate down', 'migrate reset', 'migrate fresh', 'migrate refresh'],
  sequelize: SEQUELIZE,
  'sequelize-cli': SEQUELIZE,
  sqlx: ['migrate revert', 'database drop', 'database reset'],
  supabase: ['db reset', 'migration down'],
  typeorm: TYPEORM,
  'typeorm-ts-node-commonjs': TYPEORM,
  'typeorm-ts-node-esm': TYPEORM,
  yoyo: ['rollback'],
};

/** Programs of database hosts that delete a whole database. */
const HOSTS: Record<string, readonly string[]> = {
  drush: ['sql:drop', 'sql-drop'],
  heroku: ['pg:reset', 'addons:destroy'],
  mysqladmin: ['drop'],
  neonctl: ['databases delete', 'projects delete'],
  pscale: ['database delete'],
  turso: ['db destroy'],
  wp: ['db reset', 'db drop', 'db clean'],
  wrangler: ['d1 delete'],
};

/** Verbs after which the words are chosen names. */
const CREATING = new Set([
  ...['create', 'make', 'generate', 'revision', 'new', 'add', 'migrate:make', 'migration:generate', 'migration:create'],
  ...['migration:add', 'make:migration', 'makemigrations'],
]);
/** Options for a dry run. */
const DRY = new Set(['--dry-run', '--sql', '--pretend', '--plan']);

function toolRule(forms: readonly string[], rule: Rule, reason: string): CallRule {
  return function* ({ args }: Call): Generator<Violation> {
    const { options, operands } = parseOptions(args, ['-m', '--message', '-n', '--name', '--title']);
    if (options.some((option) => DRY.has(option.name))) return;
    const creates = operands.findIndex((word) => CREATING.has(word.text));
    const texts = [
      ...operands.slice(0, creates < 0 ? undefined : creates).map((word) => word.text),
      ...options.map((option) => option.name),
    ];
    if (forms.some((form) => inOrder(form.split(' '), texts))) yield { rule, reason };
  };
}

function inOrder(wanted: string[], texts: string[]): boolean {
  let at = 0;
  for (const text of texts) {
    const want = wanted[at];
    if (want !== undefined && new RegExp(`^${want.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text)) at += 1;
  }
  return at === wanted.length;
}

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun', 'make', 'gmake', 'just', 'task', 'deno', 'composer', 'turbo', 'nx'];
const RUN_VERBS = new Set(['run', 'run-script', 'rum', 'urn', 'task']);
const BACKWARDS = new Set(['rollback', 'undo', 'revert', 'downgrade', 'down']);
const DELETING = new Set(['reset', 'drop', 'fresh', 'wipe']);
const DATABASE = /^(?:db|database|schema|migrat\w*|knex|prisma|sequelize|typeorm|drizzle|alembic|flyway)$/;
const MANAGER_VALUED = ['-w', '--workspace', '--prefix', '-C', '--filter', '-F', '--cwd', '-f'];

/** A script of a package manager, checked by its name. */
function* scriptRule({ name, args }: Call): Generator<Violation> {
  const { options, operands } = parseOptions(args, MANAGER_VALUED);
  const dry = name === 'make' || name === 'gmake' ? /^(?:-n|--dry-run|--just-print|--recon)$/ : /^--dry-run$/;
  if (options.some((option) => dry.test(option.name))) return;
  let at = operands[0]?.text === 'workspace' ? 2 : 0;
  if (RUN_VERBS.has(operands[at]?.text ?? '')) at += 1;
  const script = operands[at]?.role ? '' : (operands[at]?.text ?? '');
  const parts = script.toLowerCase().split(/[^a-z]+/);
  const migration = parts.some((part) => part.startsWith('migrat'));
  const stops = (part: string) => DELETING.has(part) || (BACKWARDS.has(part) && (part !== 'down' || migration));
  if (parts.some((part) => DATABASE.test(part)) && parts.some(stops)) {
    const reason = `by its name, the ${name} script ${script} rolls back migrations or deletes the database`;
    yield { rule: 'migration_rollback', reason };
  }
}

const ROLLS_BACK = 'it rolls back migrations, which can delete data';
const rulesOf = (tools: Record<string, readonly string[]>, rule: Rule, reason: string): Record<string, CallRule> =>
  Object.fromEntries(Object.entries(tools).map(([name, forms]) => [name, toolRule(forms, rule, reason)]));

export const MIGRATIONS: Record<string, CallRule> = {
  ...rulesOf(TOOLS, 'migration_rollback', ROLLS_BACK),
  ...rulesOf(HOSTS, 'sql_drop', 'it deletes a whole database'),
  ...Object.fromEntries(MANAGERS.map((name) => [name, scriptRule])),
};
