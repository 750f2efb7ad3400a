import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
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
