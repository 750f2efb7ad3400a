import type { OwnGateRule } from '../../definitions/phase/kindDefinition.ts';

/** devflow would run what a repository says. */
export const PROBES_GATE = 'probes_approved';

export const STEP_GATES = {
  [PROBES_GATE]: {
    approve: 'devflow runs these commands in a copy of the repository.',
    request_changes: 'devflow runs none of them, and goes on with what it read.',
    reject: 'The run ends as failed.',
  },
} as const satisfies Readonly<Record<string, OwnGateRule>>;
