import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DatabaseMode } from '../../schemas/enums.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { someOf } from '../../schemas/text/phrases.ts';
import type { Io } from '../io/io.ts';
import { paint } from '../print/output.ts';
import { tildePath, visible } from '../print/text.ts';
import { isYes } from './confirm.ts';

/** `hindranceToRestart` of `cli/commands/settings.ts`, which is read only here: it takes time. */
export function readHindrance(env: NodeJS.ProcessEnv, mode: DatabaseMode): string | undefined {
  const program = join(packageRoot(), 'dist', 'commands', 'settings.cjs');
  const { hindranceToRestart } = createRequire(import.meta.filename)(program) as {
    hindranceToRestart(from: typeof env, running: DatabaseMode): string | undefined;
  };
  return hindranceToRestart(env, mode);
}

/**
 * Says which files of settings changed since the daemon started, and offers a restart on a terminal. Returns whether the person
 * wants it. `hindrance`: why a restart would not help.
 */
export async function offerRestart(
  io: Io,
  changed: readonly string[],
  hindrance: string | undefined,
): Promise<boolean> {
  const say = (text: string) => io.err(`${text}\n`);
  const files = someOf(changed.map((path) => visible(tildePath(path, io.env))));
  say(`${paint(io, 'yellow', `${files} changed since the daemon started`)}. It still has its old settings.`);
  if (hindrance !== undefined) say(visible(hindrance));
  else if (io.inIsTty && io.errIsTty)
    return isYes(io, 'Restart the daemon with the new settings? Runs and agents continue.');
  else say('To use the new ones: devflow down, then devflow up. Runs and agents continue.');
  return false;
}
