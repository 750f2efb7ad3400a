import type { Backend } from '../../enums.ts';
import type { Schemas } from '../definitionFile.ts';
import type { Definitions } from '../definitions.ts';
import type { Template, TemplateRole } from '../template.ts';

/** A persona that may play a role. */
export interface Candidate {
  /** `name@version`. */
  label: string;
  backend: Backend;
  mayEdit: boolean;
}

/** The policy's verdict on a command; the rule that it breaks, and why, if it is refused. */
export interface CommandVerdict {
  allowed: boolean;
  rule: string | null;
  reason: string;
}

/** Lint's knowledge beside the text. Rules without the knowledge that they need stay silent. */
export interface Known {
  schemas: Schemas;
  /** The definitions that are loaded now. */
  definitions: Pick<Definitions, 'templates' | 'personas'>;
  /** The policy for commands. */
  checkCommand(argv: readonly string[]): CommandVerdict;
  /** Why a command ends with 0 whatever it checks; undefined for one that can fail. */
  cannotFail(argv: readonly string[]): string | undefined;
  /** The personas that may play a role of this template. */
  candidates(role: TemplateRole, template: Template): Candidate[];
  /** Absent if nobody looked which agent programs are there. */
  isAvailable?(backend: Backend): boolean;
}
