import { expect, test } from 'vitest';
import { checkResearch, checkResearchDirectory } from '../../../../../schemas/contracts/handover/document/research.ts';
import type { Mode } from '../../../../../schemas/contracts/report/report.ts';
import { about, errorsOf, file, givenResearch, LINK, MISSING, sections, tree, warningsOf } from '../given.ts';

const check = (text: string, mode: Mode = 'strict') => checkResearch(file(text), '01-a.md', mode);
const checkWith = (fields: Record<string, unknown>, mode: Mode = 'strict') => check(givenResearch(fields), mode);

test('HC-2.1, HC-2.6: a directory is checked in the order of the names, and other names are warned of', () => {
  const given = tree({
    'r/02-b.md': givenResearch({ question: 'B?' }),
    'r/01-a.md': givenResearch({ question: 'A?', confidence: 0.5 }),
    'r/notes.md': givenResearch({ confidence: undefined }),
    'r/image.png': '',
  });
  const report = checkResearchDirectory(given, 'r', 'strict');
  expect(report.parsed?.files).toEqual([
    { path: 'r/01-a.md', valid: true, question: 'A?', confidence: 0.5 },
    { path: 'r/02-b.md', valid: true, question: 'B?', confidence: 0.8 },
    { path: 'r/notes.md', valid: true, question: 'Which library?', confidence: null },
  ]);
  expect([report.valid, warningsOf(report)]).toEqual([true, ['RESEARCH_FILE_NAME', 'RESEARCH_MISSING_CONFIDENCE']]);
});

test('HC-2.2: type, created and question are required', () => {
  expect(about(check(givenResearch()))).toEqual([]);
  expect(about(checkWith({ created: undefined, question: undefined }))).toEqual([
    ['RESEARCH_MISSING_FIELD', 'created'],
    ['RESEARCH_MISSING_FIELD', 'question'],
  ]);
  expect(errorsOf(checkWith({ type: 'trekbrief' }, 'soft'))).toEqual(['RESEARCH_WRONG_TYPE']);
});

test.each([
  ['confidence', '1.1'],
  ['confidence', '-0.1'],
  ['confidence', 'high'],
  ['dimensions', '0'],
  ['dimensions', '2.5'],
  ['mcp_servers_used', '[a, b]'],
  ['local_agents_used', 'a'],
  ['external_agents_used', ['a: b']],
])('HC-2.3: %s may not be %s', (name, value) => {
  for (const mode of ['strict', 'soft'] as const) {
    expect(errorsOf(checkWith({ [name]: value }, mode))).toEqual(['RESEARCH_INVALID_FIELD']);
  }
});

test('HC-2.3: the bounds of confidence and the lists of names are valid', () => {
  expect(
    about(checkWith({ confidence: '0.0', dimensions: 1, mcp_servers_used: [], local_agents_used: ['a'] })),
  ).toEqual([]);
  expect(about(checkWith({ confidence: '1.0' }))).toEqual([]);
});

test('HC-2.4: a missing confidence warns in both modes', () => {
  for (const mode of ['strict', 'soft'] as const) {
    const report = checkWith({ confidence: undefined }, mode);
    expect([report.valid, warningsOf(report)]).toEqual([true, ['RESEARCH_MISSING_CONFIDENCE']]);
  }
});

test('HC-2.5: its sections are required', () => {
  expect(about(check(givenResearch({}, sections(['Dimensions']))))).toEqual([
    ['RESEARCH_MISSING_SECTION', 'Executive Summary'],
  ]);
});

test('HC-2.6: an absent directory only warns, and a link is not read', () => {
  const absent = checkResearchDirectory(tree({}), 'r', 'strict');
  expect([absent.valid, warningsOf(absent), absent.parsed]).toEqual([true, ['RESEARCH_DIR_MISSING'], { files: [] }]);
  for (const kind of ['link', 'file'] as const) {
    expect(errorsOf(checkResearchDirectory(tree({ r: { kind } }), 'r', 'soft'))).toEqual(['RESEARCH_READ_ERROR']);
  }
  const faulty = tree({ 'r/01-a.md': { kind: 'link' } });
  expect(errorsOf(checkResearchDirectory(faulty, 'r', 'soft'))).toEqual(['RESEARCH_READ_ERROR']);
});

test('HC-2.7: a reader is only warned of what is missing', () => {
  const text = givenResearch({ question: undefined }, '');
  expect([check(text).valid, check(text, 'soft').valid]).toEqual([false, true]);
  expect(warningsOf(check(text, 'soft'))).toEqual([
    'RESEARCH_MISSING_FIELD',
    'RESEARCH_MISSING_SECTION',
    'RESEARCH_MISSING_SECTION',
  ]);
  expect(errorsOf(checkResearch(MISSING, '01-a.md', 'soft'))).toEqual(['RESEARCH_NOT_FOUND']);
  expect(errorsOf(checkResearch(LINK, '01-a.md', 'soft'))).toEqual(['RESEARCH_READ_ERROR']);
  expect(errorsOf(check('text', 'soft'))).toEqual(['FM_MISSING']);
});
