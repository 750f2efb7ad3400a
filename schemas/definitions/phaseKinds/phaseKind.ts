import type { LintCode } from '../../lintCodes.ts';
import type { Fault } from './fault.ts';
import type { TemplatePhase } from './templatePhase.ts';

/** A phase in its template. */
export interface Subject {
  phase: TemplatePhase;
  /** The gates at which it stops. */
  gates: readonly string[];
  /** The phases before it, in order. */
  before: readonly TemplatePhase[];
  /** The phases after it, in order. */
  after: readonly TemplatePhase[];
  /** The roles of the template. */
  roles: readonly { id: string; count: number }[];
}

/** What distinguishes the definition of one kind of phase from the others. */
export interface KindRule {
  /** True if all its role instances work in one worktree at the same time. */
  sharesWorktree: boolean;
  /** True if each of its agents must be able to change files. */
  mustEdit: boolean;
  /** Placeholders that only instructions of this kind may contain. */
  placeholders: readonly string[];
  /** The faults of a definition, at paths below the phase. */
  faults(subject: Subject): Fault[];
}

/** A fault of one key of the phase, if the condition holds. */
export function faultIf(
  condition: boolean,
  key: keyof TemplatePhase,
  message: string,
  code: LintCode = 'phase_kind',
): Fault[] {
  return condition ? [{ path: [key], code, message }] : [];
}
