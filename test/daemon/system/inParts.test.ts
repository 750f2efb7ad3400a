import { expect, test } from 'vitest';
import { inParts } from '../../../daemon/system/inParts.ts';

test('others work between the parts of a long computation', async () => {
  const seen: string[] = [];
  function* parts(): Generator<undefined, string> {
    for (const part of ['a', 'b']) {
      seen.push(part);
      setImmediate(() => seen.push(`other after ${part}`));
      yield;
    }
    return 'done';
  }
  expect(await inParts(parts())).toBe('done');
  expect(seen).toEqual(['a', 'other after a', 'b', 'other after b']);
});
