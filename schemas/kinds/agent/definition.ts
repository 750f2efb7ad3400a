import { faultIf, foreignOptions, type KindDefinition } from '../../definitions/phase/kindDefinition.ts';
import { isPlanPhase } from '../../definitions/phase/plans.ts';

/** Each role instance writes one artifact. All work in the run's worktree. */
export const agentDefinition: KindDefinition = {
  sharesWorktree: true,
  mustEdit: false,
  readers: 0,
  mayChange: (_, canEdit) => canEdit(),
  producer: 'itself',
  isOwnWork: false,
  hasRounds: false,
  commands: 'none',
  placeholders: [],
  faults(subject) {
    const { phase, gates } = subject;
    return [
      ...faultIf(phase.roles.length === 0, 'roles', 'an agent phase needs a role'),
      ...faultIf(!phase.expectedArtifact, 'expectedArtifact', 'an agent phase needs an expected artifact'),
      ...faultIf(!phase.instructions, 'instructions', 'an agent phase needs instructions'),
      ...faultIf(phase.commands.length > 0, 'commands', 'commands belong to a phase of kind command'),
      ...foreignOptions(subject),
      ...faultIf(
        isPlanPhase(phase) && gates.length === 0,
        'gates',
        'a phase that writes a plan needs a gate',
        'plan_without_gate',
      ),
    ];
  },
};
