import { artifactPathInWorktree, storedArtifactPath } from '../../../../schemas/files/runPaths.ts';
import { laneOf } from '../run/lanes.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** What an assignment is asked for. The kind of its phase says it. */
export interface Request {
  /** Text with placeholders. */
  instructions: string;
  /** Relative path of the artifact. */
  file: string;
  schema: string;
  /** Whether later decisions depend on the content of the artifact. */
  wantsData?: boolean;
  /** Values of placeholders that only this kind of phase has. */
  values?: Readonly<Record<string, string>>;
}

/** The expected path of an artifact in the lane's worktree, and the path of its validated copy. Each attempt has its own. */
export function artifactPaths(
  run: Run,
  phase: Phase,
  assignment: Assignment,
  { file }: Pick<Request, 'file'>,
): { path: string; storedPath: string } {
  const { attempt } = assignment;
  const owner = ownerOf(phase, assignment);
  return {
    path: artifactPathInWorktree(laneOf(run, assignment.laneId).path, phase.key, attempt, file, owner),
    storedPath: storedArtifactPath(run.workspaceRoot, run.id, phase.key, attempt, file, owner),
  };
}

/** Names the assignment in paths, where a phase has several. */
function ownerOf(phase: Phase, { key, roleId }: Assignment): string | undefined {
  if (key !== roleId) return key;
  return phase.assignments.length > 1 ? roleId : undefined;
}
