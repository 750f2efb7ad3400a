import type { PermissionMode } from '../../../schemas/enums.ts';
import { ARTIFACTS } from '../../../schemas/names.ts';
import type { ProgramRights, RightsRule } from '../../../schemas/repository/programRights.ts';
import { FORBIDDEN_COMMANDS, SECRET_FILES, SECRETS_NAMED } from './forbidden.ts';

type Action = 'allow' | 'deny';
/** For each tool, patterns in order: the last one that matches decides. */
type Patterns = readonly (readonly [pattern: string, action: Action])[];

const NONE: Pick<ProgramRights, 'rules' | 'servers'> = { rules: [], servers: [] };

/**
 * The `permission` of opencode's settings. It denies without asking what is not named. The rules of the repository come
 * between what the mode allows and what devflow denies.
 */
export function opencodePermissions(mode: PermissionMode, { rules, servers } = NONE): Record<string, unknown> {
  const tools = { ...READING, ...WRITING[mode] };
  const asked = rules.map(({ data, decision }) => ({ ...(data as unknown as Asked), decision }));
  // Tools that the mode does not offer stay denied, except reading on the web.
  const more = ['webfetch', 'websearch', 'codesearch'].filter((tool) => asked.some((each) => each.tool === tool));
  const named = Object.entries({ ...tools, ...Object.fromEntries(more.map((tool) => [tool, { before: DENY }])) });
  const denied = asked.filter(({ tool, decision }) => decision === 'deny' && !(tool in tools) && !more.includes(tool));
  return {
    '*': 'deny',
    ...Object.fromEntries(named.map(([tool, about]) => [tool, patternsOf(about, ofTool(asked, tool))])),
    ...Object.fromEntries(servers.map(({ name }) => [`${name}_*`, 'allow'])),
    ...Object.fromEntries(denied.map(({ tool }) => [tool, patternsOf({ before: [] }, ofTool(asked, tool))])),
  };
}

interface Asked extends Record<string, unknown> {
  tool: string;
  pattern: string;
  decision: RightsRule['decision'];
}

function ofTool(asked: readonly Asked[], tool: string): Patterns {
  return asked.flatMap((each) => (each.tool === tool ? [[each.pattern, each.decision] as const] : []));
}

interface Tool {
  before: Patterns;
  after?: Patterns;
  /** These stay allowed whatever the repository denies. */
  kept?: Patterns;
  /** The repository's rules do not count: the tool has the least that a role needs. */
  isFixed?: true;
}

function patternsOf(
  { before, after = [], kept = [], isFixed }: Tool,
  ofRepository: Patterns,
): string | Record<string, string> {
  const patterns = new Map<string, string>();
  const between = isFixed || ofRepository.length === 0 ? [] : [...ofRepository, ...kept];
  for (const [pattern, action] of [...before, ...between, ...after]) {
    // A key keeps its first place, and the last place decides.
    patterns.delete(pattern);
    patterns.set(pattern, action);
  }
  const [first, ...others] = [...patterns];
  return others.length === 0 && first?.[0] === '*' ? first[1] : Object.fromEntries(patterns);
}

const ALLOW: Patterns = [['*', 'allow']];
const DENY: Patterns = [['*', 'deny']];

/** opencode's own rules allow reading examples, so these do too. */
const SECRETS_DENIED: Patterns = SECRET_FILES.flatMap((name) => [`${name}*`, `*/${name}*`]).map(denied);

const READING: Readonly<Record<string, Tool>> = {
  read: { before: ALLOW, after: [...['*.env', '*.env.*'].map(denied), ...SECRETS_DENIED, ['*.env.example', 'allow']] },
  glob: { before: ALLOW },
  grep: { before: ALLOW },
  list: { before: ALLOW },
  lsp: { before: ALLOW },
  todowrite: { before: ALLOW },
  todoread: { before: ALLOW },
};

const OWN: Patterns = [[`${ARTIFACTS}/*`, 'allow']];
const EDIT: Tool = { before: ALLOW, kept: OWN, after: SECRETS_DENIED };
/**
 * opencode compares the text of each command of a line. A refusal quotes all rules to the model, so there are few. A
 * pattern that matches anywhere covers `sudo`, a path before the program, and text for a shell.
 */
const BASH: Tool = {
  before: ALLOW,
  after: [...FORBIDDEN_COMMANDS.map((pattern) => `*${pattern}`), ...SECRETS_NAMED].map(denied),
};
const NO_BASH: Tool = { before: DENY, isFixed: true };

const WRITING: Readonly<Record<PermissionMode, Readonly<Record<string, Tool>>>> = {
  read: { edit: { before: [...DENY, ...OWN], isFixed: true }, bash: NO_BASH },
  edit: { edit: EDIT, bash: NO_BASH },
  execute: { edit: EDIT, bash: BASH },
};

function denied(pattern: string): readonly [string, 'deny'] {
  return [pattern, 'deny'];
}
