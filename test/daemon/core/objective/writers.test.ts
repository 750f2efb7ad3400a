import { expect, test } from 'vitest';
import { measuredLines, metricsNames } from '../../../../daemon/core/objective/writers.ts';
import type { ChangeBrief } from '../../../../schemas/kinds/review/events.ts';
import { given } from '../support/given.ts';
import { begin } from '../support/measured.ts';

const briefOf = (metricsNamedIn?: string[]) => ({ brief: { metricsNamedIn } as unknown as ChangeBrief });

test('reviewers are told what measured the change, what is protected, and who can write the result, too', () => {
  const { run } = begin({ protected: ['data/**'], measure: { argv: ['python', 'bt.py'] } });
  const lines = measuredLines(run, briefOf(['src/a\u202e.py']));
  expect(lines.slice(0, 3)).toEqual([
    'Measured by: python bt.py',
    'Protected: data/**',
    'Names where the measurement is written: src/a<U+202E>.py',
  ]);
  expect(lines[3]).toContain('that code can write or change the measurement, too');
  expect(measuredLines(run, briefOf())).toEqual([]);
});

test('what code must name to write a measurement is its variable and its file', () => {
  const names = (file?: string) => metricsNames(begin({ measure: { argv: ['bt'], file } }).run).metricsNames;
  expect([names(), names('-'), names('out.csv')]).toEqual([
    ['DEVFLOW_METRICS'],
    ['DEVFLOW_METRICS'],
    ['DEVFLOW_METRICS', 'out.csv'],
  ]);
  expect(metricsNames(given({ template: 'measured', behaviour: 5 }).run)).toEqual({});
  expect(metricsNames(given({}).run)).toEqual({});
});
