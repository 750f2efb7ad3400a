import { type HookForm, hooksIn } from './hooks.ts';
import {
  type LeftOut,
  MOST_HOOKS,
  otherKeys,
  parseJson,
  parseTomlFile,
  type RightsReader,
  recordIn,
} from './reading.ts';
import { namedServers, type ServerForm, serversIn } from './servers.ts';

const CONFIG = '.codex/config.toml';
const HOOKS_FILE = '.codex/hooks.json';

/** Without PermissionRequest, which could answer for a person. */
const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop'];
const formOf = (file: string): HookForm => ({
  file,
  events: EVENTS,
  options: ['timeout', 'async', 'statusMessage'],
  hasArgs: false,
});

const SHARED = ['enabled_tools', 'disabled_tools', 'startup_timeout_sec', 'tool_timeout_sec'];
const SERVER: ServerForm = {
  files: CONFIG,
  local: ['command', 'args', 'env', 'env_vars', 'cwd', ...SHARED],
  remote: ['url', 'bearer_token_env_var', 'http_headers', 'env_http_headers', ...SHARED],
  command: 'text',
};

/** Codex: hooks of both its files, and servers. Its rules (`.codex/rules`) have no place among its flags. */
export const codexRights: RightsReader = {
  wants: (path, settings) =>
    (path === CONFIG && (settings.settings === true || namedServers(settings).length > 0)) ||
    (path === HOOKS_FILE && settings.settings === true),

  read(texts, settings, paths) {
    const config = parseTomlFile(CONFIG, texts.get(CONFIG) ?? '');
    const file = parseJson(HOOKS_FILE, texts.get(HOOKS_FILE) ?? '{}');
    const failed = [config, file].flatMap((each) => ('fault' in each ? [each.fault] : []));
    const servers = recordIn('value' in config ? config.value.mcp_servers : undefined) ?? {};
    const found = new Map(Object.entries(servers).map(([name, value]) => [name, { file: CONFIG, value }]));
    const read = 'fault' in config ? { servers: [], leftOut: [], faults: [] } : serversIn(found, settings, SERVER);
    const leftOut: LeftOut[] = [...read.leftOut];
    const hooks = settings.settings
      ? [config, file].flatMap((each, at) => {
          if ('fault' in each) return [];
          const own = hooksIn(withoutState(each.value.hooks), formOf(at === 0 ? CONFIG : HOOKS_FILE));
          leftOut.push(...own.leftOut);
          return own.hooks;
        })
      : [];
    if (settings.settings) leftOut.push(...left('value' in config ? config.value : {}, paths));
    return {
      hooks: hooks.slice(0, MOST_HOOKS),
      rules: [],
      servers: read.servers,
      leftOut,
      faults: [...failed, ...read.faults],
    };
  },
};

/** Which hooks a person trusts is no hook. */
function withoutState(hooks: unknown): unknown {
  return Object.fromEntries(Object.entries(recordIn(hooks) ?? {}).filter(([key]) => key !== 'state'));
}

function left(config: Readonly<Record<string, unknown>>, paths: ReadonlySet<string>): LeftOut[] {
  const rules = [...paths].filter((path) => path.startsWith('.codex/rules/'));
  return [
    ...otherKeys(config, ['hooks', 'mcp_servers']).map((what) => ({
      file: CONFIG,
      what,
      why: 'devflow takes hooks and servers alone',
    })),
    ...rules.map((file) => ({ file, what: 'its rules', why: 'Codex reads rules only from a folder that it trusts' })),
  ];
}
