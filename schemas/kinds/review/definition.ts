import {
  type Fault,
  faultIf,
  foreignOptions,
  type KindDefinition,
  type Subject,
} from '../../definitions/phase/kindDefinition.ts';
import { isOwnGate } from '../../gates/ownGates.ts';

/** Reviewers and verifiers. The third role fixes. */
const READERS = 2;

/**
 * Reviewers look at the change, a verifier checks what they found, and the implementer fixes it. `roles` names them in this
 * order; without an implementer the phase ends with its findings. Each reads in a worktree of its own.
 */
export const reviewDefinition: KindDefinition = {
  sharesWorktree: false,
  mustEdit: false,
  readers: READERS,
  mayChange: ({ roles }) => roles.length > READERS,
  producer: 'itself',
  isOwnWork: false,
  hasRounds: true,
  commands: 'checks',
  placeholders: ['review'],
  faults: (subject) => [...shapeFaults(subject), ...roleFaults(subject), ...referenceFaults(subject)],
};

function shapeFaults(subject: Subject): Fault[] {
  const { phase, gates } = subject;
  const { instructions, expectedArtifact, commands } = phase;
  const own = gates.find(isOwnGate);
  return [
    ...faultIf(own !== undefined, 'gates', `the gate ${own} is devflow's own; choose another name`, 'reserved_gate'),
    ...faultIf(expectedArtifact !== undefined, 'expectedArtifact', 'devflow says what a review phase writes'),
    ...faultIf(
      !instructions?.includes('{{review}}'),
      'instructions',
      'a review phase needs instructions with {{review}}',
    ),
    ...faultIf(commands.length > 0, 'commands', 'commands belong to a phase of kind command; name it in review.checks'),
    ...foreignOptions(subject),
  ];
}

function roleFaults({ phase, roles, gates, before, after }: Subject): Fault[] {
  const distinct = new Set(phase.roles);
  const isTwoOrThree = phase.roles.length >= 2 && phase.roles.length <= 3 && distinct.size === phase.roles.length;
  const fixer = phase.roles[READERS];
  const several = roles.find(({ id, count }) => id === fixer && count > 1);
  // At a later gate, the phase that made the change can make another one.
  const hasMaker = before.some(({ kind, roles: makers }) => kind !== 'review' && makers.length > 0);
  const isAsked = gates.length > 0 || (!hasMaker && after.some((later) => later.gates.length > 0));
  return [
    ...faultIf(
      !isTwoOrThree,
      'roles',
      'a review phase needs reviewers, verifiers and, to fix what they find, a third role',
    ),
    ...faultIf(several !== undefined, 'roles', `role ${fixer} has a count, but one agent fixes what is found`),
    ...faultIf(
      isAsked && fixer === undefined,
      'roles',
      'changes may be requested at a gate, so a third role must make them',
    ),
  ];
}

function referenceFaults({ phase, before, after }: Subject): Fault[] {
  const { checks } = phase.review ?? {};
  const isCommand = [...before, ...after].some(({ key, kind }) => key === checks && kind === 'command');
  return faultIf(checks !== undefined && !isCommand, 'review', `${checks} is no phase of kind command`);
}
