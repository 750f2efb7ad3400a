import type { RightsRule } from '../../../schemas/repository/programRights.ts';
import {
  type Json,
  type LeftOut,
  listIn,
  otherKeys,
  parseJson,
  parseTomlFile,
  type RightsFault,
  type RightsReader,
  recordIn,
  textIn,
} from './reading.ts';
import { namedServers } from './servers.ts';

const SETTINGS = '.gemini/settings.json';
const POLICY = /^\.gemini\/policies\/[^/]+\.toml$/;

/** Each rule has a priority of its own below the rules that a person has at 100. */
const MOST_RULES = 90;
const ONLY = 'Gemini CLI reads hooks and servers only from a worktree that it trusts, which an agent can change';

/** Gemini CLI: permission rules alone. */
export const geminiRights: RightsReader = {
  wants: (path, settings) => settings.settings === true && (path === SETTINGS || POLICY.test(path)),

  read(texts, settings) {
    const faults: RightsFault[] = namedServers(settings).map((name) => ({
      file: 'devflow.yaml',
      message: `agents.gemini cannot have the MCP server ${name}: ${ONLY}`,
      remedy: 'Remove it there, or add the server to your own ~/.gemini/settings.json.',
    }));
    const leftOut: LeftOut[] = [];
    const found: (RightsRule & { priority: number })[] = [];
    for (const [path, text] of texts) {
      const isPolicy = POLICY.test(path);
      if (!isPolicy && path !== SETTINGS) continue;
      const parsed = isPolicy ? parseTomlFile(path, text) : parseJson(path, text, { comments: true });
      if ('fault' in parsed) faults.push(parsed.fault);
      else if (isPolicy) readPolicy(path, parsed.value, found, leftOut);
      else readSettings(parsed.value, found, leftOut);
    }
    const rules = found.toSorted((a, b) => a.priority - b.priority).map(({ priority: _, ...rule }) => rule);
    if (rules.length > MOST_RULES) {
      const message = `there are ${rules.length} permission rules, more than ${MOST_RULES}`;
      faults.push({ file: '.gemini', message, remedy: 'Join rules into fewer ones.' });
    }
    return { hooks: [], rules, servers: [], leftOut, faults };
  },
};

type Found = (RightsRule & { priority: number })[];

function readSettings(settings: Json, found: Found, leftOut: LeftOut[]): void {
  const tools = recordIn(settings.tools) ?? {};
  for (const value of listIn(tools.exclude)) {
    const [, tool, prefix] = /^([\w*-]+)(?:\(([^\n]+)\))?$/.exec(textIn(value) ?? '') ?? [];
    const what = `tools.exclude: ${textIn(value) ?? 'a value'}`;
    if (tool === undefined) leftOut.push({ file: SETTINGS, what, why: 'this names no tool' });
    else found.push(ruleOf(SETTINGS, { toolName: tool, ...(prefix ? { commandPrefix: prefix } : {}) }, 'deny', 999));
  }
  const others = otherKeys(tools, ['exclude']).map((key) => `tools.${key}`);
  for (const what of others) leftOut.push({ file: SETTINGS, what, why: 'devflow decides this itself' });
  for (const what of otherKeys(settings, ['$schema', 'tools'])) {
    const runs = ['hooks', 'hooksConfig', 'mcpServers', 'mcp'].includes(what);
    leftOut.push({ file: SETTINGS, what, why: runs ? ONLY : 'devflow takes permission rules alone' });
  }
}

/** The keys of a rule that a call is compared with. */
const CONDITIONS = ['toolName', 'mcpName', 'subagent', 'argsPattern', 'commandPrefix', 'commandRegex'];
const OTHERS = ['decision', 'priority', 'modes', 'interactive', 'denyMessage', 'allowRedirection', 'toolAnnotations'];
/** Tools that only read, here or on the web. */
const READING = [
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'web_fetch',
  'google_web_search',
];

function readPolicy(file: string, policy: Json, found: Found, leftOut: LeftOut[]): void {
  for (const [nth, value] of listIn(policy.rule).entries()) {
    const read = readRule(file, recordIn(value) ?? {});
    if ('why' in read) {
      if (read.why !== '') leftOut.push({ file, what: `rule ${nth + 1}`, why: read.why });
    } else found.push(read);
  }
  for (const what of otherKeys(policy, ['rule'])) leftOut.push({ file, what, why: 'devflow takes rules alone' });
}

function readRule(file: string, rule: Json): (RightsRule & { priority: number }) | { why: string } {
  const unknown = otherKeys(rule, [...CONDITIONS, ...OTHERS]);
  if (unknown.length > 0) return { why: `devflow does not know ${unknown.slice(0, 5).join(', ')}` };
  if (rule.toolAnnotations !== undefined) return { why: 'devflow does not know toolAnnotations' };
  const conditions = Object.fromEntries(Object.entries(rule).filter(([key]) => CONDITIONS.includes(key)));
  const isText = (value: unknown) => textIn(value) !== undefined;
  const isList = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);
  if (!Object.values(conditions).every((value) => isText(value) || isList(value)))
    return { why: 'one of its conditions is no text' };
  if (Object.keys(conditions).length === 0) return { why: 'it has no condition' };
  const priority = typeof rule.priority === 'number' ? rule.priority : 0;
  if (rule.decision === 'deny' || rule.decision === 'ask_user') return ruleOf(file, conditions, 'deny', priority);
  if (rule.decision !== 'allow') return { why: 'its decision is none of allow, deny and ask_user' };
  const tools = [rule.toolName ?? ((rule.commandPrefix ?? rule.commandRegex) ? 'run_shell_command' : undefined)].flat();
  // Agents that may run commands may run all but the forbidden ones.
  if (tools.every((tool) => tool === 'run_shell_command')) return { why: '' };
  if (rule.mcpName !== undefined || !tools.every((tool) => READING.includes(String(tool))))
    return { why: 'devflow does not offer all of its tools, or agents use them only in their worktree' };
  return ruleOf(file, conditions, 'allow', priority);
}

function ruleOf(file: string, conditions: Json, decision: RightsRule['decision'], priority: number): Found[number] {
  const text = Object.entries(conditions)
    .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    .join(', ');
  return { file, decision, text, data: conditions, priority };
}
