import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Agent, givenAgent } from './givenAgent.ts';

const fixture = (schema: string, name: string) =>
  readFileSync(join(packageRoot(), 'schemas/artifacts/fixtures', schema, `${name}.json`), 'utf8');

async function sendEnvelope(agent: Agent, text: string, about: Partial<PromptEnvelope> = {}, nth = 1) {
  const expectedArtifact = join(agent.cwd, 'artifacts', `${nth}.json`);
  const envelope = tortureEnvelope({ nth, text }, { expectedArtifact, ...about });
  await agent.prompt(renderEnvelope(envelope));
  return envelope;
}

describe('a turn', () => {
  test('writes the artifact, and changes a file for an implementation', async () => {
    const agent = await givenAgent();
    const { expectedArtifact, uuid } = await sendEnvelope(agent, 'do it', { expectedSchema: 'dev/implementation@1' });
    await agent.until('turn-ended', { uuid });
    expect(readFileSync(expectedArtifact, 'utf8')).toBe(fixture('dev/implementation@1', 'ok'));
    expect(existsSync(join(agent.cwd, 'scripted/spec-1.md'))).toBe(true);
    expect(agent.state()).toMatchObject({ status: 'idle', pid: agent.pid });
    await agent.shows(/✻ Crunched for \d+s/);
    expect((await agent.journal())[0]).toMatchObject({ uuids: [uuid], merged: false });
  });

  test('animates the title, and stops it', async () => {
    const agent = await givenAgent({ scripted: 'spinner-hz=50' });
    expect(await agent.format('#{pane_title}')).toMatch(/^✳ /);
    await agent.prompt('Scenario: spin');
    const titles = new Set<string>();
    await eventually(async () => {
      titles.add(await agent.format('#{pane_title}'));
      expect(titles.size).toBeGreaterThan(3);
    });
    expect([...titles].filter((title) => /^[⠀-⣿] /u.test(title)).length).toBeGreaterThan(2);
    await agent.keys('Escape');
    await agent.until('turn-ended', { interrupted: true });
    await eventually(async () => expect(await agent.format('#{pane_title}')).toMatch(/^✳ /));
  });

  test('writes an invalid artifact, then a valid one at the next try', async () => {
    const agent = await givenAgent();
    const first = await sendEnvelope(agent, 'Scenario: invalid-then-ok', {}, 1);
    await agent.until('turn-ended', { uuid: first.uuid });
    expect(readFileSync(first.expectedArtifact, 'utf8')).toBe(fixture('dev/spec@1', 'invalid'));
    const second = await sendEnvelope(agent, 'Scenario: invalid-then-ok', {}, 2);
    await agent.until('turn-ended', { uuid: second.uuid });
    expect(readFileSync(second.expectedArtifact, 'utf8')).toBe(fixture('dev/spec@1', 'ok'));
  });

  test('ends without the artifact', async () => {
    const agent = await givenAgent();
    const { expectedArtifact } = await sendEnvelope(agent, 'Scenario: spec=no-artifact');
    await agent.until('turn-ended', { scenario: 'no-artifact' });
    expect(existsSync(expectedArtifact)).toBe(false);
    expect(agent.state()).toMatchObject({ status: 'idle' });
  });

  test('writes half of the artifact first', async () => {
    const agent = await givenAgent({ scripted: 'torn=3600000' });
    const { expectedArtifact } = await sendEnvelope(agent, 'do it');
    const whole = fixture('dev/spec@1', 'ok');
    await eventually(() => expect(readFileSync(expectedArtifact, 'utf8')).toBe(whole.slice(0, whole.length / 2)));
  });

  test('misbehaves at every second envelope, and by phase', async () => {
    const agent = await givenAgent({ scripted: 'no-artifact=2' });
    await sendEnvelope(agent, 'Scenario: plan=crash', {}, 1);
    await agent.until('turn-ended', { scenario: 'ok' });
    await sendEnvelope(agent, 'two', {}, 2);
    await agent.until('turn-ended', { scenario: 'no-artifact' });
  });

  test.each([
    ['quota', /session limit · resets/, 'rate_limit'],
    ['login', /Please run \/login · API Error: 401/, 'authentication_failed'],
  ])('shows %s on the screen and in a hook', async (name, words, error) => {
    const agent = await givenAgent({ hooks: ['Stop', 'StopFailure'] });
    await agent.prompt(`Scenario: ${name}`);
    await agent.shows(words);
    await agent.until('hook', { name: 'StopFailure' });
    expect(agent.hooked()).toMatchObject([{ hook_event_name: 'StopFailure', error }]);
  });

  test('prints a flood, and says what a recorder must contain', async () => {
    const agent = await givenAgent({ scripted: 'flood-mb=2,record' });
    await agent.prompt('Scenario: flood');
    const { bytes, sha256 } = await agent.until('flooded');
    expect(bytes).toBeGreaterThanOrEqual(2_000_000);
    const raw = readFileSync(join(agent.config, 'output', `${agent.pid}.raw`), 'latin1');
    const from = raw.indexOf('flood 0 ');
    const flood = raw.slice(from, from + (bytes as number));
    expect(createHash('sha256').update(flood, 'latin1').digest('hex')).toBe(sha256);
    await agent.until('turn-ended');
  });

  test('lets a recorder of the pane store the flood byte for byte', async () => {
    const agent = await givenAgent({ scripted: 'flood-mb=3,alt-screen' });
    const file = join(agent.home, 'piped');
    await agent.tmux(['pipe-pane', '-O', '-t', agent.pane, `exec cat >> '${file}'`]);
    await agent.prompt('Scenario: flood');
    const { bytes, sha256 } = await agent.until('flooded');
    await eventually(() => {
      const raw = readFileSync(file, 'latin1');
      const from = raw.indexOf('flood 0 ');
      const flood = raw.slice(from, from + (bytes as number));
      expect(createHash('sha256').update(flood, 'latin1').digest('hex')).toBe(sha256);
    });
  });

  test('is slow with a line for each step, or slow at first', async () => {
    const agent = await givenAgent({ scripted: 'first-turn-slow=10' });
    await agent.prompt('Scenario: slow\nDelay-Ms: 5');
    await agent.shows('● working: 20 of 20');
    await agent.until('turn-ended', { scenario: 'slow' });
  });

  test('takes a prompt submitted meanwhile afterwards, or drops it', async () => {
    const agent = await givenAgent();
    const forgetful = await givenAgent({ scripted: 'busy-drops' });
    for (const each of [agent, forgetful]) {
      await each.prompt('Scenario: spin');
      await each.until('turn-started');
      await each.prompt('next');
      await each.submitted(2);
      await each.keys('Escape');
      await each.until('turn-ended', { interrupted: true });
    }
    await agent.until('turn-ended', { scenario: 'ok' });
    expect((await forgetful.submitted(2))[1]).toMatchObject({ whileBusy: true, dropped: true });
    await forgetful.prompt('after');
    await forgetful.until('turn-ended', { scenario: 'ok' });
    expect(await forgetful.events('turn-started')).toHaveLength(2);
  });
});

describe('keys', () => {
  test('Ctrl-C interrupts; a second one right after quits', async () => {
    const agent = await givenAgent();
    await agent.prompt('Scenario: spin');
    await agent.until('turn-started');
    await agent.keys('C-c');
    await agent.until('turn-ended', { interrupted: true });
    await agent.shows('Interrupted ·');
    await agent.type('x');
    await agent.keys('BSpace', 'C-c', 'C-c');
    expect(await agent.ended()).toBe(0);
    expect(agent.state()).toBeUndefined();
  });

  test('Esc may restore the prompt, and fires no hook', async () => {
    const agent = await givenAgent({ scripted: 'esc-restores', hooks: ['UserPromptSubmit', 'Stop'] });
    await agent.prompt('Scenario: spin');
    await agent.until('hook');
    await agent.keys('Escape');
    await agent.until('turn-ended', { interrupted: true });
    await agent.shows('❯ Scenario: spin');
    expect(agent.hooked().map(({ hook_event_name }) => hook_event_name)).toEqual(['UserPromptSubmit']);
  });

  test('/exit ends it cleanly', async () => {
    const agent = await givenAgent({ scripted: 'exit-code=5' });
    await agent.type('/exit');
    await agent.keys('Enter');
    expect(await agent.ended()).toBe(5);
  });
});
