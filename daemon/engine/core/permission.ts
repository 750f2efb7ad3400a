import type { Capability, PermissionMode } from '../../../schemas/enums.ts';
import type { Binding, Persona } from '../../../schemas/persona.ts';

const EDITS: readonly Capability[] = ['code_edit', 'test_first_development'];
const RUNS: readonly Capability[] = ['command_execute', 'backtest_run'];

/** The least with which a persona can do what it is for, and never more than its risk allows. Pure and total. */
export function permissionModeFor({
  maxRiskLevel,
  capabilities,
}: Pick<Persona, 'maxRiskLevel' | 'capabilities'>): PermissionMode {
  const hasAny = (wanted: readonly Capability[]) => wanted.some((each) => capabilities.includes(each));
  if (maxRiskLevel === 'low') return 'read';
  if (maxRiskLevel === 'high' && hasAny(RUNS)) return 'execute';
  return hasAny(EDITS) ? 'edit' : 'read';
}

/** What the agent of a binding is started with: what one from before modes were frozen had, its run keeps. */
export const modeOf = ({ permissionMode }: Pick<Binding, 'permissionMode'>): PermissionMode =>
  permissionMode ?? 'execute';
