import { describe, expect, test } from 'vitest';
import { readInlineMap } from '../../../../schemas/contracts/autodev/inlineMap.ts';
import { isFlagTrue } from '../../../../schemas/contracts/autodev/scan.ts';
import { isTooNested } from '../../../../schemas/contracts/document/nesting.ts';
import { readManifest } from '../../../../schemas/contracts/handover/manifest/manifest.ts';

const HOSTILE = {
  'explicit keys': '? '.repeat(5000),
  'explicit keys in many lines': '? ? a\n'.repeat(500),
  'lists in a line': '- '.repeat(5000),
  brackets: '['.repeat(5000),
  indentation: Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
};

describe.each(Object.entries(HOSTILE))('deeply nested %s', (_, text) => {
  test('do not reach the YAML parser', () => {
    expect(isTooNested(text)).toBe(true);
    const fence = { info: 'yaml', text: `manifest:\n${text}`, line: 1, isClosed: true };
    expect(readManifest(fence, 1, 'plan.md').findings).toMatchObject([{ code: 'MANIFEST_SYNTAX' }]);
    expect(isFlagTrue(`confirmed_by_user: true\n${text}`, 'confirmed_by_user')).toBe(false);
    expect(readInlineMap(`{phase: 0, name: ${text}}`)).toEqual([]);
  });
});

test('ordinary texts are not too nested', () => {
  expect(isTooNested('a:\n  - b: [1, 2]\n    why: is it? yes - it is: so\n')).toBe(false);
  expect(isTooNested('pattern: "^[a-z]+(-[a-z]+)*$"\n'.repeat(80))).toBe(false);
});
