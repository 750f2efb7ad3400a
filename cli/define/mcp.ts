import { type Action, plainCommand } from './command.ts';
import { oneOf, text } from './entry.ts';

/** The programs whose form of configuration devflow knows. */
export const MCP_CLIENTS = ['claude', 'codex', 'gemini', 'opencode', 'vscode'] as const;
export type McpClient = (typeof MCP_CLIENTS)[number];

const MCP_HELP = `
A program starts this command itself and speaks MCP with it. It can list and
read runs, gates, findings, reports, agents, transcripts, messages and schedules,
start runs and write to agents. No tool decides a gate. Called by an agent, it
only reads.

--print-config writes nothing: paste what it prints into the file that it names.`;

export const MCP = plainCommand(
  'offer runs as MCP tools to another program, on standard input and output',
  {
    printConfig: oneOf(
      text('<program>', 'print what to paste into the configuration of that program, and end'),
      MCP_CLIENTS,
    ),
  },
  { help: MCP_HELP },
);
export type Mcp = Action<typeof MCP>;
