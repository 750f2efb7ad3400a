import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { codex } from '../../../../daemon/sessions/profiles/codex.ts';
import { gemini } from '../../../../daemon/sessions/profiles/gemini.ts';
import { opencode } from '../../../../daemon/sessions/profiles/opencode.ts';

const about = {
  sessionId: 's',
  conversationId: 'c',
  resume: false,
  modelConfig: {},
  hookCommand: () => 'true',
  binaryPath: 'agent',
  args: [],
  env: { HOME: '/home/ada' },
  sessionDir: '/session',
  permissionMode: 'read' as const,
};

test("lets opencode find devflow's plugin in a directory of any name", () => {
  const sessionDir = `/a b/it's "50%"?#1[x]`;
  const { env } = opencode.launch({ ...about, sessionDir });
  const { plugin } = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '');
  expect(plugin.map((url: string) => fileURLToPath(url))).toEqual([`${sessionDir}/opencode-plugin.js`]);
});

test('lets Gemini read no file in the place of an at sign', () => {
  expect(gemini.escape?.('dev/spec@1, @a, \\@b')).toBe('dev/spec\\@1, \\@a, \\@b');
});

test("takes Gemini's directory from its own variable, else from the home", () => {
  const policies = (env: Record<string, string>) => gemini.launch({ ...about, env }).argv;
  expect(policies({ HOME: '/home/ada', GEMINI_CLI_HOME: '/else' })).toContain('/else/.gemini/policies');
  expect(policies({ HOME: '/home/ada', GEMINI_CLI_HOME: '' })).toContain('/home/ada/.gemini/policies');
});

const wouldRun = { worktree: '/work/a"b', paths: ['.x/hooks.json'] };

test('leaves the worktree untrusted that has something to run', () => {
  const { argv } = codex.launch({ ...about, wouldRun });
  expect(argv).toContain(String.raw`projects={"/work/a\"b"={trust_level="untrusted"}}`);
  expect(codex.launch(about).argv.filter((word) => word.includes('untrusted'))).toEqual([]);
  expect(gemini.launch({ ...about, wouldRun })).toMatchObject({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } });
  expect(gemini.launch({ ...about, wouldRun }).argv).not.toContain('--skip-trust');
  expect(gemini.launch(about).argv).toContain('--skip-trust');
});

test('refuses to start opencode where it would run something', () => {
  expect(() => opencode.launch({ ...about, wouldRun })).toThrow(
    'opencode was not started in /work/a"b: it would run plugins or tools of the repository (.x/hooks.json).',
  );
});

test('gives Codex any text as TOML that it can read', () => {
  const { argv } = codex.launch({ ...about, prelude: 'a "b" \\ \n\t\u007f 😀 \ud83d' });
  const setting = argv.find((word) => word.startsWith('developer_instructions='));
  expect(parse(setting ?? '')).toEqual({ developer_instructions: 'a "b" \\ \n\t\u007f 😀 \ufffd' });
});

test('names only the first of many files that opencode would run', () => {
  const paths = Array.from({ length: 1000 }, (_, nth) => `.opencode/${nth}`);
  expect(() => opencode.launch({ ...about, wouldRun: { worktree: '/w', paths } })).toThrow('.opencode/4 and 995 more)');
});
