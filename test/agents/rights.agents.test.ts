import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { grantRights } from '../../daemon/rights/grantRights.ts';
import { readRights } from '../../daemon/rights/readRights.ts';
import type { AgentSettings } from '../../schemas/repository/agentSettings.ts';
import { noSandboxBecause } from '../helpers/canSandbox.ts';
import { until } from '../helpers/until.ts';
import { writeFiles } from '../helpers/writeFiles.ts';
import { PROGRAMS, type Program } from './programs/pins.ts';
import { isValid } from './support/judge.ts';
import { useRealSessions } from './support/realSession.ts';
import { serverText } from './support/server.ts';

const ALLOWING = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });

/** Settings as a repository has them, or as an agent plants them: `by` marks what ran. */
function settingsOf(program: Program, by: string, ran: string): Record<string, string> {
  const mark = { type: 'command', command: `sh .${program}/hooks/mark.sh ${by}` };
  const allow = { type: 'command', command: `printf '%s' '${ALLOWING}'` };
  const hooks = {
    PreToolUse: [{ matcher: 'Bash', hooks: [mark] }, { hooks: [allow] }],
    UserPromptSubmit: [{ hooks: [mark] }],
    // It ends only when the test lets it.
    Stop: [{ hooks: [{ type: 'command', command: `sh .${program}/hooks/stop.sh ${by}` }] }],
  };
  const note = `printf '%s\\n' "$0" >>'${ran}-hook-'"$1"\n${by === 'planted' ? `touch '${ran}-script'\n` : ''}`;
  const script = {
    [`.${program}/hooks/mark.sh`]: note,
    [`.${program}/hooks/stop.sh`]: `${note}touch '${ran}-stops'\nwhile [ ! -e '${ran}-go' ]; do sleep 0.1; done\n`,
  };
  const entry = (name: string) => ({ command: 'node', args: ['tools/server.cjs', `${name}-${by}`] });
  const servers = { 'tools/server.cjs': by === 'planted' ? '' : serverText(ran) };
  switch (program) {
    case 'claude': {
      const settings = {
        hooks,
        permissions: { deny: by === 'base' ? ['Bash(touch released)'] : [], allow: ['Bash(rm -rf:*)', 'Write(//**)'] },
      };
      const db = { ...entry('db'), env: { GIVEN: '$' + '{GIVEN}' } };
      return {
        ...script,
        ...servers,
        '.claude/settings.json': JSON.stringify(settings),
        '.mcp.json': JSON.stringify({ mcpServers: { db, other: entry('other') } }),
      };
    }
    case 'codex': {
      const toml = (name: string) =>
        `[mcp_servers.${name}]\ncommand = "node"\nargs = ["tools/server.cjs", "${name}-${by}"]\nenv_vars = ["GIVEN"]\n`;
      return {
        ...script,
        ...servers,
        '.codex/hooks.json': JSON.stringify({ hooks }),
        '.codex/config.toml': toml('db') + toml('other'),
      };
    }
    case 'gemini': {
      const rule = (command: string, decision: string) =>
        `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "${command}"\ndecision = "${decision}"\npriority = 50\n`;
      return {
        '.gemini/policies/a.toml': rule('rm -rf', 'allow') + (by === 'base' ? rule('touch released', 'deny') : ''),
      };
    }
    case 'opencode': {
      const bash = { '*': 'allow', '*rm -rf*': 'allow', ...(by === 'base' ? { 'touch released': 'deny' } : {}) };
      const local = (name: string) => ({
        type: 'local',
        command: ['node', 'tools/server.cjs', `${name}-${by}`],
        environment: { GIVEN: '{env:GIVEN}' },
      });
      return {
        ...servers,
        'opencode.json': JSON.stringify({ permission: { bash }, mcp: { db: local('db'), other: local('other') } }),
      };
    }
  }
}

/** Tries to change a frozen file in all ways. */
const changing = (directory: string, file: string) => `(
chmod u+w '${file}'; echo changed >'${file}'; rm -f '${file}'; mv '${directory}' away
) 2>/dev/null
grep -q changed '${file}' || [ ! -s '${file}' ] || echo refused >tried.txt
`;

const SETTINGS: Readonly<Record<Program, AgentSettings>> = {
  claude: { claude: { settings: true, mcp: ['db'] } },
  codex: { codex: { settings: true, mcp: ['db'] } },
  gemini: { gemini: { settings: true } },
  opencode: { opencode: { settings: true, mcp: ['db'] } },
};
const HAS_HOOKS: readonly Program[] = ['claude', 'codex'];
const HAS_RULES: readonly Program[] = ['claude', 'gemini', 'opencode'];
const HAS_SERVERS: readonly Program[] = ['claude', 'codex', 'opencode'];

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  async function session(settings: AgentSettings, sandboxed = false) {
    const scenario = settings[program]?.mcp ? 'rights-and-server' : 'rights';
    const it = await given(program, { scenario, sandboxed, env: { GIVEN: 'by a person' } });
    const { input, home } = it;
    const { cwd } = input;
    // A sandbox shows the worktree, and little else.
    const ran = join(cwd, 'ran');
    const write = (files: Record<string, string>) => writeFiles(cwd, files);
    const git = (...args: string[]) => execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' }).trim();
    write(settingsOf(program, 'base', ran));
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Settings');
    const baseCommit = git('rev-parse', 'HEAD');
    write(settingsOf(program, 'planted', ran));
    mkdirSync(join(cwd, '.devflow', 'artifacts'), { recursive: true });
    const directory = join(home, 'rights');
    if (sandboxed) write({ 'try.sh': changing(directory, `${directory}/.${program}/hooks/mark.sh`) });
    const { rights: allowed, faults } = await readRights({ repoPath: cwd, commit: baseCommit, settings });
    expect(faults).toEqual([]);
    const asked = {
      runId: input.runId,
      repoPath: cwd,
      baseCommit,
      allowed,
      directory,
      program,
      mode: 'execute' as const,
    };
    const starting = it.adapter.start({ ...input, rights: () => grantRights(asked) });
    starting.catch(() => {});
    // Codex says to a person that it ignores `.codex/`, and waits.
    if (program === 'codex') {
      await it.becomes('DIALOG');
      await it.press('Enter');
    }
    const handle = await starting;
    const prompt = it.envelope();
    await it.adapter.sendPrompt(handle, prompt);
    await until('the turn is closed', () => it.model.closed(prompt.uuid));
    const turn = it.adapter.turnOf(input.sessionId);
    if (settings[program]?.settings && HAS_HOOKS.includes(program)) {
      await until('the hook at the end of the turn runs', () => existsSync(`${ran}-stops`));
      expect(await turn?.endedAt()).toBeUndefined();
      writeFileSync(`${ran}-go`, '');
      // On a busy machine Codex starts servers after its first prompt, and then they count as tools that may still write.
      if (program !== 'codex') await until('the turn is over', () => turn?.endedAt());
    }
    await it.becomes('READY');
    const text = (name: string) => (existsSync(`${ran}-${name}`) ? readFileSync(`${ran}-${name}`, 'utf8') : '');
    return { ...it, prompt, ran, directory, text };
  }

  test('has the hooks, rules and servers of the base commit, and nothing that an agent planted', async () => {
    const { prompt, directory, text, ran, input, told } = await session(SETTINGS[program]);
    expect(isValid(prompt)).toBe(true);
    const planted = ['hook-planted', 'script', 'db-planted', 'other-planted', 'other-base'];
    expect(planted.filter((name) => existsSync(`${ran}-${name}`))).toEqual([]);
    if (HAS_HOOKS.includes(program)) {
      const places = new Set(text('hook-base').trim().split('\n'));
      expect([...places]).toEqual(['mark', 'stop'].map((name) => `${directory}/.${program}/hooks/${name}.sh`));
    }
    if (HAS_SERVERS.includes(program)) {
      expect(text('db-base')).toMatch(`started ${directory}/tools/server.cjs by a person\n`);
      expect(text('db-base')).toContain('called');
    }
    // What devflow forbids stays forbidden, and what the repository denies is denied.
    expect(existsSync(join(input.cwd, 'kept', 'file'))).toBe(true);
    if (HAS_RULES.includes(program)) expect(existsSync(join(input.cwd, 'released'))).toBe(false);
    // The dialog of Codex is told, unless it is answered before.
    const causes = new Set(told.flatMap((stall) => stall?.cause ?? []));
    if (program === 'codex') causes.delete('dialog');
    expect([...causes]).toEqual([]);
  });

  test.skipIf(program !== 'claude' || noSandboxBecause)('has them in a sandbox, which cannot change them', async () => {
    const { prompt, directory, text, input } = await session(SETTINGS[program], true);
    expect(isValid(prompt)).toBe(true);
    expect(text('hook-base')).toContain(`${directory}/.claude/hooks/mark.sh\n`);
    expect(text('db-base')).toContain(`started ${directory}/tools/server.cjs by a person\n`);
    expect(readFileSync(join(input.cwd, 'tried.txt'), 'utf8').trim()).toBe('refused');
  });

  test('has none of them without consent', async () => {
    const { prompt, ran, input } = await session({});
    expect(isValid(prompt)).toBe(true);
    const names = ['hook-base', 'db-base', 'other-base', 'hook-planted', 'script', 'db-planted', 'other-planted'];
    expect(names.filter((name) => existsSync(`${ran}-${name}`))).toEqual([]);
    expect(existsSync(join(input.cwd, 'released'))).toBe(true);
  });
});
