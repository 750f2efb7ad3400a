import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { countDelivery } from '../fixtures/scripted/journal.ts';
import { SHAPES, tortureEnvelope, torturePrompts, tortureText } from '../fixtures/scripted/torture.ts';
import { givenAgent } from './givenAgent.ts';

const HOUR = 3_600_000;

describe('a paste arrives byte for byte', () => {
  test.each(SHAPES)('%s', async (shape) => {
    const agent = await givenAgent();
    const text = tortureText(shape, 'bytes');
    await agent.prompt(text);
    const [submission] = await agent.submitted();
    expect(submission?.text).toBe(text);
    expect(submission).toMatchObject({
      how: 'paste',
      pastes: 1,
      merged: false,
      whileBusy: false,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    });
  });

  test('envelopes of every shape, one after the other, in the alternate screen', async () => {
    const agent = await givenAgent({ scripted: 'alt-screen,busy-ms=1' });
    expect(await agent.format('#{alternate_on}')).toBe('1');
    const sent = [];
    for (const prompt of torturePrompts('envelopes')) {
      if (prompt.nth === 10) break;
      const envelope = tortureEnvelope(prompt, { expectedArtifact: join(agent.cwd, `a${prompt.nth}.json`) });
      sent.push({ uuid: envelope.uuid, text: renderEnvelope(envelope), acknowledged: true });
      await agent.prompt(renderEnvelope(envelope));
      await agent.until('turn-ended', { uuid: envelope.uuid });
    }
    expect(countDelivery(sent, await agent.journal())).toEqual({
      sent: 10,
      whole: 10,
      lost: [],
      doubled: [],
      merged: [],
      altered: [],
      falselyAcknowledged: [],
      falselyFailed: [],
      whileBusy: [],
      strangers: [],
    });
    expect(await agent.events('wrote')).toHaveLength(10);
  });

  test('keeps what is no text as it came', async () => {
    const agent = await givenAgent();
    await agent.paste(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62]));
    await agent.until('pasted');
    await agent.keys('Enter');
    const [submission] = await agent.submitted();
    expect(Buffer.from(submission?.base64 ?? '', 'base64')).toEqual(Buffer.from([0x61, 0xff, 0xfe, 0x0a, 0x62]));
  });
});

describe('the composer', () => {
  test('folds a long paste, and shows a short one', async () => {
    const agent = await givenAgent();
    await agent.paste('a\nb\nc\nd\ne\nf\ng\nh\ni');
    await agent.shows('❯ [Pasted text #1 +8 lines]');
    await agent.keys('C-u');
    await agent.until('composer-cleared');
    await agent.paste('short\tone');
    await agent.shows(/❯ short {1,4}one/);
  });

  test('is visible while busy, and takes a prompt into the turn', async () => {
    const agent = await givenAgent({ scripted: 'glyph=›' });
    await agent.prompt('Scenario: spin');
    await agent.shows(/[·✢✳✶✻✽] Crunching… \(\d+s · esc to interrupt\)[\s\S]*\n›/);
    await agent.prompt('another');
    expect((await agent.submitted(2)).map(({ whileBusy }) => whileBusy)).toEqual([false, true]);
  });

  test('distinguishes two pastes, typed text and a draft from one prompt', async () => {
    const agent = await givenAgent({ scripted: 'draft=also rename the' });
    await agent.shows('❯ also rename the');
    await agent.prompt('DEVFLOW');
    expect(await agent.submitted()).toMatchObject([{ how: 'mixed', kinds: ['draft', 'paste'], merged: true }]);
    await agent.paste('once ');
    await agent.prompt('once ');
    expect((await agent.submitted(2))[1]).toMatchObject({ how: 'paste', pastes: 2, merged: true });
    await agent.type('hello');
    await agent.keys('Enter');
    expect((await agent.submitted(3))[2]).toMatchObject({ how: 'typed', text: 'hello', merged: false });
  });

  test('records a cleared draft as destroyed, but not a submitted one', async () => {
    const agent = await givenAgent({ scripted: 'draft' });
    await agent.keys('C-c');
    expect(await agent.until('composer-cleared')).toMatchObject({ draft: true, by: 'ctrl-c' });
    const leaving = await givenAgent({ scripted: 'draft,draft-leaves=1' });
    await leaving.until('draft-left');
    expect(await leaving.events('composer-cleared')).toEqual([]);
  });

  test('a draft appears after a turn', async () => {
    const agent = await givenAgent({ scripted: 'draft=wait for me,draft-after=1' });
    await agent.prompt('go');
    await agent.until('draft-shown');
    await agent.shows('❯ wait for me');
  });
});

describe('before it is ready', () => {
  test('receives text as typed without bracketed paste', async () => {
    const agent = await givenAgent({ scripted: `bracketed-late=${HOUR},placeholder=Ask anything` });
    await agent.shows('❯ Ask anything');
    await agent.paste('a\nb');
    await agent.until('typed');
    await agent.keys('Enter');
    expect(await agent.submitted()).toMatchObject([{ how: 'typed', text: 'a\nb' }]);
  });

  test('opens late, and then works as always', async () => {
    const agent = await givenAgent({ scripted: 'start-ms=100' });
    await agent.prompt('now');
    await agent.until('turn-ended');
  });
});

describe('Enter is swallowed', () => {
  test.each([
    ['start', `swallow-start=${HOUR}`],
    ['after-paste', `swallow-after-paste=${HOUR}`],
    ['swallow', 'swallow=1'],
  ])('%s', async (reason, scripted) => {
    const agent = await givenAgent({ scripted });
    await agent.prompt('again');
    await agent.until('enter-swallowed', { reason });
    await agent.keys('Enter');
    await agent.until('enter-swallowed', { reason }, 2);
    expect(await agent.journal()).toEqual([]);
    await agent.shows('❯ again');
  });

  test('every second time, and the text is submitted once', async () => {
    const agent = await givenAgent({ scripted: 'swallow=2' });
    await agent.prompt('one');
    await agent.submitted();
    await agent.until('turn-ended');
    await agent.prompt('two');
    await agent.until('enter-swallowed', { reason: 'swallow' });
    await agent.keys('Enter');
    expect((await agent.submitted(2)).map(({ text }) => text)).toEqual(['one', 'two']);
    await agent.keys('Enter');
    await agent.until('enter-swallowed', { reason: 'empty' });
  });

  test('by chance, the same for the same seed', async () => {
    const swallowed = async () => {
      const agent = await givenAgent({ scripted: '{"swallow":"50%","seed":"7","busy-ms":1}' });
      const outcome: boolean[] = [];
      for (let nth = 1; nth <= 12; nth++) {
        await agent.type('x');
        await agent.until('typed', {}, nth);
        await agent.keys('Enter');
        await expect
          .poll(async () => (await agent.journal()).length + (await agent.events('enter-swallowed')).length, {
            timeout: 20_000,
            interval: 5,
          })
          .toBe(nth);
        outcome.push((await agent.events('enter-swallowed')).length > outcome.filter(Boolean).length);
      }
      return outcome;
    };
    const first = await swallowed();
    expect(await swallowed()).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test('as a line break right after a paste', async () => {
    const agent = await givenAgent({ scripted: `newline-after-paste=${HOUR}` });
    await agent.prompt('line');
    await agent.until('enter-as-newline');
    expect(await agent.journal()).toEqual([]);
  });

  test('while the prompt is sent, so a second Enter doubles nothing', async () => {
    const agent = await givenAgent({ scripted: `submit-late=${HOUR}` });
    await agent.prompt('slowly');
    await agent.submitted();
    await agent.shows('❯ slowly');
    expect(agent.state()).toMatchObject({ status: 'idle' });
    await agent.keys('Enter');
    await agent.until('enter-swallowed', { reason: 'submitting' });
    expect(await agent.journal()).toHaveLength(1);
    const soon = await givenAgent({ scripted: 'submit-late=50' });
    await soon.prompt('soon');
    await soon.until('turn-ended');
    expect(await soon.journal()).toHaveLength(1);
  });

  test('a paste before the program is ready is lost, and a slow one comes later', async () => {
    const lost = await givenAgent({ scripted: `lose-start=${HOUR}` });
    await lost.paste('gone');
    await lost.until('paste-lost');
    const slow = await givenAgent({ scripted: 'paste-slow=300' });
    await slow.paste('late');
    await slow.shows('❯ late');
  });
});

describe('dialogs take the keyboard', () => {
  test.each([
    ['trust', 'Quick safety check'],
    ['update', 'Try new model'],
    ['login-start', 'Not logged in'],
  ])('%s at the start', async (name, words) => {
    const agent = await givenAgent({ scripted: name, early: true });
    await agent.until('dialog-opened', { dialog: name });
    await agent.shows(words);
    await agent.shows('❯ 1. ');
    await agent.paste('into the void');
    await agent.until('paste-swallowed', { dialog: name });
    await agent.keys('Enter');
    await agent.until('enter-swallowed', { dialog: name });
    expect(await agent.events('ready')).toEqual([]);
    await agent.keys('1');
    await agent.until('ready');
    expect(await agent.journal()).toEqual([]);
    expect(await agent.screen()).not.toContain('void');
  });

  test('a question without numbers takes the marked "No, exit" at Enter', async () => {
    const agent = await givenAgent({ scripted: 'trust-no', early: true });
    await agent.until('dialog-opened', { dialog: 'trust-no' });
    await agent.shows('❯ No, exit');
    await agent.paste('1');
    await agent.until('paste-swallowed', { dialog: 'trust-no' });
    await agent.keys('Down');
    await agent.shows('❯ Yes, I trust this folder');
    await agent.keys('Enter');
    await agent.until('dialog-answered', { dialog: 'trust-no', choice: 2, by: 'enter' });
    await agent.until('ready');
  });

  test('Enter changes a setting on request', async () => {
    const agent = await givenAgent({ scripted: 'update,dialog-enter', early: true });
    await agent.until('dialog-opened');
    await agent.keys('Down', 'Enter');
    expect(await agent.until('dialog-answered')).toMatchObject({ by: 'enter', choice: 2 });
  });

  test.each(['permission', 'question'])('%s in a turn; yes continues', async (name) => {
    const agent = await givenAgent();
    await agent.prompt(`Scenario: ${name}`);
    await agent.until('dialog-opened', { dialog: name });
    await agent.shows(name === 'permission' ? /Do you want to [\s\S]*❯ 1\. Yes/ : /Enter to select/);
    expect(agent.state()).toMatchObject({ status: 'waiting', waitingFor: expect.any(String) });
    await agent.paste('unseen');
    await agent.keys('Enter');
    await agent.until('enter-swallowed', { dialog: name });
    await agent.keys('1');
    expect(await agent.until('turn-ended')).not.toHaveProperty('interrupted');
    expect(await agent.journal()).toHaveLength(1);
  });

  test('no ends the turn, and a person may answer in the pane', async () => {
    const agent = await givenAgent();
    await agent.prompt('Scenario: permission');
    await agent.until('dialog-opened');
    await agent.keys('Escape');
    await agent.until('turn-ended', { interrupted: true });
    const answered = await givenAgent({ scripted: 'dialog-ms=1' });
    await answered.prompt('Scenario: permission');
    await answered.until('dialog-answered', { by: 'a person' });
    await answered.until('turn-ended');
  });
});
