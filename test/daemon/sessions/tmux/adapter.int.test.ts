import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/process/agentMark.ts';
import type { PaneId } from '../../../../tmux/command/ids.ts';
import { listPanes } from '../../../../tmux/panes/panes.ts';
import { runSpawned, spawnRunner } from '../../../../tmux/server/spawnRunner.ts';
import { endServer } from '../../../helpers/endServer.ts';
import { type ScriptedSession, useScriptedSessions } from '../../../helpers/scriptedSession.ts';
import { pasteText } from '../../../helpers/tmuxActs.ts';
import { until } from '../../../helpers/until.ts';

const given = useScriptedSessions();

const probe = ({ adapter, input }: ScriptedSession) => adapter.probe(input);
const hinted = (session: ScriptedSession, hint: string | RegExp) =>
  until(`it is ${hint}`, async () => (await probe(session)).hint?.match(hint));

function isRunning(pid: unknown): boolean {
  return existsSync(`/proc/${pid}`) && !/^\S+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

describe('its end', () => {
  it.each([
    ['exit', 'it ended with status 0'],
    ['kill', 'signal 9 ended it'],
    ['crash', 'it ended with status 1'],
  ])('by %s is reported once, with the reason; and the same conversation is resumed', async (scenario, reason) => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    const exits: string[] = [];
    adapter.onExit(handle, (exit) => exits.push(exit.reason));
    await adapter.sendPrompt(handle, envelope({ instructions: `Scenario: ${scenario}` }));
    await until('it is reported', () => exits.length > 0);
    expect(await probe(session)).toMatchObject({ alive: false, hint: reason });
    const [{ sessionId } = { sessionId: '' }] = await session.events('started');
    await adapter.resume(handle);
    expect(await session.happened('started', 2)).toMatchObject({ sessionId });
    // Neither typed again nor taken for work that the resumed program does.
    const lost = envelope({ instructions: `Scenario: ${scenario}` });
    expect(await adapter.sendPrompt(handle, lost)).toMatchObject({ promptId: lost.uuid, takerEnded: true });
    const { promptId } = await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    expect(await adapter.sendPrompt(handle, envelope({ attempt: 2 }))).toMatchObject({ promptId });
    expect(await session.journal()).toHaveLength(2);
    expect(exits).toEqual([reason]);
  });

  it('loses a conversation that is gone, until the new one has a prompt', async () => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const isLost = (by = adapter) => by.hasLostConversation(input.sessionId);
    const handle = await adapter.start(input);
    expect(isLost(), 'it had none').toBe(false);
    await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: exit' }));
    await hinted(session, 'it ended');
    await adapter.resume(handle);
    expect(isLost(), 'it is resumed').toBe(false);
    process.kill(Number((await session.happened('started', 2)).pid), 'SIGKILL');
    await hinted(session, 'signal 9');
    rmSync(join(session.configDir, 'conversations'), { recursive: true });
    await adapter.resume(handle);
    expect(isLost()).toBe(true);
    await adapter.release(handle);
    const next = session.next();
    await next.start({ ...input, adoptOnly: true });
    expect(isLost(next), 'the next daemon knows it').toBe(true);
    await next.sendPrompt(handle, envelope({ attempt: 2 }));
    expect(isLost(next)).toBe(false);
  });

  it('replaces the agent for a new conversation without reporting a loss', async () => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    const exits: string[] = [];
    adapter.onExit(handle, (exit) => exits.push(exit.reason));
    await adapter.sendPrompt(handle, envelope());
    const before = await session.happened('started');
    const next = await adapter.rebootstrap(handle);
    const after = await session.happened('started', 2);
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(isRunning(handle.pid)).toBe(false);
    expect(next.tmuxSession).toBe(handle.tmuxSession);
    await adapter.sendPrompt(next, envelope({ attempt: 2 }));
    expect(exits).toEqual([]);
  });

  it('of the whole tmux server is reported, and start resumes', async () => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    await adapter.sendPrompt(handle, envelope());
    const exits: string[] = [];
    adapter.onExit(handle, (exit) => exits.push(exit.reason));
    await endServer(session.server);
    await until('it is reported', () => exits.length > 0);
    await expect(adapter.start({ ...input, adoptOnly: true })).rejects.toMatchObject({
      code: 'pane_briefly_unresponsive',
    });
    await adapter.start(input);
    expect((await session.happened('started', 2)).sessionId).toBe((await session.happened('started')).sessionId);
    await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    expect(await session.journal()).toHaveLength(2);
  });

  it('also ends what ignores HUP and TERM', async () => {
    const session = await given({ scripted: 'ignore-hup,ignore-term,child' });
    const { adapter, input } = session;
    const handle = await adapter.start(input);
    const { pid, child } = await session.happened('child');
    expect([pid, child].map(isRunning)).toEqual([true, true]);
    await adapter.dispose(handle);
    expect([pid, child].map(isRunning)).toEqual([false, false]);
  });
});

describe('a person', () => {
  it('keeps a draft: the prompt waits, says so, and is sent when the draft is gone', async () => {
    const session = await given({ scripted: 'draft' });
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    const sending = adapter.sendPrompt(handle, envelope());
    const waits = 'waits: a person has begun to write in the composer';
    await until('it waits', async () => (await adapter.explain(handle)).some(({ fact }) => fact === waits));
    expect(await session.journal()).toEqual([]);
    await session.press('C-u');
    await sending;
    expect(await session.events('composer-cleared')).toMatchObject([{ by: 'ctrl-u' }]);
    expect(await session.journal()).toMatchObject([{ merged: false, dedupKeys: [envelope().dedupKey] }]);
  });

  it('may read in copy mode', async () => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    await runSpawned(session.server, [['copy-mode', '-t', await session.pane()]]);
    await adapter.sendPrompt(handle, envelope());
    expect(await session.journal()).toMatchObject([{ merged: false }]);
  });

  it('is asked, and devflow neither kills the agent nor types meanwhile', async () => {
    const session = await given();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: permission' }));
    await hinted(session, /^WAITING/);
    const sending = adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    await until('it waits', async () => (await adapter.explain(handle)).some(({ fact }) => /^waits: /.test(fact)));
    await session.type('1');
    await sending;
    expect(await session.events('dialog-answered')).toMatchObject([{ by: 'key', choice: 1 }]);
    expect((await session.journal()).map(({ merged, whileBusy }) => [merged, whileBusy])).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});

describe('a prompt', () => {
  it('fails if Enter has no effect, stays visible, and is not pasted again', async () => {
    const session = await given({ scripted: 'swallow=1', timings: { enters: 2, enterMs: 50 } });
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    const failed = { code: 'prompt_send_transient' };
    await expect(adapter.sendPrompt(handle, envelope())).rejects.toMatchObject(failed);
    await expect(adapter.sendPrompt(handle, envelope())).rejects.toMatchObject(failed);
    expect(await session.events('pasted')).toHaveLength(1);
    // Another prompt finds what devflow itself has left there, and takes it away first.
    await expect(adapter.sendPrompt(handle, envelope({ attempt: 2 }))).rejects.toMatchObject(failed);
    expect(await session.events('composer-cleared')).toMatchObject([{ by: 'ctrl-c', draft: false }]);
    expect(await session.events('pasted')).toHaveLength(2);
  });
});

it("separates an agent on a person's server from the person", async () => {
  const session = await given({ shared: true });
  const { adapter, input, server } = session;
  const options = () =>
    runSpawned(server, [
      ['show-options', '-g'],
      ['show-options', '-s'],
      ['show-options', '-gw'],
    ]);
  const before = await options();
  const handle = await adapter.start(input);
  const { pid } = await session.happened('ready');
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
  expect(environment).not.toContain('PERSONS_SECRET');
  expect(environment).not.toMatch(/(^|\0)TMUX(_PANE)?=/);
  expect(environment).toContain(`DEVFLOW_SESSION_DIR=${input.sessionDir}`);
  const work = (await listPanes(spawnRunner(server))).find(({ sessionName }) => sessionName === 'work');
  await pasteText(spawnRunner(server), input.sessionDir, work?.pane as PaneId, 'theirs');
  await adapter.dispose(handle);
  expect(await options()).toEqual(before);
});

it('ends a session that this daemon does not hold; the next start begins from scratch', async () => {
  const session = await given();
  const { adapter, input } = session;
  await adapter.start(input);
  const { pid, sessionId } = await session.happened('ready');
  await adapter.release(input);
  const next = session.next();
  await next.dispose(input);
  expect(isRunning(pid)).toBe(false);
  await next.start(input);
  expect((await session.happened('started', 2)).sessionId).not.toBe(sessionId);
});

it.runIf(process.platform === 'linux')(
  'ends what an agent started since its first prompt, and leaves it and its helpers',
  async () => {
    const session = await given();
    const { adapter, input } = session;
    await adapter.start(input);
    const startProgram = () => {
      const env = { ...process.env, [SESSION_DIRECTORY_VARIABLE]: input.sessionDir };
      const child = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const { pid } = await session.happened('ready');
    const helper = startProgram();
    await adapter.endLeftovers(input.sessionId);
    await adapter.sendPrompt(input, session.envelope());
    // A process that starts within two seconds after the agent counts as its helper.
    const launched = performance.now();
    await expect.poll(() => performance.now() - launched, { timeout: 5_000 }).toBeGreaterThan(2_100);
    const left = startProgram();
    const ended = once(left, 'exit');
    await session.happened('turn-ended');
    /** The pid of a program that the agent starts now. It reads from a pipe of the agent. */
    const startedByAgent = async (name: string, around = (line: string) => line) => {
      await session.type(`/run ${around(`echo $$ >${name}.new; mv ${name}.new ${name}; exec sleep 600`)}`);
      await session.press('Enter');
      const path = join(input.cwd, name);
      return until('the agent starts it', async () => existsSync(path) && Number(readFileSync(path, 'utf8')));
    };
    const server = await startedByAgent('server');
    const tool = await startedByAgent('tool', (line) => `exec </dev/null; ${line}`);
    const ofNobody = await startedByAgent('nobody', (line) => `sleep 600 | sh -c '${line}'`);
    await adapter.endLeftovers(input.sessionId);
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect([server, tool, ofNobody].map(isRunning)).toEqual([true, false, false]);
    expect(helper.exitCode).toBeNull();
    expect(helper.signalCode).toBeNull();
    expect(isRunning(pid)).toBe(true);
    await adapter.endLeftovers('unknown');
  },
);

it('ends what outlived its tmux server', async () => {
  const session = await given({ scripted: 'ignore-hup' });
  const { adapter, input, server } = session;
  await adapter.start(input);
  const { pid } = await session.happened('ready');
  await adapter.release(input);
  await endServer(server);
  expect(isRunning(pid)).toBe(true);
  await session.next().dispose(input);
  expect(isRunning(pid)).toBe(false);
});

it("follows a pane's size after the daemon that started it was killed too early", async () => {
  const session = await given();
  const { adapter, input, server } = session;
  await adapter.start(input);
  await adapter.release(input);
  const pane = await session.pane();
  await runSpawned(server, [['set-hook', '-u', '-w', '-t', pane, 'window-layout-changed']]);
  await session.next().start({ ...input, adoptOnly: true });
  const hooks = await runSpawned(server, [['show-hooks', '-w', '-t', pane]]);
  expect(hooks.join('\n')).toContain('window-layout-changed');
});
