import { relative } from 'node:path';
import { DevflowError } from '../../../../schemas/errors.ts';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { ensureArtifactDirectory } from '../../../artifacts/artifactDirectory.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import { pathsOutside } from '../../../engine/performers/pathsOutside.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { leaveConflict } from '../../../repository/conflict/attempt.ts';
import type { ConflictedFile, Version } from '../../../repository/conflict/conflictedFiles.ts';
import { prepareConflict } from '../../../repository/conflict/prepareConflict.ts';
import { updateLane } from '../../../repository/merge/updateLane.ts';
import type { ConflictNote } from '../effect.ts';

/** Brings `main` into a lane. If they conflict, and the lane's agent must resolve it, writes both into the worktree. */
export const prepareLane: Performer<'prepareLane'> = async (effect, ports) => {
  const { runId, phaseId, laneId, lane, onto, conflict, at } = effect;
  await keepWorktree(runId, lane, ports);
  ensureArtifactDirectory(lane.path);
  const prepared = { type: 'lanePrepared' as const, phaseId, laneId, onto };
  const head = lane.startCommit;
  const laidOut = conflict && (await layOut(effect, conflict));
  if (laidOut) {
    ports.faults.at('prepareLane.prepared');
    return { ...prepared, ...laidOut };
  }
  if (!conflict) await leaveConflict({ worktree: lane, head });
  const updated = await updateLane({ worktree: lane, head, onto, runId, laneId, at });
  ports.faults.at('prepareLane.prepared');
  if ('raced' in updated) throw laneMoved(effect, updated.raced);
  if ('conflict' in updated) return { ...prepared, head, conflicts: updated.conflict };
  const { commit } = updated;
  // Nobody has compared with the write set what came after the turn of the agent.
  const outside = updated.late ? await pathsOutside(lane, { from: head, to: commit, base: onto }, effect.writeSet) : [];
  return { ...prepared, head: commit, conflicts: [], outside };
};

/** Writes the automatic merge with its markers into the worktree, and what conflicts into a file. Null if nothing conflicts. */
async function layOut(
  effect: EffectOf<'prepareLane'>,
  note: ConflictNote,
): Promise<{ head: string; conflicts: string[] } | null> {
  const { laneId, lane, onto } = effect;
  const found = await prepareConflict({ worktree: lane, laneId, head: lane.startCommit, onto, attempt: note.nth });
  if ('raced' in found) throw laneMoved(effect, found.raced);
  if (found.files.length === 0) return null;
  const written = writeInside(lane.path, relative(lane.path, note.path), conflictText(found.files, note));
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${note.path}: ${written.fault}.`);
  return { head: found.late ?? lane.startCommit, conflicts: found.files.map(({ path }) => path) };
}

function laneMoved({ runId, lane }: EffectOf<'prepareLane'>, head: string): DevflowError {
  const message = `The branch ${lane.branch} moved from ${lane.startCommit.slice(0, 12)} to ${head.slice(0, 12)}.`;
  return new DevflowError('git_failed', message, {
    runId,
    recoveryHint: `Move the branch back to ${lane.startCommit.slice(0, 12)}, then approve to try again.`,
  });
}

/** The text for an agent about a conflict. It has three versions of each file: before, its own, and the landed one. */
function conflictText(files: readonly ConflictedFile[], { ours, theirs }: ConflictNote): string {
  const parts = files.map(({ path, reasons, ...versions }) =>
    [
      `## ${path}`,
      ...reasons,
      version('Before both changes', versions.base),
      version('Ours', versions.ours),
      version('Theirs', versions.theirs),
    ].join('\n\n'),
  );
  return `${[`# Conflicts\n\nOurs is your work:\n\n${ours}\n\nTheirs landed before it:\n\n${theirs}`, ...parts].join('\n\n')}\n`;
}

function version(title: string, content: Version): string {
  if ('about' in content) return `### ${title}\n\n${content.about}`;
  const fence = '`'.repeat(Math.max(3, longestRow(content.text) + 1));
  const rest = content.truncated ? '\n\n(The rest is left out: see the worktree.)' : '';
  return `### ${title}\n\n${fence}\n${content.text}\n${fence}${rest}`;
}

/** The longest row of backquotes: a fence must be longer, so that no file ends it. */
function longestRow(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length));
}
