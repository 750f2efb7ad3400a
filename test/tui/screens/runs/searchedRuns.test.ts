import { expect, test } from 'vitest';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { afterEvents, press, runsKey, SMALL, shows, summary, text } from '../run/runFixtures.ts';

const LISTED = [
  summary({ runId: '11110000', title: 'Greet by name' }),
  summary({ runId: '22220000', title: 'Book refunds' }),
];
const search = (words: string) => query('run.list', { search: words, limit: 1000 });
const screen = () => shows({ screen: 'runs' }, SMALL, [[runsKey, LISTED]]);
const rows = (model: ReturnType<typeof screen>) =>
  text(model).flatMap((line) => /\b(\d{4})0000 (\w+)/.exec(line)?.slice(1, 3).join(' ') ?? []);

test('the filter of a list finds titles', () => {
  expect(rows(screen())).toEqual(['1111 Greet', '2222 Book']);
  expect(rows(press(screen(), '/', ...'NAME'))).toEqual(['1111 Greet']);
});

test('asks the daemon for the words once they are typed, and shows what it finds in requirements and beyond the list', () => {
  const typing = press(screen(), '/', ...'polite');
  const asks = (model: typeof typing) =>
    screenOf(model)
      .queries(model)
      .map(({ key }) => key);
  expect(asks(typing)).not.toContain(search('polite').key);
  const asked = press(typing, 'enter');
  expect(asks(asked)).toContain(search('polite').key);
  expect(rows(asked)).toEqual([]);
  const found = [LISTED[0], summary({ runId: '33330000', title: 'Old', state: 'completed' })];
  const answered = afterEvents(asked, { type: 'data', answers: [[search('polite').key, { value: found }]] });
  expect(rows(answered)).toEqual(['1111 Greet', '3333 Old']);
  expect(rows(press(answered, 'escape'))).toEqual(['1111 Greet', '2222 Book']);
});

test('asks the daemon for no words that it would refuse', () => {
  const asked = press(screen(), '/', ...'x'.repeat(201), 'enter');
  expect(
    screenOf(asked)
      .queries(asked)
      .filter(({ key }) => key.includes('search')),
  ).toEqual([]);
});
