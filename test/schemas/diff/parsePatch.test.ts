import { describe, expect, it } from 'vitest';
import { parsePatch } from '../../../schemas/diff/parsePatch.ts';

describe('parsePatch', () => {
  it.each([
    ['a mode', 'diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n', 'x y', null, 'empty'],
    ['a new empty file', 'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n', 'e', null, 'empty'],
    [
      'a rename alone',
      'diff --git a/x b/y z\nsimilarity index 100%\nrename from x\nrename to y z\n',
      'y z',
      'x',
      'empty',
    ],
    ['a binary file', 'diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n', 'x', null, 'binary'],
    [
      'a submodule',
      'diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
      's',
      null,
      'submodule',
    ],
    [
      'a link',
      'diff --git a/l b/l\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+to\n\\ No newline at end of file\n',
      'l',
      null,
      'link',
    ],
    ['bytes that are no UTF-8', 'diff --git "a/\\377" "b/\\377"\nold mode 100644\n', '\uFFFD', null, 'empty'],
    ['a quote that does not end', 'diff --git "a/x', 'x', null, 'empty'],
  ])('reads %s', (_, patch, path, from, noLines) => {
    expect(parsePatch(patch).files).toEqual([expect.objectContaining({ path, from, noLines })]);
  });

  it('knows a deleted file', () => {
    const patch = 'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n';
    const { files, rows } = parsePatch(patch);
    expect(files).toEqual([{ path: 'x', from: null, noLines: null, isDeleted: true, row: 0 }]);
    expect(rows.at(-1)).toEqual({ kind: 'removed', text: '-gone', file: 0, oldLine: 1, newLine: null });
  });

  it('takes text that is no patch as a head', () => {
    expect(parsePatch('@@ -1 +1 @@\n-a\n').rows.map(({ kind }) => kind)).toEqual(['head', 'head']);
    expect(parsePatch('').rows).toEqual([]);
  });
});
