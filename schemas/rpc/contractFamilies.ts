/**
 * The families of methods about contracts. They need no database and load in a tenth of the daemon's time. So a module
 * of their own answers them without a daemon. Without zod, for the command line.
 */
export const CONTRACT_FAMILIES = ['contract', 'state', 'handover', 'autodev', 'cycle'] as const;
export type ContractFamily = (typeof CONTRACT_FAMILIES)[number];

/** `contract` of `contract.check`; undefined for a method of no such family. */
export function contractFamilyOf(method: string): ContractFamily | undefined {
  return CONTRACT_FAMILIES.find((family) => method.startsWith(`${family}.`));
}
