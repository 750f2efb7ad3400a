import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  architectureIn,
  discoverArchitecture,
} from '../../../../../schemas/contracts/handover/document/architecture.ts';
import { tree, warningsOf } from '../given.ts';

test('HC-3.1: finds overview.md and gaps.md without a warning', () => {
  const report = discoverArchitecture(tree({ 'a/overview.md': '# The plan\n# Two', 'a/gaps.md': '' }), 'a');
  expect([report.valid, warningsOf(report)]).toEqual([true, []]);
  expect(report.parsed).toEqual({
    found: true,
    overview: 'a/overview.md',
    gaps: 'a/gaps.md',
    heading: 'The plan',
    looseFiles: [],
  });
});

test.each(['architecture-overview.md', 'overview.markdown', 'README.md'])(
  'HC-3.2: %s stands in with a warning',
  (name) => {
    const report = discoverArchitecture(tree({ [`a/${name}`]: '# X' }), 'a');
    expect([warningsOf(report), report.parsed?.overview]).toEqual([['ARCH_NON_CANONICAL_OVERVIEW'], `a/${name}`]);
    const both = discoverArchitecture(tree({ [`a/${name}`]: '# X', 'a/overview.md': '# Y' }), 'a');
    expect([warningsOf(both), both.parsed?.overview]).toEqual([[], 'a/overview.md']);
  },
);

test('HC-3.3: other Markdown files are one finding with their names', () => {
  const report = discoverArchitecture(tree({ 'a/overview.md': '', 'a/x.md': '', 'a/y.md': '', 'a/z.png': '' }), 'a');
  expect([warningsOf(report), report.parsed?.looseFiles]).toEqual([['ARCH_LOOSE_FILES'], ['x.md', 'y.md']]);
  expect(report.warnings[0]?.message).toContain('x.md, y.md');
});

test('HC-3.4: without the directory nothing is found, and nothing is warned of', () => {
  const report = discoverArchitecture(tree({ 'p/brief.md': '' }), 'p/architecture');
  expect([report.valid, warningsOf(report), report.parsed?.found]).toEqual([true, [], false]);
});

test('HC-3.4: the directory is found from the project, or named itself', () => {
  expect(architectureIn(tree({ 'p/architecture/overview.md': '' }), 'p')).toBe('p/architecture');
  expect(architectureIn(tree({ 'p/architecture/overview.md': '' }), 'p/architecture')).toBe('p/architecture');
  expect(architectureIn(tree({ 'docs/overview.md': '' }), 'docs')).toBe('docs');
  expect(architectureIn(tree({ 'p/brief.md': '', 'p/README.md': '' }), 'p')).toBe('p/architecture');
});

test('HC-3.5: only the first heading is read, of the first 64 KiB', () => {
  const headingOf = (text: string) => discoverArchitecture(tree({ 'a/overview.md': text }), 'a').parsed?.heading;
  expect(headingOf('---\nanything: {a: {b: 1}}\n# a comment\n---\n## Two\n# One\n')).toBe('One');
  expect(headingOf('---\nnot closed\n# One\n')).toBe('One');
  expect(headingOf(`${'x\n'.repeat(40_000)}# Late\n`)).toBeNull();
});

test('HC-3.6: it is valid for every input', () => {
  const name = fc.oneof(
    fc.constantFrom('overview.md', 'README.md', 'gaps.md', 'x.md'),
    fc.stringMatching(/^[^/]{1,12}$/),
  );
  const kind = fc.constantFrom('file' as const, 'dir' as const, 'link' as const, 'other' as const);
  const entry = fc.record({ kind, text: fc.option(fc.string(), { nil: undefined }) }, { requiredKeys: ['kind'] });
  fc.assert(
    fc.property(fc.dictionary(name, entry), (files) => {
      const given = tree(Object.fromEntries(Object.entries(files).map(([each, facts]) => [`a/${each}`, facts])));
      expect(discoverArchitecture(given, 'a').valid).toBe(true);
    }),
  );
});
