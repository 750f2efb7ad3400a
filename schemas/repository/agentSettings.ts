import { z } from 'zod';
import { hash } from '../hash.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../names.ts';

/** All four programs take such a name, and to a shell, a setting or a rule it is a name alone. */
export const ServerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'a name of letters, digits, - and _, of at most 64 characters');

/** The parts of the repository's own settings that agents of one program may use. */
export const ProgramSettings = z.strictObject({
  /** Hooks and permission rules. */
  settings: z.boolean().optional(),
  /** MCP servers for agents that may run commands. */
  mcp: z.array(ServerName).max(50).optional(),
  /** MCP servers also for agents that only read or edit. */
  mcpForAll: z.array(ServerName).max(50).optional(),
});
export type ProgramSettings = z.infer<typeof ProgramSettings>;

/** `agents` of a repository's settings. */
export const AgentSettings = z.strictObject({
  codex: ProgramSettings.optional(),
  claude: ProgramSettings.optional(),
  gemini: ProgramSettings.optional(),
  opencode: ProgramSettings.optional(),
} satisfies Record<AgentProgram, unknown>);
export type AgentSettings = z.infer<typeof AgentSettings>;

/** A file of the base commit from which agents get rights. */
export const RightsFile = z.strictObject({ path: z.string(), sha256: z.string(), executable: z.boolean() });
export type RightsFile = z.infer<typeof RightsFile>;

/** The rights that the agents of a run get from the repository's own settings. A person allowed exactly this. */
export const AgentRights = z.strictObject({
  /** Of the settings and the files: what the person's consent names. */
  hash: z.string(),
  settings: AgentSettings,
  /** Those of the base commit, in the order of their paths. */
  files: z.array(RightsFile),
});
export type AgentRights = z.infer<typeof AgentRights>;

/** The rights of these settings with these files. Pure. */
export function agentRights(settings: AgentSettings, files: readonly RightsFile[]): AgentRights {
  const facts = { settings: plainSettings(settings), files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  return { hash: hash(facts), ...facts };
}

/** The same settings in one form: without what is off, and each name once. */
export function plainSettings(settings: AgentSettings): AgentSettings {
  const entries = AGENT_PROGRAMS.flatMap((program) => {
    const { settings: isOn = false, mcp = [], mcpForAll = [] } = settings[program] ?? {};
    const forAll = [...new Set(mcpForAll)].sort();
    const others = [...new Set(mcp)].filter((name) => !forAll.includes(name)).sort();
    const plain = {
      ...(isOn ? { settings: true } : {}),
      ...(others.length > 0 ? { mcp: others } : {}),
      ...(forAll.length > 0 ? { mcpForAll: forAll } : {}),
    };
    return Object.keys(plain).length === 0 ? [] : [[program, plain] as const];
  });
  return Object.fromEntries(entries);
}
