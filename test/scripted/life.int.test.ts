import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pidExists } from '../../schemas/process/processes.ts';
import { eventually } from '../helpers/eventually.ts';
import { givenAgent } from './givenAgent.ts';

describe('sessions', () => {
  test('uses an id once, resumes it by name, and refuses unknown ids', async () => {
    const id = randomUUID();
    const agent = await givenAgent({ args: ['--session-id', id] });
    expect(agent.state()).toMatchObject({ sessionId: id, status: 'idle' });
    const again = await agent.launch();
    expect(await agent.ended(again.pane)).toBe(1);
    await agent.until('refused', { message: `Error: Session ID ${id} is already in use.` });
    const stranger = randomUUID();
    const unknown = await agent.launch({ args: ['--resume', stranger] });
    expect(await agent.ended(unknown.pane)).toBe(1);
    await agent.until('refused', { message: `No conversation found with session ID: ${stranger}` });
    const resumed = await agent.launch({ args: ['--resume', id] });
    await agent.until('ready', { pid: resumed.pid, sessionId: id });
  });

  test('resumes after kill -9 despite a stale state file; work continues only on request', async () => {
    const id = randomUUID();
    const agent = await givenAgent({ args: ['--session-id', id] });
    await agent.prompt('Scenario: spin');
    await agent.until('turn-started');
    process.kill(agent.pid, 'SIGKILL');
    expect(await agent.ended()).toMatch(/^signal /);
    expect(agent.state()).toMatchObject({ status: 'busy' });
    const quiet = await agent.launch({ args: ['--resume', id] });
    await agent.until('ready', { pid: quiet.pid });
    expect(agent.state(quiet.pid)).toMatchObject({ status: 'idle', sessionId: id });
    const eager = await agent.launch({ args: ['--resume', id], scripted: 'goes-on' });
    await agent.until('turn-started', { pid: eager.pid, scenario: 'spin' });
    expect(await agent.journal()).toHaveLength(1);
  });

  test('may start a conversation with its first prompt', async () => {
    const id = randomUUID();
    const agent = await givenAgent({ args: ['--session-id', id], scripted: 'late-conversation' });
    const refused = await agent.launch({ args: ['--resume', id] });
    expect(await agent.ended(refused.pane)).toBe(1);
    await agent.prompt('first');
    await agent.until('turn-ended');
    const resumed = await agent.launch({ args: ['--resume', id] });
    await agent.until('ready', { pid: resumed.pid });
  });

  test('refuses an unknown misbehaviour, also from `scripted.json`', async () => {
    const agent = await givenAgent({ scripted: 'swalow=2', early: true });
    expect(await agent.ended()).toBe(2);
    await agent.until('refused', { message: 'SCRIPTED: there is no misbehaviour "swalow"' });
    writeFileSync(join(agent.config, 'scripted.json'), '{"draft":"said, by file"}');
    const second = await agent.launch({ scripted: 'draft=by env' });
    await agent.shows('❯ said, by file', second.pane);
  });
});

describe('hooks', () => {
  const ALL = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'Stop',
    'SessionEnd',
  ];

  test('report everything, with the whole prompt', async () => {
    const agent = await givenAgent({ hooks: ALL });
    const prompt = `Scenario: permission\n${'名前 $(x)\t'.repeat(20_000)}`;
    await agent.prompt(prompt);
    await agent.until('dialog-opened');
    await agent.keys('1');
    await agent.until('hook', { name: 'Stop' });
    await agent.type('/exit');
    await agent.keys('Enter');
    expect(await agent.ended()).toBe(0);
    const hooked = agent.hooked();
    expect(hooked.map(({ hook_event_name }) => hook_event_name)).toEqual([
      ...['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'SessionEnd'],
    ]);
    expect(hooked[0]).toMatchObject({ source: 'startup', session_id: expect.any(String), cwd: agent.cwd });
    expect(hooked[1]?.prompt).toBe(prompt);
  });

  test('get the prompt as the program takes it, not as it came', async () => {
    const agent = await givenAgent({ hooks: ['UserPromptSubmit'], scripted: 'tabs,append-space' });
    await agent.prompt('a\tb');
    await agent.until('hook');
    expect(agent.hooked()[0]?.prompt).toBe('a    b ');
    expect((await agent.journal())[0]?.text).toBe('a\tb');
  });

  test('may be lost or absent', async () => {
    const some = await givenAgent({ hooks: ['SessionStart', 'UserPromptSubmit', 'Stop'], scripted: 'hooks-lose=2' });
    await some.prompt('x');
    await some.until('hook', { name: 'Stop' });
    expect(some.hooked().map(({ hook_event_name }) => hook_event_name)).toEqual(['SessionStart', 'Stop']);
    const late = await givenAgent({ hooks: ['UserPromptSubmit', 'Stop'], scripted: 'hooks-late=20' });
    await late.prompt('x');
    await late.until('hook', { name: 'Stop' });
    const none = await givenAgent({ hooks: ['SessionStart'], scripted: 'hooks-off,state-off,title-off' });
    expect(none.hooked()).toEqual([]);
    expect(none.state()).toBeUndefined();
    expect(await none.format('#{pane_title}')).not.toContain('scripted-agent');
  });
});

describe('ends', () => {
  test('SIGTERM ends it with a hook, unless it ignores that', async () => {
    const agent = await givenAgent({ hooks: ['SessionEnd'] });
    process.kill(agent.pid, 'SIGTERM');
    expect(await agent.ended()).toBe(143);
    expect(agent.hooked()).toMatchObject([{ hook_event_name: 'SessionEnd', reason: 'other' }]);
    const deaf = await agent.launch({ scripted: 'ignore-term' });
    await agent.until('ready', { pid: deaf.pid });
    process.kill(deaf.pid, 'SIGTERM');
    await agent.until('signal', { pid: deaf.pid });
    expect(pidExists(deaf.pid)).toBe(true);
  });

  test.each([
    ['crash', 7],
    ['exit', 0],
    ['kill', /^signal /],
  ])('%s', async (scenario, how) => {
    const agent = await givenAgent({ scripted: 'crash-code=7' });
    await agent.prompt(`Scenario: ${scenario}`);
    const ended = await agent.ended();
    if (how instanceof RegExp) expect(ended).toMatch(how);
    else expect(ended).toBe(how);
    expect(agent.state() === undefined).toBe(scenario === 'exit');
  });

  test('before it is ready, as often as requested', async () => {
    const agent = await givenAgent({ scripted: 'crash-start=1', early: true });
    expect(await agent.ended()).toBe(1);
    const second = await agent.launch();
    await agent.until('ready', { pid: second.pid });
  });

  test('a hang prints nothing, reads nothing and uses no CPU', async () => {
    const agent = await givenAgent();
    await agent.prompt('Scenario: hang');
    await agent.until('hung');
    const cpu = () => readFileSync(`/proc/${agent.pid}/stat`, 'latin1').split(') ')[1]?.split(' ').slice(11, 13).join();
    const before = { screen: await agent.screen(), events: readFileSync(join(agent.config, 'events.jsonl'), 'utf8') };
    await agent.paste('hello?');
    await agent.keys('Enter', 'Escape', 'C-c', 'C-c');
    // Time passes: another agent starts and works.
    const other = await agent.launch();
    await agent.until('ready', { pid: other.pid });
    expect(await agent.screen()).toBe(before.screen);
    const mine = readFileSync(join(agent.config, 'events.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"pid":${agent.pid},`));
    expect(`${mine.join('\n')}\n`).toBe(before.events);
    if (existsSync('/proc/self/stat')) expect(cpu()).toMatch(/^\d+,\d+$/);
    expect(agent.state()).toMatchObject({ status: 'busy' });
    expect(pidExists(agent.pid)).toBe(true);
  });

  test('the end of its terminal ends it, unless it ignores that', async () => {
    const agent = await givenAgent();
    const deaf = await agent.launch({ scripted: 'ignore-hup,child' });
    await agent.until('ready', { pid: deaf.pid });
    const { child } = await agent.until('child');
    await agent.tmux(['kill-server']);
    await agent.until('quit', { pid: agent.pid });
    await agent.until('signal', { pid: deaf.pid, signal: 'SIGHUP' });
    expect([pidExists(deaf.pid), pidExists(child as number)]).toEqual([true, true]);
    process.kill(deaf.pid, 'SIGTERM');
    await agent.until('quit', { pid: deaf.pid });
    await eventually(() => expect(pidExists(deaf.pid)).toBe(false));
  });
});
