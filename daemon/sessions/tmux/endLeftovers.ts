import { join } from 'node:path';
import { startTimeOf } from '../../../tmux/process/processes.ts';
import type { Ledger } from './deliver/ledger.ts';
import { HOOK_SCRIPT } from './observe/hookScript.ts';
import { OWN_START_MS } from './process/laterProcesses.ts';
import type { Launches } from './process/launches.ts';
import { endLater, endProcesses } from './process/processGroup.ts';

/**
 * Ends leftovers of a session's program: all processes once the program has ended, else those started since its first
 * prompt. Its helpers continue, such as servers of its tools: older processes, and those that the program still writes
 * to.
 */
export async function endLeftovers(
  directory: string,
  leader: number | undefined,
  launches: Pick<Launches, 'now'>,
  ledger: Pick<Ledger, 'firstTypedAt'>,
): Promise<void> {
  const { launched } = launches.now();
  if (leader === undefined || startTimeOf(leader) === undefined) {
    await endProcesses(directory, launched);
    return;
  }
  const promptMs = firstPromptMs(leader, launches, ledger);
  if (promptMs === undefined) return;
  const session = { directory, leader, except: join(directory, HOOK_SCRIPT) };
  await endLater(session, promptMs);
}

/** Milliseconds from the start of the program to its first prompt. Undefined if there was none. */
export function firstPromptMs(
  leader: number,
  launches: Pick<Launches, 'now'>,
  ledger: Pick<Ledger, 'firstTypedAt'>,
): number | undefined {
  const { number, launchedAt } = launches.now();
  const typedAt = ledger.firstTypedAt({ pid: leader, launch: number });
  if (typedAt === undefined || launchedAt === undefined) return undefined;
  return Math.max(OWN_START_MS, typedAt - launchedAt);
}
