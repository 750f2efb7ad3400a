import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/**
 * Named points at which the crash test kills the daemon. Each lies between an act and its record, where wrong recovery
 * would lose or repeat something. Unarmed, a point costs one call.
 *
 * `DEVFLOW_FAULT=<name>[@n]` kills at the nth visit of a point. `DEVFLOW_FAULT=list:<file>` records each visit with the
 * key of its effect. It kills at the first visit of each effect to a point that `<file>.deadly` names. So a test can
 * arm points while the daemon runs. The daemon dies once at each place of a run, but not again when it repeats the
 * effect.
 */
export const CRASH_POINTS = [
  'transition.before_commit',
  'transition.after_commit',
  'lockBindings.before_worktree',
  'lockBindings.after_worktree',
  'startSession.after_start',
  'sendMessage.before_delivery',
  'sendMessage.after_delivery',
  'sendPrompt.before_delivery',
  'sendPrompt.after_delivery',
  'awaitArtifact.found',
  'awaitArtifact.stored',
  'recoverSession.after_recovery',
  'commitWork.before_commit',
  'commitWork.after_commit',
  'inspectWorktree.before_read',
  'checkRule.before_outcome',
  'publishArtifact.before_write',
  'publishArtifact.after_write',
  'exchangeFiles.before_write',
  'exchangeFiles.after_write',
  'findOverlaps.found',
  'prepareLane.prepared',
  'prepareReview.placed',
  'prepareReview.read',
  'commitResolution.committed',
  'testMerge.merged',
  'testMerge.tested',
  'landMerge.before_land',
  'landMerge.after_land',
  'performStep.done',
  'performStep.stored',
  'placeWorktree.before_place',
  'placeWorktree.placed',
  'finishSetup.before_finish',
  'finishSetup.finished',
  'runCommand.before_start',
  'runCommand.after_end',
  'inspectEvaluation.after_read',
  'readMeasurement.before_read',
  'restoreBest.before_commit',
  'restoreBest.after_commit',
  'deliverFiles.before_commit',
  'deliverFiles.after_commit',
  'disposeSessions.after_dispose',
  'composeReport.before_write',
  'composeReport.after_write',
  'composeReport.after_mark',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface Faults {
  /** Kills this process with SIGKILL if the point is armed. */
  at(point: CrashPoint): void;
  /** The same points for one effect, by its key. */
  during(effect: string): Faults;
}

export const noFaults: Faults = { at: () => {}, during: () => noFaults };

/** Throws on an unknown name, so that no test arms nothing unnoticed. */
export function armFaults(armed: string | undefined): Faults {
  if (!armed) return noFaults;
  if (armed.startsWith('list:')) return listVisits(armed.slice('list:'.length));
  const [name, turn = '1'] = armed.split('@');
  if (!(CRASH_POINTS as readonly string[]).includes(name ?? '')) throw new TypeError(`no crash point ${name}`);
  let left = Number(turn);
  const faults: Faults = {
    at(point) {
      if (point !== name) return;
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
    },
    during: () => faults,
  };
  return faults;
}

function listVisits(file: string, effect?: string): Faults {
  return {
    at(point) {
      const visit = effect === undefined ? point : `${point} ${effect}`;
      const isFirst = !linesOf(file).includes(visit);
      appendFileSync(file, `${visit}\n`);
      if (isFirst && linesOf(`${file}.deadly`).includes(point)) process.kill(process.pid, 'SIGKILL');
    },
    during: (key) => listVisits(file, key),
  };
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}
