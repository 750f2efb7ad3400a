import { describe, expect, test } from 'vitest';
import type { Evaluation } from '../../../../daemon/core/run/evaluation.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { nextMeasurement } from '../../../../daemon/kinds/evaluate/plan.ts';
import type { Part } from '../../../../schemas/objective/objective.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { crashed, measured } from '../../core/objective/givenObjective.ts';
import { begin } from '../../core/support/measured.ts';

const SPLITS = {
  train: { from: '2020', to: '2021' },
  validation: { from: '2022', to: '2022' },
  holdout: { from: '2023', to: '2023' },
};
/** Values of the Sharpe ratio, of which 2 is wanted: the base has about 1. */
const BASE = [1, 1.1, 0.9];
const GOOD = 3;
const BAD = 0;

type Seen = Partial<Record<Part, readonly (number | string)[]>>;

/** An evaluation that has these measurements; a text is why there is none. */
function evaluation(iteration: number, seen: Seen, over: Partial<Evaluation> = {}): Evaluation {
  const measurements = Object.entries(seen).flatMap(([part, values]) =>
    values.map((value, nth) => ({
      commandId: `${part} ${nth}`,
      part: part as Part,
      measurement: typeof value === 'number' ? measured({ sharpe: value }) : crashed(value),
      protectedHash: 'protected',
    })),
  );
  const of = { id: `evaluation ${iteration}`, phaseId: 'phase', attempt: 1, iteration, hypothesis: null };
  const tree = { commit: `commit ${iteration}`, tree: `tree ${iteration}`, protectedHash: 'protected', tampered: [] };
  const times = { startedAt: '2026-01-02T03:04:05.000Z', endedAt: null };
  return { ...of, ...tree, ...times, sameAs: null, measurements, result: null, judgement: null, ...over };
}

/** The base as it was judged. */
function judged(seen: Seen): Evaluation {
  const verdicts = { targets: [], guards: [], holdout: null, weighted: 0, isMet: false };
  const judgement = { ...verdicts, isKept: true, gain: null, needed: 0, reason: 'the base', best: null, stop: null };
  const result = { status: 'valid' as const, reason: null, metrics: {}, deviations: {} };
  return evaluation(0, seen, { result, judgement });
}

interface Given {
  objective?: Partial<ObjectiveDocument>;
  behaviour?: Run['behaviour'];
  before?: Evaluation[];
}

/** The part that is measured next. */
function next(present: Evaluation, { objective, behaviour, before = [] }: Given = {}): Part | undefined {
  const { run } = begin(objective, behaviour);
  return nextMeasurement({ ...run, evaluations: [...before, present] }, present)?.part;
}

const split: Given = {
  objective: { splits: SPLITS },
  before: [judged({ train: [1], validation: BASE })],
};
const whole: Given = { before: [judged({ all: BASE })] };

describe('an evaluation measures', () => {
  test.each<[string, Evaluation, Given, Part]>([
    ['what losses are studied in first', evaluation(0, {}), split, 'train'],
    ['the judged part after it', evaluation(0, { train: [1] }), split, 'validation'],
    ['everything without parts', evaluation(0, {}), {}, 'all'],
    ['the base as often as the objective says', evaluation(0, { all: [1, 1] }), {}, 'all'],
    ['the holdout of what reaches the targets', evaluation(0, { train: [1], validation: [3, 3, 3] }), split, 'holdout'],
  ])('%s', (_, present, about, part) => {
    const before = present.iteration === 0 ? [] : (about.before ?? []);
    expect(next(present, { ...about, before })).toBe(part);
  });

  test.each<[string, Evaluation, Given]>([
    ['once an agent has touched what is protected', evaluation(0, {}, { tampered: ['it is protected'] }), {}],
    ['once a measurement failed', evaluation(0, { all: ['exit 1'] }), {}],
    ['of a base that misses the targets', evaluation(0, { train: [1], validation: BASE }), split],
  ])('nothing more %s', (_, present, about) => {
    expect(next(present, { ...about, before: [] })).toBeUndefined();
  });

  test.each([
    ['train', {}],
    ['validation', { train: [1] }],
    ['holdout', { train: [1], validation: [3, 3, 3] }],
  ] satisfies [keyof typeof SPLITS, Seen][])('the bounds of the part: %s', (part, seen) => {
    const present = evaluation(0, seen);
    const { run } = begin({ splits: SPLITS });
    expect(nextMeasurement({ ...run, evaluations: [present] }, present)).toEqual({ part, range: SPLITS[part] });
  });

  test('no bounds where the data has no parts', () => {
    const present = evaluation(0, {});
    const { run } = begin();
    expect(nextMeasurement({ ...run, evaluations: [present] }, present)).toEqual({ part: 'all', range: null });
  });
});

describe('a change is measured again', () => {
  const known = evaluation(1, { all: [BAD] });
  test.each<[string, Evaluation, Given]>([
    ['if it looks better', evaluation(1, { all: [GOOD] }), whole],
    ['if its second look has begun, although that was bad', evaluation(1, { all: [GOOD, -9] }), whole],
    [
      'if a second look at a known tree has begun',
      evaluation(2, { all: [BAD] }, { sameAs: known.id }),
      { before: [judged({ all: BASE }), known] },
    ],
  ])('%s', (_, present, about) => expect(next(present, about)).toBe('all'));

  test.each<[string, Evaluation, Given]>([
    ['if it looks worse', evaluation(1, { all: [BAD] }), whole],
    ['if other parts were measured, too', evaluation(1, { train: [1], validation: [BAD] }), split],
    ['beyond the looks of the objective', evaluation(1, { all: [GOOD, BAD, GOOD] }), whole],
    ['if it is the base', evaluation(0, { all: [1] }), { objective: { repeat: { baseline: 1, confirm: 2 } } }],
  ])('but not %s', (_, present, about) => expect(next(present, about)).toBeUndefined());
});

describe('in older runs, a change is measured again', () => {
  const older: Given = { ...whole, behaviour: 5 };
  test.each([
    ['if it reaches the targets', [GOOD]],
    ['if that has begun, although the second look was bad', [GOOD, -9]],
  ])('%s', (_, all) => expect(next(evaluation(1, { all }), older)).toBe('all'));

  test.each<[string, Evaluation, Given]>([
    ['if it misses the targets', evaluation(1, { all: [BAD] }), older],
    ['beyond the looks of the objective', evaluation(1, { all: [GOOD, GOOD, GOOD] }), older],
    ['beyond them, whatever it reaches', evaluation(1, { all: [GOOD, -9, -9] }), older],
    ['if it is the base', evaluation(0, { all: [GOOD, GOOD, GOOD] }), { behaviour: 5 }],
  ])('but not %s', (_, present, about) => expect(next(present, about)).toBeUndefined());

  test('as often as the objective confirms, whatever it says of the base', () => {
    const objective = { repeat: { baseline: 1, confirm: 4 } };
    const about: Given = { objective, before: [judged({ all: [1] })], behaviour: 5 };
    expect(next(evaluation(1, { all: [GOOD, GOOD, GOOD, GOOD] }), about)).toBe('all');
    expect(next(evaluation(1, { all: [GOOD, GOOD, GOOD, GOOD, GOOD] }), about)).toBeUndefined();
  });
});
