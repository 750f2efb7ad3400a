import type { Config } from '../../schemas/config/config.ts';
import { readConfig } from '../../schemas/config/configLoad.ts';
import type { DatabaseMode } from '../../schemas/enums.ts';
import type { DevflowError } from '../../schemas/errors.ts';

// The build keeps this file apart, because reading settings loads zod. `attach`, `up` and the dashboard load it when they need it.

/** The setting `tui.theme`. */
export function readTheme(env: NodeJS.ProcessEnv) {
  return readConfig(env).tui.theme;
}

/** The setting `hosts`. */
export function readHosts(env: NodeJS.ProcessEnv): Config['hosts'] {
  return readConfig(env).hosts;
}

/**
 * Why a restart would not take the settings over; undefined if it would. A restart keeps the database of the daemon, and settings
 * that are not valid would only end it.
 */
export function hindranceToRestart(env: NodeJS.ProcessEnv, mode: DatabaseMode): string | undefined {
  try {
    const { database, sources } = readConfig(env);
    if (database.mode === mode || sources['database.mode']?.from === 'default') return undefined;
    return `The daemon uses the database ${mode}, the settings say ${database.mode}. To change it: devflow down, then devflow up.`;
  } catch (error) {
    const { name, message } = error as DevflowError;
    if (name !== 'DevflowError') throw error;
    return `The new settings are not valid: ${message} Fix them, then run devflow up again.`;
  }
}
