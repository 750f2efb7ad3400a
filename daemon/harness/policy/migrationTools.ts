/** Verbs after which words are names somebody chose. */
export const CREATING_VERBS = new Set([
  ...['create', 'make', 'generate', 'revision', 'new', 'add', 'migrate:make', 'migration:generate', 'migration:create'],
  ...['migration:add', 'make:migration', 'makemigrations'],
]);

const RAILS = [
  'db:rollback',
  'db:drop*',
  'db:reset*',
  'db:migrate:down',
  'db:migrate:redo',
  'db:migrate:reset',
  'db:purge*',
];
const SEQUELIZE = ['db:migrate:undo*', 'db:drop'];

/** Per tool, the word sequences (in order, other words may stand between; `*` ends a prefix) that undo or drop. */
export const TOOLS: Record<string, readonly string[]> = {
  alembic: ['downgrade'],
  artisan: ['migrate:rollback', 'migrate:reset', 'migrate:refresh', 'migrate:fresh', 'db:wipe'],
  atlas: ['migrate down', 'schema clean'],
  'db-migrate': ['down', 'reset'],
  dbmate: ['down', 'rollback', 'drop'],
  diesel: ['migration revert', 'migration redo', 'database reset', 'database drop'],
  dotnet: ['ef database drop'],
  'dotnet-ef': ['database drop'],
  'drizzle-kit': ['drop'],
  flyway: ['undo', 'clean'],
  goose: ['down', 'down-to', 'reset', 'redo'],
  hasura: ['migrate apply --down'],
  knex: ['migrate:rollback', 'migrate:down'],
  liquibase: ['rollback*', 'dropAll', 'drop-all'],
  'manage.py': ['migrate zero', 'flush', 'reset_db'],
  'django-admin': ['migrate zero', 'flush', 'reset_db'],
  migrate: ['down', 'drop'],
  'mikro-orm': ['migration:down', 'schema:drop', 'schema:fresh', 'migration:fresh', 'database:drop'],
  mix: ['ecto.rollback', 'ecto.drop', 'ecto.reset'],
  'node-pg-migrate': ['down', 'redo'],
  prisma: ['migrate reset', 'db push --force-reset', 'migrate resolve --rolled-back'],
  rails: RAILS,
  rake: RAILS,
  'sea-orm-cli': ['migrate down', 'migrate reset', 'migrate fresh', 'migrate refresh'],
  sequelize: SEQUELIZE,
  'sequelize-cli': SEQUELIZE,
  sqlx: ['migrate revert', 'database drop', 'database reset'],
  supabase: ['db reset', 'migration down'],
  typeorm: ['migration:revert', 'schema:drop'],
  'typeorm-ts-node-commonjs': ['migration:revert', 'schema:drop'],
  'typeorm-ts-node-esm': ['migration:revert', 'schema:drop'],
};
