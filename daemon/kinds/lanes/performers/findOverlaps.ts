import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { ignoresCase } from '../../../repository/change/changedPaths.ts';
import { sharedFiles } from './sharedFiles.ts';

/** Finds the existing files that several tasks of a plan may write. */
export const findOverlaps: Performer<'findOverlaps'> = async ({ runId, phaseId, attempt, main, tasks }, ports) => {
  await keepWorktree(runId, main, ports);
  const ignoreCase = await ignoresCase(main);
  const shared = await sharedFiles({ worktree: main.path, tasks, ignoreCase });
  ports.faults.at('findOverlaps.found');
  return { type: 'overlapsFound', phaseId, attempt, ignoreCase, shared };
};
