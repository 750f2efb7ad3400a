import type { PermissionMode } from '../../../schemas/enums.ts';
import type { ProgramRights } from '../../../schemas/repository/programRights.ts';
import { QUESTION_TOOL } from './claudeQuestion.ts';
import { FORBIDDEN_COMMANDS, SECRET_DIRECTORIES, SECRET_FILES, SECRETS_NAMED } from './forbidden.ts';

/** The model is not offered any other tool. */
const CLAUDE_TOOLS: Readonly<Record<PermissionMode, string>> = {
  read: `Read,Write,Glob,Grep,${QUESTION_TOOL}`,
  edit: `Read,Write,Edit,Glob,Grep,${QUESTION_TOOL}`,
  execute: `Read,Write,Edit,Glob,Grep,Bash,${QUESTION_TOOL}`,
};

/**
 * The `permissions` of a settings file. With `dontAsk`, Claude denies what is not allowed, and a denial overrides
 * everything.
 */
export function claudePermissions(
  mode: PermissionMode,
  { rules, servers }: Pick<ProgramRights, 'rules' | 'servers'> = { rules: [], servers: [] },
): Record<'allow' | 'deny', readonly string[]> {
  const ofRepository = (decision: 'allow' | 'deny') =>
    rules.flatMap((rule) => (rule.decision === decision ? [rule.text] : []));
  return {
    allow: ['Read(./**)', ...ALLOWED[mode], ...ofRepository('allow'), ...servers.map(({ name }) => `mcp__${name}`)],
    deny: [...SECRETS_DENIED, ...(mode === 'execute' ? COMMANDS_DENIED : []), ...ofRepository('deny')],
  };
}

/** The value of `--tools`, with the tools for the web that rules of the repository allow. */
export function claudeTools(mode: PermissionMode, rules: ProgramRights['rules'] = []): string {
  const allowed = ['WebFetch', 'WebSearch'].filter((tool) =>
    rules.some(({ decision, text }) => decision === 'allow' && (text === tool || text.startsWith(`${tool}(`))),
  );
  return [CLAUDE_TOOLS[mode], ...allowed].join(',');
}

const ALLOWED: Readonly<Record<PermissionMode, readonly string[]>> = {
  read: ['Write(./.devflow/artifacts/**)', 'Edit(./.devflow/artifacts/**)'],
  edit: ['Write(./**)', 'Edit(./**)'],
  execute: ['Write(./**)', 'Edit(./**)', 'Bash'],
};

/** A rule for reading also covers `cat`; a rule for editing also covers every tool that writes, and `>`. */
const SECRETS_DENIED: readonly string[] = [
  ...SECRET_FILES.map((name) => `**/${name}*`),
  ...SECRET_DIRECTORIES.map((directory) => `~/${directory}/**`),
].flatMap((path) => [`Read(${path})`, `Edit(${path})`]);

/** Claude compares each command of a line, also behind `sudo`, `env` or `xargs`. Text for another program passes. */
const COMMANDS_DENIED: readonly string[] = [
  ...FORBIDDEN_COMMANDS.flatMap(withAndWithoutEnd).flatMap((pattern) => [
    pattern,
    ...[`*/${pattern}`, `*sh -*c *${pattern}`],
    // In `$(…)`.
    String.raw`*\(${pattern}`,
  ]),
  ...SECRETS_NAMED,
].map((pattern) => `Bash(${pattern})`);

/** After an earlier star, a ` *` at the end is literal. */
function withAndWithoutEnd(pattern: string): string[] {
  return pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern];
}
