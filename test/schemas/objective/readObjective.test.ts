import { expect, test } from 'vitest';
import { schemaOfObjective } from '../../../schemas/objective/readObjective.ts';

const targets = [{ metric: 'sharpe', op: 'gte', value: 1.5 }];

test.each([
  ['the fields of the first version', { targets, stopWhen: 'all' }, 'bt/objective@1'],
  ['a command', { targets, stopWhen: 'all', measure: { argv: ['measure'] } }, 'bt/objective@2'],
  ['a field of the second version, and no command yet', { targets, stopWhen: 'all', splits: {} }, 'bt/objective@2'],
  ['targets alone', { targets }, 'bt/objective@2'],
])('an objective with %s', (_, document, schema) => {
  expect(schemaOfObjective(document)).toBe(schema);
});
