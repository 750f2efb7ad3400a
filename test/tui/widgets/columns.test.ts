import { expect, test } from 'vitest';
import type { Model } from '../../../tui/model/model.ts';
import { screenOf } from '../../../tui/screens/index.ts';
import { screenModel } from '../captures/screens.ts';
import { seen, typing } from '../given.ts';
import { ago, gate, given, lists, press as pressed, rows, run, session } from '../screens/givenScreen.ts';

const press = (model: Model, ...keys: string[]) => pressed(model, keys);
const LARGE = { columns: 200, rows: 40 };
const RUNS = [
  run({ runId: 'aaaa0000-1', repoPath: '/home/ada/zebra', template: 'quick-change@1', createdAt: ago(600) }),
  run({
    runId: 'bbbb0000-1',
    repoPath: '/home/ada/atlas',
    state: 'executing',
    waitsForPerson: false,
    createdAt: ago(60),
  }),
  run({
    runId: 'cccc0000-1',
    repoPath: '/home/ada/mango',
    waitingFor: 'a decision at plan_approved (plan)',
    createdAt: ago(7200),
  }),
];
const SESSIONS = [
  session({
    sessionId: 's1',
    runId: 'aaaa0000-1',
    roleId: 'planner',
    backend: 'claude',
    paneId: '%12',
    lastPromptAt: ago(10),
  }),
  session({
    sessionId: 's2',
    runId: 'bbbb0000-1',
    roleId: 'reviewer',
    backend: 'codex',
    paneId: '%3',
    lastPromptAt: null,
  }),
  session({
    sessionId: 's3',
    runId: 'cccc0000-1',
    roleId: 'implementer',
    backend: 'gemini',
    lastPromptAt: ago(4000),
    paneId: '%7',
    stall: { cause: 'permission', detail: 'rm -r build', until: null, since: ago(30) },
  }),
];
const answers = lists({
  'run.list': RUNS,
  'session.list': SESSIONS,
  'approval.list pending': [
    gate('g1', { runId: 'aaaa0000-1', createdAt: ago(600) }),
    gate('g2', { runId: 'cccc0000-1', gateKey: 'plan_approved', phaseKey: 'plan', attempt: 2, createdAt: ago(300) }),
  ],
});

const filtered = (model: Model, words: string) => rows(press(model, '/', ...typing(words), 'enter').model).slice(2);
const order = (model: Model, names: RegExp) => [...rows(model).join('\n').matchAll(names)].map(([name]) => name);
const by = (model: Model, column: string) => press(model, 'S', ...typing(column), 'enter').model;

test.each([
  ['runs', 'atlas', /bbbb0000/],
  ['runs', 'quick-change', /aaaa0000/],
  ['runs', 'plan_approved', /cccc0000/],
  ['runs', 'EXECUTING', /bbbb0000/],
  ['sessions', 'atlas', /reviewer/],
  ['sessions', 'permission rm', /implementer/],
  ['sessions', 'codex', /reviewer/],
  ['sessions', 'mango', /implementer/],
  ['sessions', '%12', /planner/],
  ['approvals', 'zebra', /spec_approved/],
  ['approvals', 'quick-change', /spec_approved/],
  ['approvals', '#2', /plan_approved/],
  ['approvals', 'asks permission', /implementer/],
] as const)('the filter of %s finds %j, and that alone', (screen, words, what) => {
  const found = filtered(given({ screen }, answers, LARGE), words).filter((row) =>
    /^[▌ ][^ ]/.test(row.split('│')[0] ?? ''),
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(what);
});

test.each(['runs', 'sessions', 'approvals'] as const)(
  'the filter finds everything that a row of %s shows',
  (screen) => {
    const model = given({ screen }, answers, LARGE);
    const shown = rows(model)
      .slice(1)
      .map((row) => row.split('│')[0]?.trim() ?? '');
    const [first = ''] = shown;
    for (const word of first
      .replace(/^▌/, '')
      .split(/\s+/)
      .filter((each) => /\w/.test(each))) {
      expect(filtered(model, word).join('\n'), word).not.toContain('Nothing matches');
    }
  },
);

test('the filter finds an event by its time, number and phase', () => {
  const model = screenModel('run-events', LARGE);
  const [, second = ''] = rows(model).filter((row) => /\d\d:\d\d:\d\d/.test(row));
  for (const word of second
    .replace('▌', '')
    .trim()
    .split(/\s{2,}/)) {
    const found = press(model, '/', ...typing(word), 'enter').model;
    expect(rows(found).join('\n'), word).toContain(second.trim().slice(-10));
  }
});

test('S sorts by a column and marks its title; the same column again, or I, reverses it', () => {
  const runs = given({ screen: 'runs' }, answers, LARGE);
  const repos = /zebra|atlas|mango/g;
  const list = (model: Model) => order(model, repos).slice(0, 3);
  const sorted = by(runs, 'repository');
  expect(list(sorted)).toEqual(['atlas', 'mango', 'zebra']);
  expect(rows(sorted)[0]).toContain('repository↑');
  expect(list(by(sorted, 'repository'))).toEqual(['zebra', 'mango', 'atlas']);
  const turned = press(sorted, 'I').model;
  expect(rows(turned)[0]).toContain('repository↓');
  expect(list(turned)).toEqual(['zebra', 'mango', 'atlas']);
  expect(list(by(runs, 'age'))).toEqual(['atlas', 'zebra', 'mango']);
  expect(list(by(turned, 'no column'))).toEqual(list(runs));
  expect(press(runs, 'I').model.toasts.at(-1)?.text).toContain('no column is chosen; press S');
});

test('the order and the selected run stay after leaving the screen and coming back', () => {
  const runs = given({ screen: 'runs' }, answers, LARGE);
  const chosen = press(runs, 'G').model;
  const selected = (model: Model) =>
    rows(model)
      .find((row) => row.startsWith('▌'))
      ?.match(/[a-c]{4}0000/)?.[0];
  const sorted = by(chosen, 'repository');
  expect(selected(sorted)).toBe(selected(chosen));
  const back = press(sorted, '2', '3', '1').model;
  expect(rows(back)[0]).toContain('repository↑');
});

test('empty cells come last in both orders; panes sort by number', () => {
  const sessions = given({ screen: 'sessions' }, answers, LARGE);
  const roles = (model: Model) => order(model, /planner|reviewer|implementer(?= +gemini)/g);
  expect(roles(by(sessions, 'prompt'))).toEqual(['planner', 'implementer', 'reviewer']);
  expect(roles(press(by(sessions, 'prompt'), 'I').model)).toEqual(['implementer', 'planner', 'reviewer']);
  expect(roles(by(sessions, 'pane'))).toEqual(['reviewer', 'implementer', 'planner']);
  const gates = by(given({ screen: 'approvals' }, answers, { columns: 110, rows: 40 }), 'repository');
  expect(order(gates, /plan_approved|spec_approved/g)).toEqual(['plan_approved', 'spec_approved']);
});

test.each(['templates', 'personas'])('%s have no titles, and show their order in a line', (screen) => {
  const model = screenModel(screen, LARGE);
  expect(seen(by(model, screen === 'templates' ? 'hash' : 'backend'))).toMatch(/sorted by (hash|backend)↑/);
  expect(screenOf(model).bindings.filter(({ keys }) => keys.includes('S'))).toHaveLength(1);
});
