import { openCompose } from './compose.ts';
import type { Database, OpenOptions } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { openExternal } from './external.ts';

/**
 * Opens the database: starts or adopts the server and checks that it answers. Does not migrate.
 * Throws `db_unreachable` (with the reason and what to do), `disk_full` or `workspace_permissions`.
 */
export function openDatabase(options: OpenOptions): Promise<Database> {
  switch (options.mode) {
    case 'embedded':
      return openEmbedded(options);
    case 'compose':
      return openCompose(options);
    case 'external':
      return openExternal(options);
    default:
      return options.mode satisfies never;
  }
}
