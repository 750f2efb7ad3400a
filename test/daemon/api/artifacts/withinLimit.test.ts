import { expect, test } from 'vitest';
import { withinLimit } from '../../../../daemon/api/artifacts/artifactView.ts';
import type { ArtifactContent } from '../../../../schemas/rpc/views/artifact.ts';

const artifact = (content: string | null) => ({ content, truncated: false }) as ArtifactContent;
const KIB = 1024;

test('artifacts beyond the limit of an answer are cut, and say so', () => {
  const all = withinLimit([
    artifact('a'.repeat(700 * KIB)),
    artifact(null),
    artifact('b'.repeat(700 * KIB)),
    artifact('c'),
  ]);
  expect(all.map(({ content, truncated }) => [content?.length, truncated])).toEqual([
    [700 * KIB, false],
    [undefined, false],
    [324 * KIB, true],
    [0, true],
  ]);
});

test('no half of a character is left at the cut', () => {
  const [cut] = withinLimit([artifact(`x${'😀'.repeat(600 * KIB)}`)]);
  expect(cut?.content?.isWellFormed()).toBe(true);
});
