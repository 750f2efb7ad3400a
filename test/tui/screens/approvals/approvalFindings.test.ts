import { expect, test } from 'vitest';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { detail, given, lists, rows, text } from '../givenScreen.ts';

const findings = [
  { path: 'plan.md', message: 'a step has no files', code: 'PLAN_STEP_FILES', line: 12 },
  { path: 'plan.md', message: 'the\u001b[2J goal\nis missing', line: 3 },
];
const shown = (more: Partial<ApprovalDetail>, size = { columns: 80, rows: 24 }) =>
  given(
    { screen: 'approval', id: 'g' },
    lists({ 'approval.get g': detail('g', { subject: { findings }, ...more }) }),
    size,
  );

test.each([
  ['gate', {}],
  ['gate of its own', { consequences: { approve: 'It continues.' } }],
  ['recovery gate', { kind: 'recovery' as const }],
])('a %s opens on its findings, each with its line', (_, more) => {
  const seen = text(shown(more));
  expect(seen).toContain('plan.md:12: a step has no files [PLAN_STEP_FILES]');
  expect(seen).toContain('plan.md:3: the␛[2J goal');
});

test('shows at most a hundred findings, and counts the rest', () => {
  const many = Array.from({ length: 120 }, (_, nth) => ({ path: 'plan.md', message: 'wrong', line: nth + 1 }));
  const seen = text(shown({ subject: { findings: many } }, { columns: 80, rows: 150 }));
  expect(seen).toContain('plan.md:100: wrong');
  expect(seen).not.toContain('plan.md:101: wrong');
  expect(seen).toContain('… and 20 more findings');
});

test('a gate without findings has no such section', () => {
  expect(text(shown({ subject: {} }))).not.toContain('Findings');
});

test('fits every width', () => {
  for (const columns of [40, 60, 120, 200]) expect(rows(shown({}, { columns, rows: 24 })).length).toBeGreaterThan(0);
});

test('the list of gates shows the findings beside it', () => {
  const model = given(
    { screen: 'approvals' },
    lists({
      'approval.list pending': [detail('g', { subject: { findings } })],
      'approval.get g': detail('g', { subject: { findings } }),
    }),
    { columns: 160, rows: 40 },
  );
  expect(text(model)).toContain('plan.md:12: a step has no files [PLAN_STEP_FILES]');
});
