import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { type EarlyRequests, sendEarly } from '../cli/client/earlyRequests.ts';
import { tuiTheme } from '../cli/client/tuiTheme.ts';
import { resolvePaths } from '../schemas/files/paths.ts';
import { CODE, compileBundle, runBundle } from './bundle.ts';
import type { runTui } from './main.ts';
import { FIRST_QUERIES, plainScreen } from './model/listQueries.ts';
import type { ScreenId } from './model/model.ts';
import { STATUS } from './model/query.ts';
import { SUBSCRIPTION } from './model/stale.ts';
import { LEAVE } from './terminal/sequences.ts';

/**
 * The first file of `devflow tui`. It is small, and asks the daemon for the first screen while the dashboard's code loads.
 * Anything but a plain command line on a terminal goes the way of the other commands.
 */
const load = createRequire(import.meta.filename);
const screen = isatty(0) && isatty(1) ? plainScreen(process.argv.slice(3)) : undefined;
if (screen === undefined) load('./main.cjs');
else void openDashboard(screen);

async function openDashboard(screen: ScreenId): Promise<void> {
  const { env } = process;
  const hasOldFrame = env.DEVFLOW_INTERNAL_OLD_FRAME !== undefined;
  // Not for the programs that the dashboard starts.
  delete env.DEVFLOW_INTERNAL_OLD_FRAME;
  const asked = FIRST_QUERIES[screen] ?? [STATUS];
  let early: EarlyRequests | undefined;
  try {
    early = await sendEarly(resolvePaths(env).socketPath, [
      // Subscribe first, so that no change after a read is missed.
      { method: 'events.subscribe', params: SUBSCRIPTION },
      ...asked,
    ]);
    process.exitCode = await loadDashboard().runTui({
      screen,
      theme: tuiTheme(env),
      cwd: process.cwd(),
      env,
      early,
      hasOldFrame,
    });
  } catch {
    early?.socket.destroy();
    if (hasOldFrame) process.stdout.write(LEAVE);
    // It throws before it changes the terminal. The command fails likewise, and says why.
    load('./main.cjs');
  }
}

/** From the code that the build compiled; without it, or if this Node refuses it, as any other file. */
function loadDashboard(): { runTui: typeof runTui } {
  const file = join(import.meta.dirname, 'tui.cjs');
  const code = readCode(join(import.meta.dirname, CODE));
  const script = code && compileBundle(file, code);
  return script?.cachedDataRejected === false ? runBundle(script, file) : load(file);
}

function readCode(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
