import { faultIf, foreignOptions, type KindDefinition } from '../../definitions/phase/kindDefinition.ts';

/** devflow runs commands in the run's worktree. */
export const commandDefinition: KindDefinition = {
  sharesWorktree: true,
  mustEdit: false,
  readers: 0,
  mayChange: () => false,
  producer: 'before',
  worksInCheckout: true,
  isOwnWork: false,
  hasRounds: false,
  commands: 'own',
  placeholders: [],
  faults(subject) {
    const { phase } = subject;
    return [
      ...faultIf(phase.expectedArtifact !== undefined, 'expectedArtifact', 'a command phase has no artifact'),
      ...faultIf(phase.roles.length > 0, 'roles', 'a command phase has no role'),
      ...foreignOptions(subject),
    ];
  },
};
