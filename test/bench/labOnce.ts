import { initialModel, type Model, type Place } from '../../tui/model/model.ts';
import { STATUS } from '../../tui/model/query.ts';
import { screenOf } from '../../tui/screens/index.ts';
import { update } from '../../tui/update/update.ts';
import { view } from '../../tui/view.ts';
import { LOOP_RUN, SHOWN } from '../tui/captures/showcaseLoop.ts';
import { NOW, RUNS } from '../tui/captures/showcaseRuns.ts';
import { quantile } from './figure.ts';

/** `node labOnce.ts` prints how long it takes to show 1,000 iterations, and 1,000 runs. */
const MANY = 1_000;
const IGNORED = 5;
const TIMES = 20;

const many = <T>(items: readonly T[], make: (item: T, nth: number) => T): T[] =>
  Array.from({ length: MANY }, (_, nth) => make(items[nth % items.length] as T, nth));
const iterations = many(SHOWN.iterations, (row, nth) => ({ ...row, iteration: nth }));
const runs = many(RUNS, (run, nth) => ({ ...run, runId: `${nth}-${run.runId}` }));
const ANSWERS = {
  'backtest.show': JSON.stringify({ ...SHOWN, iterations, detail: null }),
  'run.list': JSON.stringify(runs),
};

function open(place: Place, method: keyof typeof ANSWERS): number {
  const first: Model = {
    ...initialModel({ size: { columns: 120, rows: 40 }, now: NOW, version: '0', cwd: '/', place }),
    link: { state: 'up' },
  };
  const query =
    screenOf(first)
      .queries(first)
      .find((each) => each.method === method) ?? STATUS;
  const begun = performance.now();
  const value = JSON.parse(ANSWERS[method]);
  const { model } = update(first, { type: 'data', answers: [[query.key, { value }]] }, NOW);
  const lines = view(model).length;
  const ms = performance.now() - begun;
  if (lines !== 40) throw new Error(`the screen has ${lines} lines`);
  return ms;
}

const median = (values: readonly number[]) =>
  quantile(
    values.slice(IGNORED).sort((a, b) => a - b),
    0.5,
  );

// In turns, so that neither gains from code that the other has warmed up.
const rounds = Array.from({ length: IGNORED + TIMES }, () => ({
  loop: open({ screen: 'loop', id: LOOP_RUN }, 'backtest.show'),
  runs: open({ screen: 'runs' }, 'run.list'),
}));
console.log(
  JSON.stringify({ loop: median(rounds.map(({ loop }) => loop)), runs: median(rounds.map(({ runs: all }) => all)) }),
);
