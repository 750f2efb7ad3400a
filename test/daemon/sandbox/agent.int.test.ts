import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareAgentSandbox } from '../../../daemon/sandbox/agentSandbox.ts';
import { outsideOf } from '../../../daemon/sandbox/ownPlaces.ts';
import type { AgentOptions } from '../../../daemon/sessions/tmux/agentOptions.ts';
import { findProcesses, variablesOf } from '../../../daemon/system/findProcesses.ts';
import { SESSION_DIRECTORY_VARIABLE } from '../../../schemas/process/agentMark.ts';
import { ESCAPES, escapeScript, readEscapes } from '../../fixtures/sandbox/escapes.ts';
import { readEvents } from '../../fixtures/scripted/journal.ts';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { outsideWorld } from '../../helpers/outsideWorld.ts';
import { plantPrograms } from '../../helpers/plantPrograms.ts';
import { type GivenSession, useScriptedSessions } from '../../helpers/scriptedSession.ts';
import { until } from '../../helpers/until.ts';

describe.skipIf(noSandboxBecause)('an agent in a sandbox', () => {
  const given = useScriptedSessions();

  async function start(about: GivenSession = {}) {
    const session = await given(about);
    const prepareSandbox: AgentOptions['prepareSandbox'] = (input) => prepareAgentSandbox(input, []);
    const input = { ...session.input, sandbox: { wish: { level: 'agents' as const, by: 'bubblewrap' } } };
    const adapter = session.next({ prepareSandbox });
    const outside = (path: string) => outsideOf(input.sessionDir).path(path);
    const events = async (what: string) =>
      (await readEvents(outside(session.configDir))).filter((each) => each.what === what);
    const run = async (command: string) => {
      const before = (await events('ran')).length;
      await session.type(`/run ${command}`);
      await session.press('Enter');
      return until(`it ran ${command}`, async () => (await events('ran'))[before]);
    };
    const processes = () =>
      findProcesses(({ pid }) => variablesOf(pid, SESSION_DIRECTORY_VARIABLE).includes(input.sessionDir));
    return { ...session, adapter, input, prepareSandbox, outside, events, run, processes };
  }

  it('takes a prompt, and its state is known by its state file', async () => {
    const { adapter, input, envelope, outside, configDir } = await start();
    const handle = await adapter.start(input);
    const asked = envelope();
    mkdirSync(join(input.cwd, '.devflow/artifacts'), { recursive: true });
    await adapter.sendPrompt(handle, asked);
    await until('it wrote its artifact', () => existsSync(asked.expectedArtifact));
    await until('it is ready', async () => (await adapter.probe(handle)).hint === 'READY');
    const sources = (await adapter.explain(handle)).map(({ source }) => source);
    expect(sources).toContain('state file');
    expect(sources).toContain('hook');
    expect(existsSync(configDir) && existsSync(join(configDir, 'journal.jsonl'))).toBe(false);
    expect(existsSync(join(outside(configDir), 'journal.jsonl'))).toBe(true);
  });

  it('is adopted by the next daemon, and resumes its conversation', async () => {
    const { adapter, input, envelope, next, prepareSandbox, events } = await start();
    const handle = await adapter.start(input);
    await adapter.sendPrompt(handle, envelope());
    await until('it wrote its artifact', () => existsSync(envelope().expectedArtifact));
    await adapter.release(handle);
    const later = next({ prepareSandbox });
    expect(await later.start({ ...input, adoptOnly: true })).toEqual(handle);
    await until('it is ready', async () => (await later.probe(handle)).hint === 'READY');
    expect((await later.explain(handle)).map(({ source }) => source)).toContain('state file');
    process.kill(handle.pid ?? 0, 'SIGKILL');
    await until('it is dead', async () => !(await later.probe(handle)).alive);
    await later.resume(handle);
    expect(later.hasLostConversation(input.sessionId)).toBe(false);
    const started = (await events('started')).map(({ argv }) => (argv as string[]).includes('--resume'));
    expect(started).toEqual([false, true]);
  });

  it('leaves nothing running, whatever it started', async () => {
    const { adapter, input, run, processes } = await start({ scripted: 'ignore-hup' });
    const handle = await adapter.start(input);
    await run('setsid sh -c \'trap "" TERM HUP; sleep 1000\' >/dev/null 2>&1 &');
    await until('it runs', async () => (await processes()).length > 4);
    await adapter.dispose(handle);
    expect(await processes()).toEqual([]);
  });

  it('ends with its wrapper', async () => {
    const { adapter, input, run, processes } = await start({ scripted: 'ignore-hup' });
    const handle = await adapter.start(input);
    await run('(sleep 1000 >/dev/null 2>&1 &)');
    process.kill(handle.pid ?? 0, 'SIGKILL');
    await until('nothing runs', async () => (await processes()).length === 0);
  });

  it('may end in its own time when it is asked to', async () => {
    const { adapter, input, events } = await start();
    const handle = await adapter.start(input);
    await adapter.dispose(handle);
    expect((await events('signal')).length).toBeGreaterThan(0);
  });

  it('sees the size of its terminal, and a key ends no wrapper', async () => {
    const { adapter, input, run, server, pane, press } = await start();
    const handle = await adapter.start(input);
    expect((await run('stty size </dev/tty')).stdout).toMatch(/^\d+ \d+/);
    await press('C-c');
    expect((await adapter.probe(handle)).alive).toBe(true);
    expect([server.binary, await pane()]).toBeTruthy();
  });

  it('has files of its own below /tmp and in its home, which stay when it is started again', async () => {
    const { adapter, input, run, outside } = await start();
    const handle = await adapter.start(input);
    await run('echo own >/tmp/devflow-own');
    expect(existsSync('/tmp/devflow-own')).toBe(false);
    expect(readFileSync(outside('/tmp/devflow-own'), 'utf8')).toBe('own\n');
    await adapter.rebootstrap(handle);
    expect((await run('cat /tmp/devflow-own')).stdout).toBe('own\n');
  });

  it('is started by no program that an agent left in the search path of the worktree', async () => {
    const { adapter, input, run } = await start();
    const bin = join(input.cwd, '.venv/bin');
    const { ran } = plantPrograms(bin, join(input.sessionDir, 'proof/ran'));
    const env = { PATH: `${bin}:$PATH`, PERL5OPT: '-Mno::such::module' };
    const handle = await adapter.start({ ...input, env, wrap: ['nice'] });
    expect((await run('tool; echo $PERL5OPT')).stdout).toBe(`tool\n${env.PERL5OPT}\n`);
    await adapter.rebootstrap(handle);
    expect(ran()).toEqual([]);
    const other = await given({ roleId: 'other' });
    await other.adapter.start({ ...other.input, env: { PATH: env.PATH } });
    expect(ran()).toContain('mkfifo');
  });

  it('escapes in no way', async () => {
    const { adapter, input, run } = await start();
    await adapter.start(input);
    const { outside } = await outsideWorld();
    const script = escapeScript({ ...outside, WORKTREE: input.cwd, SESSION: input.sessionDir });
    writeFileSync(join(input.cwd, 'escapes.sh'), script);
    await run('sh escapes.sh >escapes.txt');
    const found = readEscapes(readFileSync(join(input.cwd, 'escapes.txt'), 'utf8'));
    expect(found.size).toBe(ESCAPES.length);
    expect([...found].flatMap(([name, escaped]) => (escaped ? [name] : []))).toEqual([]);
  });
});

describe('words of a person before the command line of an agent', () => {
  const given = useScriptedSessions();

  it('name its directories', async () => {
    const { adapter, input, type, press, happened } = await given();
    const wrap = ['/usr/bin/env', 'AT={{worktree}}', 'IN={{session}}/x'];
    await adapter.start({ ...input, wrap });
    await type('/run echo $AT $IN');
    await press('Enter');
    expect((await happened('ran')).stdout).toBe(`${input.cwd} ${input.sessionDir}/x\n`);
  });

  it('name a program that is there', async () => {
    const { adapter, input } = await given();
    await expect(adapter.start({ ...input, wrap: ['no-such-program'] })).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('no-such-program'),
    });
  });

  it('start no agent whose sandbox cannot be made', async () => {
    const { adapter, input } = await given();
    const sandbox = { wish: { level: 'agents' as const, by: 'bubblewrap' } };
    await expect(adapter.start({ ...input, sandbox })).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  });
});
