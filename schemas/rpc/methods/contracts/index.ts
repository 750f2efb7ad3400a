import type { Method } from '../../contract.ts';
import type { ContractFamily } from '../../contractFamilies.ts';
import { AUTODEV_METHODS } from './autodev.ts';
import { CONTRACT_METHODS } from './contract.ts';
import { CYCLE_METHODS } from './cycle.ts';
import { HANDOVER_METHODS } from './handover.ts';
import { STATE_METHODS } from './state.ts';

const FAMILIES = {
  contract: CONTRACT_METHODS,
  state: STATE_METHODS,
  handover: HANDOVER_METHODS,
  autodev: AUTODEV_METHODS,
  cycle: CYCLE_METHODS,
} as const satisfies { [F in ContractFamily]: readonly Pick<Method<`${F}.${string}`>, 'name'>[] };

export const CONTRACT_FAMILY_METHODS = [
  ...FAMILIES.contract,
  ...FAMILIES.state,
  ...FAMILIES.handover,
  ...FAMILIES.autodev,
  ...FAMILIES.cycle,
] as const;
