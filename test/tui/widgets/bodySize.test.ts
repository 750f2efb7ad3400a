import { expect, test } from 'vitest';
import { toast } from '../../../tui/model/toast.ts';
import { sgrLine } from '../../../tui/text/sgr.ts';
import { seen } from '../given.ts';
import { given, lists, SESSION, sessionDetail, withTranscript } from '../screens/givenScreen.ts';

test('toasts cover neither the newest line of a transcript nor the footer', () => {
  const place = { screen: 'session', id: SESSION } as const;
  const lines = Array.from({ length: 90 }, (_, nth) => sgrLine(`line ${nth + 1}`));
  const model = withTranscript(given(place, { 'session.get': sessionDetail() }), lines);
  const before = seen(model).split('\n');
  expect(before.at(-2)).toBe('line 90');
  const said = seen(toast(model, 'warn', 'A gate waits for you. Press 2.')).split('\n');
  expect(said.slice(-3)).toEqual(['line 90', ' ! A gate waits for you. Press 2.', before.at(-1)]);
});

test('toasts cover neither the newest event nor a row of a list, and take at most a third of the terminal', () => {
  let model = given({ screen: 'runs' }, lists(), { columns: 60, rows: 15 });
  for (let nth = 0; nth < 4; nth += 1) model = toast(model, 'bad', `${nth} ${'long '.repeat(40)}`);
  const rows = seen(model).split('\n');
  expect(rows).toHaveLength(15);
  expect(rows.slice(1, 3).join('\n')).toMatch(/state[\s\S]*decision/);
  expect(rows.filter((row) => row.includes('long'))).toHaveLength(5);
});
