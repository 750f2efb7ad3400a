import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { writeFiles } from '../helpers/writeFiles.ts';
import { PROGRAMS } from './programs/pins.ts';
import { isValid } from './support/judge.ts';
import { useRealSessions } from './support/realSession.ts';

const SAYS: Readonly<Record<string, string>> = {
  'CLAUDE.md': 'Marker of CLAUDE.md: greet with 4711.',
  'AGENTS.md': 'Marker of AGENTS.md: "quotes", $HOME, `ticks` and\n\ttabs.',
  // Gemini would put its skills there.
  'GEMINI.md': `Marker of GEMINI.md: ${'$'}{AgentSkills}.`,
  'src/AGENTS.md': 'nested',
  '.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: How to deploy\n---\n',
  '.claude/agents/judge.md': '---\nname: judge\ndescription: Judges a change\n---\n',
  '.claude/commands/tidy.md': '---\ndescription: Tidies\n---\n',
};
const HEARS = [
  ...['greet with 4711', '"quotes", $HOME, `ticks` and\n\ttabs.', 'Marker of GEMINI.md: $', '- src/AGENTS.md'],
  ...['- .claude/skills/deploy/SKILL.md: How to deploy', '- .claude/agents/judge.md: Judges a change'],
  '- .claude/commands/tidy.md: Tidies',
];

/** What an agent could leave in its worktree, for the programs to run at their next start. */
function plants(ran: string): Record<string, string> {
  const run = (name: string) => ({ type: 'command', command: `touch ${ran}-${name}` });
  const server = (name: string) => ({ command: 'touch', args: [`${ran}-${name}`] });
  const hooks = (name: string, events: string[]) =>
    Object.fromEntries(events.map((event) => [event, [{ matcher: '*', hooks: [run(name)] }]]));
  const claude = { hooks: hooks('claude', ['SessionStart', 'UserPromptSubmit']), statusLine: run('claude-line') };
  const gemini = { hooks: hooks('gemini', ['SessionStart', 'BeforeAgent']), mcpServers: { a: server('gemini-mcp') } };
  const opencode = { mcp: { a: { type: 'local', command: ['touch', `${ran}-opencode`] } } };
  return {
    '.claude/settings.json': JSON.stringify(claude),
    '.claude/settings.local.json': JSON.stringify(claude),
    '.mcp.json': JSON.stringify({ mcpServers: { a: server('claude-mcp') } }),
    '.codex/hooks.json': JSON.stringify({ hooks: hooks('codex', ['SessionStart', 'UserPromptSubmit']) }),
    '.codex/config.toml': `[mcp_servers.a]\ncommand = "touch"\nargs = ["${ran}-codex-mcp"]\n`,
    '.gemini/settings.json': JSON.stringify(gemini),
    '.opencode/opencode.json': JSON.stringify(opencode),
    'opencode.json': JSON.stringify(opencode),
  };
}

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  test.each([
    ['read', false],
    ['execute', true],
  ] as const)('%s: hears what the repository says, and runs nothing of it', async (permissionMode, isPlanted) => {
    const session = await given(program, { permissionMode });
    const { start, adapter, envelope, input, home, model, told, becomes, press } = session;
    const ran = join(home, 'ran');
    const files = { ...SAYS, ...(isPlanted ? plants(ran) : {}) };
    writeFiles(input.cwd, files);
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    const starting = start();
    // Codex says to a person that it ignores `.codex/`, and waits.
    const asks = program === 'codex' && isPlanted;
    if (asks) {
      starting.catch(() => {});
      await becomes('DIALOG');
      await until('it is reported', () => told.at(-1)?.cause === 'dialog');
      await press('Enter');
    }
    const handle = await starting;
    const prompt = envelope();
    await adapter.sendPrompt(handle, prompt);
    await until('the turn is closed', () => model.closed(prompt.uuid));
    expect(isValid(prompt)).toBe(true);
    const turns = model.heard.filter(({ kind }) => kind === 'turn');
    for (const { system } of turns) {
      expect(system).toContain('You are an agent under test.');
      for (const each of HEARS) expect(system).toContain(each);
    }
    const names = ['claude', 'claude-line', 'claude-mcp', 'codex', 'codex-mcp', 'gemini', 'gemini-mcp', 'opencode'];
    expect(names.filter((name) => existsSync(`${ran}-${name}`))).toEqual([]);
    expect(told.flatMap((stall) => stall?.cause ?? [])).toEqual(asks ? ['dialog'] : []);
  });
});
