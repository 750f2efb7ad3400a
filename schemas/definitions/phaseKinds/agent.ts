import { faultIf, type KindRule } from './phaseKind.ts';
import { isPlanPhase } from './plans.ts';

/** Each role instance writes one artifact. All work in the run's worktree. */
export const agentKind: KindRule = {
  sharesWorktree: true,
  mustEdit: false,
  placeholders: [],
  faults: ({ phase, gates }) => [
    ...faultIf(phase.roles.length === 0, 'roles', 'an agent phase needs a role'),
    ...faultIf(!phase.expectedArtifact, 'expectedArtifact', 'an agent phase needs an expected artifact'),
    ...faultIf(!phase.instructions, 'instructions', 'an agent phase needs instructions'),
    ...faultIf(phase.commands.length > 0, 'commands', 'commands belong to a phase of kind command'),
    ...faultIf(phase.lanes !== undefined, 'lanes', 'lanes belong to a phase of kind lanes'),
    ...faultIf(phase.review !== undefined, 'review', 'review belongs to a phase of kind review'),
    ...faultIf(phase.step !== undefined, 'step', 'step belongs to a phase of kind step'),
    ...faultIf(
      isPlanPhase(phase) && gates.length === 0,
      'gates',
      'a phase that writes a plan needs a gate',
      'plan_without_gate',
    ),
  ],
};
