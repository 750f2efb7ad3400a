import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../../schemas/config/config.ts';
import { packageRoot, resolvePaths } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';

export type TuiTheme = Config['tui']['theme'];

/** The setting `tui.theme`. It reads the settings only if one may name a theme, because that delays the first paint. */
export function tuiTheme(env: NodeJS.ProcessEnv): TuiTheme {
  const paths = resolvePaths(env);
  const files = [paths.configFile, paths.envFile, paths.envLocalFile];
  if (!env.DEVFLOW_TUI_THEME && !files.some((file) => /theme/i.test(orElse(() => readFileSync(file, 'utf8'), ''))))
    return 'auto';
  const program = join(packageRoot(), 'dist', 'commands', 'settings.cjs');
  const { readTheme } = createRequire(import.meta.filename)(program) as { readTheme(env: NodeJS.ProcessEnv): TuiTheme };
  return readTheme(env);
}
