import { faultIf, foreignOptions, type KindDefinition } from '../../definitions/phase/kindDefinition.ts';

/**
 * devflow measures the work by a command and judges the result against the objective of the run. `iterate` with `objective-met`
 * repeats the phases that lead to it.
 */
export const evaluateDefinition: KindDefinition = {
  sharesWorktree: true,
  mustEdit: false,
  readers: 0,
  mayChange: () => false,
  producer: 'itself',
  isOwnWork: false,
  hasRounds: false,
  commands: 'measures',
  placeholders: [],
  faults(subject) {
    const { phase, gates } = subject;
    return [
      ...faultIf(phase.expectedArtifact !== undefined, 'expectedArtifact', 'an evaluate phase has no artifact'),
      ...faultIf(phase.roles.length > 0, 'roles', 'an evaluate phase has no role'),
      ...faultIf(phase.instructions !== undefined, 'instructions', 'an evaluate phase has no instructions'),
      ...faultIf(
        gates.length > 0,
        'gates',
        'an evaluate phase has no gates; devflow asks when the objective is not met',
      ),
      ...faultIf(phase.commands.length > 1, 'commands', 'an evaluate phase has one command at most'),
      ...foreignOptions(subject),
    ];
  },
};
