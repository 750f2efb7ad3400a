import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../../../daemon/sessions/profiles/index.ts';
import type { PermissionMode } from '../../../../schemas/enums.ts';
import { hash } from '../../../../schemas/hash.ts';
import type { AgentProgram } from '../../../../schemas/names.ts';
import { type ProgramRights, rightsFor } from '../../../../schemas/repository/programRights.ts';

const NONE: ProgramRights = { hooks: [], rules: [], servers: [] };

function launch(program: AgentProgram, rights: Partial<ProgramRights>, permissionMode: PermissionMode = 'execute') {
  return PROFILES[program].launch({
    sessionId: 's',
    conversationId: 'c',
    resume: false,
    sessionDir: '/session',
    permissionMode,
    hookCommand: (event) => `report ${event}`,
    modelConfig: {},
    binaryPath: 'agent',
    args: [],
    env: { HOME: '/home/ada' },
    rights: rightsFor({ ...NONE, ...rights }, permissionMode),
  });
}
const hook = (event: string, command: string, more = {}) => ({ file: 'f', event, command, options: {}, ...more });
const rule = (decision: 'allow' | 'deny', text: string, data?: Record<string, unknown>) => ({
  file: 'f',
  decision,
  text,
  ...(data ? { data } : {}),
});
const server = (name: string, entry: Record<string, unknown>, forAll = false) => ({ file: 'f', name, forAll, entry });

describe('claude', () => {
  const settings = (...args: Parameters<typeof launch> extends [unknown, ...infer R] ? R : never) =>
    JSON.parse(launch('claude', ...args).files['claude-settings.json'] ?? '');

  test("runs the repository's hooks after its own", () => {
    const { hooks } = settings({
      hooks: [
        hook('PreToolUse', 'guard', { matcher: 'Bash', options: { timeout: 9 } }),
        hook('PreCompact', 'x', { args: ['y'] }),
      ],
    });
    expect(hooks.PreToolUse.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command)).toEqual([
      'report PreToolUse',
      'guard',
      expect.stringContaining('permissionDecision'),
    ]);
    expect(hooks.PreToolUse[1]).toEqual({
      matcher: 'Bash',
      hooks: [{ type: 'command', command: 'guard', timeout: 9 }],
    });
    expect(hooks.PreCompact).toEqual([{ hooks: [{ type: 'command', command: 'x', args: ['y'] }] }]);
  });

  test('adds rules and servers, and keeps what devflow denies', () => {
    const rights = {
      rules: [rule('allow', 'WebFetch(domain:x)'), rule('deny', 'Bash(npm publish:*)')],
      servers: [server('db', { command: 'db' })],
    };
    const { permissions } = settings(rights);
    expect(permissions.allow.slice(-2)).toEqual(['WebFetch(domain:x)', 'mcp__db']);
    expect(permissions.deny).toContain('Bash(rm -rf*)');
    expect(permissions.deny.at(-1)).toBe('Bash(npm publish:*)');
    const { argv, files } = launch('claude', rights);
    expect(argv.slice(argv.indexOf('--strict-mcp-config'))).toEqual([
      '--strict-mcp-config',
      ...['--mcp-config', '/session/claude-mcp.json'],
      ...['--tools', 'Read,Write,Edit,Glob,Grep,Bash,AskUserQuestion,WebFetch'],
    ]);
    expect(JSON.parse(files['claude-mcp.json'] ?? '')).toEqual({ mcpServers: { db: { command: 'db' } } });
  });

  test('gives a reader denials alone', () => {
    const rights = {
      hooks: [hook('PreToolUse', 'guard')],
      rules: [rule('allow', 'WebFetch'), rule('deny', 'Read(secret/**)')],
      servers: [server('db', { command: 'db' }), server('docs', { command: 'docs' }, true)],
    };
    const { argv, files } = launch('claude', rights, 'read');
    const { hooks, permissions } = JSON.parse(files['claude-settings.json'] ?? '');
    expect(JSON.stringify(hooks)).not.toContain('guard');
    expect(permissions.allow.slice(-2)).toEqual(['Edit(./.devflow/artifacts/**)', 'mcp__docs']);
    expect(permissions.deny.at(-1)).toBe('Read(secret/**)');
    expect(argv).toContain('Read,Write,Glob,Grep,AskUserQuestion');
    expect(Object.keys(JSON.parse(files['claude-mcp.json'] ?? '').mcpServers)).toEqual(['docs']);
  });
});

describe('codex', () => {
  const flags = (rights: Partial<ProgramRights>) => {
    const { argv } = launch('codex', rights);
    const settings = argv.flatMap((word, at) => (argv[at - 1] === '-c' ? [word] : []));
    return parse(settings.filter((each) => /^(?:hooks|mcp_servers)\./.test(each)).join('\n'));
  };

  test("trusts the repository's hooks by the hash of exactly these", () => {
    const own = { type: 'command', command: 'report PreToolUse', timeout: 3 };
    const theirs = { type: 'command', command: 'guard "x"', timeout: 9 };
    const { hooks } = flags({
      hooks: [
        hook('PreToolUse', 'guard "x"', { matcher: '^Bash$', options: { timeout: 9.5 } }),
        hook('Stop', 'end', { matcher: 'ignored', options: { statusMessage: 'wait', async: true } }),
      ],
    }) as { hooks: Record<string, unknown> };
    expect(hooks.PreToolUse).toEqual([{ hooks: [own] }, { matcher: '^Bash$', hooks: [theirs] }]);
    const state = hooks.state as Record<string, { trusted_hash: string }>;
    const of = (identity: object) => ({ trusted_hash: `sha256:${hash(identity)}` });
    expect(state['/<session-flags>/config.toml:pre_tool_use:1:0']).toEqual(
      of({ event_name: 'pre_tool_use', matcher: '^Bash$', hooks: [{ ...theirs, async: false }] }),
    );
    const end = { type: 'command', command: 'end', timeout: 600, statusMessage: 'wait', async: true };
    expect(hooks.Stop).toMatchObject([{}, { hooks: [end] }]);
    expect(state['/<session-flags>/config.toml:stop:1:0']).toEqual(of({ event_name: 'stop', hooks: [end] }));
  });

  test('adds servers, whose tools need no further approval', () => {
    const entry = { command: 'db', args: ['a"b', 'c'], env: { 'A.B': '\u007f' }, startup_timeout_sec: 2.5 };
    expect(flags({ servers: [server('my-db', entry)] }).mcp_servers).toEqual({
      'my-db': { ...entry, default_tools_approval_mode: 'approve' },
    });
  });
});

describe('gemini', () => {
  const rules = (mode: PermissionMode = 'execute') => {
    const given = [
      rule('allow', 'a', { toolName: 'web_fetch' }),
      rule('deny', 'b', { toolName: 'run_shell_command', commandPrefix: ['git push', 'npm publish'] }),
    ];
    const policy = parse(launch('gemini', { rules: given }, mode).files['gemini-policy.toml'] ?? '');
    return policy.rule as { toolName: unknown; decision: string; priority: number; commandRegex?: string }[];
  };

  test("puts the repository's rules between what the mode allows and what devflow denies", () => {
    const all = rules();
    expect(all.slice(0, 4).map(({ decision, priority }) => [decision, priority])).toEqual([
      ['deny', 0],
      ['allow', 1],
      ['allow', 2],
      ['deny', 3],
    ]);
    expect(all[3]).toMatchObject({ commandPrefix: ['git push', 'npm publish'] });
    expect(all.slice(4).every(({ decision, priority }) => decision === 'deny' && priority === 4)).toBe(true);
    expect(all.some(({ commandRegex }) => commandRegex?.includes('rm -rf'))).toBe(true);
  });

  test('lets a reader write its artifact all the same', () => {
    const all = rules('read');
    expect(
      all.filter(({ toolName }) => toolName === 'write_file').map(({ decision, priority }) => [decision, priority]),
    ).toEqual([
      ['allow', 2],
      ['deny', 3],
    ]);
    expect(all.some(({ toolName }) => toolName === 'web_fetch')).toBe(false);
  });
});

describe('opencode', () => {
  const config = (rights: Partial<ProgramRights>, mode: PermissionMode = 'execute') =>
    JSON.parse(launch('opencode', rights, mode).env.OPENCODE_CONFIG_CONTENT ?? '');
  const given = [
    rule('deny', '', { tool: 'bash', pattern: '*' }),
    rule('allow', '', { tool: 'bash', pattern: 'npm *' }),
    rule('allow', '', { tool: 'bash', pattern: '*rm -rf*' }),
    rule('deny', '', { tool: 'edit', pattern: '*' }),
    rule('allow', '', { tool: 'webfetch', pattern: '*' }),
    rule('deny', '', { tool: 'db_drop', pattern: 'prod*' }),
  ];

  test("puts the repository's rules between what the mode allows and what devflow denies", () => {
    const { permission, mcp, agent } = config({ rules: given, servers: [server('db', { command: ['db'] })] });
    const bash = Object.entries(permission.bash);
    expect(bash.slice(0, 2)).toEqual([
      ['*', 'deny'],
      ['npm *', 'allow'],
    ]);
    expect(permission.bash['*rm -rf*']).toBe('deny');
    expect(Object.entries(permission.edit).slice(0, 2)).toEqual([
      ['*', 'deny'],
      ['.devflow/artifacts/*', 'allow'],
    ]);
    expect([permission.webfetch, permission['db_*'], permission.db_drop]).toEqual([
      'allow',
      'allow',
      { 'prod*': 'deny' },
    ]);
    expect(Object.keys(permission).indexOf('db_drop')).toBeGreaterThan(Object.keys(permission).indexOf('db_*'));
    expect(mcp).toEqual({ db: { command: ['db'], type: 'local', enabled: true } });
    expect(agent.build.permission).toEqual(permission);
  });

  test('gives a reader nothing more', () => {
    const before = config({}, 'read').permission;
    const { permission } = config({ rules: given }, 'read');
    expect(permission).toEqual({ ...before, db_drop: { 'prod*': 'deny' } });
    expect(permission.bash).toBe('deny');
  });

  test('is as before without rights', () => {
    const { permission } = config({});
    expect(Object.entries(permission.edit)).toEqual([
      ['*', 'allow'],
      ['.env*', 'deny'],
      ['*/.env*', 'deny'],
    ]);
  });
});
