import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../schemas/enums.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS } from './programs/pins.ts';
import { isValid } from './support/judge.ts';
import { realDaemon } from './support/realDaemon.ts';
import { useRealSessions } from './support/realSession.ts';

interface Expected {
  edits: boolean;
  runs: boolean;
}

const MODES: Readonly<Record<PermissionMode, Expected>> = {
  read: { edits: false, runs: false },
  edit: { edits: true, runs: false },
  execute: { edits: true, runs: true },
};
/** It edits by commands, so it has both permissions or none. */
const MODES_OF_CODEX = { ...MODES, edit: { edits: true, runs: true } };
describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  const modes = isTriedWhole(program) ? (['read', 'edit', 'execute'] as const) : (['read'] as const);
  test.each(modes)('%s: denies more than that, without a dialog', async (mode) => {
    const it = await given(program, { permissionMode: mode, scenario: 'change-and-run' });
    const { start, adapter, envelope, becomes, input, model, told } = it;
    // The directory that the harness makes with the worktree.
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    const handle = await start();
    const prompt = envelope();
    await adapter.sendPrompt(handle, prompt);
    await until('the turn is closed', () => model.closed(prompt.uuid));
    await becomes('READY');
    const edits = existsSync(join(input.cwd, 'stub', 'change.md'));
    const runs = existsSync(join(input.cwd, 'ran.txt'));
    expect({ edits, runs }).toEqual((program === 'codex' ? MODES_OF_CODEX : MODES)[mode]);
    expect(isValid(prompt)).toBe(true);
    // The agent tried all three.
    expect(Math.max(...model.heard.map(({ results }) => results ?? 0))).toBe(3);
    expect(told).toEqual([undefined]);
  });

  test.skipIf(isTriedWhole(program))('denies a forbidden command without a dialog', async () => {
    const { start, adapter, envelope, becomes, input, home, model, told } = await given(program, {
      scenario: 'forbidden',
    });
    const git = (...args: string[]) => execFileSync('git', ['-C', join(home, 'repo'), ...args], { encoding: 'utf8' });
    git('branch', 'kept');
    const handle = await start();
    const prompt = envelope();
    await adapter.sendPrompt(handle, prompt);
    await until('the turn is closed', () => model.closed(prompt.uuid));
    await becomes('READY');
    expect(isValid(prompt)).toBe(true);
    expect(existsSync(join(input.cwd, 'kept', 'file'))).toBe(true);
    expect(git('branch', '--list', 'kept').trim()).toBe('kept');
    expect(told).toEqual([undefined]);
  });

  test.runIf(isTriedWhole(program))(
    'in a run: the planner only reads, and the implementer runs all commands but the forbidden ones',
    async () => {
      const { daemon, env, model, repo } = await realDaemon();
      model.play({ spec: 'change-and-run', plan: 'change-and-run', implement: 'forbidden' });
      const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
      git('branch', 'kept');
      await daemon.start(env);
      const backend = { planner: program, implementer: program };
      const runId = await startRun(daemon, { repo, backend });
      const events = await drive(daemon, runId);
      const { run } = await proveEnd(daemon, runId, 'completed');
      expect(run.bindings.map(({ roleId, permissionMode }) => [roleId, permissionMode])).toEqual([
        ['planner', 'read'],
        ['implementer', 'execute'],
      ]);
      expect(existsSync(join(run.worktreeRoot, 'stub', 'change.md'))).toBe(false);
      expect(existsSync(join(run.worktreeRoot, 'ran.txt'))).toBe(false);
      expect(existsSync(join(run.worktreeRoot, 'stub', 'implement-1.md'))).toBe(true);
      expect(existsSync(join(run.worktreeRoot, 'kept', 'file'))).toBe(true);
      expect(git('branch', '--list', 'kept').trim()).toBe('kept');
      expect(payloads(events, 'run.stalled').filter(({ stall }) => stall)).toEqual([]);
    },
  );
});

describe.runIf(PROGRAMS.includes('claude'))('claude', () => {
  const given = useRealSessions();

  test('a question that a person answered allows nothing else', async () => {
    const it = await given('claude', { permissionMode: 'read', scenario: 'ask-change-and-run' });
    const { start, adapter, envelope, becomes, input, model, told, press } = it;
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    const handle = await start();
    const prompt = envelope();
    await adapter.sendPrompt(handle, prompt);
    await until('it asks', () => told.at(-1)?.cause === 'question');
    // Newer Claude Code ignores keys right after it drew a question, and a person presses again.
    await until('it is answered', async () => {
      await press('Enter');
      return told.at(-1) === undefined;
    });
    await until('the turn is closed', () => model.closed(prompt.uuid));
    await becomes('READY');
    expect(existsSync(join(input.cwd, 'stub', 'change.md'))).toBe(false);
    expect(existsSync(join(input.cwd, 'ran.txt'))).toBe(false);
    expect(isValid(prompt)).toBe(true);
    expect(Math.max(...model.heard.map(({ results }) => results ?? 0))).toBe(4);
    expect(told.flatMap((stall) => stall?.cause ?? [])).toEqual(['question']);
  });
});

describe.runIf(PROGRAMS.includes('codex'))('codex', () => {
  const given = useRealSessions();

  test('runs no hooks of the repository before a person has reviewed them', async () => {
    const { start, becomes, home, input, told, press, adapter, envelope, model } = await given('codex');
    // A worktree uses the hooks of its main checkout.
    const directory = join(home, 'repo', '.codex');
    const ran = join(home, 'hook-ran');
    mkdirSync(directory);
    const hook = { hooks: [{ type: 'command', command: `touch ${ran}` }] };
    writeFileSync(join(directory, 'hooks.json'), JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }));
    mkdirSync(join(input.cwd, '.codex'));
    const starting = start();
    starting.catch(() => {});
    await becomes('DIALOG');
    await until('it is reported', () => told.at(-1)?.cause === 'dialog');
    // Continues without trusting.
    await press('Escape');
    const handle = await starting;
    await adapter.sendPrompt(handle, envelope());
    await until('the turn is closed', () => model.closed(envelope().uuid));
    expect(existsSync(ran)).toBe(false);
  });
});
