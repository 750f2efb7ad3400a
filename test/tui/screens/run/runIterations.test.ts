import { expect, test } from 'vitest';
import type { IterationView } from '../../../../schemas/rpc/views/run.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import { at, detail, LARGE, press, RUN, runKey, SMALL, shows, text } from './runFixtures.ts';

const ITERATIONS: IterationView[] = [
  { nth: 1, extension: null, startedAt: at(0), endedAt: at(90), resolved: false, issues: 2 },
  { nth: 2, extension: 'Greet in French too', startedAt: at(90), endedAt: at(200), resolved: true, issues: 0 },
  { nth: 3, extension: 'And in Dutch', startedAt: at(200), endedAt: null, resolved: null, issues: 0 },
];
const screen = (iterations: IterationView[] | undefined = ITERATIONS, size = SMALL) =>
  press(shows({ screen: 'run', id: RUN }, size, [[runKey, detail({ iterations })]]), 'tab');
const rows = (model: ReturnType<typeof screen>) => text(model).slice(4);

test('lists iterations at 80x24 with number, outcome and extension', () => {
  expect(rows(screen())).toMatchInlineSnapshot(`
    [
      "▌1    ! unresolved 2 issues   1m 30s   without an extension",
      " 2    ✓ resolved   0 issues   1m 50s   Greet in French too",
      " 3    ● running    0 issues   6m 40s   And in Dutch",
    ]
  `);
});

test('lists iterations at 200x60', () => {
  expect(rows(screen(undefined, LARGE))).toMatchInlineSnapshot(`
    [
      "▌1    ! unresolved 2 issues   1m 30s   without an extension",
      " 2    ✓ resolved   0 issues   1m 50s   Greet in French too",
      " 3    ● running    0 issues   6m 40s   And in Dutch",
    ]
  `);
});

test('a run that repeats no phases has no such section', () => {
  const model = shows({ screen: 'run', id: RUN }, SMALL, [[runKey, detail()]]);
  expect(text(model).join('\n')).not.toContain('Iterations');
});

test('says so before the first one begins', () => {
  expect(rows(screen([])).join('\n')).toContain('No iterations yet.');
});

test('shows one in full, with what a person asked for', () => {
  expect(
    rows(press(screen(), 'j', 'enter')).map((row) => row.replace(/\d\d:\d\d:\d\d/, 'HH:MM:SS')),
  ).toMatchInlineSnapshot(`
    [
      " Iteration 2   Esc closes",
      " outcome     ✓ resolved  it left nothing to do",
      " issues      0",
      " started     HH:MM:SS",
      " duration    1m 50s",
      "",
      " Extension",
      " Greet in French too",
    ]
  `);
});

test('says so if nobody asked for more', () => {
  expect(rows(press(screen(), 'enter')).join('\n')).toContain('You asked for nothing more.');
});

test('hostile text stays in its row, at every width', () => {
  const evil = 'x\n\u001b[2J\u202e日本 '.repeat(20);
  const hostile = { ...(ITERATIONS[1] as IterationView), extension: evil };
  for (const columns of [40, 60, 80, 120, 200]) {
    for (const keys of [[], ['enter']]) {
      const model = press(screen([hostile], { columns, rows: 24 }), ...keys);
      const lines = screenOf(model).view(model, { columns, rows: 22 });
      expect(lines.length).toBeLessThanOrEqual(22);
      for (const each of lines) expect(lineWidth(each)).toBeLessThanOrEqual(columns);
      for (const sign of ['\u001b', '\u202e']) expect(text(model).join('\n')).not.toContain(sign);
    }
  }
});
