import codes from './codes.json' with { type: 'json' };
import type { ContractId } from './ids.ts';

/** The severity of a finding when a contract is written (strict) and when it is read (soft). */
export interface Code {
  contracts: ContractId[];
  strict: 'error' | 'warning';
  soft: 'error' | 'warning';
  meaning: string;
}
export type ContractCode = keyof typeof codes;

/**
 * Every code of a finding. A code is never renamed or used again for something else. `docs/contracts.md` is generated from this
 * table.
 */
export const CODES = codes as Record<ContractCode, Code>;
