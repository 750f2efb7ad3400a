import { execFile } from 'node:child_process';
import type { Profile } from '../profile/profile.ts';

/** A program that answers later says nothing. */
const ANSWER_MS = 10_000;

/**
 * The time for which the program must be ready before the first prompt. If its command line says that nobody is logged
 * in, its screen gets time to say so, too. Only the screen shows when a person has logged in. Ask after the launch,
 * which ends whatever else runs for the session.
 */
export async function settleMs(
  { logInCheck, timings }: Profile,
  { binaryPath, env, cwd }: { binaryPath: string; env: Readonly<Record<string, string>>; cwd: string },
): Promise<number> {
  if (!logInCheck) return timings.settleStartMs;
  const said = await new Promise<string>((resolve) => {
    const options = {
      env: { ...env },
      cwd,
      timeout: ANSWER_MS,
      killSignal: 'SIGKILL' as const,
      encoding: 'utf8' as const,
    };
    execFile(binaryPath, [...logInCheck.args], options, (_, stdout) => resolve(stdout));
  });
  return logInCheck.isMissing(said) ? logInCheck.shownWithinMs : timings.settleStartMs;
}
