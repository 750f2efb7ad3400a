import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeys } from '../fixtures/scripted/agent/keys.mjs';
import { createStrikes, readOptions } from '../fixtures/scripted/agent/options.mjs';

function read(bytes: Buffer, cuts: number[] = []): string[] {
  const seen: [string, string][] = [];
  const add = (kind: string) => (what: Buffer | string) => {
    const last = seen.at(-1);
    if (kind === 'text' && last?.[0] === 'text') last[1] += what.toString('latin1' as never);
    else seen.push([kind, what.toString('latin1' as never)]);
  };
  const keys = createKeys({ onText: add('text'), onPaste: add('paste'), onKey: add('key') });
  let from = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)).sort((x, y) => x - y), bytes.length]) {
    if (cut > from) keys.feed(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  return seen.map(([kind, what]) => `${kind}:${what}`);
}

test('distinguishes keys, text and pastes', () => {
  const typed = 'hi\r\x1b[200~a\r\n\x03\x1b[B\x1b[201~\r\x1b[A\x1bOPx\x7f\x1b\x1b[I\x03';
  expect(read(Buffer.from(typed))).toEqual([
    ...['text:hi', 'key:enter', 'paste:a\r\n\x03\x1b[B', 'key:enter', 'key:up', 'text:x', 'key:backspace'],
    ...['key:escape', 'key:ctrl-c'],
  ]);
});

test('reads the same keys however the bytes are cut', () => {
  const bytes = Buffer.from('ab\x1b[200~one \x1b[20 two\x1b[201~\r\x1b[200~\x1b[201~c\x1b[Bd\r');
  const whole = read(bytes);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      expect(read(bytes, cuts)).toEqual(whole);
    }),
  );
});

test('misbehaves always, every k-th time, or by a seeded chance', () => {
  const options = readOptions({ SCRIPTED: 'swallow,crash=3,hang=50%' }, '/nonexistent');
  expect(options).toMatchObject({ swallow: 3, crash: 3, hang: '50%', glyph: '❯' });
  const ten = (name: string, seed: string) => {
    const strikes = createStrikes(options, seed);
    return Array.from({ length: 10 }, () => strikes(name));
  };
  expect(ten('crash', 'x').flatMap((each, index) => (each ? [index + 1] : []))).toEqual([3, 6, 9]);
  expect(ten('hang', 'x')).toEqual(ten('hang', 'x'));
  expect(ten('hang', 'x')).not.toEqual(ten('hang', 'y'));
  expect(ten('spin', 'x')).not.toContain(true);
  expect(readOptions({ SCRIPTED: '{"draft":"a, b"}' }, '/nonexistent')).toMatchObject({ draft: 'a, b' });
  expect(() => readOptions({ SCRIPTED: 'nonsense' }, '/nonexistent')).toThrow('no misbehaviour "nonsense"');
});
