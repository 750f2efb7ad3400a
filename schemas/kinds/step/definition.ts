import { faultIf, foreignOptions, type KindDefinition } from '../../definitions/phase/kindDefinition.ts';
import type { Step } from '../../enums.ts';

/** The newest first. A template has one of them. */
export const REPO_FACTS: readonly string[] = ['tpl/repo-facts@2', 'tpl/repo-facts@1'];
export const DRAFT = 'tpl/draft@1';
export const REHEARSAL = 'tpl/rehearsal@1';
export const PROMOTION = 'tpl/promotion@1';

/** The versions of what a step writes, and of what earlier phases must have written for it. */
export const STEP_SCHEMAS: Readonly<
  Record<Step, { writes: readonly string[]; reads: readonly (readonly string[])[] }>
> = {
  discover: { writes: REPO_FACTS, reads: [] },
  rehearse: { writes: [REHEARSAL], reads: [REPO_FACTS, [DRAFT]] },
  promote: { writes: [PROMOTION], reads: [REPO_FACTS, [DRAFT], [REHEARSAL]] },
};

/** devflow does the step itself and writes its artifact. */
export const stepDefinition: KindDefinition = {
  sharesWorktree: true,
  mustEdit: false,
  readers: 0,
  mayChange: () => false,
  producer: 'before',
  isOwnWork: true,
  hasRounds: false,
  commands: 'none',
  placeholders: [],
  faults(subject) {
    const { phase, gates, before } = subject;
    const { step, expectedArtifact } = phase;
    const { writes, reads } = step ? STEP_SCHEMAS[step] : { writes: undefined, reads: [] };
    const written = new Set(before.map((each) => each.expectedArtifact?.schema));
    const missing = reads.filter((versions) => !versions.some((schema) => written.has(schema)));
    return [
      ...faultIf(step === undefined, 'step', 'a step phase says which step it is'),
      ...faultIf(
        writes !== undefined && !writes.includes(expectedArtifact?.schema ?? ''),
        'expectedArtifact',
        `the step ${step} writes an artifact of schema ${writes?.[0]}`,
      ),
      ...faultIf(
        missing.length > 0,
        'step',
        `no earlier phase writes ${missing.map(([newest]) => newest).join(' and ')}`,
      ),
      ...faultIf(phase.roles.length > 0, 'roles', 'a step phase has no role'),
      ...faultIf(phase.instructions !== undefined, 'instructions', 'a step phase has no instructions'),
      ...faultIf(gates.length > 0, 'gates', 'a step phase has no gates; give them to the phase after it'),
      ...faultIf(phase.commands.length > 0, 'commands', 'a step phase has no commands'),
      ...foreignOptions(subject),
    ];
  },
};
