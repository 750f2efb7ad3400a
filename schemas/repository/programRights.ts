import type { PermissionMode } from '../enums.ts';

/** The parts of a repository's settings for one program that devflow can give to its agents. */
export interface ProgramRights {
  hooks: readonly RightsHook[];
  rules: readonly RightsRule[];
  servers: readonly RightsServer[];
}

/** The rights of one agent, which name frozen files in place of those of its worktree. */
export interface GrantedRights extends ProgramRights {
  /** The directory of these files. */
  directory: string;
}

/** A command that the program runs at an event. */
export interface RightsHook {
  /** The file of the repository that has it. */
  file: string;
  event: string;
  /** The program's own pattern of tools or sources. */
  matcher?: string;
  /** A line for a shell; with `args`, a program. */
  command: string;
  args?: readonly string[];
  /** Further keys in the program's own form, which start nothing. */
  options: Readonly<Record<string, string | number | boolean>>;
}

/** A permission rule. Nobody can be asked, so a rule that would ask denies. */
export interface RightsRule {
  file: string;
  decision: 'allow' | 'deny';
  /** For a person, and in most programs the rule itself. */
  text: string;
  /** The rule as data, for a program whose rules are no text. */
  data?: Readonly<Record<string, unknown>>;
}

/** An MCP server. */
export interface RightsServer {
  file: string;
  name: string;
  /** Also for agents that only read or edit. */
  forAll: boolean;
  /** In the program's own form. */
  entry: Readonly<Record<string, unknown>>;
}

/**
 * The part of the rights for an agent of that mode. Hooks and servers are for agents that may run commands: for others they
 * could do what the mode denies. Denials hold for all. Pure.
 */
export function rightsFor({ hooks, rules, servers }: ProgramRights, mode: PermissionMode): ProgramRights {
  if (mode === 'execute') return { hooks, rules, servers };
  return {
    hooks: [],
    rules: rules.filter(({ decision }) => decision === 'deny'),
    servers: servers.filter(({ forAll }) => forAll),
  };
}
