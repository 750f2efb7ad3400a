import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../cli/define/schedule.ts';
import { givenTo } from '../givenTo.ts';

test('takes an expression as one word, and the zone of the person', async () => {
  const { params, own } = await givenTo(SCHEDULE.add, '0 6 * * 1-5', '-m', 'Tidy up.', '--backend', 'codex');
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(params).toMatchObject({ expression: '0 6 * * 1-5', zone: timeZone });
  expect(own).toMatchObject({ message: ['Tidy up.'], backend: ['codex'] });
});

test('takes another zone, and skips what was missed only if it is asked to', async () => {
  const { params, own } = await givenTo(SCHEDULE.add, '@daily', '--zone', 'Asia/Tokyo', '--skip-missed');
  expect([params, own]).toMatchObject([{ zone: 'Asia/Tokyo' }, { skipMissed: true }]);
});
