import type { RightsRule } from '../../../schemas/repository/programRights.ts';
import {
  type LeftOut,
  otherKeys,
  parseJson,
  type RightsFault,
  type RightsReader,
  recordIn,
  textIn,
} from './reading.ts';
import { namedServers, type ServerForm, serversIn } from './servers.ts';

const NAMES = ['opencode.json', 'opencode.jsonc'];
/** In the order in which opencode merges them. */
const FILES = ['', '.opencode/'].flatMap((directory) => NAMES.map((name) => `${directory}${name}`));

const SERVER: ServerForm = {
  files: FILES[0] as string,
  local: ['type', 'command', 'environment', 'timeout'],
  remote: ['type', 'url', 'headers', 'timeout'],
  command: 'list',
};

/** opencode: permission rules and servers. Its plugins are programs inside of it. */
export const opencodeRights: RightsReader = {
  wants: (path, settings) => FILES.includes(path) && (settings.settings === true || namedServers(settings).length > 0),

  read(texts, settings) {
    const faults: RightsFault[] = [];
    const leftOut: LeftOut[] = [];
    const rules: RightsRule[] = [];
    const entries = new Map<string, { file: string; value: unknown }>();
    for (const file of FILES) {
      const text = texts.get(file);
      if (text === undefined) continue;
      const parsed = parseJson(file, text, { comments: true });
      if ('fault' in parsed) {
        faults.push(parsed.fault);
        continue;
      }
      for (const [name, value] of Object.entries(recordIn(parsed.value.mcp) ?? {})) entries.set(name, { file, value });
      if (!settings.settings) continue;
      rules.push(...readPermission(file, parsed.value.permission, leftOut));
      const why = 'devflow takes permission rules and servers alone';
      leftOut.push(...otherKeys(parsed.value, ['$schema', 'permission', 'mcp']).map((what) => ({ file, what, why })));
    }
    const read = serversIn(entries, settings, SERVER);
    for (const { name, entry } of read.servers) {
      // opencode would put the content of a file into its settings: one of the worktree, or a secret.
      if (!JSON.stringify(entry).includes('{file:')) continue;
      const { file = '' } = entries.get(name) ?? {};
      const message = `the MCP server ${name} takes a value from a file ({file:…})`;
      faults.push({ file, message, remedy: 'Use a variable ({env:NAME}), and give it in backends.opencode.env.' });
    }
    const more = rules.length > 500 ? [tooMany(rules.length)] : [];
    return {
      hooks: [],
      rules,
      servers: read.servers,
      leftOut: [...leftOut, ...read.leftOut],
      faults: [...faults, ...read.faults, ...more],
    };
  },
};

function tooMany(count: number): RightsFault {
  return {
    file: FILES[0] as string,
    message: `there are ${count} permission rules, more than 500`,
    remedy: 'Join rules.',
  };
}

/** Tools that only read, here or on the web. */
const READING = ['read', 'glob', 'grep', 'list', 'lsp', 'webfetch', 'websearch', 'codesearch'];
/** Tools that some mode of devflow allows. The rules of a repository may divide what they may do. */
const DIVIDED = [...READING, 'edit', 'bash'];

function readPermission(file: string, permission: unknown, leftOut: LeftOut[]): RightsRule[] {
  if (permission === undefined) return [];
  const tools = typeof permission === 'string' ? { '*': permission } : recordIn(permission);
  if (!tools) {
    leftOut.push({ file, what: 'permission', why: 'this is no object' });
    return [];
  }
  return Object.entries(tools).flatMap(([tool, value]) => {
    const patterns = typeof value === 'string' ? { '*': value } : (recordIn(value) ?? {});
    return Object.entries(patterns).flatMap(([pattern, action]) => {
      const rule = ruleOf(file, tool, pattern, action);
      if ('why' in rule) leftOut.push({ file, what: `permission.${tool} ${pattern}`, why: rule.why });
      return 'why' in rule ? [] : [rule];
    });
  });
}

function ruleOf(file: string, tool: string, pattern: string, action: unknown): RightsRule | { why: string } {
  if (!/^[\w*?-]{1,100}$/.test(tool) || textIn(pattern) === undefined) return { why: 'this is no rule' };
  if (tool === '*') return { why: 'devflow decides which tools there are' };
  const text = `${tool} ${pattern}`;
  if (action === 'deny' || action === 'ask') return { file, decision: 'deny', text, data: { tool, pattern } };
  if (action !== 'allow') return { why: 'it is none of allow, deny and ask' };
  return DIVIDED.includes(tool)
    ? { file, decision: 'allow', text, data: { tool, pattern } }
    : { why: 'devflow does not offer this tool' };
}
