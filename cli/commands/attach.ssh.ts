import type { Config } from '../../schemas/config/config.ts';
import { readConfig } from '../../schemas/config/configLoad.ts';

/** The setting `hosts`. The build keeps this file apart, because reading settings loads zod. */
export function readHosts(env: NodeJS.ProcessEnv): Config['hosts'] {
  return readConfig(env).hosts;
}
