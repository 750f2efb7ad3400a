import { readConfig } from '../../schemas/config/configLoad.ts';

/** The setting `tui.theme`. A file apart, as a command is: it brings all that reads settings. */
export function readTheme(env: NodeJS.ProcessEnv) {
  return readConfig(env).tui.theme;
}
