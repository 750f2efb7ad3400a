import { faultIf, foreignOptions, type KindDefinition } from '../../definitions/phase/kindDefinition.ts';

/** A person leads one agent. Only the person ends the phase. */
export const directDefinition: KindDefinition = {
  sharesWorktree: true,
  mustEdit: false,
  readers: 0,
  mayChange: (_, canEdit) => canEdit(),
  producer: 'itself',
  isOwnWork: false,
  isLed: true,
  worksInCheckout: true,
  // The person says how often it goes on.
  hasRounds: true,
  commands: 'none',
  placeholders: [],
  faults(subject) {
    const { phase, gates, roles } = subject;
    const [role] = phase.roles;
    const isOne = phase.roles.length === 1 && roles.every(({ id, count }) => id !== role || count === 1);
    return [
      ...faultIf(!isOne, 'roles', 'a direct phase needs exactly one role, with one agent'),
      ...faultIf(phase.expectedArtifact !== undefined, 'expectedArtifact', 'a direct phase has no artifact'),
      ...faultIf(phase.commands.length > 0, 'commands', 'commands belong to a phase of kind command'),
      ...faultIf(gates.length > 0, 'gates', 'a direct phase has no gate: put it at the phase after it'),
      ...faultIf(phase.sessionBoundary, 'sessionBoundary', 'a direct phase keeps its conversation'),
      ...faultIf(phase.timeoutMs !== undefined, 'timeoutMs', 'a direct phase has no time-out: a person ends it'),
      ...foreignOptions(subject),
    ];
  },
};
