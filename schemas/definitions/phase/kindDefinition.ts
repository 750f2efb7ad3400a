import type { ApprovalDecisionAction, PhaseKind } from '../../enums.ts';
import type { LintCode } from '../../lint/lintCodes.ts';
import type { TemplatePhase } from './templatePhase.ts';

/** A fault at a path of a document. */
export interface Fault {
  path: (string | number)[];
  code: LintCode;
  message: string;
  /** The text in the value that is meant, and how many of its kind stand before it. */
  part?: { text: string; nth: number } | undefined;
}

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

/** The differences between the definition of one kind of phase and those of the others. */
export interface KindDefinition {
  /** True if all its role instances work in one worktree at the same time. */
  sharesWorktree: boolean;
  /** True if each of its agents must be able to change files. */
  mustEdit: boolean;
  /** The number of its roles, from the first, that only read. Those after them can change something. */
  readers: number;
  /** True if agents of the phase may change files. `canEdit`: whether a persona of its roles may. */
  mayChange(phase: TemplatePhase, canEdit: () => boolean): boolean;
  /** The phase that makes changes asked for at its gate: itself, or the nearest before whose agents can. */
  producer: 'itself' | 'before';
  /** True if devflow does the work, about what phases before it made. */
  isOwnWork: boolean;
  /** True if it can work in a person's checkout: it needs neither a worktree nor a branch. */
  worksInCheckout?: true;
  /** True if a person leads its agents: their prompts are messages, and only the person ends the phase. */
  isLed?: true;
  /** True if it repeats its work by itself, so that no iteration can. */
  hasRounds: boolean;
  /** Its own commands, in order; the one that measures; checks given at the start; or none. */
  commands: 'own' | 'measures' | 'checks' | 'none';
  /** The phase before whose artifact devflow itself reads for it. */
  reads?(phase: TemplatePhase, before: readonly TemplatePhase[]): TemplatePhase | undefined;
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

/** The options that only one kind has, which are named for it. A missing one does not compile. */
const OPTIONS: Readonly<Record<Extract<keyof TemplatePhase, PhaseKind>, string>> = {
  lanes: 'lanes belong',
  review: 'review belongs',
  step: 'step belongs',
};

/** Options of other kinds. */
export function foreignOptions({ phase }: Subject): Fault[] {
  const others = (Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).filter((key) => key !== phase.kind);
  return others.flatMap((key) => faultIf(phase[key] !== undefined, key, `${OPTIONS[key]} to a phase of kind ${key}`));
}

/** The consequence of each decision at one of devflow's own gates; null if the gate does not take it. */
export type Consequences = Readonly<Record<Exclude<ApprovalDecisionAction, 'abort'>, string | null>>;

/** The consequences may depend on the gate's subject. */
export type OwnGateRule = Consequences | ((subject: Readonly<Record<string, unknown>>) => Consequences);
