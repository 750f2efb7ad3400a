import { expect, test } from 'vitest';
import { STATUS } from '../../tui/model/query.ts';
import { bodySize } from '../../tui/widgets/bodySize.ts';
import { givenModel, seen } from './given.ts';

const away = { since: '2026-01-02T03:04:05.000Z', reason: 'does not answer' };

function given(temporal: object | undefined) {
  const model = givenModel();
  const status = { approvals: { pending: 0 }, problems: [], ...(temporal && { temporal }) };
  return { ...model, data: new Map([[STATUS.key, { value: status }]]) };
}

test('a banner says that Temporal is away, and takes its row from the screen', () => {
  const without = given({ address: 'temporal:7233', namespace: 'devflow', away });
  const rows = seen(without).split('\n');
  expect(rows[1]).toMatch(/^ devflow waits for Temporal since 2026-01-0\d \S+\. What runs goes on/);
  expect(rows).toHaveLength(24);
  expect(bodySize(without).rows).toBe(bodySize(given(undefined)).rows - 1);
});

test.each([
  ['while it answers', { address: 'temporal:7233', namespace: 'devflow', away: null }],
  ['with the local engine', undefined],
])('there is no banner %s', (_, temporal) => {
  expect(seen(given(temporal))).not.toContain('Temporal');
});
