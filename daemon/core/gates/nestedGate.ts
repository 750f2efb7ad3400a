import { NESTED_GATE } from '../../../schemas/definitions/template.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { Phase, Run } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { gateRequest } from './gate.ts';

/**
 * Asks whether to continue without repositories that agents made inside the worktree. No commit has them. Once a person
 * has approved a path, later phases do not ask about it again.
 */
export function nestedGate(
  run: Run,
  phase: Phase,
  work: CommittedWork,
  worktree?: WorktreeState,
): NewEvent | undefined {
  const accepted = run.approvals
    .filter(({ gateKey, state }) => gateKey === NESTED_GATE && state === 'approved')
    .flatMap(({ subject }) => nestedIn(subject.work));
  const isNew = nestedIn(work).some((path) => !accepted.includes(path));
  return isNew ? gateRequest(run, phase, NESTED_GATE, { producer: phase, work, worktree }) : undefined;
}

function nestedIn(work: unknown): string[] {
  return (work as CommittedWork | null | undefined)?.nestedRepositories ?? [];
}
