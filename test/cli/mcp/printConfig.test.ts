import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { MCP_CLIENTS, type McpClient } from '../../../cli/define/mcp.ts';
import { configFile, printConfig } from '../../../cli/mcp/printConfig.ts';

const ROOT = '/home/ada/src/dev "flow"\\x';
const COMMAND = `${ROOT}/bin/devflow`;

const parsed = (program: McpClient, env: Record<string, string> = {}) => {
  const text = printConfig(program, env, ROOT);
  return program === 'codex' ? parseToml(text) : JSON.parse(text);
};

test.each<[McpClient, object]>([
  ['claude', { mcpServers: { devflow: { type: 'stdio', command: COMMAND, args: ['mcp'] } } }],
  ['codex', { mcp_servers: { devflow: { command: COMMAND, args: ['mcp'] } } }],
  ['gemini', { mcpServers: { devflow: { command: COMMAND, args: ['mcp'] } } }],
  ['opencode', { mcp: { devflow: { type: 'local', command: [COMMAND, 'mcp'], enabled: true } } }],
  ['vscode', { servers: { devflow: { type: 'stdio', command: COMMAND, args: ['mcp'] } } }],
])('is in the form of %s', (program, expected) => {
  expect(parsed(program)).toEqual(expected);
});

test.each(MCP_CLIENTS)(
  '%s gets the places that devflow is found by, and nothing else of the environment',
  (program) => {
    const own = JSON.stringify(parsed(program, { DEVFLOW_HOME: '/d', XDG_STATE_HOME: '/s', API_KEY: 'secret' }));
    expect(own).toContain('"DEVFLOW_HOME":"/d"');
    expect(own).not.toMatch(/secret|XDG/);
    const usual = JSON.stringify(parsed(program, { XDG_RUNTIME_DIR: '/run/user/1000', HOME: '/home/ada' }));
    expect(usual).toContain('"XDG_RUNTIME_DIR":"/run/user/1000"');
    expect(usual).not.toContain('HOME"');
  },
);

test.each(MCP_CLIENTS)('%s has a file for it', (program) => {
  expect(configFile(program)).toMatch(/json|toml/);
});
