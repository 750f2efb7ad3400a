import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderPointer } from '../../../schemas/contracts/autodev/renderPointer.ts';
import { givenRepository } from '../../cli/contracts/givenRepository.ts';
import { givenPointer } from '../../schemas/contracts/autodev/given.ts';

it('AD-27, AD-32: no record is lost when two processes record at the same time', async () => {
  const { repo, program } = await givenRepository('autodev', {
    '_docs/_autodev_state.md': renderPointer(givenPointer()),
  });
  const answers = await Promise.all([1, 2].map(() => program('record', { event: 'retry-failed' })));
  const counts = answers.map(({ result }) => result.pointer.retry_count);
  expect(counts.sort()).toEqual([1, 2]);
  expect(readFileSync(join(repo, '_docs/_autodev_state.md'), 'utf8')).toContain('retry_count: 2');
  expect(readdirSync(join(repo, '_docs'))).toEqual(['_autodev_state.md']);
});
