import { join } from 'node:path';
import { type Env, packageRoot } from '../../schemas/files/paths.ts';
import type { McpClient } from '../define/mcp.ts';

/** Where devflow's socket is follows from these. A program may start its servers with none of them. */
const PLACES = ['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];

interface Form {
  /** The file in which the text belongs, for a person. */
  file: string;
  text(command: string, env: Record<string, string>): string;
}

const ARGUMENTS = ['mcp'];

const FORMS: Readonly<Record<McpClient, Form>> = {
  claude: {
    file: ".mcp.json of a project, or for all of yours: claude mcp add-json --scope user devflow '{…}'",
    text: (command, env) =>
      json({ mcpServers: { devflow: { type: 'stdio', command, args: ARGUMENTS, ...given(env) } } }),
  },
  codex: { file: '~/.codex/config.toml', text: toml },
  gemini: {
    file: '~/.gemini/settings.json, or .gemini/settings.json of a project',
    text: (command, env) => json({ mcpServers: { devflow: { command, args: ARGUMENTS, ...given(env) } } }),
  },
  opencode: {
    file: '~/.config/opencode/opencode.json, or opencode.json of a project (opencode 1)',
    text: (command, env) =>
      json({
        mcp: {
          devflow: { type: 'local', command: [command, ...ARGUMENTS], enabled: true, ...given(env, 'environment') },
        },
      }),
  },
  vscode: {
    file: '.vscode/mcp.json of a workspace, or MCP: Open User Configuration',
    text: (command, env) => json({ servers: { devflow: { type: 'stdio', command, args: ARGUMENTS, ...given(env) } } }),
  },
};

/** The part of a program's configuration that starts this devflow. The text goes to standard output, so nothing but it. */
export function printConfig(program: McpClient, env: Env, root = packageRoot()): string {
  return FORMS[program].text(join(root, 'bin', 'devflow'), placesOf(env));
}

/** The file for the text. */
export function configFile(program: McpClient): string {
  return FORMS[program].file;
}

function placesOf(env: Env): Record<string, string> {
  const names = env.DEVFLOW_HOME ? ['DEVFLOW_HOME'] : PLACES;
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

function given(env: Record<string, string>, key = 'env'): Record<string, unknown> {
  return Object.keys(env).length === 0 ? {} : { [key]: env };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function toml(command: string, env: Record<string, string>): string {
  const lines = [
    '[mcp_servers.devflow]',
    `command = ${tomlText(command)}`,
    `args = [${ARGUMENTS.map(tomlText).join(', ')}]`,
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${tomlText(value)}`);
  if (variables.length > 0) lines.push('', '[mcp_servers.devflow.env]', ...variables);
  return `${lines.join('\n')}\n`;
}

/** A basic string of TOML has the escapes of JSON, and one more control character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
