import { faultIf, type KindRule } from './phaseKind.ts';

/** devflow runs commands in the run's worktree. */
export const commandKind: KindRule = {
  sharesWorktree: true,
  mustEdit: false,
  placeholders: [],
  faults: ({ phase }) => [
    ...faultIf(phase.expectedArtifact !== undefined, 'expectedArtifact', 'a command phase has no artifact'),
    ...faultIf(phase.roles.length > 0, 'roles', 'a command phase has no role'),
    ...faultIf(phase.lanes !== undefined, 'lanes', 'lanes belong to a phase of kind lanes'),
    ...faultIf(phase.review !== undefined, 'review', 'review belongs to a phase of kind review'),
    ...faultIf(phase.step !== undefined, 'step', 'step belongs to a phase of kind step'),
  ],
};
