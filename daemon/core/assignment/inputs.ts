import { inputPathInWorktree } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Input } from '../effect/effect.ts';
import { copiesInputs, leavesOutAbandoned } from '../run/behaviour.ts';
import { laneOf } from '../run/lanes.ts';
import { isLeftOut } from '../run/notDone.ts';
import { expectedArtifactOf } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';
import type { Request } from './request.ts';

/** The artifacts of a phase, as later prompts in a lane name them. */
export function inputsFrom(run: Run, phaseKey: string, laneId = MAIN): Input[] {
  const phase = run.phases.find(({ key }) => key === phaseKey);
  if (!phase) return [];
  const { file } = expectedArtifactOf(run, phase);
  const worktree = laneOf(run, laneId).path;
  return phase.assignments.flatMap((assignment) => {
    const { key, artifact } = assignment;
    if (!artifact || (leavesOutAbandoned(run) && isLeftOut(run, assignment))) return [];
    const { path, storedPath, hash } = artifact;
    const copy = copiesInputs(run) ? inputPathInWorktree(worktree, phaseKey, file, ownerOf(phase, assignment)) : path;
    return [{ path: copy, artifact: { path, storedPath, hash }, earlier: earlierHashes(run, phase.id, key, hash) }];
  });
}

/** What a person made of an artifact that its agent now writes again; undefined if nobody edited it. */
export function editedInput(run: Run, phase: Phase, assignment: Assignment): Input | undefined {
  if (assignment.artifact || !copiesInputs(run)) return undefined;
  const { key, laneId } = assignment;
  const last = run.artifacts.findLast((each) => each.valid && each.phaseId === phase.id && each.assignment === key);
  if (!last?.edited) return undefined;
  const { path, storedPath, hash } = last;
  const { file } = expectedArtifactOf(run, phase);
  const copy = inputPathInWorktree(laneOf(run, laneId).path, phase.key, file, ownerOf(phase, assignment));
  return { path: copy, artifact: { path, storedPath, hash }, earlier: earlierHashes(run, phase.id, key, hash) };
}

/** A phase with several assignments has a directory for each. */
function ownerOf({ assignments }: Phase, { key, roleId }: Assignment): string | undefined {
  return assignments.length > 1 || key !== roleId ? key : undefined;
}

/** A later iteration, or a person who asks for changes, replaces an artifact. */
function earlierHashes({ artifacts }: Run, phaseId: string, assignment: string, hash: string): string[] {
  const hashes = artifacts
    .filter((each) => each.valid && each.phaseId === phaseId && each.assignment === assignment)
    .map((each) => each.hash);
  return [...new Set(hashes)].filter((each) => each !== hash);
}

/** The copies that a prompt needs; none if prompts name the agents' own files. */
export function inputsOf(run: Run, { instructions }: Pick<Request, 'instructions'>, laneId: string): Input[] {
  if (!copiesInputs(run)) return [];
  const keys = new Set([...instructions.matchAll(/\{\{artifact:([^}]*)\}\}/g)].map(([, key]) => key ?? ''));
  return [...keys].flatMap((key) => inputsFrom(run, key, laneId));
}

/** The copies of all phases, for the report. */
export function allInputs(run: Run): Input[] {
  return run.phases.flatMap(({ key }) => inputsFrom(run, key));
}
