import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireRepository } from '../../../daemon/contracts/contractPorts.ts';
import { givenDirectories } from './givenDirectories.ts';

const given = () => givenDirectories('require', { now: () => 0, isInUse: async () => false });

it.each([
  ['a text with NUL', () => 'a\0b'],
  ['a path that is longer than any', () => `/${'a/'.repeat(4000)}`],
  ['a name that is longer than any', () => `/${'a'.repeat(300)}`],
  ['a place that is empty', (root: string) => join(root, 'nowhere')],
  ['a link to itself', (root: string) => join(root, 'loop')],
])('%s is no repository', (_, placeIn) => {
  const { root } = given();
  symlinkSync('loop', join(root, 'loop'));
  const ask = () => requireRepository(placeIn(root));
  expect(ask).toThrow(expect.objectContaining({ code: 'contract_not_found', data: { what: 'repository' } }));
});

it('takes a directory, also through a link', () => {
  const { root, repo } = given();
  symlinkSync('repo', join(root, 'link'));
  for (const place of [repo, join(root, 'link')]) expect(() => requireRepository(place)).not.toThrow();
});
