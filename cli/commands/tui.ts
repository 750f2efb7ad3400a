import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { type TuiTheme, tuiTheme } from '../client/tuiTheme.ts';
import type { Tui } from '../define/daemon.ts';
import { resolveAbout } from '../input/resolveAbout.ts';

interface Dashboard {
  runTui(options: {
    screen?: string;
    id?: string;
    theme: TuiTheme;
    cwd: string;
    env: NodeJS.ProcessEnv;
  }): Promise<number>;
}

/** Loads the dashboard's program into this process. Starting a second process would take longer. */
export const action: Tui = async (_params, { screen, about }, io) => {
  if (!io.inIsTty || !io.outIsTty) {
    throw new DevflowError('usage', 'the dashboard needs a terminal', {
      recoveryHint: 'For scripts: devflow status --json, devflow run list --json.',
    });
  }
  const program = join(packageRoot(), 'dist', 'tui.cjs');
  if (!existsSync(program)) {
    throw new DevflowError('internal', `the dashboard is not built (${program} is missing)`, {
      recoveryHint: `Run npm ci in ${packageRoot()}.`,
    });
  }
  const place = { screen, id: about === undefined ? undefined : await resolveAbout(io, screen, about) };
  const theme = tuiTheme(process.env);
  const { runTui } = createRequire(import.meta.filename)(program) as Dashboard;
  return runTui({ ...place, theme, cwd: io.cwd, env: process.env });
};
