import type { RightsRule } from '../../../schemas/repository/programRights.ts';
import { type HookForm, hooksIn } from './hooks.ts';
import {
  type Json,
  type LeftOut,
  listIn,
  MOST_RULES,
  otherKeys,
  parseJson,
  type ReadProgram,
  type RightsReader,
  recordIn,
  textIn,
} from './reading.ts';
import { namedServers, type ServerForm, serversIn } from './servers.ts';

const SETTINGS = '.claude/settings.json';
const SERVERS = '.mcp.json';

/** Without PermissionRequest, which could answer a question for a person. */
const HOOKS: HookForm = {
  file: SETTINGS,
  events: [
    ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'],
    ...['Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'Notification'],
  ],
  options: ['timeout', 'async', 'if', 'once', 'statusMessage', 'shell'],
  hasArgs: true,
};

const SERVER: ServerForm = {
  files: SERVERS,
  local: ['type', 'command', 'args', 'env', 'timeout'],
  remote: ['type', 'url', 'headers', 'timeout'],
  command: 'text',
};

/** Claude Code: hooks and permission rules of its settings, and the servers of `.mcp.json`. */
export const claudeRights: RightsReader = {
  wants: (path, settings) =>
    (path === SETTINGS && settings.settings === true) || (path === SERVERS && namedServers(settings).length > 0),

  read(texts, settings) {
    const none: ReadProgram = { hooks: [], rules: [], servers: [], leftOut: [], faults: [] };
    const text = texts.get(SETTINGS);
    const own = text === undefined || !settings.settings ? none : readSettings(text);
    const parsed = parseJson(SERVERS, texts.get(SERVERS) ?? '{}');
    if ('fault' in parsed) return { ...own, faults: [...own.faults, parsed.fault] };
    const entries = Object.entries(recordIn(parsed.value.mcpServers) ?? {});
    const found = new Map(entries.map(([name, value]) => [name, { file: SERVERS, value }]));
    const { servers, leftOut, faults } = serversIn(found, settings, SERVER);
    return { ...own, servers, leftOut: [...own.leftOut, ...leftOut], faults: [...own.faults, ...faults] };
  },
};

function readSettings(text: string): ReadProgram {
  const parsed = parseJson(SETTINGS, text);
  if ('fault' in parsed) return { hooks: [], rules: [], servers: [], leftOut: [], faults: [parsed.fault] };
  const { value } = parsed;
  const { hooks, leftOut } = value.disableAllHooks === true ? { hooks: [], leftOut: [] } : hooksIn(value.hooks, HOOKS);
  const permissions = readPermissions(recordIn(value.permissions) ?? {});
  const others = otherKeys(value, ['$schema', 'hooks', 'permissions', 'disableAllHooks']);
  const why = 'devflow takes hooks and permission rules alone';
  return {
    hooks,
    rules: permissions.rules,
    servers: [],
    leftOut: [...leftOut, ...permissions.leftOut, ...others.map((what) => ({ file: SETTINGS, what, why }))],
    faults: [],
  };
}

/** A tool, and perhaps a pattern of its input. */
const RULE = /^(mcp__[\w*-]+|[A-Za-z][A-Za-z0-9]*)(\([^\n]+\))?$/;
/** Tools that only read, here or on the web. */
const READING = ['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch'];
const WRITING = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];

function readPermissions(permissions: Json): { rules: RightsRule[]; leftOut: LeftOut[] } {
  const rules: RightsRule[] = [];
  const leftOut: LeftOut[] = [];
  for (const key of ['deny', 'ask', 'allow'] as const) {
    for (const value of listIn(permissions[key])) {
      const text = textIn(value, 1000)?.trim();
      const tool = RULE.exec(text ?? '')?.[1];
      const decision = key === 'allow' ? 'allow' : 'deny';
      const why = text === undefined || tool === undefined ? 'this is no rule' : whyNot(decision, tool);
      if (rules.length >= MOST_RULES)
        leftOut.push({ file: SETTINGS, what: `permissions.${key}`, why: 'there are more than 500' });
      else if (why === undefined) rules.push({ file: SETTINGS, decision, text: text as string });
      else if (why !== '') leftOut.push({ file: SETTINGS, what: `permissions.${key}: ${text ?? 'a value'}`, why });
    }
  }
  const others = otherKeys(permissions, ['allow', 'deny', 'ask']);
  const why = 'devflow decides this itself';
  return {
    rules,
    leftOut: [...leftOut, ...others.map((what) => ({ file: SETTINGS, what: `permissions.${what}`, why }))],
  };
}

/** The reason to leave a rule out; '' if it says what holds anyway; undefined: the rule is taken. */
function whyNot(decision: RightsRule['decision'], tool: string): string | undefined {
  if (decision === 'deny' || READING.includes(tool)) return undefined;
  if (tool === 'Bash' || tool.startsWith('mcp__')) return '';
  return WRITING.includes(tool) ? 'agents write only in their worktree' : 'devflow does not offer this tool';
}
