import { inputPathInWorktree } from '../../../schemas/files/runPaths.ts';
import { copiesInputs } from './run/behaviour.ts';
import { definitionOf } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';

/** An artifact of an earlier phase that a prompt names. */
export interface Input {
  /** Absolute, as in the prompt. */
  path: string;
  /** devflow writes the bytes of this artifact there before it sends the prompt. */
  artifact: { path: string; storedPath: string | null; hash: string };
}

/** The artifacts of a phase, as later prompts name them. */
export function inputsFrom(run: Run, phaseKey: string): Input[] {
  const phase = run.phases.find(({ key }) => key === phaseKey);
  if (!phase) return [];
  const file = definitionOf(run, phase).expectedArtifact?.path ?? 'artifact.json';
  return phase.assignments.flatMap(({ roleId, artifact }) => {
    if (!artifact) return [];
    const { path, storedPath, hash } = artifact;
    const role = phase.assignments.length > 1 ? roleId : undefined;
    const copy = copiesInputs(run) ? inputPathInWorktree(run.worktreeRoot, phaseKey, file, role) : path;
    return [{ path: copy, artifact: { path, storedPath, hash } }];
  });
}

/** The copies that a prompt of this phase needs; none if prompts name the agents' own files. */
export function inputsOf(run: Run, phase: Phase): Input[] {
  if (!copiesInputs(run)) return [];
  const named = (definitionOf(run, phase).instructions ?? '').matchAll(/\{\{artifact:([^}]*)\}\}/g);
  const keys = new Set([...named].map(([, key]) => key ?? ''));
  return [...keys].flatMap((key) => inputsFrom(run, key));
}

/** The copies of all phases, for the report. */
export function allInputs(run: Run): Input[] {
  return run.phases.flatMap(({ key }) => inputsFrom(run, key));
}
