import { expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { describeSubmission } from '../fixtures/scripted/agent/envelope.mjs';
import { countDelivery, type Sent, type Submission } from '../fixtures/scripted/journal.ts';
import { SHAPES, tortureEnvelope, torturePrompts, tortureText } from '../fixtures/scripted/torture.ts';

const envelope = (nth: number) => {
  const about = tortureEnvelope({ nth, text: tortureText('markers', String(nth)) }, { expectedArtifact: '/a.json' });
  return { uuid: about.uuid, text: renderEnvelope(about), acknowledged: true };
};
const submitted = (...parts: (string | ['draft', string])[]): Submission => ({
  at: '',
  pid: 1,
  sessionId: 's',
  ...describeSubmission(
    parts.map((part) => {
      const [kind, text]: [string, string] = typeof part === 'string' ? ['paste', part] : part;
      return { kind, bytes: Buffer.from(text) };
    }),
    { whileBusy: false, dropped: false },
  ),
});
const count = (sent: Sent[], ...arrived: Submission[]) => {
  const entries = Object.entries(countDelivery(sent, arrived));
  return Object.fromEntries(entries.filter(([, value]) => (Array.isArray(value) ? value.length > 0 : true)));
};

const [a, b] = [envelope(1), envelope(2)];

test('counts a prompt that arrives whole, whatever markers it quotes', () => {
  expect(count([a, b], submitted(a.text), submitted(b.text))).toEqual({ sent: 2, whole: 2 });
});

test('counts lost and falsely acknowledged prompts; a failed one is not lost', () => {
  expect(count([a])).toEqual({ sent: 1, whole: 0, lost: [a.uuid], falselyAcknowledged: [a.uuid] });
  expect(count([{ ...a, acknowledged: false }])).toEqual({ sent: 1, whole: 0 });
  const failed = count([{ ...a, acknowledged: false }], submitted(a.text));
  expect(failed).toEqual({ sent: 1, whole: 1, falselyFailed: [a.uuid] });
});

test('counts doubled prompts: submitted twice, or twice in one', () => {
  const doubled = { sent: 1, whole: 0, doubled: [a.uuid], falselyAcknowledged: [a.uuid] };
  expect(count([a], submitted(a.text), submitted(a.text))).toEqual(doubled);
  expect(count([a], submitted(a.text, a.text))).toEqual({ ...doubled, merged: [a.uuid] });
});

test('counts merged prompts: with another, with a draft before it, with text after it', () => {
  const both = [a.uuid, b.uuid];
  const merged = { sent: 2, whole: 0, merged: both, falselyAcknowledged: both };
  expect(count([a, b], submitted(`${a.text}${b.text}`))).toEqual(merged);
  const one = { sent: 1, whole: 0, merged: [a.uuid], falselyAcknowledged: [a.uuid] };
  expect(count([a], submitted(['draft', 'also rename the'], a.text))).toEqual(one);
  expect(count([a], submitted(`${a.text} and more`))).toEqual(one);
});

test('counts altered prompts, and prompts that nobody sent', () => {
  const tabs = a.text.replace('Role: ', 'Role:  ');
  expect(count([a], submitted(tabs))).toEqual({ sent: 1, whole: 0, altered: [a.uuid], falselyAcknowledged: [a.uuid] });
  expect(count([a], submitted(a.text), submitted(['draft', 'x']))).toEqual({ sent: 1, whole: 1, strangers: ['x'] });
});

test('counts a text without an envelope on its own', () => {
  const sent = [{ text: 'one' }, { text: 'two' }];
  expect(count(sent, submitted('one'), submitted('two'))).toEqual({ sent: 2, whole: 2 });
  expect(count(sent, submitted('one', 'two'))).toEqual({ sent: 2, whole: 0, merged: ['one', 'two'] });
});

test('makes different torture prompts of every shape from a seed', () => {
  const take = (seed: string) =>
    Array.from(
      { length: 25 },
      (
        (prompts) => () =>
          prompts.next().value
      )(torturePrompts(seed)),
    );
  const prompts = take('x');
  expect(take('x')).toEqual(prompts);
  expect(new Set(prompts.map(({ text }) => text)).size).toBe(25);
  expect(new Set(prompts.map(({ shape }) => shape))).toEqual(new Set(SHAPES));
  for (const { shape, text } of prompts) {
    expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
    expect(text.isWellFormed()).toBe(true);
    if (shape === 'one-line') expect(text).not.toContain('\n');
    if (shape === 'huge') expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(200 * 1024);
  }
});
