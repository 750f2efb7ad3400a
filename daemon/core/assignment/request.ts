import { artifactPathInWorktree, storedArtifactPath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { ReviewExpectation } from '../../kinds/review/effect.ts';
import { laneOf } from '../run/lanes.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** The order to an assignment. The kind of its phase makes it. */
export interface Request {
  /** Text with placeholders. */
  instructions: string;
  /** Relative path of the artifact. */
  file: string;
  schema: string;
  /** True if later decisions depend on the content of the artifact. */
  wantsData?: boolean;
  /** The changes that a person wants; undefined: those that they want of the phase. */
  changeRequest?: string | null;
  /** For an artifact of a review: what it must agree with. */
  review?: ReviewExpectation;
  /** For the draft of a template: the facts that its commands come from. */
  facts?: { path: string; storedPath: string | null; hash: string };
  /** Values of placeholders that only this kind of phase has. */
  values?: Readonly<Record<string, string>>;
}

/** The schemas whose content later decisions depend on; a domain ends with a slash. */
const READ_BY_CORE: readonly string[] = ['dev/dag', 'handover/', 'cycle/', 'bt/hypothesis'];

export function isReadByCore(schema: string): boolean {
  const [name = ''] = schema.split('@');
  return READ_BY_CORE.some((each) => (each.endsWith('/') ? name.startsWith(each) : name === each));
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
function ownerOf(phase: Phase, { key, roleId, laneId }: Assignment): string | undefined {
  // Lanes are counted over the run, so another plan never takes the same paths.
  if (laneId !== MAIN) return key.startsWith(`${laneId}#`) ? key : `${laneId}#${key}`;
  if (key !== roleId) return key;
  return phase.assignments.length > 1 ? roleId : undefined;
}
