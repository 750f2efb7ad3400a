import type { ContractFamily } from '../../../schemas/rpc/contractFamilies.ts';
import type { ContractPorts } from '../../contracts/contractPorts.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { createAutodevMethods } from './autodevMethods.ts';
import { createContractMethods } from './contractMethods.ts';
import { createCycleMethods } from './cycleMethods.ts';
import { createHandoverMethods } from './handoverMethods.ts';
import { createStateMethods } from './stateMethods.ts';

/** The methods that need no database: the daemon answers them, and so does `oneshot` without one. */
export type ContractHandlers = HandlersOf<ContractFamily>;

export function createContractHandlers(ports: ContractPorts): ContractHandlers {
  return {
    ...createContractMethods(ports),
    ...createStateMethods(ports),
    ...createHandoverMethods(ports),
    ...createAutodevMethods(ports),
    ...createCycleMethods(ports),
  };
}
