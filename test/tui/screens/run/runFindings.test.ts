import { describe, expect, test } from 'vitest';
import type { FindingView } from '../../../../schemas/rpc/views/findings.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { lineWidth } from '../../../../tui/text/line.ts';
import { FINDINGS, givenFinding } from '../../../helpers/givenFinding.ts';
import { seen } from '../../given.ts';
import { detail, LARGE, press, pressed, RUN, runKey, SMALL, shows, text } from './runFixtures.ts';

const screen = (findings: readonly FindingView[] = FINDINGS, size = SMALL, run = {}) =>
  press(
    shows({ screen: 'run', id: RUN }, size, [
      [runKey, detail({ findings: findings.length, ...run })],
      [query('run.findings', { runId: RUN }).key, { runId: RUN, findings, reviews: [], notes: [] }],
    ]),
    'tab',
  );
const rows = (model: ReturnType<typeof screen>) => text(model).slice(4);

test('lists findings at 80x24: blockers first, then by what became of them', () => {
  expect(rows(screen())).toMatchInlineSnapshot(`
    [
      "▌█ critical ! confirmed src/greet.ts:12 An empty name gives a greeting without …",
      " ▆ high     ? disputed  src/shell.ts:40 The name reaches a shell",
      " ▄ medium   ! confirmed src/late.ts:9   It never ends",
      " ▂ low      · reported  README.md:4     The example lacks the option --name (to…",
      " ▆ high     ✓ fixed     src/parse.ts:3  A file that is not JSON ends the program",
      " ▆ high     ✗ rejected  src/a.ts:1      The import is unused",
      " ▆ high     = duplicate src/greet.ts:14 The name is not checked",
    ]
  `);
});

test('shows who found them at 200x60', () => {
  expect(rows(screen(FINDINGS, LARGE))).toMatchInlineSnapshot(`
    [
      "▌█ critical ! confirmed src/greet.ts:12 An empty name gives a greeting without a name                                                                                               claude, codex",
      " ▆ high     ? disputed  src/shell.ts:40 The name reaches a shell                                                                                                                    claude",
      " ▄ medium   ! confirmed src/late.ts:9   It never ends                                                                                                                               claude, codex",
      " ▂ low      · reported  README.md:4     The example lacks the option --name (too late to count)                                                                                     claude",
      " ▆ high     ✓ fixed     src/parse.ts:3  A file that is not JSON ends the program                                                                                                    claude, codex",
      " ▆ high     ✗ rejected  src/a.ts:1      The import is unused                                                                                                                        claude",
      " ▆ high     = duplicate src/greet.ts:14 The name is not checked                                                                                                                     claude",
    ]
  `);
});

test('a run without a review has no such section', () => {
  const plain = screen([]);
  expect(text(plain).join('\n')).not.toContain('Findings');
});

test('a run with a review phase has it before the first finding', () => {
  const [first] = detail().phases;
  const phases = [{ ...first, key: 'review', kind: 'review' }];
  expect(rows(screen([], SMALL, { phases })).join('\n')).toContain('The reviewers have reported no findings.');
});

test('shows why the findings could not be read', () => {
  const model = press(shows({ screen: 'run', id: RUN }, SMALL, [[runKey, detail({ findings: 1 })]]), 'tab');
  expect(text(model).join('\n')).toContain('Loading…');
  const error = { code: 'timeout', message: 'The daemon did not answer.' };
  const data = new Map([...model.data, [query('run.findings', { runId: RUN }).key, { error }]]);
  expect(text({ ...model, data }).join('\n')).toContain('The daemon did not answer.');
});

test('the filter finds words of the summary, the place and the state', () => {
  const found = press(screen(), '/', ...'disputed');
  expect(rows(found).join('\n')).toContain('src/shell.ts:40');
  expect(rows(found).join('\n')).not.toContain('README.md');
});

test('a narrow row shows the end of a place', () => {
  const path = 'packages/server/source/of/the/thing/index.ts';
  expect(rows(screen([givenFinding({ path, line: 1234 })])).join('\n')).toContain('ing/index.ts:1234');
});

describe('a finding in full', () => {
  test('has claim, failure, evidence, quotes, reporters, resolution and history', () => {
    expect(text(press(screen(FINDINGS, LARGE), 'enter')).slice(4)).toMatchInlineSnapshot(`
      [
        " Finding   Esc closes",
        " An empty name gives a greeting without a name",
        "",
        " severity    █ critical  correctness",
        " state       ! confirmed  the defect is real",
        " place       src/greet.ts:12, greet",
        " failure     greet('') returns 'Hello, '.",
        " reproduce   npm test",
        "",
        " Quote",
        " │ return 'Hello, ' + name;",
        "",
        " Evidence",
        " - test/greet.test.ts has no case for it.",
        "",
        " Found by",
        " claude      round 1, reviewer#0, high: An empty name gives a greeting without a name",
        " codex       round 1, reviewer#1, medium: An empty name gives a greeting without a name",
        "",
        " Resolution",
        " verifier (codex): Nothing checks the name before line 12.",
        " src/greet.ts:12",
        " │ return 'Hello, ' + name;",
        "",
        " History",
        " round 1     reported by reviewer#0",
        " round 1     confirmed by verifier: Nothing checks the name before line 12.",
      ]
    `);
  });

  test('names the finding that it duplicates by its place', () => {
    const last = press(screen(FINDINGS, LARGE), 'G', 'enter');
    expect(text(last).join('\n')).toMatch(/same as +src\/greet\.ts:12/);
  });

  test('closes with Escape', () => {
    expect(rows(press(screen(), 'enter', 'escape'))).toEqual(rows(screen()));
  });

  test('says so if the run no longer has it', () => {
    const opened = press(screen(), 'enter');
    const key = query('run.findings', { runId: RUN }).key;
    const data = new Map([...opened.data, [key, { value: { runId: RUN, findings: [], reviews: [], notes: [] } }]]);
    expect(text({ ...opened, data }).join('\n')).toContain('The run no longer has this item.');
  });
});

describe('the keys', () => {
  test.each([[[]], [['enter']]])('o offers the file at its line, after %j', (keys) => {
    const asked = press(screen(), ...keys, 'o');
    expect(seen(asked)).toContain('file src/greet.ts:12');
    const worktree = '/home/ada/.devflow/worktrees/1111';
    const what = 'file src/greet.ts:12';
    expect(pressed(asked, 'enter').commands).toEqual([
      { type: 'open', what, path: `${worktree}/src/greet.ts`, as: 'file', root: worktree, line: 12 },
    ]);
  });

  test('y offers the place', () => {
    expect(seen(press(screen(), 'y'))).toMatch(/place +src\/greet\.ts:12/);
  });

  test('o offers the file of the repository after a run that only reads, whose worktree is gone', () => {
    const shown = screen(FINDINGS, SMALL, { branch: null, repoPath: '/home/ada/demo' });
    expect(pressed(shown, 'o').commands).toMatchObject([
      { path: '/home/ada/demo/src/greet.ts', root: '/home/ada/demo', line: 12 },
    ]);
  });

  test('o offers no file without a worktree', () => {
    expect(pressed(screen(FINDINGS, SMALL, { worktreeRoot: '' }), 'o').commands).toEqual([]);
  });
});

test('hostile text of an agent stays in its row, at every width', () => {
  const evil = 'x\n\u001b[2J\u202e日本 '.repeat(20);
  const hostile = givenFinding({
    ...{ path: evil, summary: evil, failure: evil, quote: evil, symbol: evil, evidence: [evil], reproduce: [evil] },
    history: [{ round: 1, what: 'answered', by: evil, note: evil }],
  });
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
