import { describe, expect, test } from 'vitest';
import { comparison, printIteration, printLoop } from '../../../../cli/print/run/backtest.ts';
import type { IterationDetail, IterationRow } from '../../../../schemas/rpc/views/backtest.ts';
import { COMPARED, SHOWN } from '../../../tui/captures/showcaseLoop.ts';
import { fakeIo } from '../../fakeIo.ts';

test('all iterations are a table, with what they reached and why the loop ended', () => {
  const io = fakeIo();
  printLoop(io, SHOWN);
  expect(io.written.out).toMatch(/^#\s+STATE\s+VALUE\s+GAIN\s+TARGETS\s+EXPECTED\s+SEEN/);
  expect(io.written.out).toMatch(/\n0\s+base\s+0\.82 ± 0\.06\s+-\s+1\/2/);
  expect(io.written.out).toMatch(/\n3\s+failed\s+-\s+-\s+0\/2/);
  expect(io.written.out).toContain(
    'sharpe, higher is better: 0.82 at the base, 1.58 at best (iteration 4, 2 of 2 targets)',
  );
  expect(io.written.out).toContain('\n#2    undone: sharpe gains 0.06\n');
  expect(io.written.out).toContain('Ended: the targets are met on the validation part and missed on the holdout.');
});

test('a run that has measured nothing says so', () => {
  const io = fakeIo();
  printLoop(io, { ...SHOWN, iterations: [], summary: { ...SHOWN.summary, base: null, best: null, stop: null } });
  expect(io.written.out).toContain('Nothing is measured yet.');
});

describe('one iteration', () => {
  const detail = SHOWN.detail as IterationDetail;

  test('has its hypothesis, metrics, targets and losses', () => {
    const io = fakeIo();
    printIteration(io, detail);
    expect(io.written.out).toContain(
      'Iteration 4, kept: sharpe gains 0.51\nDo not trade on days with little volume.\n',
    );
    expect(io.written.out).toContain('expected sharpe +0.3, seen +0.51');
    expect(io.written.out).toContain('calmar: unknown, is NaN');
    expect(io.written.out).toContain('met      mdd must be at most 0.15 and is 0.142');
    expect(io.written.out).toContain('Losses: 30 of 64 trades');
  });

  test('cannot write to the terminal', () => {
    const io = fakeIo();
    const hostile = 'a\u001b]0;x\u0007b\u202e';
    const hypothesis = { ...(detail.hypothesis as object), hypothesis: hostile } as IterationDetail['hypothesis'];
    printIteration(io, { ...detail, reason: hostile, absent: { [hostile]: hostile }, hypothesis });
    printLoop(io, {
      ...SHOWN,
      iterations: [{ ...(SHOWN.iterations[1] as IterationRow), hypothesis: null, reason: hostile }],
    });
    for (const letter of ['\u001b', '\u0007', '\u202e']) expect(io.written.out).not.toContain(letter);
  });
});

test('two iterations stand beside each other, with what changed', () => {
  const text = comparison(fakeIo(), COMPARED);
  expect(text).toMatch(/^METRIC\s+BASE\s+#5\s+CHANGE\n/);
  expect(text).toMatch(/mdd\s+0\.21\s+0\.142\s+-0\.068\n/);
  expect(text).toMatch(/profit_factor\s+-\s+1\.7\s+–\n/);
});
