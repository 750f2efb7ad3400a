import { expect, it } from 'vitest';
import { FIRST_QUERIES } from '../../tui/model/listQueries.ts';
import type { Model } from '../../tui/model/model.ts';
import { oldFrame, oldFrameName } from '../../tui/oldFrame.ts';
import { lineWidth, textOf } from '../../tui/text/line.ts';
import { RUNS } from './captures/showcaseRuns.ts';
import { givenModel, press, seen } from './given.ts';

const ANSWERS: Readonly<Record<string, unknown>> = { 'run.list': RUNS, 'approval.list': [] };

/** The list of runs, with all that it reads. */
function givenList(): Model {
  const model = givenModel();
  const status = { approvals: { pending: 2 } };
  const answers = (FIRST_QUERIES.runs ?? []).map(
    ({ key, method }) => [key, { value: ANSWERS[method] ?? status }] as const,
  );
  return { ...model, data: new Map(answers) };
}

const shown = (model: Model) => oldFrame(model)?.map(textOf);

it('is the list as it opens, and says since when it is old', () => {
  const model = givenList();
  const moved = press(model, 'j', 'j', '?').model;
  expect(seen(moved)).not.toBe(seen(model));
  const lines = shown(moved) ?? [];
  const opened = seen(model).split('\n');
  expect(lines.map((each) => each.trimEnd()).slice(1, -1)).toEqual(opened.slice(1, -1));
  expect(lines[0]).toContain('◌');
  expect(lines.at(-1)).toMatch(/^ Old: from 2026-03-01 \d\d:00:00\. Reading the daemon… *$/);
  expect(oldFrame(moved)?.map(lineWidth)).toEqual(Array(24).fill(80));
});

it('is nothing that was not fresh and whole when it was kept', () => {
  const model = givenList();
  const [status, list] = FIRST_QUERIES.runs ?? [];
  const error = { code: 'internal', message: 'no' };
  const without = new Map(model.data);
  without.delete(list?.key ?? '');
  expect(shown({ ...model, link: { state: 'away', since: 0 } })).toBeUndefined();
  expect(shown({ ...model, data: without })).toBeUndefined();
  expect(shown({ ...model, data: new Map(model.data).set(status?.key ?? '', { value: {}, error }) })).toBeUndefined();
  expect(shown({ ...model, place: { screen: 'doctor' } })).toBeUndefined();
  expect(shown({ ...model, size: { columns: 40, rows: 10 } })).toBeUndefined();
});

it('has a name for each list, size and kind of terminal', () => {
  const size = { columns: 80, rows: 24 };
  expect(oldFrameName('runs', size, { TERM: 'tmux-256color', LANG: 'C.UTF-8' })).toBe('runs-24x80-tmux-256color-u');
  expect(oldFrameName('runs', size, { TERM: 'screen', COLORTERM: 'truecolor', NO_COLOR: '1', LC_ALL: 'C' })).toBe(
    'runs-24x80-screen-cn',
  );
  for (const TERM of [undefined, '', '../x', 'a b']) expect(oldFrameName('runs', size, { TERM })).toBeUndefined();
});
