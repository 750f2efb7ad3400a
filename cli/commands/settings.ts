import type { Config } from '../../schemas/config/config.ts';
import { readConfig } from '../../schemas/config/configLoad.ts';

// The build keeps this file apart, because reading settings loads zod. `attach` and the dashboard load it when they need it.

/** The setting `tui.theme`. */
export function readTheme(env: NodeJS.ProcessEnv) {
  return readConfig(env).tui.theme;
}

/** The setting `hosts`. */
export function readHosts(env: NodeJS.ProcessEnv): Config['hosts'] {
  return readConfig(env).hosts;
}
