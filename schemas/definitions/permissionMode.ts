import type { Capability, PermissionMode } from '../enums.ts';
import type { Persona } from './persona.ts';

const EDITS: readonly Capability[] = ['code_edit', 'test_first_development'];
const RUNS: readonly Capability[] = ['command_execute', 'backtest_run'];

/**
 * The least permission that a persona's capabilities need, within its risk. Pure and total. More risk or more capabilities
 * never give less permission.
 */
export function permissionModeFor({
  maxRiskLevel,
  capabilities,
}: Pick<Persona, 'maxRiskLevel' | 'capabilities'>): PermissionMode {
  const hasAny = (wanted: readonly Capability[]) => wanted.some((each) => capabilities.includes(each));
  if (maxRiskLevel === 'low') return 'read';
  if (maxRiskLevel === 'high' && hasAny(RUNS)) return 'execute';
  return hasAny(EDITS) ? 'edit' : 'read';
}
