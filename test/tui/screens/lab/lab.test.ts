import { describe, expect, test } from 'vitest';
import type { IterationRow } from '../../../../schemas/rpc/views/backtest.ts';
import type { Model } from '../../../../tui/model/model.ts';
import { staircase } from '../../../../tui/screens/lab/staircase.ts';
import { lineWidth, textOf } from '../../../../tui/text/line.ts';
import { COMPARED, LOOP_RUN, LOOPS, SHOWN } from '../../captures/showcaseLoop.ts';
import { DETAIL } from '../../captures/showcaseRuns.ts';
import { given, press, read, rows, text } from '../givenScreen.ts';

const ANSWERS = { 'backtest.list': LOOPS, 'backtest.show': SHOWN, 'backtest.compare': COMPARED };
const lab = (loops = LOOPS) => given({ screen: 'lab' }, { ...ANSWERS, 'backtest.list': loops });
const loop = (size = { columns: 100, rows: 40 }) => given({ screen: 'loop', id: LOOP_RUN }, ANSWERS, size);
const pressed = (model: Model, ...keys: string[]) => read(press(model, keys).model, ANSWERS);

test('shows that it loads, and then how to begin', () => {
  expect(text(given({ screen: 'lab' }, {}))).toContain('Loading…');
  expect(text(lab([]))).toContain('docs/objectives.md says how to begin');
});

test('opens a run with Enter, and comes back', () => {
  const opened = pressed(lab(), 'enter');
  expect(opened.place).toEqual({ screen: 'loop', id: LOOP_RUN });
  expect(text(opened)).toContain('sharpe, higher is better   base 0.82   best 1.58   targets 2/2');
  expect(pressed(opened, 'escape').place).toEqual({ screen: 'lab' });
});

test('opens from a run with an objective', () => {
  const of = (objective: unknown) =>
    given({ screen: 'run', id: LOOP_RUN }, { ...ANSWERS, 'run.get': { ...DETAIL, objective } });
  expect(pressed(of({ targets: [] }), 'B').place).toEqual({ screen: 'loop', id: LOOP_RUN });
  expect(pressed(of(null), 'B').place.screen).toBe('run');
});

test('says why a run ended, and what each iteration expected and brought', () => {
  const shown = rows(loop()).join('\n');
  expect(shown).toContain('Ended: the targets are met on the validation part and missed on the holdout.');
  expect(shown).toMatch(/4\s+\+ kept\s+1\.58\s+\+0\.51\s+2\/2\s+sharpe \+0\.3/);
});

test.each([80, 100, 200])('says of the selected iteration why it was undone, in %i columns', (columns) => {
  const model = pressed(loop({ columns, rows: 30 }), 'j', 'j');
  expect(text(model)).toContain('Iteration 2, undone: sharpe gains 0.06.');
  expect(text(model)).toContain('A wider stop keeps winners alive in the first hour.');
});

describe('an iteration', () => {
  test('opens whole, with equity as a curve and losses', () => {
    const opened = text(pressed(loop(), 'G', 'enter'));
    expect(opened).toMatch(/[\u2801-\u28ff]{10}/);
    expect(opened).toMatch(/2022-01-03 +2022-12-30/);
    expect(opened).toContain('exit_reason=time');
    expect(opened).toContain('calmar: unknown, is NaN');
    expect(opened).toContain('✓ met  mdd must be at most 0.15 and is 0.142');
  });

  test('is compared with the base, or with the one that is marked', () => {
    expect(text(pressed(loop(), 'G', 'c'))).toContain('the base and iteration 5');
    const marked = pressed(loop(), 'j', 'm', 'G', 'c');
    expect(text(marked)).toContain('iteration 1 and iteration 5');
    expect(text(marked)).toContain('+  if (turned(trend)) return exit();');
    expect(text(pressed(marked, 'escape'))).toContain('1*');
  });
});

test('marks only the newest attempt of an iteration that was measured again', () => {
  const [base, ...rest] = SHOWN.iterations as [IterationRow, ...IterationRow[]];
  const failed = { ...base, status: 'invalid' as const, value: null, isKept: false };
  const shown = { ...SHOWN, iterations: [failed, { ...base, attempt: base.attempt + 1 }, ...rest] };
  const model = given({ screen: 'loop', id: LOOP_RUN }, { ...ANSWERS, 'backtest.show': shown });
  const bases = rows(model).filter((row) => /^.0[* ]/.test(row));
  expect(bases.map((row) => row.includes('0*'))).toEqual([false, true]);
});

test('texts of agents cannot draw on the screen', () => {
  const [first, ...rest] = SHOWN.iterations as [IterationRow, ...IterationRow[]];
  const hostile = { ...first, reason: 'a\u001b[2Jb\nc\u202e' };
  const model = given(
    { screen: 'loop', id: LOOP_RUN },
    { ...ANSWERS, 'backtest.show': { ...SHOWN, iterations: [hostile, ...rest] } },
  );
  for (const letter of ['\u001b', '\u202e']) expect(text(model)).not.toContain(letter);
});

describe('the staircase', () => {
  const draw = (count: number, columns: number, target?: number) => {
    const many = Array.from({ length: count }, (_, at) => ({
      ...(SHOWN.iterations[1] as IterationRow),
      iteration: at,
      value: at / 10,
      isKept: at % 3 === 0,
    }));
    return staircase(many, { better: 'higher', target }, { columns, rows: 8 });
  };

  test('fits its columns and shows the newest iterations', () => {
    for (const columns of [14, 40, 200]) {
      for (const each of draw(1_000, columns)) expect(lineWidth(each)).toBeLessThanOrEqual(columns);
    }
    expect(textOf(draw(1_000, 40)[0] ?? [])).toContain('99.9');
  });

  test('uses the width, and has an axis, the target and a legend', () => {
    const lines = draw(6, 100, 0.8).map(textOf);
    expect(Math.max(...lines.map((each) => each.trimEnd().length))).toBeGreaterThan(75);
    expect(lines.at(-2)).toMatch(/^ iteration +0 +1 +2 +3 +4 +5/);
    expect(lines.at(-1)).toContain('● kept  ○ undone  ━ best  · a gain must pass  ┄ target 0.8');
    expect(lines.some((each) => each.includes('┄┄┄┄┄'))).toBe(true);
    expect(textOf(draw(6, 100, 1e6).at(-1) ?? [])).toContain('target 1000000, out of view');
  });

  test('has no rows without a value', () => {
    expect(draw(0, 40)).toEqual([]);
  });
});
