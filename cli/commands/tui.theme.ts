import { readConfig } from '../../schemas/config/configLoad.ts';

/** The setting `tui.theme`. The build keeps this file apart, because reading settings loads zod. */
export function readTheme(env: NodeJS.ProcessEnv) {
  return readConfig(env).tui.theme;
}
