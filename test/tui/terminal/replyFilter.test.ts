import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReplyFilter } from '../../../tui/terminal/replyFilter.ts';
import { handTimers } from '../../helpers/handTimers.ts';

const WHITE = 'rgb:ffff/ffff/ffff';
const ANSWER = `\u001b]11;${WHITE}\u001b\\`;

function given(...pieces: string[]) {
  const typed: string[] = [];
  const answers: string[] = [];
  const time = handTimers();
  const filter = createReplyFilter(
    { onTyped: (text) => typed.push(text), onReply: (text) => answers.push(text) },
    time,
  );
  for (const piece of pieces) filter.push(piece);
  return { filter, typed, answers, time, text: () => typed.join('') };
}

describe('a reply of the terminal', () => {
  it.each([
    ['with ST', ANSWER],
    ['with BEL', `\u001b]11;${WHITE}\u0007`],
    ['with the one-byte ST', `\u001b]11;${WHITE}\u009c`],
  ])('is separated from typed keys: %s', (_, answer) => {
    const { answers, text } = given(`j${answer}k`);
    expect([answers, text()]).toEqual([[WHITE], 'jk']);
  });

  it('is found however it is cut, and whatever is typed around it', () => {
    fc.assert(
      fc.property(fc.nat(ANSWER.length), (at) => {
        const { answers, text } = given('j', ANSWER.slice(0, at), ANSWER.slice(at), 'k');
        expect(answers).toEqual([WHITE]);
        // Only an escape that came alone was a key already.
        expect(text().replace('\u001b', '')).toBe('jk');
      }),
    );
  });

  it('that is garbage becomes no key either', () => {
    const { answers, text } = given('\u001b]11;aaaa qqqq\u0007', 'x');
    expect([answers, text()]).toEqual([['aaaa qqqq'], 'x']);
  });

  it('without an end swallows no key', () => {
    const held = given(`\u001b]11;${WHITE}`);
    held.time.runAll();
    held.filter.push('q');
    expect([held.answers, held.text()]).toEqual([[], 'q']);
    expect(given(`\u001b]11;rgb:ff\u001b[A`).text()).toBe('\u001b[A');
    expect(given(`\u001b]11;${'a'.repeat(300)}`, 'j').text()).toBe('j');
  });

  it('that comes late or twice is one more reply', () => {
    expect(given(ANSWER, 'j', ANSWER).answers).toEqual([WHITE, WHITE]);
  });
});

describe('typed keys', () => {
  it.each(['\u001b', '\u001b[A', '\u001b[200~text\u001b[201~', '\u001bOP', '日本', ']11;'])(
    '%j comes at once',
    (keys) => {
      expect(given(keys).text()).toBe(keys);
    },
  );

  it('come through if they begin like a reply', () => {
    const alt = given('\u001b]');
    expect(alt.text()).toBe('');
    alt.time.runAll();
    expect(alt.text()).toBe('\u001b]');
    expect(given('\u001b]', 'j').text()).toBe('\u001b]j');
  });

  it('never change without a reply', () => {
    const piece = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\u001b]1'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        fc.pre(!pieces.join('').includes('\u001b]11;'));
        const all = given(...pieces);
        all.time.runAll();
        expect(all.text()).toBe(pieces.join(''));
      }),
    );
  });
});
