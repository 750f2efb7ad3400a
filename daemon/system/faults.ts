import { appendFileSync } from 'node:fs';

/**
 * Named points at which the crash test kills the daemon. Each lies between an act and its record, where wrong recovery
 * would lose or repeat something. `DEVFLOW_FAULT=<name>[@n]` arms one; `DEVFLOW_FAULT=list:<file>` records each visit.
 * Unarmed, a point costs one comparison.
 */
export const CRASH_POINTS = [
  'transition.before_commit',
  'transition.after_commit',
  'lockBindings.before_worktree',
  'lockBindings.after_worktree',
  'startSession.after_start',
  'sendPrompt.before_delivery',
  'sendPrompt.after_delivery',
  'awaitArtifact.found',
  'awaitArtifact.stored',
  'recoverSession.after_recovery',
  'commitWork.before_commit',
  'commitWork.after_commit',
  'inspectWorktree.before_read',
  'findOverlaps.found',
  'prepareLane.prepared',
  'commitResolution.committed',
  'testMerge.merged',
  'testMerge.tested',
  'landMerge.before_land',
  'landMerge.after_land',
  'runCommand.before_start',
  'runCommand.after_end',
  'disposeSessions.after_dispose',
  'composeReport.before_write',
  'composeReport.after_write',
  'composeReport.after_mark',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface Faults {
  /** Kills this process with SIGKILL at the nth visit of the armed point. */
  at(point: CrashPoint): void;
}

export const noFaults: Faults = { at: () => {} };

/** Throws on an unknown name, so that no test arms nothing unnoticed. */
export function armFaults(armed: string | undefined): Faults {
  if (!armed) return noFaults;
  if (armed.startsWith('list:')) return { at: (point) => appendFileSync(armed.slice('list:'.length), `${point}\n`) };
  const [name, turn = '1'] = armed.split('@');
  if (!(CRASH_POINTS as readonly string[]).includes(name ?? '')) throw new TypeError(`no crash point ${name}`);
  let left = Number(turn);
  return {
    at(point) {
      if (point !== name) return;
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
    },
  };
}
