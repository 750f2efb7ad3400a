import { defineConfig } from 'drizzle-kit';

/** `npm run migration -- --name <what>` writes the next migration; `--custom` an empty one to fill by hand. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './daemon/db/schema/index.ts',
  out: './daemon/db/migrations',
});
