import { AUTODEV_METHODS } from './autodev.ts';
import { CONTRACT_METHODS } from './contract.ts';
import { CYCLE_METHODS } from './cycle.ts';
import { HANDOVER_METHODS } from './handover.ts';
import { STATE_METHODS } from './state.ts';

/** The methods that need no database: a daemon answers them, and so does a program of its own without one. */
export const CONTRACT_FAMILY_METHODS = [
  ...CONTRACT_METHODS,
  ...STATE_METHODS,
  ...HANDOVER_METHODS,
  ...AUTODEV_METHODS,
  ...CYCLE_METHODS,
] as const;
