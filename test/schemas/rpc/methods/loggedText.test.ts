import { expect, test } from 'vitest';
import { METHODS } from '../../../../schemas/rpc/methods/index.ts';

const RUN = { runId: 'a1' };
const methods = new Map<string, { params: { safeParse(value: unknown): { success: boolean } } }>(
  METHODS.map((method) => [method.name, method]),
);
const takes = (name: string, params: unknown) => methods.get(name)?.params.safeParse(params).success;

test.each([
  ['run.pause', (text: string) => ({ ...RUN, reason: text })],
  ['run.resume', (text: string) => ({ ...RUN, reason: text })],
  ['run.abort', (text: string) => ({ ...RUN, reason: text })],
  ['run.skip', (text: string) => ({ ...RUN, phase: 'review', reason: text })],
  ['run.progress', (text: string) => ({ ...RUN, number: 1, name: 'write', detail: text })],
  ['run.start', (text: string) => ({ repo: '/r', template: 'review', requirements: text })],
  ['run.start', (text: string) => ({ repo: '/r', requirements: 'Go.', title: text })],
  ['run.list', (text: string) => ({ search: text })],
  ['list.count', (text: string) => ({ of: 'sessions', search: text })],
  [
    'run.start',
    (text: string) => ({ repo: '/r', template: 'review', requirements: 'Go.', objective: { goal: [text] } }),
  ],
  [
    'run.start',
    (text: string) => ({ repo: '/r', template: 'review', requirements: 'Go.', extra: { verify: [[text]] } }),
  ],
  [
    'approval.decide',
    (text: string) => ({
      approvalId: 'a1',
      action: 'approve',
      clientToken: '00000000-0000-4000-8000-000000000000',
      comment: text,
    }),
  ],
])('%s takes no text that a log cannot store (%#)', (name, paramsWith) => {
  expect(takes(name, paramsWith('Grüße, 🚀'))).toBe(true);
  for (const text of ['a\0b', '\ud800', 'x\udc00y']) expect(takes(name, paramsWith(text))).toBe(false);
});

test('a title is one line of at most 72 characters', () => {
  const start = (title: string) => takes('run.start', { repo: '/r', requirements: 'Go.', title });
  expect([start('Mine'), start(` ${'x'.repeat(72)} `), start('#[fg=red] ✓')]).toEqual([true, true, true]);
  expect([start(''), start(' \t'), start('x'.repeat(73)), start('a\nb'), start('a\u2028b')]).toEqual(
    Array(5).fill(false),
  );
});

test('a search has 1 to 200 characters', () => {
  expect(takes('run.list', { search: '\\'.repeat(200) })).toBe(true);
  for (const search of ['', '  ', 'x'.repeat(201)]) expect(takes('run.list', { search })).toBe(false);
});
