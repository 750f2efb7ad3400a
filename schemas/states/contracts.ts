import type { State } from './state.ts';

export type ContractVerdict = 'valid' | 'warnings' | 'invalid' | 'drifted';

/** devflow's verdicts on the files of a contract. */
export const CONTRACT_VERDICTS: Readonly<Record<ContractVerdict, State>> = {
  valid: { sign: '✓', word: 'valid', look: 'good', means: 'the files keep all rules', asks: null },
  warnings: { sign: '!', word: 'warnings', look: 'ask', means: 'the files are valid, with warnings', asks: null },
  invalid: { sign: '✗', word: 'invalid', look: 'bad', means: 'a file breaks a rule', asks: null },
  drifted: {
    sign: '✗',
    word: 'drifted',
    look: 'bad',
    means: 'the file is no longer what devflow published',
    asks: null,
  },
};

/** The verdict about files that have so many errors and warnings. */
export function verdictOf({ errors, warnings }: { errors: number; warnings: number }): ContractVerdict {
  if (errors > 0) return 'invalid';
  return warnings > 0 ? 'warnings' : 'valid';
}

/** The verdict about a file that devflow published, and what its reader should know of it. */
export function handoverVerdict(handover: {
  state: 'published' | 'drifted';
  warnings: readonly unknown[];
}): Exclude<ContractVerdict, 'invalid'> {
  if (handover.state === 'drifted') return 'drifted';
  return handover.warnings.length > 0 ? 'warnings' : 'valid';
}

export type IterationState = 'running' | 'resolved' | 'unresolved';

export const ITERATION_STATES: Readonly<Record<IterationState, State>> = {
  running: { sign: '●', word: 'running', look: 'busy', means: 'its phases are at work', asks: null },
  resolved: { sign: '✓', word: 'resolved', look: 'good', means: 'it left nothing to do', asks: null },
  unresolved: { sign: '!', word: 'unresolved', look: 'ask', means: 'it left issues for the next one', asks: null },
};
