import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLAIN_PARAMS } from '../../../daemon/contractFamilies/contract.ts';
import { parseParams } from '../../../daemon/rpc/params.ts';
import { readPlainParams } from '../../../daemon/startup/plainParams.ts';
import { CONTRACT_METHODS } from '../../../schemas/rpc/methods/contracts/contract.ts';

const value = fc.constantFrom<unknown>(
  '',
  'x',
  '/repo',
  'strict',
  'soft',
  'Strict',
  'a\0b',
  'a\ud800',
  `/${'a'.repeat(5000)}`,
  null,
  undefined,
  1,
  true,
  [],
  {},
);
const params = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.dictionary(fc.constantFrom('repo', 'contract', 'mode', 'x', '__proto__', 'repo?'), value),
  },
  value,
);

test.each(CONTRACT_METHODS)('plain parameters of $name are right by its schema', (method) => {
  let count = 0;
  fc.assert(
    fc.property(params, (made) => {
      const given = made === undefined ? {} : JSON.parse(JSON.stringify(made));
      const plain = readPlainParams(PLAIN_PARAMS[method.name], given);
      if (plain === undefined) return;
      count += 1;
      expect(parseParams(method, given)).toEqual(plain);
    }),
    { numRuns: 3000 },
  );
  expect(count).toBeGreaterThan(0);
});
